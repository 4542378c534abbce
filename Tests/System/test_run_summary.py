"""The summary of `ringfence run`, on standard error. Source: issue 5, part 4."""

import sys

import pytest

import ringfence
from running import SEND, bare, run

STRANGER = ringfence.ROOT / "Tests/CryptoTests/Certificates/authority.pem"


def summary(done):
    # On a busy machine a request can take long enough for a warning.
    return [line for line in done.stderr.decode().splitlines() if " warning " not in line]


def test_sent_messages_are_listed():
    said = summary(run(sys.executable, "-c", SEND, "+12025550100"))

    assert said[0] == "ringfence: 1 request, 1 message sent, 0 rejected, 0 not emulated"
    assert said[1:] == ["  sent", f"    twilio  sms  +12025550100  code {ringfence.command('code', '+12025550100', '--provider', 'twilio').strip()}"]


def test_only_other_sandboxes_are_named():
    script = SEND + """
made = urllib.request.Request(os.environ["RINGFENCE_URL"] + "/control/sandboxes", b'{"name":"beside"}',
                              {"Content-Type": "application/json"})
import json
own = json.load(urllib.request.urlopen(made))
request.full_url = own["urls"]["prefixed"] + "/v2/Services/" + own["credentials"]["twilio"]["serviceSid"] + "/Verifications"
pair = own["credentials"]["twilio"]["accountSid"] + ":" + own["credentials"]["twilio"]["authToken"]
request.add_header("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())
urllib.request.urlopen(request)
"""
    said = summary(run(sys.executable, "-c", script, "+12025550100", flags=["--sandbox", "ci-17"]))

    assert said[0] == "ringfence: 2 requests, 2 messages sent, 0 rejected, 0 not emulated"
    assert [line.rstrip().endswith("[beside]") for line in said[2:]] == [False, True]
    assert "[ci-17]" not in "".join(said)


def test_46_f1_packages_of_the_project_that_run_does_not_reach_are_listed(tmp_path):
    (tmp_path / "Gemfile.lock").write_text("GEM\n  specs:\n    vonage (7.16.1)\n")
    listed = "    Gemfile.lock  vonage  ignores proxy settings; use --isolated"

    assert summary(run("true", cwd=tmp_path))[1:] == ["  not reached", listed]
    assert listed in summary(run(sys.executable, "-c", SEND, "+12025550100", cwd=tmp_path))


def test_46_f5_providers_that_nobody_has_called_are_listed_if_the_user_has_their_credentials():
    said = summary(run(sys.executable, "-c", SEND, "+12025550100", environment=bare(TELESIGN_API_KEY="mine")))

    assert said[-2:] == [
        "  not called",
        "    telesign  your TELESIGN_API_KEY is set, and no request came  if its client ignores proxy settings: --isolated"]


def test_failed_handshakes_are_listed():
    said = summary(run("curl", "-s", "--cacert", STRANGER, "https://verify.twilio.com/"))

    assert said[1] == "  rejected" and "TLS  verify.twilio.com" in said[2] and "unknown ca" in said[2]
    assert said[2].count("verify.twilio.com") == 1
    assert said[2].endswith("it does not trust the sandbox. For the fix of its system or language: ringfence ca --trust")


# Says hello, and goes when it has seen the certificate, as some clients do that do not trust it.
LEAVE = """
import os, socket, ssl, urllib.parse
place = urllib.parse.urlsplit(os.environ["RINGFENCE_HTTPS_URL"])
raw = socket.create_connection((place.hostname, place.port or 443))
session = ssl.MemoryBIO(), ssl.MemoryBIO()
hello = ssl.create_default_context().wrap_bio(*session, server_hostname="verify.twilio.com")
try: hello.do_handshake()
except ssl.SSLWantReadError: raw.sendall(session[1].read())
raw.recv(1); raw.close()
"""


def test_46_e5_a_client_that_leaves_during_the_handshake_is_listed():
    said = summary(run(sys.executable, "-c", LEAVE))

    assert said[1] == "  rejected" and "TLS  verify.twilio.com" in said[2]
    assert "the client closed the connection during the TLS handshake; it may not trust the sandbox" in said[2]


def test_46_e5_requests_to_the_own_api_are_seen():
    (line,) = summary(run("sh", "-c", "for each in 1 2 3 4 5 6; do curl -s $RINGFENCE_URL/livez; done"))

    assert "only 6 requests to its own API" in line


def test_46_e6_a_dropped_connection_has_no_status():
    faults = '{"faults":[{"provider":"twilio","damage":"reset"}]}'
    script = (f"curl -s -X PUT $RINGFENCE_URL/control/faults -H 'Content-Type: application/json' -d '{faults}'; "
              "curl -s $RINGFENCE_URL/v2/Services; true")
    said = summary(run("sh", "-c", script))

    assert said[1] == "  rejected" and "broken on purpose" in said[2] and " 500 " not in said[2]


@pytest.mark.parametrize("words", [("curl", "-s", "https://example.com/"), ("true",)])
def test_quiet_prints_no_summary(words):
    assert run(*words, flags=["--quiet"]).stderr == b""
