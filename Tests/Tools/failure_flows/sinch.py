"""Failures with Sinch's official client; with plain requests for WhatsApp, which it does not have."""

import json

from sinch.core.exceptions import SinchException
from sinch.domains.sms.exceptions import SMSException
from sinch.domains.verification.exceptions import VerificationException

import receiver
import sinch_client
from failure_flows.shared import OWN_TEXT, Flows, trip, words
from webhook_senders import SinchSender, SinchSMSSender, receipts_flow, webhook_flow

ALLOW = '{"action":"allow"}'


class Sinch(Flows):
    name = "sinch"
    sender = SinchSender
    asks = "start"
    not_applicable = {
        "push": "Sinch sends no pushes.", "passkey": "Sinch has no passkeys.",
        "lookup": "Sinch Verification has no lookup."}
    unchanged = {
        "text-receipt-first": "Sinch reports the delivery once.",
        "app-no-receipt": "Sinch reports the delivery of texts only.",
        "code-used": "A further report answers the final status again.",
    }

    def prepare(self, flow):
        self.plain = self.fixture("sinch_plain")
        self.client = self.fixture("sinch").verification
        self.id = None
        self.sandbox.control("POST", "seed", json={"sinch": {"settings": {"timestampTolerance": 0}}})

    def attempt(self, act):
        """The result of a call of the client, or its error."""
        try:
            return act(), None
        except VerificationException as error:
            answer = error.http_response
            return None, words(answer.status_code, (answer.body or {}).get("errorCode"))
        except SMSException as error:
            return None, words(error.http_response.status_code, error.http_response.body["code"])
        except (SinchException, KeyError, TypeError) as error:
            # The client expects JSON with its members in every body.
            return None, type(error).__name__

    def begin(self, method="sms"):
        """The result of a start; keeps its id."""
        identity = sinch_client.identity(self.covered if method == "seamless" else self.number)
        verifications = self.client.verifications
        start = {"sms": verifications.start_sms, "flashcall": verifications.start_flash_call,
                 "callout": verifications.start_phone_call, "seamless": verifications.start_data}.get(method)
        if start is None:
            answer = self.plain.start(method, self.number)
            body = answer.json()
            self.id = body.get("id")
            return words(answer.status_code, body.get("errorCode"))
        started, error = self.attempt(lambda: start(identity=identity))
        self.started = started
        self.id = started.id if started else None
        return error or "200"

    def enter(self, code, method="sms"):
        if code is None:
            return None
        if method == "whatsapp":
            found = self.plain.report(method, code, self.number).json()
            return words(found.get("status") or found["errorCode"], found.get("reason"))
        verifications = self.client.verifications
        report = {"sms": verifications.report_sms_by_identity, "flashcall": verifications.report_flash_call_by_identity,
                  "callout": verifications.report_phone_call_by_identity}[method]
        done, error = self.attempt(lambda: report(self.number, code))
        return error or words(done.status, done.reason)

    def state(self):
        found = self.plain("GET", f"/id/{self.id}").json()
        return words(found["status"], found.get("reason"), found.get("callResult"))

    def message(self, method, channel):
        """A verification with callbacks, whose receiver allows it."""
        with receiver.Receiver(body=ALLOW) as hook:
            self.sandbox.control("POST", "seed", json={"sinch": {"settings": {"callbackUrl": hook.url}}})
            begun = self.begin(method)
            if not self.id:
                return {"start": begun}
            # A flash call can be reported for two minutes, other codes for five.
            shown = self.shown(channel, "1m" if method == "flashcall" else "4m")
            state = self.state()
            report = self.enter(self.code(), method)
            # Until the last callback was answered.
            self.sandbox.advance("1s")
            told = [json.loads(body) for _, _, body in hook.all()]
        names = [words(each["event"].removeprefix("Verification").removesuffix("Event"),
                       each.get("status") or each.get("smsResult")) for each in told if each["id"] == self.id]
        return {"start": begun, **shown, "state": state, "report": report, "callbacks": ", ".join(names)}

    def sms(self):
        seen = self.message("sms", "sms")
        return {**seen, **self.batch(), "long text": self.long_text(self.send_long)}

    def batch(self):
        """A batch of one text, with a callback for each of its states."""
        batches = sinch_client.connect_sms(self.sandbox, "plan").sms.batches
        with receiver.Receiver() as hook:
            _, error = self.attempt(lambda: batches.send(
                body=OWN_TEXT, to=[self.number[1:]], from_="12025550199", delivery_report="per_recipient",
                callback_url=hook.url))
            self.settle()
            told = [json.loads(body) for _, _, body in hook.all()]
        return {"batch": error or "201",
                "delivery report": ", ".join(words(each["status"], each["code"]) for each in told) or None}

    def send_long(self, text):
        """A text with the start's own template, which must have a place for the code."""
        self.sandbox.control("POST", "seed", json={"sinch": {"settings": {"callbackUrl": ""}}})
        self.client.verifications.start_sms(
            identity=sinch_client.identity(self.number), template=f"{text} {{{{CODE}}}}")

    def whatsapp(self):
        return self.message("whatsapp", "whatsapp")

    def call(self):
        return self.message("callout", "call")

    ask = begin

    def webhook(self):
        return {**webhook_flow(self), "delivery reports": receipts_flow(self, SinchSMSSender)}

    def silent(self):
        begun = self.begin("seamless")
        if not self.id:
            return {"start": begun}
        opened = None
        if self.failure["id"] != "silent-never-opened":
            # The last hop tells the status, and has no code.
            opened = trip(self.open(self.started.seamless.target_uri)).replace("failure no code in the answer", "end")
        self.settle()
        return {"start": begun, "app": opened, "state": self.state()}
