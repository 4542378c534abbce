"""A passkey of a real browser: Chromium with a virtual authenticator. Source: twilio-verify.md 12."""

import http.server
import threading

import pytest

import chromium


pytestmark = chromium.MARKS

# As a front end does it: the options exactly as they come, and the answer as the browser writes it.
SCRIPT = """
async ([ceremony, options]) => {
  const read = ceremony === "create" ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON";
  const found = await navigator.credentials[ceremony]({publicKey: PublicKeyCredential[read](options)});
  return found.toJSON();
}
"""


class Blank(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def page(browser):
    """A page on localhost, where browsers allow passkeys without TLS, with an authenticator built into the
    machine."""
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Blank)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    page = browser.new_page()
    page.goto(f"http://localhost:{site.server_port}/")
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True}})
    yield page
    page.close()
    site.shutdown()


def test_46_d0_browser_registers_a_passkey_and_signs_in_with_and_without_a_name(sandbox, page):
    own = sandbox.credentials["twilio"]
    origin = page.evaluate("location.origin")

    def call(path, body):
        answer = sandbox.session.post(
            f"{sandbox.base}/v2/Services/{own['serviceSid']}/Passkeys/{path}", json=body,
            auth=(own["accountSid"], own["authToken"]), timeout=20)
        assert answer.ok, answer.text
        return answer.json()

    config = {"relying_party": {"id": "localhost", "name": "Acme", "origins": [origin]},
              "authenticator_attachment": "platform", "discoverable_credentials": "required",
              "user_verification": "required"}
    factor = call("Factors", {"friendly_name": "Ana", "identity": "user-00000001", "config": config})
    created = page.evaluate(SCRIPT, ["create", factor["options"]["publicKey"]])
    assert call("VerifyFactor", created)["status"] == "verified"

    asked = call("Challenges", {"identity": "user-00000001"})
    found = page.evaluate(SCRIPT, ["get", asked["options"]["publicKey"]])
    assert call("ApproveChallenge", found)["status"] == "approved"

    sandbox.session.post(
        f"{sandbox.base}/v2/Services/{own['serviceSid']}", data={"Passkeys.RelyingParty.Id": "localhost"},
        auth=(own["accountSid"], own["authToken"]), timeout=20).raise_for_status()
    asked = call("Challenges", {})
    found = page.evaluate(SCRIPT, ["get", asked["options"]["publicKey"]])
    assert found["response"]["userHandle"]
    assert call("ApproveChallenge", found)["status"] == "approved"
