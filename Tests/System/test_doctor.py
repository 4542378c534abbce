"""`ringfence doctor` finds each problem between an app and the sandbox, and its fix.

Source: issue 5, part 5.
"""

import http.server
import json
import os
import shutil
import socket
import subprocess
import threading

import pytest
import requests

import authorities
import ringfence

LISTENERS = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "127.0.0.1:0")
HOST = "verify.twilio.com"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(folder):
    with ringfence.Server("--data", folder, "--trust", folder / "trust", listeners=LISTENERS) as server:
        yield server


@pytest.fixture
def look(server, folder):
    """The doctor's results for the server, by check."""
    def look(*words, environment=None, data=folder, within=()):
        https = server.https.removeprefix("https://")
        return ask("--url", server.http, "--https", https, "--data", data, *words, environment=environment, within=within)
    return look


def ask(*words, environment=None, within=()):
    done = subprocess.run(
        [*within, str(ringfence.binary()), "doctor", "--format", "json", *map(str, words)], capture_output=True, text=True,
        timeout=60, check=False, env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **(environment or {})})
    checks = {}
    for result in json.loads(done.stdout)["results"]:
        checks.setdefault(result["check"], []).append(result)
    assert done.returncode == any(result["status"] == "error" for found in checks.values() for result in found)
    assert all(result["fix"] for found in checks.values() for result in found if result["status"] in ("warning", "error"))
    return checks


def statuses(results):
    return [result["status"] for result in results]


def test_a_healthy_server(look, folder):
    checks = look(environment={"SSL_CERT_FILE": f"{folder}/trust/bundle.pem"})

    assert set(checks) == {"ports", "clock", "sandbox", "trust", "data", "proxy", "names", "isolation"}
    for check in ("ports", "clock", "sandbox", "trust"):
        assert set(statuses(checks[check])) == {"ok"}, checks[check]


def test_nothing_listens():
    (result,) = ask("--url", "http://127.0.0.1:9")["ports"]

    assert result["status"] == "error" and result["fix"] == ["start it: ringfence serve"]


def test_the_port_belongs_to_another_program():
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        (result,) = ask("--url", f"http://127.0.0.1:{other.server_port}")["ports"]
        other.shutdown()

    assert result["status"] == "error" and f"(process {os.getpid()})" in result["text"]


def test_a_program_that_never_answers_is_named():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        (result,) = ask("--url", url)["ports"]
        said = ringfence.command("doctor", "--quick", "--url", url, expect=1)

    assert result["status"] == "error" and f"(process {os.getpid()})" in result["text"]
    assert url in said and "no answer in time" in said


def test_port_owners_are_not_reported_for_other_machines():
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"http://nowhere.invalid:{other.getsockname()[1]}"
        (result,) = ask("--url", url)["ports"]

    assert result["status"] == "error" and url in result["text"] and "process" not in result["text"]


def test_the_https_port_belongs_to_another_program(server, folder):
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        ours, taken = ask("--url", server.http, "--https", f"127.0.0.1:{other.server_port}", "--data", folder)["ports"]
        other.shutdown()

    assert ours["status"] == "ok"
    assert taken["status"] == "warning" and f"(process {os.getpid()})" in taken["text"] and "--https" in taken["fix"][0]


VARIABLES = ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"]


@pytest.mark.parametrize("variable", VARIABLES)
def test_a_file_with_our_authority(look, folder, variable):
    trust = look(environment={variable: f"{folder}/trust/bundle.pem"})["trust"]

    assert statuses(trust) == ["ok", "ok"] and variable in trust[1]["text"]


