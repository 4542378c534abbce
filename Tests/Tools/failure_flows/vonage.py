"""Failures with Vonage's official client."""

import json

import requests
from pydantic import ValidationError
from vonage_http_client.errors import HttpRequestError
from vonage_identity_insights import EmptyInsight, IdentityInsightsRequest, InsightsRequest, SimSwapInsight
from vonage_messages import Sms
from vonage_number_insight import AdvancedSyncInsightRequest
from vonage_number_insight.errors import NumberInsightError
from vonage_sms import SmsMessage
from vonage_sms.errors import SmsError
from vonage_verify import SilentAuthChannel, SmsChannel, VerifyRequest, VoiceChannel, WhatsappChannel

import receiver
from failure_flows.shared import OWN_TEXT, Flows, trip, words
from webhook_senders import VonageSender, VonageSMSSender, receipts_flow, webhook_flow


class Vonage(Flows):
    name = "vonage"
    sender = VonageSender
    not_applicable = {"push": "Vonage sends no pushes.", "passkey": "Vonage has no passkeys."}
    unchanged = {
        "text-receipt-first": "Vonage's webhooks keep their order.",
        "app-no-receipt": "Vonage tells of a message only when it fails.",
        "call-no-key": "The call asks for no key.",
        "call-voicemail": "The call asks for no key, so the machine hears the code.",
        "webhook-old-timestamp": "The time is in the token of the header.",
        "line-recycled": "These products do not tell.",
        "line-forwarding": "These products do not tell.",
        "line-risky": "These products do not tell.",
        "line-prepaid": "These products do not tell.",
        "line-other-person": "These products do not tell.",
        "line-device-changed": "The official client does not ask.",
    }

    def prepare(self, flow):
        self.vonage = self.fixture("vonage")
        self.started = None

    def attempt(self, act):
        """The result of a call of the client, or its error."""
        try:
            return act(), None
        except HttpRequestError as error:
            try:
                kind = error.response.json()["type"].rpartition("#")[2]
            except (ValueError, KeyError, TypeError):
                kind = None
            return None, words(error.response.status_code, kind)
        except SmsError as error:
            return None, words("status", str(error).partition("error code ")[2])
        except NumberInsightError as error:
            return None, str(error).partition("{")[2].rstrip("}")
        except (requests.RequestException, ValidationError, ValueError, TypeError) as error:
            return None, type(error).__name__

    def start(self, *channels):
        started, error = self.attempt(lambda: self.vonage.application.verify.start_verification(
            VerifyRequest(brand="Acme", workflow=list(channels) or [SmsChannel(to=self.number[1:])])))
        self.started = started.request_id if started else None
        return error or "202", getattr(started, "check_url", None)

    def begin(self):
        return self.start()[0]

    ask = begin

    def enter(self, code):
        if code is None:
            return None
        done, error = self.attempt(
            lambda: self.vonage.application.verify.check_code(self.started or "unknown", code))
        return error or done.status

    def message(self, *channels, channel=None):
        with receiver.Receiver() as hook:
            self.vonage.receive_at(hook.url)
            started, _ = self.start(*channels)
            if self.started is None:
                return {"start": started}
            # A channel lasts three minutes.
            shown = self.shown(channel, "2m")
            told = [json.loads(body) for _, _, body in hook.all()]
        return {"start": started, **shown, "check": self.enter(self.code()),
                "events": ", ".join(f"{each['type']} {each['status']}" for each in told) or None}

    def sms(self):
        seen = {**self.message(), **self.own_sms(), **self.own_message()}
        return {**seen, "long text": self.long_text(self.send)}

    def send(self, text, **more):
        return self.attempt(lambda: self.vonage.account.sms.send(
            SmsMessage(to=self.number[1:], from_="Acme", text=text, **more)))

    def own_sms(self):
        """The SMS API, whose receipts tell the status and the error."""
        with receiver.Receiver() as hook:
            answer, error = self.send(OWN_TEXT, callback=hook.url)
            self.settle()
            told = [json.loads(body) for _, _, body in hook.all()]
        return {"SMS API": error or words("status", answer.messages[0].status),
                "SMS receipt": ", ".join(words(each["status"], each["err-code"]) for each in told) or None}

    def own_message(self):
        with receiver.Receiver() as hook:
            self.vonage.receive_at(hook.url)
            _, error = self.attempt(lambda: self.vonage.application.messages.send(
                Sms(to=self.number[1:], from_="Acme", text=OWN_TEXT)))
            self.settle()
            told = [json.loads(body) for _, _, body in hook.all()]
        seen = ", ".join(words(each["status"], each.get("error", {}).get("title")) for each in told)
        return {"Messages API": error or seen or "no webhook"}

    def whatsapp(self):
        return self.message(WhatsappChannel(to=self.number[1:], from_="12025550199"), channel="whatsapp")

    def call(self):
        return self.message(VoiceChannel(to=self.number[1:]), channel="call")

    def webhook(self):
        return {**webhook_flow(self), "SMS receipts": receipts_flow(self, VonageSMSSender)}

    def silent(self):
        started, url = self.start(SilentAuthChannel(to=self.covered[1:]))
        if self.started is None:
            return {"start": started}
        opened = code = None
        if self.failure["id"] != "silent-never-opened":
            way = self.open(url)
            opened, code = trip(way), way.get("code")
        return {"start": started, "app": opened, "check": self.enter(code or "000000")}

    def lookup(self):
        number = "12025550" if self.failure["id"] == "line-impossible" else self.number[1:]
        found, error = self.attempt(lambda: self.vonage.application.number_insight.get_advanced_info_sync(
            AdvancedSyncInsightRequest(number=number)))
        insights, refused = self.attempt(lambda: self.vonage.application.identity_insights.requests(
            IdentityInsightsRequest(
                phone_number=number,
                insights=InsightsRequest(sim_swap=SimSwapInsight(), current_carrier=EmptyInsight()))).insights)
        seen = {"Identity Insights": refused or words(
            insights.sim_swap.status.code, "swapped" if insights.sim_swap.is_swapped else None)}
        if error:
            return {**seen, "Number Insight": error}
        roaming = found.roaming if isinstance(found.roaming, str) else found.roaming.status
        return {**seen, "Number Insight": words(
            found.current_carrier.network_type, found.valid_number, found.reachable, found.ported, roaming,
            found.current_carrier.name)}
