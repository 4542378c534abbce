"""Two processes with the same seed and a frozen clock answer the same requests with the same bytes.
Carrier contract, C2."""

import base64
import json
import re
from urllib.parse import urlencode

import ringfence
import wire

FROZEN = "2026-01-05T10:20:30Z"
NUMBERS = [f"+1202555010{digit}" for digit in range(5)]


class Script:
    """A conversation over one connection. Stores every response as bytes."""

    def __init__(self, server):
        self.line = wire.Wire(server.address)
        self.replies = []

    def say(self, method, target, body=None, **headers):
        self.line.send(wire.request(method, target, body, **headers))
        reply = self.line.receive(head_only=method == "HEAD")
        assert reply is not None, f"no answer to {method} {target}"
        # The listeners' ports are the processes' own.
        answer = re.sub(rb"(//[a-z0-9.]+):[0-9]{5}\b", rb"\1:PORT", reply.joined)
        self.replies.append((f"{method} {target}", answer))
        return reply

    def control(self, method, path, body=None, prefix="/s/twin"):
        body = None if body is None else json.dumps(body)
        return self.say(method, f"{prefix}/control/{path}", body, content_type="application/json")


def converse(server):
    """Sends about 40 requests, some with ids of earlier responses. Returns all responses."""
    script = Script(server)
    world = {"name": "twin", "entropySeed": 7, "clock": FROZEN, "seeds": ["default"]}
    sandbox = json.loads(script.control("POST", "sandboxes", world, prefix="").body)
    own = sandbox["credentials"]["twilio"]
    pair = base64.b64encode(f"{own['accountSid']}:{own['authToken']}".encode()).decode()

    def twilio(method, path, **form):
        return script.say(
            method, f"/s/twin/v2/Services{path}", urlencode(form) if form else None,
            authorization=f"Basic {pair}", content_type="application/x-www-form-urlencoded")

    made = json.loads(twilio("POST", "", FriendlyName="Acme", CodeLength=8).body)
    twilio("GET", f"/{made['sid']}")
    twilio("GET", "?PageSize=1")
    twilio("HEAD", f"/{made['sid']}")
    for service in (own["serviceSid"], made["sid"]):
        for number in NUMBERS:
            twilio("POST", f"/{service}/Verifications", To=number, Channel="sms")
            code = script.control("GET", f"inbox/{number}/latest/code").body.decode().strip()
            twilio("POST", f"/{service}/VerificationCheck", To=number, Code=code)
    token = sandbox["credentials"]["prelude"]["apiToken"]
    for path, more in [
        ("", {}), ("", {}), ("", {"options": {"code_size": 9}}), ("/check", {"code": "000000"}),
    ]:
        body = {"target": {"type": "phone_number", "value": "+33639980050"}, **more}
        script.say("POST", f"/s/twin/v2/verification{path}", json.dumps(body), authorization=f"Bearer {token}")
    script.say("GET", "/s/twin/v2/verification/phone/history", authorization=f"Bearer {token}")
    for method, path, body in [
        ("POST", "clock", {"advance": "11m"}), ("GET", "clock", None), ("GET", "inbox", None),
        ("GET", "subscribers", None), ("GET", "export", None), ("GET", "journal", None), ("GET", "nothing", None),
    ]:
        path = "sandboxes/twin/export" if path == "export" else path
        script.control(method, path, body)
    twilio("POST", f"/{made['sid']}/VerificationCheck", To=NUMBERS[0], Code="00000000")
    return script.replies


def test_two_processes_answer_with_equal_bytes():
    # Frozen, because the response that creates the sandbox has the default sandbox's date.
    frozen = ("--clock", FROZEN)
    with ringfence.Server(*frozen) as first, ringfence.Server(*frozen) as second:
        conversations = converse(first), converse(second)

    assert len(conversations[0]) >= 40
    for (asked, one), (_, other) in zip(*conversations, strict=True):
        assert one == other, asked