@pytest.mark.parametrize("variable", VARIABLES)
@pytest.mark.parametrize("connects_here", [False, True])
def test_a_file_without_our_authority(look, server, tmp_path, variable, connects_here):
    stranger = tmp_path / "stranger.pem"
    stranger.write_text(ringfence.command("ca", "--data", tmp_path))
    environment = {variable: str(stranger), **({"HTTPS_PROXY": server.http} if connects_here else {})}

    _, result = look(environment=environment)["trust"]

    assert result["status"] == ("error" if connects_here else "warning")
    assert variable in result["text"] and "ringfence ca --trust" in result["fix"][0]
    journal = requests.get(f"{server.http}/control/journal", timeout=10).json()["requests"]
    assert [entry["why"] for entry in journal if entry["request"]["method"] == "TLS"] == []


def test_the_fix_for_missing_trust_works(look, folder, tmp_path):
    stranger = tmp_path / "stranger.pem"
    stranger.write_text(ringfence.command("ca", "--data", tmp_path))
    _, result = look(environment={"REQUESTS_CA_BUNDLE": str(stranger)})["trust"]
    done = subprocess.run(
        ["bash", "-c", f'{result["fix"][0]}; echo "$REQUESTS_CA_BUNDLE"'], capture_output=True, text=True, check=True,
        env={"PATH": f"{ringfence.binary().parent}:{os.environ['PATH']}"})

    assert statuses(look(environment={"REQUESTS_CA_BUNDLE": done.stdout.strip()})["trust"]) == ["ok", "ok"]


def test_a_missing_file(look):
    _, result = look(environment={"CURL_CA_BUNDLE": "/no/such/file"})["trust"]

    assert result["status"] == "warning" and "/no/such/file" in result["text"]


def test_the_folder_has_another_authority_than_the_server(look, tmp_path):
    ringfence.command("ca", "--data", tmp_path)

    assert "another authority" in look(data=tmp_path)["trust"][0]["text"]
    assert "does not exist" in look(data=tmp_path / "nowhere")["trust"][0]["text"]


def test_without_an_https_address_trust_is_checked_through_the_proxy(server, folder):
    trust = ask("--url", server.http, "--data", folder)["trust"]

    assert statuses(trust)[0] == "ok"


def test_no_tls(server):
    (result,) = ask("--url", server.http, "--https", "127.0.0.1:9")["trust"]

    assert result["status"] == "warning" and "https://127.0.0.1:9" in result["text"]


@pytest.mark.parametrize("form", ["{}", '"{}"', "-Xmx64m {} -Da=b"])
@pytest.mark.parametrize("name, status", [("trust.p12", "ok"), ("none.p12", "error")])
def test_javas_trust_store(look, folder, form, name, status):
    option = form.format(f"-Djavax.net.ssl.trustStore={folder}/trust/{name}")

    result = look(environment={"JAVA_TOOL_OPTIONS": option})["trust"][-1]

    assert result["status"] == status and f"{folder}/trust/{name} " in result["text"]


def test_an_authority_that_expires_soon(tmp_path):
    ringfence.command("ca", "--data", tmp_path)
    authorities.make_again(tmp_path, days=10)

    with ringfence.Server("--data", tmp_path, listeners=LISTENERS) as server:
        first, second, *_ = ask("--url", server.http, "--data", tmp_path)["trust"]

    assert first["status"] == "ok"
    assert second["status"] == "warning" and "less than 30 days" in second["text"]


def test_a_proxy_variable_that_points_here(look, server):
    (result,) = look(environment={"https_proxy": server.http})["proxy"]

    assert result["status"] == "ok"


def test_a_proxy_variable_that_points_elsewhere(look):
    (result,) = look(environment={"HTTPS_PROXY": "http://me:secret@proxy.example:3128"})["proxy"]

    assert result["status"] == "warning" and "leave this machine" in result["text"]
    assert "proxy.example:3128" in result["text"] and "secret" not in result["text"]


def test_a_proxy_that_is_gone():
    _, result = [None, *ask("--url", "http://127.0.0.1:9", environment={"HTTPS_PROXY": "http://127.0.0.1:9"})["proxy"]]

    assert result["status"] == "error"


