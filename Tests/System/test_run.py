"""`ringfence run`: what the command is given, what becomes of it, and what is left. Source: issue 5, part 4."""

import json
import os
import pty
import signal
import subprocess
import sys

import pytest
import requests

import ringfence
from inside import APPS, Inside

PRINT_ENVIRONMENT = (sys.executable, "-c", "import json, os; print(json.dumps(dict(os.environ)))")
SEND = ("sh", APPS / "curl.sh")
INHERITED = {name: value for name, value in os.environ.items() if not name.startswith("RINGFENCE_")}
BUNDLES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
# What a user may have set on purpose.
OWN = {"TWILIO_ACCOUNT_SID": "AC" + "9" * 32, "HTTPS_PROXY": "http://127.0.0.1:9", "PRELUDE_BASE_URL": "http://127.0.0.1:9"}


def words(*flags):
    return [str(ringfence.binary()), "run", *map(str, flags)]


def run(*flags, environment=None, text=None):
    """A finished `ringfence run FLAGS`."""
    return subprocess.run(
        words(*flags), input=text, capture_output=True, text=True, timeout=60, check=False,
        env={**INHERITED, **(environment or {})})


def environment_of(*flags, **named):
    done = run(*flags, "--", *PRINT_ENVIRONMENT, **named)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def inside():
    run = Inside(ringfence.binary())
    yield run
    run.close()


@pytest.fixture(scope="module")
def environment(inside):
    return inside.python("import json, os; print(json.dumps(dict(os.environ)))")


def test_what_was_there_is_still_there(environment):
    assert {name for name, _ in INHERITED.items() - environment.items()} <= {*BUNDLES, "TWILIO_CA_BUNDLE"}


def test_every_vendors_credentials_are_there(environment, inside):
    described = requests.get(f"{environment['RINGFENCE_URL']}/control/sandboxes/default", timeout=10).json()["credentials"]

    assert environment["TWILIO_ACCOUNT_SID"] == described["twilio"]["accountSid"]
    assert environment["TWILIO_AUTH_TOKEN"] == described["twilio"]["authToken"]
    assert environment["TWILIO_VERIFY_SERVICE_SID"] == described["twilio"]["serviceSid"]
    assert environment["TELESIGN_CUSTOMER_ID"] == described["telesign"]["customerId"]
    assert environment["TELESIGN_API_KEY"] == described["telesign"]["apiKey"]
    assert environment["API_TOKEN"] == described["prelude"]["apiToken"]
    assert environment["PRELUDE_BASE_URL"] == environment["RINGFENCE_URL"]


def test_googles_account_is_a_file(environment, inside):
    done = inside.run("cat", environment["GOOGLE_APPLICATION_CREDENTIALS"])

    assert json.loads(done.out)["type"] == "service_account"


