"""Failures with CAMARA's standard paths, which no official client calls: plain requests."""

import camara_client
from failure_flows.shared import Flows, words
from webhook_senders import CAMARASender, webhook_flow

OTP = "one-time-password-sms:send-validate"
# Three parts with another alphabet, within the 160 characters of a message: the last one has the codes.
LONG_MESSAGE = "Это очень длинное сообщение. " * 4 + "{{code}} 123456"


class CAMARA(Flows):
    name = "camara"
    sender = CAMARASender
    asks = "send"
    not_applicable = {
        "whatsapp": "CAMARA sends texts only.", "call": "CAMARA calls nobody.", "push": "CAMARA sends no pushes.",
        "passkey": "CAMARA has no passkeys."}
    unchanged = {
        "text-no-receipt": "CAMARA shows no receipts.",
        "text-receipt-first": "CAMARA shows no receipts.",
        "webhook-old-timestamp": "The time belongs to the event, and nothing signs it.",
        "line-risky": "The APIs tell no risk.",
    }

    def prepare(self, flow):
        self.client = camara_client.Plain(self.sandbox)
        # A client keeps its token, so the failures of requests meet the operation.
        self.token = self.client.token(" ".join((OTP, *LOOKUPS.values())))
        self.id = "unknown"

    def begin(self, message="Your code is {{code}}."):
        sent = self.client.post(
            "/one-time-password-sms/v1/send-code", {"phoneNumber": self.number, "message": message}, self.token)
        seen = verdict(sent)
        if sent.ok:
            self.id = sent.json()["authenticationId"]
        return seen

    ask = begin

    def enter(self, code):
        if code is None:
            return None
        return verdict(self.client.post(
            "/one-time-password-sms/v1/validate-code", {"authenticationId": self.id, "code": code},
            # The first one has expired before an old code is entered.
            self.client.token(OTP)))

    def sms(self):
        sent = self.begin()
        if self.id == "unknown":
            return {"send": sent}
        # A code is valid for two minutes.
        shown = self.shown(time="90s")
        return {"send": sent, **shown, "check": self.enter(self.code()),
                "long text": self.long_text(lambda _: self.begin(LONG_MESSAGE))}

    def webhook(self):
        return webhook_flow(self)

    def silent(self):
        if self.failure["id"] == "silent-never-opened":
            return {"redirect": "none"}
        back = self.client.sign_in(self.covered)
        if "code" not in back:
            return {"redirect": back.get("error") or back["problem"]}
        token = self.client.exchange(back["code"]).json()["access_token"]
        answer = self.client.post("/number-verification/v2/verify", {"phoneNumber": self.covered}, token)
        return {"redirect": "code", "verify": verdict(answer, "devicePhoneNumberVerified")}

    def lookup(self):
        number = "+12025550" if self.failure["id"] == "line-impossible" else self.number
        return {name: self.answer(name, number) for name in LOOKUPS}

    def answer(self, name, number):
        path, body, *members = QUESTIONS[name]
        line = {"phoneNumber": number}
        line = {"device": line} if name == "Device Roaming Status" else line
        return verdict(self.client.post(path, {**line, **body}, self.token), *members)


LOOKUPS = {
    "SIM Swap": "sim-swap:check",
    "Device Swap": "device-swap:check",
    "Number Recycling": "number-recycling:check",
    "Call Forwarding Signal": "call-forwarding-signal:unconditional-call-forwardings:read",
    "Device Roaming Status": "device-roaming-status:read",
    "KYC Tenure": "kyc-tenure:check-tenure",
    "KYC Match": "kyc-match:match",
}
YESTERDAY = "2026-01-04"
QUESTIONS = {
    "SIM Swap": ("/sim-swap/v2/check", {"maxAge": 24}, "swapped"),
    "Device Swap": ("/device-swap/v1/check", {"maxAge": 24}, "swapped"),
    "Number Recycling": ("/number-recycling/v0.2/check", {"specifiedDate": YESTERDAY}, "phoneNumberRecycled"),
    "Call Forwarding Signal": ("/call-forwarding-signal/v0.4/unconditional-call-forwardings", {}, "active"),
    "Device Roaming Status": ("/device-roaming-status/v1/retrieve", {}, "roaming"),
    "KYC Tenure": ("/kyc-tenure/v0.2/check-tenure", {"tenureDate": YESTERDAY}, "tenureDateCheck", "contractType"),
    "KYC Match": ("/kyc-match/v0.4/match", {"givenName": "Mara"}, "givenNameMatch"),
}


def verdict(answer, *members):
    """These members; else the HTTP status and the error."""
    try:
        body = answer.json() if answer.text else {}
    except ValueError:
        if answer.ok:
            raise
        body = {}
    if answer.ok and members:
        return words(*(str(body[name]).lower() for name in members))
    return words(answer.status_code, body.get("code"))
