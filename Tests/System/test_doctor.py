"""`ringfence doctor`: each thing that can be wrong on the way to the sandbox is found, with what mends it.

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
    """Asks the doctor about the server: its findings by area, and its exit status."""
    def look(*words, environment=None, data=folder, within=()):
        https = server.https.removeprefix("https://")
        return ask("--url", server.http, "--https", https, "--data", data, *words, environment=environment, within=within)
    return look


def ask(*words, environment=None, within=()):
    done = subprocess.run(
        [*within, str(ringfence.binary()), "doctor", "--format", "json", *map(str, words)], capture_output=True, text=True,
        timeout=60, check=False, env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **(environment or {})})
    areas = {}
    for finding in json.loads(done.stdout)["findings"]:
        areas.setdefault(finding["area"], []).append(finding)
    assert done.returncode == any(finding["mark"] == "bad" for found in areas.values() for finding in found)
    assert all(finding["fix"] for found in areas.values() for finding in found if finding["mark"] in ("doubtful", "bad"))
    return areas


def marks(findings):
    return [finding["mark"] for finding in findings]


def test_a_server_that_is_well(look, folder):
    areas = look(environment={"SSL_CERT_FILE": f"{folder}/trust/bundle.pem"})

    assert set(areas) == {"ports", "clock", "sandbox", "trust", "proxy", "names", "isolation"}
    for area in ("ports", "clock", "sandbox", "trust"):
        assert set(marks(areas[area])) == {"good"}, areas[area]


def test_a_port_where_nobody_is():
    (finding,) = ask("--url", "http://127.0.0.1:9")["ports"]

    assert finding["mark"] == "bad" and finding["fix"] == ["start it: ringfence serve"]


def test_a_port_that_another_program_has():
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        (finding,) = ask("--url", f"http://127.0.0.1:{other.server_port}")["ports"]
        other.shutdown()

    assert finding["mark"] == "bad" and f"(process {os.getpid()})" in finding["text"]


def test_a_program_that_never_answers_is_named_all_the_same():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        (finding,) = ask("--url", url)["ports"]
        said = ringfence.command("doctor", "--quick", "--url", url, expect=1)

    assert finding["mark"] == "bad" and f"(process {os.getpid()})" in finding["text"]
    assert url in said and "no answer in time" in said


def test_who_has_a_port_here_is_not_told_of_another_machine():
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"http://nowhere.invalid:{other.getsockname()[1]}"
        (finding,) = ask("--url", url)["ports"]

    assert finding["mark"] == "bad" and url in finding["text"] and "process" not in finding["text"]


def test_a_further_port_that_another_program_has(server, folder):
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        ours, taken = ask("--url", server.http, "--https", f"127.0.0.1:{other.server_port}", "--data", folder)["ports"]
        other.shutdown()

    assert ours["mark"] == "good"
    assert taken["mark"] == "doubtful" and f"(process {os.getpid()})" in taken["text"] and "--https" in taken["fix"][0]


VARIABLES = ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"]


@pytest.mark.parametrize("variable", VARIABLES)
def test_a_file_with_our_authority(look, folder, variable):
    trust = look(environment={variable: f"{folder}/trust/bundle.pem"})["trust"]

    assert marks(trust) == ["good", "good"] and variable in trust[1]["text"]


@pytest.mark.parametrize("variable", VARIABLES)
@pytest.mark.parametrize("is_led_here", [False, True])
def test_a_file_without_our_authority(look, server, tmp_path, variable, is_led_here):
    stranger = tmp_path / "stranger.pem"
    stranger.write_text(ringfence.command("ca", "--data", tmp_path))
    environment = {variable: str(stranger), **({"HTTPS_PROXY": server.http} if is_led_here else {})}

    _, finding = look(environment=environment)["trust"]

    assert finding["mark"] == ("bad" if is_led_here else "doubtful")
    assert variable in finding["text"] and "ringfence ca --trust" in finding["fix"][0]


def test_what_mends_a_missing_trust_mends_it(look, folder, tmp_path):
    stranger = tmp_path / "stranger.pem"
    stranger.write_text(ringfence.command("ca", "--data", tmp_path))
    _, finding = look(environment={"REQUESTS_CA_BUNDLE": str(stranger)})["trust"]
    done = subprocess.run(
        ["bash", "-c", f'{finding["fix"][0]}; echo "$REQUESTS_CA_BUNDLE"'], capture_output=True, text=True, check=True,
        env={"PATH": f"{ringfence.binary().parent}:{os.environ['PATH']}"})

    assert marks(look(environment={"REQUESTS_CA_BUNDLE": done.stdout.strip()})["trust"]) == ["good", "good"]


def test_a_file_that_is_not_there(look):
    _, finding = look(environment={"CURL_CA_BUNDLE": "/no/such/file"})["trust"]

    assert finding["mark"] == "doubtful" and "/no/such/file" in finding["text"]


def test_another_authority_than_the_servers(look, tmp_path):
    ringfence.command("ca", "--data", tmp_path)

    assert "another authority" in look(data=tmp_path)["trust"][0]["text"]
    assert "there is no" in look(data=tmp_path / "nowhere")["trust"][0]["text"]


def test_the_authority_behind_the_proxy_is_looked_at_where_there_is_no_port(server, folder):
    trust = ask("--url", server.http, "--data", folder)["trust"]

    assert marks(trust)[0] == "good"


def test_no_tls_at_all(server):
    (finding,) = ask("--url", server.http, "--https", "127.0.0.1:9")["trust"]

    assert finding["mark"] == "doubtful" and "https://127.0.0.1:9" in finding["text"]


@pytest.mark.parametrize("form", ["{}", '"{}"', "-Xmx64m {} -Da=b"])
@pytest.mark.parametrize("name, mark", [("trust.p12", "good"), ("none.p12", "bad")])
def test_javas_trust_store(look, folder, form, name, mark):
    option = form.format(f"-Djavax.net.ssl.trustStore={folder}/trust/{name}")

    finding = look(environment={"JAVA_TOOL_OPTIONS": option})["trust"][-1]

    assert finding["mark"] == mark and f"{folder}/trust/{name} " in finding["text"]


def test_an_authority_whose_time_is_nearly_over(tmp_path):
    ringfence.command("ca", "--data", tmp_path)
    authorities.make_again(tmp_path, days=10)

    with ringfence.Server("--data", tmp_path, listeners=LISTENERS) as server:
        first, second, *_ = ask("--url", server.http, "--data", tmp_path)["trust"]

    assert first["mark"] == "good"
    assert second["mark"] == "doubtful" and "less than 30 days" in second["text"]


def test_a_proxy_variable_that_leads_here(look, server):
    (finding,) = look(environment={"https_proxy": server.http})["proxy"]

    assert finding["mark"] == "good"


def test_a_proxy_variable_that_leads_elsewhere(look):
    (finding,) = look(environment={"HTTPS_PROXY": "http://me:secret@proxy.example:3128"})["proxy"]

    assert finding["mark"] == "doubtful" and "leave this machine" in finding["text"]
    assert "proxy.example:3128" in finding["text"] and "secret" not in finding["text"]


def test_a_proxy_that_is_no_more():
    _, finding = [None, *ask("--url", "http://127.0.0.1:9", environment={"HTTPS_PROXY": "http://127.0.0.1:9"})["proxy"]]

    assert finding["mark"] == "bad"


@pytest.mark.parametrize("list_, hidden", [
    ("localhost,.twilio.com", True), ("*", True), (HOST, True), ("twilio.com", True), ("*.twilio.com", True),
    ("localhost,127.0.0.1", False), ("io.com", False),
])
def test_names_that_are_kept_from_the_proxy(look, server, list_, hidden):
    found = look(environment={"HTTPS_PROXY": server.http, "NO_PROXY": list_})["proxy"][1:]

    assert marks(found) == (["bad"] if hidden else [])
    assert not hidden or HOST in found[0]["text"]


APART = ("unshare", "--user", "--map-root-user", "--mount")
CANNOT = shutil.which("unshare") is None or subprocess.run([*APART, "true"], capture_output=True, check=False).returncode
apart = pytest.mark.skipif(bool(CANNOT), reason="no namespaces here")


def known(tmp_path, names, address):
    """What runs a command where these names lead to an address."""
    table = tmp_path / "hosts"
    table.write_text(f"127.0.0.1 localhost\n{address} {' '.join(names)}\n")
    return (*APART, "sh", "-c", f'mount --bind {table} /etc/hosts && exec "$0" "$@"')


@apart
@pytest.mark.parametrize("address, mark", [("127.0.0.1", "good"), ("172.18.0.2", "good"), ("203.0.113.7", "doubtful")])
def test_where_the_vendors_names_lead(look, folder, tmp_path, address, mark):
    (finding,) = look(within=known(tmp_path, authorities.hosts(folder), address))["names"]

    assert finding["mark"] == mark
    assert mark == "good" or f"{HOST} ({address})" in finding["text"]


@apart
def test_names_that_lead_here_make_a_missing_trust_a_fault(look, folder, tmp_path):
    stranger = tmp_path / "stranger.pem"
    stranger.write_text(ringfence.command("ca", "--data", tmp_path))

    trust = look(environment={"SSL_CERT_FILE": str(stranger)}, within=known(tmp_path, authorities.hosts(folder), "127.0.0.1"))["trust"]

    assert marks(trust) == ["good", "bad"]


def test_a_clock_that_is_far_from_this_machines():
    with ringfence.Server("--clock", "2026-01-05T10:20:30Z") as server:
        frozen, away = ask("--url", server.http)["clock"]

    assert "frozen" in frozen["text"]
    assert away["mark"] == "doubtful" and "behind" in away["text"] and "days" in away["text"]
    assert away["fix"] == [f"ringfence clock release --url {server.http}"]


@pytest.mark.skipif(os.uname().sysname != "Linux", reason="Linux alone has them")
def test_namespaces_that_can_be_had():
    (finding,) = ask("--url", "http://127.0.0.1:9")["isolation"]

    assert finding["mark"] == ("doubtful" if CANNOT else "good")


@apart
def test_namespaces_that_are_forbidden():
    within = (*APART, "sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" "$@"')
    (finding,) = ask("--url", "http://127.0.0.1:9", within=within)["isolation"]

    assert finding["mark"] == "doubtful" and "user.max_user_namespaces" in finding["fix"][0]


def test_inside_run_everything_is_well():
    done = subprocess.run(
        [str(ringfence.binary()), "run", "--quiet", "--", str(ringfence.binary()), "doctor", "--format", "json"],
        capture_output=True, text=True, timeout=60, check=False)
    findings = json.loads(done.stdout)["findings"]

    assert done.returncode == 0, findings
    assert {one["mark"] for one in findings if one["area"] in ("ports", "proxy", "clock")} == {"good"}
    assert all(one["mark"] == "good" for one in findings if "_CA" in one["text"] or "_CERT" in one["text"])


def test_the_sandbox_that_the_url_names_is_looked_at(server):
    own = server.sandbox()
    (clock, _), (first, *_) = (ask("--url", own.base)[area] for area in ("clock", "ports"))

    assert own.base in first["text"]
    assert "2026-01-05" in clock["text"] and own.base in clock["fix"][0]


def test_faults_that_were_forgotten(server, look):
    with ringfence.Server() as other:
        other.sandbox(name="with-faults")
        requests.put(f"{other.http}/control/faults", json={"faults": [{"provider": "twilio", "status": 500}]}, timeout=10)
        found = ask("--url", other.http)["sandbox"]

    assert "doubtful" in marks(found) and f"curl -X DELETE {other.http}/control/faults" in [fix for one in found for fix in one["fix"]]


@pytest.mark.parametrize("sdk, words", [
    ("twilio-node", ["client.verify.baseUrl", "HTTP_PROXY", "--trust node", "--isolated"]),
    ("telesign-python", ["rest_endpoint", "HTTPS_PROXY", "--trust python"]),
    ("prelude-go", ["PRELUDE_BASE_URL=", "--trust go"]), ("firebase-admin-node", ["enableLegacyHttpTransport"]),
    ("curl", ["https_proxy", "--trust curl"]), ("java", ["-Dhttps.proxyHost", "--trust java"]),
])
def test_what_an_sdk_needs(look, server, sdk, words):
    found = look("--sdk", sdk)["sdk"]
    text = json.dumps(found)

    assert all(word in text for word in words), text
    assert "$URL" not in text
    assert look("--for", sdk)["sdk"] == found


def test_every_language_of_the_table_has_a_recipe():
    names = ringfence.command("doctor", "--sdk", "nonsense", expect=1).split("expected one of ")[1].split(";")[0].split(", ")

    assert len(names) > 30 and {"twilio-csharp", "telesign-php", "prelude-ruby", "firebase-admin-python", "node"} <= set(names)
    for name in names:
        (recipe,) = [one["fix"][0] for one in ask("--url", "http://127.0.0.1:9", "--sdk", name)["sdk"] if "--trust" in one["fix"][0]]
        ringfence.command("ca", "--trust", recipe.split("--trust ")[1].rstrip(')"'))


@pytest.mark.parametrize("flags, named", [
    (["--url", "nonsense"], "--url"), (["--url", "https://127.0.0.1:1"], "--url"), (["--https", "a b"], "--https"),
    (["--format", "xml"], "--format"), (["--sdk", "cobol"], "--sdk"),
])
def test_a_bad_option_is_named(flags, named):
    assert named in ringfence.command("doctor", *flags, expect=1)


def test_a_health_check_only_asks_whether_it_is_ready(server):
    assert ringfence.command("doctor", "--quick", "--url", server.http) == "ready\n"
    assert "refused" in ringfence.command("doctor", "--quick", "--url", "http://127.0.0.1:9", expect=1)


def test_a_person_reads_signs_and_arrows(server):
    lines = ringfence.command("doctor", "--url", server.http).splitlines()

    assert all(line.startswith(("✓ ", "· ", "! ", "✗ ", "  → ")) for line in lines)