@pytest.mark.parametrize("list_", ["localhost,.twilio.com", "*", HOST, "twilio.com", "*.twilio.com"])
def test_hosts_that_no_proxy_excludes(look, server, list_):
    found = look(environment={"HTTPS_PROXY": server.http, "NO_PROXY": list_})["proxy"][1:]

    assert statuses(found) == ["error"]
    assert HOST in found[0]["text"]


@pytest.mark.parametrize("list_", ["localhost,127.0.0.1", "io.com"])
def test_hosts_that_no_proxy_does_not_exclude(look, server, list_):
    assert look(environment={"HTTPS_PROXY": server.http, "NO_PROXY": list_})["proxy"][1:] == []


APART = ("unshare", "--user", "--map-root-user", "--mount")
CANNOT = shutil.which("unshare") is None or subprocess.run([*APART, "true"], capture_output=True, check=False).returncode
apart = pytest.mark.skipif(bool(CANNOT), reason="no namespaces here")


def known(tmp_path, names, address):
    """A prefix for commands that makes these names resolve to an address."""
    table = tmp_path / "hosts"
    table.write_text(f"127.0.0.1 localhost\n{address} {' '.join(names)}\n")
    return (*APART, "sh", "-c", f'mount --bind {table} /etc/hosts && exec "$0" "$@"')


@apart
@pytest.mark.parametrize("address", ["127.0.0.1", "172.18.0.2"])
def test_the_providers_names_resolve_to_private_addresses(look, folder, tmp_path, address):
    (result,) = look(within=known(tmp_path, authorities.hosts(folder), address))["names"]

    assert result["status"] == "ok"


@apart
def test_the_providers_names_resolve_to_a_public_address(look, folder, tmp_path):
    (result,) = look(within=known(tmp_path, authorities.hosts(folder), "203.0.113.7"))["names"]

    assert result["status"] == "warning"
    assert f"{HOST} (203.0.113.7)" in result["text"]


@apart
def test_missing_trust_is_an_error_if_names_resolve_here(look, folder, tmp_path):
    stranger = tmp_path / "stranger.pem"
    stranger.write_text(ringfence.command("ca", "--data", tmp_path))

    trust = look(environment={"SSL_CERT_FILE": str(stranger)}, within=known(tmp_path, authorities.hosts(folder), "127.0.0.1"))["trust"]

    assert statuses(trust) == ["ok", "error"]


def test_a_clock_far_from_this_machines():
    with ringfence.Server("--clock", "2026-01-05T10:20:30Z") as server:
        frozen, away = ask("--url", server.http)["clock"]

    assert "frozen" in frozen["text"]
    assert away["status"] == "warning" and "behind" in away["text"] and "days" in away["text"]
    assert away["fix"] == [f"ringfence clock release --url {server.http}"]


@pytest.mark.skipif(os.uname().sysname != "Linux", reason="Linux alone has them")
def test_namespaces_are_available():
    (result,) = ask("--url", "http://127.0.0.1:9")["isolation"]

    assert result["status"] == ("warning" if CANNOT else "ok")


