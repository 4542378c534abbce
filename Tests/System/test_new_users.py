"""What new users met: commands that said too little, and words that were accepted without any effect."""

import re
import subprocess
import sys

import pytest
import requests

import ringfence
from ringfence import command
from running import SEND, run

NUMBER = "+12025550101"


@pytest.fixture
def fresh():
    with ringfence.Server() as server:
        yield server


def shown(*words, environment=None, expect=0):
    """Standard output and standard error of a command that ends with this status."""
    import os
    done = subprocess.run(
        [ringfence.binary(), *map(str, words)], capture_output=True, text=True, timeout=30, check=False,
        env={**os.environ, **(environment or {})})
    assert done.returncode == expect, done.stderr
    return done.stdout, done.stderr


# C6

def test_c6_the_summary_of_a_run_survives_resets_and_removals():
    script = SEND + """
import json
url = os.environ["RINGFENCE_URL"]
def control(method, path, body=None):
    return urllib.request.urlopen(urllib.request.Request(
        url + path, body and json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method)).read()
control("POST", "/control/sandboxes/default/reset")
urllib.request.urlopen(request)
made = json.loads(control("POST", "/control/sandboxes", {"name": "beside"}))["credentials"]["twilio"]
pair = made["accountSid"] + ":" + made["authToken"]
request.full_url = url + "/s/beside/v2/Services/" + made["serviceSid"] + "/Verifications"
request.add_header("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())
urllib.request.urlopen(request)
control("DELETE", "/control/sandboxes/beside")
"""
    said = run(sys.executable, "-c", script, "+12025550100").stderr.decode().splitlines()
    said = [line for line in said if " warning " not in line]

    assert said[0] == "ringfence: 3 requests, 3 messages sent, 0 rejected, 0 not emulated"
    assert said[2].startswith("    2 ×  twilio  sms  +12025550100  code ") and said[3].rstrip().endswith("[beside]")


def test_c6_commands_take_a_sandbox(fresh):
    beside = fresh.sandbox(name="beside")
    beside.twilio(To=NUMBER, Channel="sms")
    place = ("--sandbox", "beside", "--url", fresh.http)

    assert beside.code(NUMBER) in command("inbox", NUMBER, *place)
    assert beside.code(NUMBER) in command("inbox", *place[:2], "--url", f"{fresh.http}/s/default")
    assert command("clock", *place).startswith("2026-01-05T10:20:30")
    assert command("clock", "advance", "10m", *place).startswith("2026-01-05T10:30:30")
    command("handset", "create", NUMBER, "--provider", "twilio", *place)
    assert "twilio" in command("handset", "list", *place)
    assert shown("handset", "watch", "--once", *place) == ("", "there are no pushes yet\n")
    assert "there is no sandbox nowhere" in command("clock", "--sandbox", "nowhere", "--url", fresh.http, expect=1)


def test_c6_commands_say_when_there_is_nothing(fresh):
    place = ("--url", fresh.http)

    assert shown("inbox", *place) == ("", "there are no messages yet\n")
    assert shown("inbox", NUMBER, *place) == ("", f"there is no message for {NUMBER} yet\n")
    assert shown("handset", "watch", NUMBER, "--once", *place) == ("", f"there are no pushes to {NUMBER} yet\n")
    ringfence.Sandbox(fresh.sandbox_described("default")).twilio(To="+12025550130", Channel="sms")
    assert shown("inbox", "+12025550130", *place)[1] == (
        "there is no message for +12025550130 yet: the text is lost, because its number ends in 0130 (/control/docs/Carrier.md)\n")


@pytest.mark.parametrize("words", [
    ("inbox",), ("clock", "show"), ("clock", "advance"), ("handset", "watch"), ("handset", "list"), ("handset", "create"),
])
def test_c6_the_help_names_the_variable_and_the_sandbox(words):
    said = command(*words, "--help", environment={"RINGFENCE_URL": "http://127.0.0.1:1"})

    assert "RINGFENCE_URL" in said and "--sandbox NAME" in said and "127.0.0.1:1)" not in said


@pytest.mark.parametrize("span", ["-5m", "-1h30m", "-0.5s"])
def test_c6_going_back_in_time_is_refused_for_what_it_is(span):
    _, said = shown("clock", "advance", span, expect=64)

    assert said.splitlines()[0] == (
        f"Error: expected a duration such as 10m, 601s or 1h30m, because the clock only advances; found {span}")
    assert "ringfence clock set" in said


@pytest.mark.parametrize("platform", ["ios", "android"])
def test_c6_open_says_why_there_is_no_code(server, sandbox, platform):
    sandbox.control("POST", "seed", json={"prelude": {"settings": {"silentNeedsDispatch": False}}})
    bearer = {"Authorization": f"Bearer {sandbox.credentials['prelude']['apiToken']}"}
    # The number's silent verifications end in a mismatch.
    begun = requests.post(
        f"{sandbox.base}/v2/verification", headers=bearer, timeout=10,
        json={"target": {"type": "phone_number", "value": "+12025550140"}}).json()

    _, said = shown("open", begun["silent"]["request_url"], "--url", server.http, "--as", platform, expect=1)

    assert "mismatch" in said.lower(), said


def test_c6_the_first_block_of_handsets_runs_as_pasted(fresh, tmp_path):
    import os
    block = re.search(r"```sh\n(.*?)```", (ringfence.ROOT / "Docs/Handsets.md").read_text(), re.DOTALL)[1]
    (tmp_path / "ringfence").symlink_to(ringfence.binary())
    port = fresh.http.rsplit(":", 1)[1]

    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.replace(":5550/", f":{port}/")], capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "RINGFENCE_URL": fresh.http})

    assert done.returncode == 0, done.stderr
    assert "Sign in?" in done.stdout and done.stdout.splitlines()[-1].startswith("approved  twilio ")


def test_c6_the_page_of_prove_names_the_package_of_go():
    page = (ringfence.ROOT / "Docs/Providers/Prove.md").read_text()

    assert "github.com/prove-identity/prove-sdk-server-go" in page and "provesdkservergo.WithServerURL(" in page
