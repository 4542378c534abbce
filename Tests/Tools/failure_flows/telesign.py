"""Failures with Telesign's official client."""

import json
import re

import handset_sign_ins
import receiver
from failure_flows.pushes import approve_on_phone
from failure_flows.shared import OWN_TEXT, Flows, trip, words
from telesign_clients import NUMBER, code_of
from telesign_flows import complete, omni
from webhook_senders import TelesignSender, webhook_flow


class Telesign(Flows):
    name = "telesign"
    sender = TelesignSender
    # Of the app that is installed anew.
    app = {"pushToken": "fcm-token-2"}
    not_applicable = {"passkey": "Telesign has no passkeys."}
    unchanged = {
        "text-receipt-first": "Telesign shows the last status only.",
        "call-no-key": "The call asks for no key.",
        "call-voicemail": "The call asks for no key, so the machine hears the code.",
        "line-other-person": "These products compare no names.",
    }

    def __init__(self, fixture):
        super().__init__(fixture)
        self.telesign = fixture("telesign")
        self.sandbox, self.check_answer = self.telesign.sandbox, self.telesign.check

    def prepare(self, flow):
        self.number = f"+{NUMBER}" if flow == "push" else Flows.number
        # A proxy's page is no answer of the provider's.
        self.telesign.check = (lambda *_: None) if flow == "request" else self.check_answer

    @property
    def digits(self):
        return self.number[1:]

    def begin(self, **policy):
        """The result of a verification's creation; keeps its reference."""
        answer = self.telesign.create(self.digits, **policy)
        self.reference = (answer.json or {}).get("reference_id") if answer.status_code == 200 else None
        return verdict(answer)

    def enter(self, code):
        if code is None:
            return None
        answer = self.telesign.finalize(getattr(self, "reference", None) or 32 * "F", code)
        return verdict(answer)

    def status(self):
        """The state of the verification, and the status of its method."""
        process = self.telesign.process(self.reference)
        method = process["inner_methods"][0]
        return words(process["state"], method.get("err_code"), method.get("err_msg"))

    def message(self, send, fetch, channel, **policy):
        """The Verify API, and a product that only sends."""
        begun = self.begin(**policy)
        # A verification lasts five minutes.
        shown = self.shown(channel, "2m")
        seen = {"Verify API": begun, "method": self.status() if self.reference else None, **shown,
                "check": self.enter(self.code())}
        with receiver.Receiver() as hook:
            self.telesign.switch(account__callback_url=hook.url)
            answer = send()
            self.settle()
            told = [json.loads(body).get("status", {}).get("code") for _, _, body in hook.all()]
        if answer.status_code >= 300:
            return {**seen, "send": verdict(answer)}
        found = fetch(answer.json["reference_id"])
        return {**seen, "status": words(code_of(found), found.json["status"]["description"]),
                "callback": ", ".join(str(code) for code in told if code) or None}

    def sms(self):
        seen = self.message(
            lambda: self.telesign.vc.sms(self.digits), lambda reference: self.telesign.vc.status(reference), "sms")
        long_text = self.long_text(lambda text: self.telesign.mc.message(self.digits, text, "OTP"))
        return {**seen, **self.bulk(), "long text": long_text}

    def bulk(self):
        with receiver.Receiver() as hook:
            self.telesign.switch(account__callback_url=hook.url)
            answer = self.telesign.rc.post(
                "/v1/verify/bulk_sms", recipients=f"{self.digits}:a1", template=OWN_TEXT)
            self.settle()
            told = [json.loads(body).get("status", {}).get("code") for _, _, body in hook.all()]
        return {"bulk": verdict(answer), "bulk callback": ", ".join(str(code) for code in told if code) or None}

    def call(self):
        return self.message(
            lambda: self.telesign.vc.voice(self.digits), lambda reference: self.telesign.vc.status(reference), "call",
            verification_policy=[{"method": "voice"}])

    def whatsapp(self):
        message = omni(
            recipient={"phone_number": self.digits}, channels=[{"channel": "whatsapp", "fallback_time": 300}],
            message={"whatsapp": {"template": "text", "parameters": {"text": "Your code is 123456"}}})
        return self.message(
            lambda: self.telesign.mc.omniMessage(message),
            lambda reference: self.telesign.rc.get(f"/v1/omnichannel/{reference}"), "whatsapp",
            verification_policy=[{"method": "whatsapp"}])

    def push(self):
        return approve_on_phone(self, lambda: handset_sign_ins.Telesign(self.sandbox))

    ask = begin

    def webhook(self):
        return webhook_flow(self)

    def silent(self):
        answer = self.telesign.rc.post("/silent/initiate", json_fields={"phone_number": self.covered[1:]})
        if answer.status_code != 200:
            return {"initiate": verdict(answer)}
        begun, opened, text = answer.json, None, "none"
        if self.failure["id"] != "silent-never-opened":
            way = self.open(begun["verification_url"])
            opened, text = trip(way), way.get("text") or way.get("code") or "none"
        return {"initiate": verdict(answer), "app": opened, "finalize": verdict(complete(self.telesign, begun, text))}

    def lookup(self):
        number = "12025550" if self.failure["id"] == "line-impossible" else self.digits
        addons = {"sim_swap": {}, "porting_status": {}, "porting_history": {}, "call_forward_detection": {}}
        found = self.telesign.pc.phoneid(number, addons=addons)
        score = self.telesign.sc.score(number, "sign-in")
        seen = {"PhoneID": words(verdict(found), (found.json.get("phone_type") or {}).get("description"))}
        for name in addons:
            part = found.json.get(name)
            if part:
                seen[f"PhoneID {name}"] = undated(json.dumps({k: v for k, v in part.items() if k != "status"}))
        risk = score.json.get("risk") or {}
        return {**seen, "Score": words(verdict(score), risk.get("level"), risk.get("recommendation"), risk.get("score"))}


def undated(text):
    """Without dates and times: the sandbox has the real time."""
    return re.sub(r"\d{4}-\d\d-\d\d(T[\d:]+Z)?|\d\d:\d\d:\d\d", "now", text)


def verdict(answer):
    """The HTTP status and Telesign's own."""
    body = answer.json if isinstance(answer.json, dict) else {}
    own = body.get("status") or {}
    errors = [error["code"] for error in body.get("errors") or []]
    return words(answer.status_code, own.get("code"), *errors)