@apart
def test_namespaces_are_forbidden():
    within = (*APART, "sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" "$@"')
    (result,) = ask("--url", "http://127.0.0.1:9", within=within)["isolation"]

    assert result["status"] == "warning" and "user.max_user_namespaces" in result["fix"][0]


def test_everything_works_inside_run():
    done = subprocess.run(
        [str(ringfence.binary()), "run", "--quiet", "--", str(ringfence.binary()), "doctor", "--format", "json"],
        capture_output=True, text=True, timeout=60, check=False)
    results = json.loads(done.stdout)["results"]

    assert done.returncode == 0, results
    assert {one["status"] for one in results if one["check"] in ("ports", "proxy", "clock")} == {"ok"}
    assert all(one["status"] == "ok" for one in results if "_CA" in one["text"] or "_CERT" in one["text"])


def test_the_sandbox_in_the_url_is_checked(server):
    own = server.sandbox()
    (clock, _), (first, *_) = (ask("--url", own.base)[check] for check in ("clock", "ports"))

    assert own.base in first["text"]
    assert "2026-01-05" in clock["text"] and own.base in clock["fix"][0]


@pytest.mark.parametrize("path, faults", [
    ("faults", {"faults": [{"provider": "twilio", "status": 500}]}),
    ("webhooks/faults", {"webhookFaults": [{"delivery": "lost"}]})])
def test_forgotten_faults(path, faults):
    with ringfence.Server() as other:
        requests.put(f"{other.http}/control/{path}", json=faults, timeout=10)
        found = ask("--url", other.http)["sandbox"]

    assert "warning" in statuses(found)
    assert f"curl -X DELETE {other.http}/control/{path}" in [fix for one in found for fix in one["fix"]]


@pytest.mark.parametrize("sdk, words", [
    ("twilio-node", ["client.verify.baseUrl", "HTTP_PROXY", "--trust node", "--isolated"]),
    ("telesign-python", ["rest_endpoint", "HTTPS_PROXY", "--trust python"]),
    ("prelude-go", ["PRELUDE_BASE_URL=", "--trust go"]), ("firebase-admin-node", ["enableLegacyHttpTransport"]),
    ("curl", ["https_proxy", "--trust curl"]), ("java", ["-Dhttps.proxyHost", "--trust java"]),
])
def test_requirements_of_an_sdk(look, server, sdk, words):
    found = look("--sdk", sdk)["sdk"]
    text = json.dumps(found)

    assert all(word in text for word in words), text
    assert "$URL" not in text
    assert look("--for", sdk)["sdk"] == found


def test_46_a_provider_stands_for_all_its_sdks(look, sandbox):
    for provider in sandbox.credentials:
        assert look("--sdk", provider)["sdk"], provider
    names = {one["text"].split()[0].rstrip(",") for one in look("--sdk", "vonage")["sdk"]}
    assert {name for name in names if name.startswith("vonage-")} == {f"vonage-{language}" for language in ("python", "node", "java", "ruby", "php", "dotnet")}


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_every_sdk_has_a_trust_recipe(every):
    names = ringfence.command("doctor", "--sdk", "nonsense", expect=1).split("expected one of ")[1].split(";")[0].split(", ")

    assert len(names) > 30 and {"twilio-csharp", "telesign-php", "prelude-ruby", "firebase-admin-python", "node"} <= set(names)
    for name in names[::every]:
        recipes = [one["fix"][0] for one in ask("--url", "http://127.0.0.1:9", "--sdk", name)["sdk"] if "--trust" in one["fix"][0]]
        assert recipes
        for language in {recipe.split("--trust ")[1].rstrip(')"') for recipe in recipes}:
            ringfence.command("ca", "--trust", language)


@pytest.mark.parametrize("flags, named", [
    (["--url", "nonsense"], "--url"), (["--url", "https://127.0.0.1:1"], "--url"), (["--https", "a b"], "--https"),
    (["--format", "xml"], "--format"), (["--sdk", "cobol"], "--sdk"),
])
def test_an_invalid_option_is_named(flags, named):
    assert named in ringfence.command("doctor", *flags, expect=1)


def test_quick_checks_readiness_only(server):
    assert ringfence.command("doctor", "--quick", "--url", server.http) == "ready\n"
    assert "refused" in ringfence.command("doctor", "--quick", "--url", "http://127.0.0.1:9", expect=1)


def test_text_output_has_symbols_and_arrows(server):
    said = ringfence.command("doctor", "--url", server.http)
    nothing = subprocess.run(
        [ringfence.binary(), "doctor", "--url", "http://127.0.0.1:9"], capture_output=True, text=True, timeout=60,
        check=False).stdout.splitlines()

    assert all(line.startswith(("✓ ", "· ", "! ", "✗ ", "  → ")) for line in said.splitlines())
    assert "a sandbox answers" in said and f"the cellular gateway answers at {server.gateway}" in said
    assert all(fix.startswith("  → ") for problem, fix in zip(nothing, [*nothing[1:], ""]) if problem[0] in "!✗")
