"""`ringfence run`: the environment of the command, and the summary. Source: issue 5, part 4."""

import json
import os
import shutil
import subprocess

import pytest
import requests

import ringfence
from inside import APPS, Inside

SEND = ("sh", APPS / "clients/curl.sh")
INHERITED = {name: value for name, value in os.environ.items() if not name.startswith("RINGFENCE_")}
BUNDLES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")


def run(*words):
    """A finished `ringfence run WORDS`."""
    return subprocess.run(
        [str(ringfence.binary()), "run", *map(str, words)], capture_output=True, text=True, timeout=60, check=False,
        env=INHERITED)


@pytest.fixture(scope="module")
def inside():
    run = Inside(ringfence.binary())
    yield run
    run.close()


@pytest.fixture(scope="module")
def environment(inside):
    return inside.python("import json, os; print(json.dumps(dict(os.environ)))")


def test_every_providers_credentials_are_there(environment, inside):
    described = requests.get(f"{environment['RINGFENCE_URL']}/control/sandboxes/default", timeout=10).json()["credentials"]

    assert environment["TWILIO_ACCOUNT_SID"] == described["twilio"]["accountSid"]
    assert environment["TWILIO_AUTH_TOKEN"] == described["twilio"]["authToken"]
    assert environment["TWILIO_VERIFY_SERVICE_SID"] == described["twilio"]["serviceSid"]
    assert environment["TELESIGN_CUSTOMER_ID"] == described["telesign"]["customerId"]
    assert environment["TELESIGN_API_KEY"] == described["telesign"]["apiKey"]
    assert environment["CUSTOMER_ID"] == described["telesign"]["customerId"]
    assert environment["API_KEY"] == described["telesign"]["apiKey"]
    assert environment["PHONE_NUMBER"] == "12025550100"
    assert environment["API_TOKEN"] == described["prelude"]["apiToken"]
    assert environment["PRELUDE_BASE_URL"] == environment["RINGFENCE_URL"]


def test_a_service_account_is_a_file(environment, inside):
    done = inside.run("cat", environment["GOOGLE_APPLICATION_CREDENTIALS"])

    assert json.loads(done.out)["type"] == "service_account"


@pytest.mark.parametrize("name", ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"])
def test_the_proxy_is_the_sandbox(environment, name):
    assert environment[name].rstrip("/").endswith(environment["RINGFENCE_URL"].split("//")[1])


@pytest.mark.parametrize("name", ["NO_PROXY", "no_proxy"])
def test_the_loopback_bypasses_the_proxy(environment, name):
    assert {"localhost", "127.0.0.1"} <= set(environment[name].split(","))


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_has_the_sandboxs_authority(environment, name):
    authority = ringfence.command("ca", environment={name: INHERITED.get(name, "") for name in BUNDLES})

    with open(environment[name], encoding="utf-8") as bundle:
        assert "BEGIN CERTIFICATE" in authority and authority.strip() in bundle.read()


@pytest.mark.parametrize("name", [name for name in BUNDLES if name != "NODE_EXTRA_CA_CERTS"])
def test_a_bundle_has_the_systems_authorities(environment, name):
    with open(environment[name], encoding="utf-8") as bundle:
        assert bundle.read().count("BEGIN CERTIFICATE") > 50


def test_java_options_set_proxy_and_trust_store(environment):
    options = environment["JAVA_TOOL_OPTIONS"]

    assert "-Djavax.net.ssl.trustStore=" in options
    assert "-Dhttps.proxyHost=127.0.0.1" in options and "-Dhttps.proxyPort=" in options


def test_the_summary_lists_sent_and_rejected():
    done = run("--", "sh", "-c", f"sh {APPS}/clients/curl.sh; curl -s https://example.com; curl -s -u x:y https://api.twilio.com/x")

    assert done.stdout.startswith("approved")
    assert "+12025550100" in done.stderr and "sms" in done.stderr
    assert "example.com" in done.stderr


def test_quiet_prints_nothing():
    done = run("--quiet", "--", *SEND)

    assert (done.stdout.strip(), done.stderr) == ("approved", "")


GO_TEST = """package main

import (
	"io"
	"net/http"
	"testing"
)

func TestTheSandboxAnswers(test *testing.T) {
	answer, err := http.Get("https://verify.twilio.com/livez")
	if err != nil {
		test.Fatal(err)
	}
	if body, _ := io.ReadAll(answer.Body); string(body) != "ok\\n" {
		test.Fatal(string(body))
	}
}
"""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("go"), reason="no go here: `make languages` installs it")
def test_46_f3_go_tests_run_in_it_and_go_itself_outside(tmp_path):
    (tmp_path / "go.mod").write_text("module example.com/app\n")
    (tmp_path / "app_test.go").write_text(GO_TEST)

    done = subprocess.run(
        ["go", "test", "-exec", f"{ringfence.binary()} run --quiet --", "./..."], cwd=tmp_path, env=INHERITED,
        capture_output=True, text=True, timeout=100, check=False)

    assert done.stdout.startswith("ok"), done.stdout + done.stderr


def test_each_run_has_a_private_sandbox():
    """The first code of a sandbox is always the same, so the second run has its own sandbox."""
    code = f"sh {APPS}/clients/curl.sh >/dev/null; curl -s $RINGFENCE_URL/control/inbox/+12025550100"

    first, second = (json.loads(run("--", "sh", "-c", code).stdout)["messages"] for _ in range(2))

    assert [len(first), len(second)] == [1, 1]
    assert first[0]["code"] == second[0]["code"]


def test_a_bad_seed_stops_it_before_the_command(tmp_path):
    (tmp_path / "people.json").write_text('{"subscribers":[{"number":"12"}]}')

    done = run("--seeds", tmp_path, "--", "echo", "ran")

    assert (done.returncode != 0, done.stdout) == (True, "")
    assert "people.json" in done.stderr and "subscribers[0]" in done.stderr
