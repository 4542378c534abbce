"""What the bench asks: a request of each kind, for wrk's scripts and for Python."""

import dataclasses
import json

FORM, JSON = "application/x-www-form-urlencoded", "application/json"


@dataclasses.dataclass
class Request:
    path: str
    headers: dict
    """In the body, {number} stands for the digits of another number each time; none: a GET."""
    body: str | None = None

    def of(self, number):
        method = "GET" if self.body is None else "POST"
        return method, self.path, self.body and self.body.replace("{number}", number), self.headers


def number(n):
    """The number of the n-th creation, as in numbers.lua."""
    high, low = divmod(n * 7368787 % 900_000_000, 9000)
    return f"8613{high:05}{low + 1000}"


# By identifier. The main create of each provider is the one that its quick start begins with.
TITLES = {
    "nginx": "nginx, constant JSON",
    "livez": "GET /livez",
    "fetch": "Twilio: fetch a Service",
    "create": "Twilio: create",
    "flow": "Twilio: create + read code + check",
    "telesign": "Telesign: create",
    "prelude": "Prelude: create",
    "vonage": "Vonage: create",
    "prove": "Prove: unify",
    "sinch": "Sinch: start",
    "hyphen": "Hyphen: sign in, ask for approval",
    "camara": "CAMARA: send a code",
}
# What is counted in instructions only: reading of stored things, and webhooks.
COUNTED = {kind: title for kind, title in TITLES.items() if kind != "nginx"} | {
    "verification": "Twilio: fetch a verification",
    "attempts": "Twilio: list 50 attempts",
    "inbox": "control API: list 50 messages",
    "journal": "control API: list 50 requests",
    "sandbox": "a sandbox: create, delete",
    "prelude-webhooks": "Prelude: create, and its three webhooks",
}
WRITING = {"create", "flow", "telesign", "prelude", "vonage", "prove", "sinch", "hyphen", "camara"}


def request_of(kind, subject):
    """The request of a kind; for `flow`, what its script needs."""
    service, twilio = subject.service, {"Authorization": subject.authorization}
    own = subject.own
    match kind:
        case "nginx" | "fetch":
            return Request(service, {**twilio, "Accept": JSON})
        case "verification":
            made = json.loads(subject.ask("POST", f"{service}/Verifications", "To=%2B12025550100&Channel=sms"))
            return Request(f"{service}/Verifications/{made['sid']}", twilio)
        case "attempts":
            return Request("/v2/Attempts?PageSize=50", twilio)
        case "inbox":
            return Request("/control/inbox?limit=50", {"Accept": JSON})
        case "journal":
            return Request("/control/journal?limit=50&route=createVerification", {"Accept": JSON})
        case "livez":
            return Request("/livez", {"Accept": JSON})
        case "create":
            return Request(f"{service}/Verifications", {**twilio, "Content-Type": FORM}, "To=%2B{number}&Channel=sms")
        case "flow":
            return Request(service, {**twilio, "Content-Type": FORM})
        case "telesign":
            body = {"recipient": {"phone_number": "{number}"}, "verification_policy": [{"method": "sms"}]}
            pair = (own["telesign"]["customerId"], own["telesign"]["apiKey"])
            return Request("/verification", {"Authorization": subject.basic(*pair), "Content-Type": JSON}, json.dumps(body))
        case "prelude":
            body = {"target": {"type": "phone_number", "value": "+{number}"}}
            token = f"Bearer {own['prelude']['apiToken']}"
            return Request("/v2/verification", {"Authorization": token, "Content-Type": JSON}, json.dumps(body))
        case "vonage":
            body = {"brand": "Bench", "workflow": [{"channel": "sms", "to": "{number}"}]}
            pair = (own["vonage"]["apiKey"], own["vonage"]["apiSecret"])
            return Request("/v2/verify", {"Authorization": subject.basic(*pair), "Content-Type": JSON}, json.dumps(body))
        case "prove":
            body = {"phoneNumber": "+{number}", "possessionType": "mobile", "clientRequestId": "bench"}
            return Request("/v3/unify", {"Authorization": subject.prove_token(), "Content-Type": JSON}, json.dumps(body))
        case "sinch":
            body = {"identity": {"type": "number", "endpoint": "+{number}"}, "method": "sms"}
            pair = (own["sinch"]["applicationKey"], own["sinch"]["applicationSecret"])
            return Request(
                "/verification/v1/verifications", {"Authorization": subject.basic(*pair), "Content-Type": JSON},
                json.dumps(body))
        case "hyphen":
            key = "7c1f5be0" * 8
            device = {"publicKey": key, "pushToken": "sbx-fcm-bench", "name": "Fjord 3", "osName": "Android",
                      "osVersion": "14", "deviceManufacturer": "Nord", "deviceModel": "FJ3", "lang": "fr-FR",
                      "type": "mobile"}
            body = {"request": {"method": "firebase", "token": "sbx-user:ines@example.test"},
                    "userKey": {"type": "device", "publicKey": key, "device": device}}
            headers = {"X-Hyphen-App-Secret": own["hyphen"]["appSecret"], "Content-Type": JSON}
            return Request("/auth/v1/signin/2fa", headers, json.dumps(body))
        case "camara":
            body = {"phoneNumber": "+{number}", "message": "{{code}}"}
            headers = {"Authorization": subject.camara_token(), "Content-Type": JSON}
            return Request("/one-time-password-sms/v1/send-code", headers, json.dumps(body))


def script_of(kind):
    return {"flow": "flow.lua"}.get(kind, "create.lua" if kind in WRITING else "constant.lua")


def asks_of(kind, subject, hook=None):
    """A function from the number of a request to its method, path, body and headers. `hook` is the URL for
    webhooks."""
    if kind == "sandbox":
        return lambda n: ("POST", "/control/sandboxes", json.dumps({"name": f"bench-{n}"}), {"Content-Type": JSON}) \
            if n % 2 else ("DELETE", f"/control/sandboxes/bench-{n - 1}", None, {})
    request = request_of(kind.removesuffix("-webhooks"), subject)
    if kind == "prelude-webhooks":
        request.body = json.dumps({**json.loads(request.body), "options": {"callback_url": hook}})
    if kind != "flow":
        return lambda n: request.of(number(n))

    def step(n):
        to, kind_of_step = f"%2B{number(n // 3)}", n % 3
        if kind_of_step == 0:
            return "POST", f"{request.path}/Verifications", f"To={to}&Channel=sms&CustomCode=271828", request.headers
        if kind_of_step == 1:
            return "GET", f"/control/inbox/{to}/latest/code", None, {}
        return "POST", f"{request.path}/VerificationCheck", f"To={to}&Code=271828", request.headers

    return lambda n: step(n + 2)
