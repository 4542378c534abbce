"""Failures with firebase-admin, and with requests as Apple's clients send them."""

import firebase_admin.exceptions

import apns_client
from failure_flows.pushes import pushes_on
from failure_flows.shared import AT_FIRST, Flows, words

NO_NUMBERS = "A push gateway knows tokens, no phone numbers."
NOT_APPLICABLE = {
    **dict.fromkeys(("sms", "whatsapp", "call", "check", "silent", "lookup"), NO_NUMBERS),
    "webhook": "Push gateways send no webhooks.", "passkey": "Push gateways have no part in passkeys."}


# What the phone does with a push is no matter of the gateway.
OF_APPS = ("denied", "ignored", "wrong-key", "answered-twice", "answered-late", "wrong-clock", "no-biometrics")


def deliver(flows, device):
    """A push to a registered phone: the gateway's answer, and what becomes of the push."""
    case = flows.failure["id"].removeprefix("push-")
    if case in OF_APPS:
        return {"not applicable": "a gateway does not see what the app does"}
    flows.sandbox.control("POST", "devices", json={"number": flows.number, **device})
    if case == "reinstalled":
        flows.sandbox.control("POST", "devices/latest/rotate")
    sent = flows.ask()
    flows.sandbox.advance(AT_FIRST)
    first = pushes_on(flows, flows.number)
    flows.sandbox.advance("11m" if case == "expired" else "70s")
    last = pushes_on(flows, flows.number)
    pushes = flows.sandbox.control("GET", "pushes").json()["pushes"]
    return {"send": sent, "push": ", ".join(push["status"] for push in pushes) or None,
            "phone at first": first if first != last else None, "phone": last}


class FCM(Flows):
    name = "fcm"
    asks, sends_codes = "send", False
    not_applicable = NOT_APPLICABLE

    def prepare(self, flow):
        self.gateway = self.fixture("fcm")
        self.gateway.token()

    def ask(self):
        try:
            return words("accepted" if self.gateway.send(token="fcm-token-1") else None)
        except firebase_admin.exceptions.FirebaseError as error:
            return words(error.http_response.status_code if error.http_response is not None else None, error.code)

    def push(self):
        return deliver(self, {"provider": "fcm", "pushToken": "fcm-token-1"})


class APNs(Flows):
    name = "apns"
    asks, sends_codes = "send", False
    not_applicable = NOT_APPLICABLE
    unchanged = {"api-truncated": "The answer has no body."}

    def prepare(self, flow):
        self.gateway = apns_client.Gateway(self.sandbox)

    def ask(self):
        answer = self.gateway.post()
        reason = answer.json().get("reason") if answer.content else None
        return words(answer.status_code, reason)

    def push(self):
        return deliver(self, {"provider": "fcm", "platform": "ios", "app": apns_client.TOPIC,
                              "apnsToken": apns_client.TOKEN})
