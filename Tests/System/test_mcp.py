"""The tools for coding agents, with the official client, over both transports."""

import base64
import contextlib
import email.utils
import hashlib
import hmac
import json
import os
import re
import signal
import subprocess

import pytest
import requests
from mcp.client.stdio import StdioServerParameters

import coding_agent
import ringfence
from coding_agent import PLACEHOLDER, number_in, run

INITIALIZE = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}


@contextlib.contextmanager
def connected(transport):
    if transport == "stdio":
        with coding_agent.Agent(StdioServerParameters(command=str(ringfence.binary()), args=["mcp"])) as agent:
            yield agent
    else:
        with ringfence.Server() as server, coding_agent.Agent(f"{server.http}/mcp") as agent:
            yield agent


@pytest.fixture(params=["stdio", "http"])
def agent(request):
    with connected(request.param) as agent:
        yield agent


# An agent that knows the descriptions only

def test_a_user_signs_in_with_a_code(agent):
    setup = agent.setup("twilio")

    assert run(setup["firstRequest"])["status"] == "pending"
    code = agent.code(number_in(setup["firstRequest"]))
    assert run(setup["checkOfCode"].replace(PLACEHOLDER, code))["status"] == "approved"


def test_a_user_signs_in_on_a_device(agent):
    setup = agent.setup("prove")
    url, own, guide = setup["baseUrl"], setup["credentials"], agent.read(setup["guide"])
    number = re.search(r'"phoneNumber":"(\d{10})"', setup["firstRequest"])[1]
    form = {"grant_type": "client_credentials", "client_id": own["clientId"], "client_secret": own["clientSecret"]}
    for path in ("/token", "/v3/unify", "/handset/prove/v1/authenticate", "/v3/unify-status"):
        assert path in guide, f"the guide does not name {path}"

    token = requests.post(f"{url}/token", data=form, timeout=10).json()["access_token"]
    back_end = {"Authorization": f"Bearer {token}"}
    unified = requests.post(
        f"{url}/v3/unify", json={"possessionType": "mobile", "phoneNumber": number}, headers=back_end, timeout=10).json()
    step = requests.post(
        f"{url}/handset/prove/v1/authenticate", json={"features": ["otp"]},
        headers={"Authorization": f"Bearer {unified['authToken']}"}, timeout=10).json()
    device = f"{url}/handset/prove/v1/{step['authId']}"
    requests.post(f"{device}/otp/start", json={}, timeout=10)
    answer = {"resultType": 0, "input": {"otp": agent.code(f"+1{number}")}}
    requests.post(f"{device}/otp/finish", json=answer, timeout=10)
    status = requests.post(
        f"{url}/v3/unify-status", json={"correlationId": unified["correlationId"]}, headers=back_end, timeout=10)

    assert status.json()["success"] == "true"


def test_a_user_signs_in_silently(agent):
    setup = agent.setup("twilio")
    assert "-d Channel=sna" in agent.read(setup["guide"])
    number = number_in(setup["firstRequest"])

    begun = run(setup["firstRequest"].replace("Channel=sms", "Channel=sna"))
    opened = json.loads(agent.use("Open the URL of a silent verification", {"phone that opens it": number, "silent URL": begun["sna"]["url"]}))
    assert opened["hops"]
    checked = run(setup["checkOfCode"].replace(f"-d Code={PLACEHOLDER}", ""))

    assert checked["status"] == "approved"


def telesign(setup, key, number):
    """A request with a signature of this key."""
    date, form = email.utils.formatdate(usegmt=True), f"phone_number={number}"
    kind = "application/x-www-form-urlencoded"
    text = f"POST\n{kind}\n{date}\nx-ts-auth-method:HMAC-SHA256\n{form}\n/v1/verify/sms"
    signature = base64.b64encode(hmac.new(base64.b64decode(key), text.encode(), hashlib.sha256).digest()).decode()
    return requests.post(
        f"{setup['baseUrl']}/v1/verify/sms", data=form, timeout=10, headers={
            "Authorization": f"TSA {setup['credentials']['customerId']}:{signature}", "Date": date, "Content-Type": kind,
            "x-ts-auth-method": "HMAC-SHA256"})


def test_the_cause_of_a_wrong_signature_is_found(agent):
    setup = agent.setup("telesign")
    refused = telesign(setup, base64.b64encode(b"another key").decode(), "12025550100")
    assert refused.status_code == 401

    found = agent.explanation()
    assert "signature" in found["why"]
    assert any("credentials and signature" in change and "telesign" in change for change in found["change"])

    again = telesign(setup, agent.setup("telesign")["credentials"]["apiKey"], "12025550100")
    assert again.status_code == 200, again.text


