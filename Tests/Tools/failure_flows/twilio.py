"""Failures with Twilio's official client."""

import json
import urllib.parse

from twilio.base.exceptions import TwilioRestException
from twilio.twiml.voice_response import Gather, VoiceResponse

import handset_sign_ins
import receiver
from failure_flows.pushes import approve_on_phone
from failure_flows.shared import OWN_CODE, Flows, trip, words
from failure_flows.twilio_passkeys import sign_in
from webhook_senders import TwilioSender, webhook_flow


class Twilio(Flows):
    name = "twilio"
    sender = TwilioSender
    not_applicable = {}
    # Of the app on a virtual handset.
    app = {}
    signs_times = True
    unchanged = {
        "push-wrong-clock": "The app corrects its clock by the Date of the refusal, and tries again.",
        "webhook-old-timestamp": "Twilio's webhooks have no timestamp.",
        "webhook-receiver-fails": "Twilio does not try again.",
        **dict.fromkeys(("line-roaming", "line-device-changed", "line-prepaid"), "Twilio's Lookup does not tell."),
    }

    def prepare(self, flow):
        self.number = handset_sign_ins.NUMBER if flow == "push" else Flows.number
        self.client, self.service = self.fixture("client"), self.fixture("service")
        if flow == "request":
            # A proxy's page is no answer of the provider's.
            self.client.http_client.request_hooks = {"response": []}

    def attempt(self, act):
        """The result of a call of the client, or its error."""
        try:
            return act(), None
        except TwilioRestException as error:
            return None, words(error.status, "error", error.code)

    def start(self, channel="sms", to=None):
        return self.attempt(lambda: self.service.verifications.create(to=to or self.number, channel=channel))

    def begin(self):
        created, error = self.start()
        return error or created.status

    def enter(self, code):
        if code is None:
            return None
        done, error = self.attempt(lambda: self.service.verification_checks.create(to=self.number, code=code))
        return error or done.status

    def message(self, channel):
        with receiver.Receiver() as hook:
            self.sandbox.seed(twilio={"settings": {"eventSink": hook.url}})
            self.service.update(verify_event_subscription_enabled=True)
            created, error = self.start(channel)
            if error:
                return {"create": error}
            shown = self.shown()
            told = [json.loads(body)[0]["type"].rpartition("verify.")[2] for _, _, body in hook.all()]
        attempt = self.client.verify.v2.verification_attempts.list(channel_data_to=self.number)[0].channel_data
        return {
            "create": created.status,
            "attempt": words(attempt.get("message_status") or attempt.get("call_status"), attempt.get("error_code")),
            "events": ", ".join(kind for kind in told if kind.startswith("message.")) or None,
            **shown,
            "check": self.enter(self.code()),
        }

    def sms(self):
        seen = self.message("sms")
        sent, error = self.send("Hello")
        if error:
            return {**seen, "Messages API": error}
        self.settle()
        found = self.client.messages(sent.sid).fetch()
        return {**seen, "Messages API": words(found.status, found.error_code), "long text": self.long_text(self.send)}

    def send(self, text):
        return self.attempt(
            lambda: self.client.messages.create(to=self.number, from_="+15005550006", body=text))

    def whatsapp(self):
        return self.message("whatsapp")

    def call(self):
        return {**self.message("call"), **self.own_call()}

    def own_call(self):
        """A call that reads the app's own code when a key is pressed."""
        with receiver.Receiver(body=said(f"Your code is {' '.join(OWN_CODE)}")) as hook:
            gather = Gather(num_digits=1, action=hook.url)
            gather.say("Press 1 to hear your code.")
            call, error = self.attempt(lambda: self.client.calls.create(
                to=self.number, from_="+15005550006", twiml=said(gather), machine_detection="Enable",
                status_callback=hook.url))
            if error:
                return {"Calls API": error}
            self.settle()
            told = [urllib.parse.parse_qs(body.decode()) for _, _, body in hook.all()]
        found = self.client.calls(call.sid).fetch()
        ends = [each for each in told if "SequenceNumber" in each]
        return {
            "Calls API": words(found.status, found.answered_by),
            "status callback": ", ".join(
                words(each["CallStatus"][0], *each.get("SipResponseCode", [])) for each in ends) or None,
            "own code": "heard" if self.code() == OWN_CODE else "not heard",
        }

    ask = begin

    def webhook(self):
        return webhook_flow(self)

    def silent(self):
        created, error = self.start("sna", self.covered)
        if error:
            return {"create": error}
        opened = None
        if self.failure["id"] != "silent-never-opened":
            opened = trip(self.open(created.sna["url"]))
        done = self.service.verification_checks.create(to=self.covered)
        codes = [str(each["code"]) for each in done.sna_attempts_error_codes or []]
        return {"create": created.status, "app": opened, "check": done.status, "SNA error": ", ".join(codes) or None}

    def push(self):
        return approve_on_phone(self, lambda: handset_sign_ins.Twilio(self.sandbox))

    def passkey(self):
        return sign_in(self)

    def lookup(self):
        number = "+12025550" if self.failure["id"] == "line-impossible" else self.number
        fields = "line_type_intelligence,sim_swap,call_forwarding,reassigned_number,line_status,sms_pumping_risk,identity_match"
        found, error = self.attempt(lambda: self.client.lookups.v2.phone_numbers(number).fetch(
            fields=fields, first_name="Ada", last_name="Example", last_verified_date="20251201"))
        created, refused = self.start(to=number)
        carrier = (created.lookup or {}).get("carrier") if created else None
        seen = {"Verifications": refused or words(created.status, (carrier or {}).get("type"))}
        if error:
            return {**seen, "Lookup": error}
        return {**seen, **{f"Lookup {name}": brief(getattr(found, name)) for name in fields.split(",")}}


def said(verb):
    """A document with a verb, or with a text that is said."""
    response = VoiceResponse()
    if isinstance(verb, str):
        response.say(verb)
    else:
        response.append(verb)
    return str(response)


def brief(value):
    """The members of a package, without null."""
    if not isinstance(value, dict):
        return value
    return ", ".join(f"{name} {json.dumps(member)}" for name, member in value.items() if member not in (None, ""))
