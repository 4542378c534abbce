"""Silent URLs with a provider's host name, under `ringfence run`: opened by the command line and within the
process. Source: issue 12, part 8."""

import http.server
import json
import threading
import urllib.parse

import pytest

import camara_browser
import ringfence
from running import run

# Prints the silent URL of a new verification as the provider's own host answers it.
BEGIN = """
URL=$(curl -sS -u "$TWILIO_ACCOUNT_SID:$TWILIO_AUTH_TOKEN" \
  "https://verify.twilio.com/v2/Services/$TWILIO_VERIFY_SERVICE_SID/Verifications" \
  --data-urlencode To=+12025550100 -d Channel=sna | sed 's/.*"sna":{"url":"\\([^"]*\\)".*/\\1/')
echo "$URL"
"""
OPEN = """curl -sS -H 'Content-Type: application/json' "$RINGFENCE_URL/control/devices/+12025550100/open" -d "{\\"url\\":\\"$URL\\"}"
"""


@pytest.fixture(params=[[], ["--isolated"], ["--sandbox", "ci-17"]], ids=["run", "isolated", "named"])
def flags(request):
    if "--isolated" in request.param:
        request.getfixturevalue("namespaces")
    return request.param


def test_the_command_line_opens_a_silent_url_of_the_providers_host(flags):
    done = run("sh", "-c", f'{BEGIN}\n"{ringfence.binary()}" open "$URL" --handset +12025550100', flags=flags)

    url, answer = done.stdout.decode().splitlines()
    assert url.startswith("https://verify.twilio.com/"), done.stderr
    assert answer.startswith("ErrorCode=0&"), done.stderr


def test_a_device_opens_a_silent_url_of_the_providers_host(flags):
    done = run("sh", "-c", BEGIN + OPEN, flags=flags)

    url, answer = done.stdout.decode().splitlines()
    assert url.startswith("https://verify.twilio.com/"), done.stderr
    assert json.loads(answer)["text"].startswith("ErrorCode=0&"), answer


@pytest.mark.parametrize("platform", ["ios", "android"])
def test_46_b5_the_command_line_ends_at_the_url_of_the_app(platform):
    """CAMARA's front end at an address with a port, which an iOS client leaves out of Host."""
    with ringfence.Server() as server:
        query = urllib.parse.urlencode({
            "client_id": "sandbox-app", "redirect_uri": camara_browser.REDIRECT, "response_type": "code",
            "scope": f"openid dpv:FraudPreventionAndDetection {camara_browser.SCOPES}", "state": "s", "nonce": "n"})
        url = f"{server.http}/camara/oauth2/authorize?{query}"
        opened = ("open", url, "--as", platform, "--url", server.http)

        end, code = ringfence.command(*opened, "--handset", "+12025550100").splitlines()
        assert end == f"{camara_browser.REDIRECT}?code={code}&state=s"
        assert "access_denied" in ringfence.command(*opened, "--handset", "+12025550145", expect=1)


def test_46_b5_a_redirect_from_the_server_to_another_host_is_one_to_the_app():
    """As of Prove's links, whose URL of the app has no mark."""
    class Link(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(302)
            self.send_header("Location", "https://app.example.com/done?x=1")
            self.end_headers()

    with http.server.HTTPServer(("127.0.0.1", 0), Link) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/link"
        assert ringfence.command("open", url, "--url", url) == "https://app.example.com/done?x=1\n"


def test_https_is_trusted_by_the_authority_of_the_data_folder(tmp_path):
    listeners = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")
    with ringfence.Server("--data", tmp_path / "data", listeners=listeners) as server:
        url = f"{server.https}/livez"
        assert ringfence.command("open", url, "--data", tmp_path / "data") == "ok\n\n"
        assert "certificate" in ringfence.command("open", url, environment={"HOME": str(tmp_path)}, expect=1)