def test_an_agent_tests_what_the_app_does_when_a_text_is_lost(agent):
    setup = agent.setup("twilio")
    number = number_in(setup["firstRequest"])
    listed = json.loads(agent.use("List what can go wrong", {"flow": "sms"}))["failures"]
    lost = next(each for each in listed if each["effect"].startswith("It does not arrive, and the carrier says so"))

    agent.use("Produce a failure by its name", {"failure name": lost["failure"], "Only for this phone number": number})
    run(setup["firstRequest"])
    said, is_error = agent.call("get_code", number=number)
    assert is_error and "lost" in said
    agent.use("End a failure that fail has produced")
    run(setup["firstRequest"])

    assert agent.code(number).isdigit()


# Standard input and output

@contextlib.contextmanager
def bridge(*words, environment=None):
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("RINGFENCE_")}
    process = subprocess.Popen(
        [str(ringfence.binary()), "mcp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={**inherited, **(environment or {})})
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def say(process, message):
    line = message if isinstance(message, bytes) else json.dumps(message).encode()
    process.stdin.write(line + b"\n")
    process.stdin.flush()


def ask(process, method, number=1, **params):
    say(process, {"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    return json.loads(process.stdout.readline())


def test_standard_output_has_messages_only_and_ends_with_the_input():
    with bridge() as process:
        lines = [
            INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"}, b"", b"{", b" " * 2_000_000,
            b"x" * 1_100_000, {"jsonrpc": "2.0", "id": "last", "method": "ping"}]
        for line in lines:
            say(process, line)
        out, _ = process.communicate(timeout=30)

    answers = [json.loads(line) for line in out.splitlines()]
    assert process.returncode == 0
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert sorted(str(answer["id"]) for answer in answers) == ["0", "None", "None", "None", "last"]
    codes = sorted(answer["error"]["code"] for answer in answers if "error" in answer)
    assert codes == [-32700, -32600, -32600]


def test_a_tool_that_waits_holds_up_no_other():
    with bridge() as process:
        say(process, INITIALIZE)
        process.stdout.readline()
        waiting = {"name": "get_code", "arguments": {"number": "+12025550100", "wait": 30}}
        say(process, {"jsonrpc": "2.0", "id": "code", "method": "tools/call", "params": waiting})
        assert ask(process, "ping", number=2)["id"] == 2
        sending = {"name": "send_test_code", "arguments": {"provider": "twilio", "number": "+12025550100"}}
        say(process, {"jsonrpc": "2.0", "id": "send", "method": "tools/call", "params": sending})
        answers = {answer["id"]: answer for answer in (json.loads(process.stdout.readline()) for _ in range(2))}

    assert answers["code"]["result"]["content"][0]["text"].isdigit()
    assert '"status":201' in answers["send"]["result"]["content"][0]["text"]


def test_later_versions_have_no_batches_on_standard_input_either():
    with bridge() as process:
        say(process, INITIALIZE)
        assert json.loads(process.stdout.readline())["result"]["protocolVersion"] == "2025-06-18"
        say(process, [{"jsonrpc": "2.0", "id": 1, "method": "ping"}])

        assert "batches are not part of version 2025-06-18" in process.stdout.readline().decode()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it(number):
    with bridge() as process:
        ask(process, "ping")
        process.send_signal(number)

        assert process.wait(10) in (0, -number)


def test_a_running_server_is_used():
    with ringfence.Server("--admin-token", "a-long-admin-token") as server:
        admin = {"Authorization": "Bearer a-long-admin-token"}
        made = requests.post(f"{server.http}/control/sandboxes", json={"name": "ci"}, headers=admin, timeout=10).json()
        with bridge("--url", server.http, "--sandbox", "ci", "--admin-token", made["token"]) as process:
            shown = ask(process, "tools/call", name="show_sandbox", arguments={})
            assert json.loads(shown["result"]["content"][0]["text"])["baseUrl"] == f"{server.http}/s/ci"
        with bridge(environment={"RINGFENCE_URL": server.http}) as process:
            assert "this server requires a token" in ask(process, "ping", number=5)["error"]["message"]
        with bridge("--url", server.http, environment={"RINGFENCE_TOKEN": "a-long-admin-token"}) as process:
            assert ask(process, "ping") == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_a_server_that_is_gone_is_an_error():
    with bridge("--url", "http://127.0.0.1:9") as process:
        assert "does not answer" in ask(process, "ping")["error"]["message"]


@pytest.mark.parametrize("words, said", [
    (("--sandbox", "ci"), "--sandbox ci: expected --url too"),
    (("--admin-token", "abc"), "--admin-token: expected --url too"),
    (("--url", "http://127.0.0.1:9", "--auth", "strict"), "--auth has no effect on a running server"),
    (("--url", "127.0.0.1:9"), "--url: expected http://ADDRESS:PORT; found 127.0.0.1:9"),
    (("--nubmers", "any"), "--numbers"),
])
def test_options_without_an_effect_are_refused(words, said):
    assert said in ringfence.command("mcp", *words, expect=64)