@pytest.mark.parametrize("name", ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"])
def test_the_proxy_is_the_sandbox(environment, name):
    assert environment[name].rstrip("/").endswith(environment["RINGFENCE_URL"].split("//")[1])


@pytest.mark.parametrize("name", ["NO_PROXY", "no_proxy"])
def test_the_loopback_is_asked_without_a_proxy(environment, name):
    assert {"localhost", "127.0.0.1"} <= set(environment[name].split(","))


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_has_ours(environment, name):
    authority = ringfence.command("ca", environment={name: INHERITED.get(name, "") for name in BUNDLES})

    with open(environment[name], encoding="utf-8") as bundle:
        assert "BEGIN CERTIFICATE" in authority and authority.strip() in bundle.read()


@pytest.mark.parametrize("name", [name for name in BUNDLES if name != "NODE_EXTRA_CA_CERTS"])
def test_a_bundle_that_replaces_the_systems_has_the_systems_too(environment, name):
    with open(environment[name], encoding="utf-8") as bundle:
        assert bundle.read().count("BEGIN CERTIFICATE") > 50


def test_java_is_told_of_proxy_and_trust(environment):
    options = environment["JAVA_TOOL_OPTIONS"]

    assert "-Djavax.net.ssl.trustStore=" in options
    assert "-Dhttps.proxyHost=127.0.0.1" in options and "-Dhttps.proxyPort=" in options


def test_whom_the_user_trusts_is_trusted_still(tmp_path):
    own = ringfence.command("ca", "--data", tmp_path / "other")
    (tmp_path / "own.pem").write_text(own)

    with_ours = run("--", "sh", "-c", "cat $SSL_CERT_FILE", environment={"SSL_CERT_FILE": str(tmp_path / "own.pem")})

    assert own in with_ours.stdout
    assert with_ours.stdout.count("BEGIN CERTIFICATE") == 2


def test_what_the_user_has_set_on_purpose_stays_and_is_named():
    done = run("--", *PRINT_ENVIRONMENT, environment=OWN)

    assert OWN.items() <= json.loads(done.stdout).items()
    assert [name for name in OWN if name not in done.stderr] == []


def test_overwrite_sets_what_the_user_has_set():
    assert OWN.items() & environment_of("--overwrite", environment=OWN).items() == set()


def test_the_status_of_the_command_is_ours():
    assert run("--", "true").returncode == 0
    assert run("--", "sh", "-c", "exit 7").returncode == 7
    assert run("--", "sh", "-c", "kill -9 $$").returncode == -signal.SIGKILL


def test_a_command_that_is_not_there_is_127_as_in_a_shell(tmp_path):
    missing = run("--", "no-such-command")
    (tmp_path / "plain").write_text("no program")
    plain = run("--", tmp_path / "plain")

    assert (missing.returncode, plain.returncode) == (127, 126)
    assert "no-such-command" in missing.stderr and str(tmp_path / "plain") in plain.stderr


def test_input_and_output_are_the_commands_own():
    done = run("--", "sh", "-c", "cat; echo complaint >&2", text="hello")

    assert done.stdout == "hello"
    assert "complaint\n" in done.stderr


def test_flags_behind_the_dashes_are_the_commands_own():
    assert run("--", "echo", "--quiet", "--", "-v").stdout == "--quiet -- -v\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_reaches_the_command(number):
    patient = f"trap 'echo told; exit 5' {number.name[3:]}; echo ready; while :; do read x || exit 6; done"
    with subprocess.Popen(
            words("--quiet", "--", "sh", "-c", patient), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=INHERITED) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        assert process.stdout.readline() == "told\n"
        assert process.wait(20) == 5


def test_at_a_terminal_the_command_can_read_from_it():
    master, terminal = pty.openpty()
    process = subprocess.Popen(
        words("--quiet", "--", "sh", "-c", "read answer; test -t 0 && echo got $answer"), stdin=terminal,
        stdout=subprocess.PIPE, text=True, env=INHERITED, start_new_session=True)
    os.close(terminal)
    try:
        os.write(master, b"hello\n")
        assert process.communicate(timeout=20)[0] == "got hello\n"
    finally:
        os.close(master)


def test_in_the_end_it_says_what_was_sent_and_what_was_refused():
    done = run("--", "sh", "-c", f"sh {APPS}/curl.sh; curl -s https://example.com; curl -s -u x:y https://api.twilio.com/x")

    assert done.stdout.startswith("approved")
    assert "+12025550100" in done.stderr and "sms" in done.stderr
    assert "example.com" in done.stderr


def test_quiet_says_nothing_of_its_own():
    done = run("--quiet", "--", *SEND)

    assert (done.stdout.strip(), done.stderr) == ("approved", "")


def test_each_run_is_a_world_of_its_own():
    """The first code of a world is the same in each, so the second run has not seen the first."""
    code = f"sh {APPS}/curl.sh >/dev/null; curl -s $RINGFENCE_URL/control/inbox/+12025550100"

    first, second = (json.loads(run("--", "sh", "-c", code).stdout)["messages"] for _ in range(2))

    assert [len(first), len(second)] == [1, 1]
    assert first[0]["code"] == second[0]["code"]


def test_nothing_is_left_when_it_is_over(tmp_path):
    done = run("--", *PRINT_ENVIRONMENT, environment={"TMPDIR": str(tmp_path)})
    environment = json.loads(done.stdout)

    with pytest.raises(requests.ConnectionError):
        requests.get(environment["RINGFENCE_URL"], timeout=10)
    assert list(tmp_path.iterdir()) == []
    assert not os.path.exists(environment["SSL_CERT_FILE"]) or "tmp" not in environment["SSL_CERT_FILE"]


def test_seeds_are_planted(tmp_path):
    (tmp_path / "people.json").write_text('{"subscribers":[{"number":"+12025550177","code":"424242"}]}')
    program = "curl -s $RINGFENCE_URL/control/subscribers/+12025550177"

    assert '"code":"424242"' in run("--seeds", tmp_path, "--", "sh", "-c", program).stdout


def test_a_bad_seed_stops_it_before_the_command(tmp_path):
    (tmp_path / "people.json").write_text('{"subscribers":[{"number":"12"}]}')

    done = run("--seeds", tmp_path, "--", "echo", "ran")

    assert (done.returncode != 0, done.stdout) == (True, "")
    assert "people.json" in done.stderr and "subscribers[0]" in done.stderr


def test_a_named_sandbox_has_credentials_of_its_own(environment):
    named = environment_of("--sandbox", "ci-17")

    assert named["TWILIO_ACCOUNT_SID"] != environment["TWILIO_ACCOUNT_SID"]


@pytest.mark.parametrize("flags, said", [
    ([], "command"), (["--"], "command"), (["--sandbox", "No Such Name!", "--", "true"], "--sandbox"),
    (["--seeds", "/no/such/folder", "--", "true"], "/no/such/folder"), (["--nonsense", "--", "true"], "--nonsense"),
])
def test_what_makes_no_sense_is_refused_by_name(flags, said):
    done = run(*flags)

    assert done.returncode != 0
    assert said in done.stderr.lower()
