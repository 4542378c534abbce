"""Failures with Prelude's official client."""

import json

import requests
from prelude_python_sdk import APIError, APIStatusError

import receiver
from failure_flows.shared import Flows, trip, words
from webhook_senders import PreludeSender, webhook_flow

DISPATCH = "019c0000-0000-7000-8000-000000000001"


class Prelude(Flows):
    name = "prelude"
    sender = PreludeSender
    covered = "+33639980001"
    not_applicable = {"push": "Prelude sends no pushes.", "passkey": "Prelude has no passkeys."}
    unchanged = {
        "text-receipt-first": "Prelude's events always begin with submitted and in_transit.",
        "call-no-key": "The call asks for no key.",
        "call-voicemail": "The call asks for no key, so the machine hears the code.",
        **dict.fromkeys(
            ("line-sim-swapped", "line-recycled", "line-deactivated", "line-roaming", "line-forwarding",
             "line-device-changed", "line-prepaid", "line-risky", "line-other-person"),
            "Prelude's Lookup does not tell."),
    }

    def prepare(self, flow):
        self.prelude = self.fixture("prelude").with_options(max_retries=0)

    def use(self, number):
        # Of the numbers that Prelude's silent verification covers, the ones in France.
        super().use(f"+336399800{number[-2:]}" if self.flow == "silent" else number)

    def target(self, number=None):
        return {"type": "phone_number", "value": number or self.number}

    def attempt(self, act):
        """The result of a call of the client, or its error."""
        try:
            return act(), None
        except APIStatusError as error:
            code = error.body.get("code") if isinstance(error.body, dict) else None
            return None, words(error.status_code, code)
        except (APIError, ValueError) as error:
            return None, type(error).__name__

    def create(self, number=None, **more):
        return self.attempt(lambda: self.prelude.verification.create(target=self.target(number), **more))

    def begin(self):
        created, error = self.create()
        return error or words(created.status, created.reason)

    def enter(self, code, number=None):
        if code is None:
            return None
        done, error = self.attempt(lambda: self.prelude.verification.check(target=self.target(number), code=code))
        return error or done.status

    def message(self, **options):
        with receiver.Receiver() as hook:
            created, error = self.create(options={"callback_url": hook.url, **options})
            if error:
                return {"create": error}
            shown = self.shown()
            told = [json.loads(body)["payload"].get("status") for _, _, body in hook.all()]
        seen = {"create": words(created.status, created.reason), **shown}
        if created.status == "blocked":
            return seen
        found = self.prelude.verification.phone.history.retrieve(created.id)
        attempt = [event.attempt for event in found.lifecycle.events if event.type == "attempt"][0]
        return {
            **seen, "history": words(attempt.channel, attempt.status, attempt.delivery_status),
            "delivery events": ", ".join(event.status for event in attempt.delivery_events),
            "webhooks": ", ".join(status for status in told if status), "check": self.enter(self.code())}

    def sms(self):
        long_text = lambda text: self.prelude.notify.send(
            template_id="template_x", to=self.number, variables={"text": text})
        return {**self.message(), "long text": self.long_text(long_text)}

    def whatsapp(self):
        return self.message(preferred_channel="whatsapp")

    def call(self):
        return self.message(method="voice")

    ask = begin

    def webhook(self):
        return webhook_flow(self)

    def silent(self):
        headers = {"X-SDK-DispatchID": DISPATCH, "X-SDK-Key": self.sandbox.credentials["prelude"]["sdkKey"],
                   "X-SDK-Implemented-Features": "1"}
        assert requests.options(f"{self.sandbox.base}/v1/signals", headers=headers, timeout=10).status_code == 204
        created, error = self.create(self.covered, dispatch_id=DISPATCH)
        if error:
            return {"create": error}
        if not created.silent:
            return {"create": words(created.status, created.method, "instead of silent")}
        opened = code = None
        if self.failure["id"] != "silent-never-opened":
            way = self.open(created.silent.request_url)
            opened, code = trip(way), way.get("code")
        self.settle()
        found = self.prelude.verification.phone.history.retrieve(created.id)
        attempt = [event.attempt for event in found.lifecycle.events if event.type == "attempt"][0]
        return {"create": words(created.status, created.method), "app": opened, "check": self.enter(code, self.covered),
                "history": words(attempt.status, attempt.delivery_status),
                "delivery events": ", ".join(event.status for event in attempt.delivery_events) or None}

    def lookup(self):
        number = "+12025550" if self.failure["id"] == "line-impossible" else self.number
        found, error = self.attempt(lambda: self.prelude.lookup.lookup(number, type=["cnam"]))
        created, refused = self.create(number)
        seen = {"Verify": refused or words(created.status, created.reason)}
        if error:
            return {**seen, "Lookup": error}
        return {**seen, "Lookup": words(found.line_type, *(found.flags or []), found.network_info.carrier_name)}
