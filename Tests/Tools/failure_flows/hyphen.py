"""Failures with requests as Hyphen's SDKs send them."""

import handset_sign_ins
from failure_flows.pushes import approve_on_phone
from failure_flows.shared import Flows, words
from hyphen_client import Phone

EMAIL = "mara@example.test"
NO_TEXTS = "Hyphen sends pushes to devices, and no codes."


class Hyphen(Flows):
    name = "hyphen"
    asks, retried, sends_codes = "sign up", ("api-once", "api-500-after"), False
    app = {"identity": handset_sign_ins.EMAIL}
    not_applicable = {
        **dict.fromkeys(("sms", "whatsapp", "call", "check"), NO_TEXTS),
        "webhook": "Hyphen sends no webhooks.", "silent": "Hyphen does not use the carrier.",
        "lookup": "Hyphen knows no phone numbers.", "passkey": "Hyphen's public SDKs use device keys, no passkeys."}

    def prepare(self, flow):
        self.number = handset_sign_ins.NUMBER

    def push(self):
        return approve_on_phone(self, lambda: handset_sign_ins.Hyphen(self.sandbox))

    def ask(self):
        phone = Phone(self.sandbox, "old-phone", email=EMAIL)
        answer = phone.send("POST", "/auth/v1/signup", {
            **phone.identity(chainName="flow-testnet"), "userKey": phone.user_key})
        return words(answer.status, answer.json().get("code"))
