"""Webhook faults and forged webhooks, received and checked as apps do: with the validators of the official
libraries, and with the published key for Prelude, whose library has none."""

import base64
import datetime
import json
import urllib.parse

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from telesign.util import verify_telesign_callback_signature
from twilio.request_validator import RequestValidator

import receiver

NUMBER, OTHER = "+12025550100", "+12025550101"


class TwilioSender:
    name, body = "twilio", {"MessageSid": "SM" + "0" * 32, "MessageStatus": "delivered", "To": NUMBER}

    def __init__(self, fixture, up):
        self.client, self.sandbox, self.up = fixture("client"), fixture("sandbox"), up

    def send(self, number=NUMBER):
        self.client.messages.create(to=number, from_="+12025550199", body="Hello", status_callback=self.up.url)
        self.sandbox.advance("1s")

    def accepts(self, arrival):
        path, headers, body = arrival
        form = dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True))
        validator = RequestValidator(self.sandbox.credentials["twilio"]["authToken"])
        return validator.validate(f"http://127.0.0.1:{self.up.port}{path}", form, headers.get("X-Twilio-Signature", ""))


class TelesignSender:
    name, body = "telesign", {"reference_id": "0" * 32, "status": {"code": 200}}

    def __init__(self, fixture, up):
        self.telesign, self.up = fixture("telesign"), up
        self.sandbox = self.telesign.sandbox
        self.telesign.switch(account__callback_url=up.url)

    def send(self, number=NUMBER):
        assert self.telesign.vc.sms(number[1:]).status_code == 200
        self.sandbox.advance("60s")

    def accepts(self, arrival):
        _, headers, body = arrival
        headers = {name.lower(): value for name, value in headers.items()}
        signature = headers.get("x-ts-authorization")
        same = headers.get("authorization") == f"TSA {self.telesign.customer}:{signature}"
        return signature is not None and same and verify_telesign_callback_signature(
            self.telesign.key, signature, body.decode())

    @staticmethod
    def time_of(body):
        return body["submit_timestamp"]


class PreludeSender:
    name, body = "prelude", {"id": "evt_1", "type": "verify.attempt", "payload": {}, "created_at": "2026-01-05T10:20:30Z"}

    def __init__(self, fixture, up):
        self.prelude, self.sandbox, self.up = fixture("prelude"), fixture("sandbox"), up

    def send(self, number=NUMBER):
        self.prelude.verification.create(
            target={"type": "phone_number", "value": number}, options={"callback_url": self.up.url})
        self.sandbox.advance("1s")

    def accepts(self, arrival):
        _, headers, body = arrival
        key = serialization.load_pem_public_key(self.sandbox.control("GET", "webhooks/keys").content)
        text = headers.get("X-Webhook-Signature", "").partition("=")[2]
        try:
            key.verify(base64.urlsafe_b64decode(text), body, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())
        except InvalidSignature:
            return False
        return True

    @staticmethod
    def time_of(body):
        return body["created_at"]


SENDERS = {each.name: each for each in (TwilioSender, TelesignSender, PreludeSender)}


@pytest.fixture
def sender(request):
    with receiver.Receiver() as up:
        yield SENDERS[request.param](request.getfixturevalue, up)


every = pytest.mark.parametrize("sender", SENDERS, indirect=True)


def inject(sender, **fault):
    sender.sandbox.control("PUT", "webhooks/faults", json={"webhookFaults": [{"provider": sender.name, **fault}]})


def webhooks(sender):
    return sender.sandbox.control("GET", "webhooks").json()["webhooks"]


def states(sender):
    """The states of the webhooks that were due."""
    return {each["state"] for each in webhooks(sender)} - {"pending"}


def arrived(sender):
    """All requests to the receiver, of which there is at least one."""
    return [sender.up.next(), *sender.up.all()]


@every
def test_webhooks_without_a_fault_are_accepted(sender):
    sender.send()

    assert all(sender.accepts(each) for each in arrived(sender))


@every
@pytest.mark.parametrize("signature", ["wrong", "missing"])
def test_a_wrong_or_missing_signature_is_refused(sender, signature):
    inject(sender, signature=signature)
    sender.send()

    assert not any(sender.accepts(each) for each in arrived(sender))
    word = {"wrong": "wrong", "missing": "no"}[signature]
    assert all(f"{word} signature" in each["fault"] for each in webhooks(sender) if each["attempts"])


@every
def test_a_wrong_content_type_has_a_valid_signature(sender):
    inject(sender, contentType="text/plain")
    sender.send()

    for each in arrived(sender):
        assert each[1]["Content-Type"] == "text/plain" and sender.accepts(each)


@every
def test_a_duplicate_is_the_same_event_twice(sender):
    inject(sender, delivery="duplicate", times=1)
    sender.send()
    first, again, *_ = arrived(sender)

    assert first[2] == again[2] and sender.accepts(first) and sender.accepts(again)
    assert [len(each["attempts"]) for each in webhooks(sender)][0] == 2


@pytest.mark.parametrize("sender", ["telesign", "prelude"], indirect=True)
def test_an_expired_timestamp_has_a_valid_signature(sender):
    sender.send()
    fresh = arrived(sender)
    inject(sender, timestampAgeMs=3_600_000)
    sender.send(OTHER)
    old = arrived(sender)

    def newest(arrivals):
        assert all(sender.accepts(each) for each in arrivals)
        return max(datetime.datetime.fromisoformat(sender.time_of(json.loads(each[2]))) for each in arrivals)

    behind = newest(fresh) - newest(old)
    assert datetime.timedelta(minutes=55) < behind < datetime.timedelta(minutes=60)


@every
def test_a_fault_for_a_number_spares_the_others(sender):
    inject(sender, number=NUMBER, delivery="lost")
    sender.send(NUMBER)
    lost = states(sender)
    sender.send(OTHER)

    assert lost == {"lost"}
    assert arrived(sender)
    assert states(sender) == {"lost", "delivered"}


@every
@pytest.mark.parametrize("signature, accepted", [("wrong", False), ("missing", False), ("valid", True)])
def test_a_forged_webhook_is_accepted_only_with_the_key(sender, signature, accepted):
    forged = {"provider": sender.name, "url": sender.up.url, "body": sender.body, "signature": signature}
    answer = sender.sandbox.control("POST", "webhooks/forge", json=forged).json()

    (arrival,) = arrived(sender)
    assert bool(sender.accepts(arrival)) == accepted
    assert answer["fault"].startswith("forged by hand") and answer["attempts"][0]["status"] == 200


@every
def test_a_copy_of_a_webhook_is_forged_with_its_bytes(sender):
    sender.send()
    real = [(path, body) for path, _, body in arrived(sender)]
    last = [each["id"] for each in webhooks(sender) if each["attempts"]][-1]
    sender.sandbox.control("POST", "webhooks/forge", json={"like": last})

    (forged,) = arrived(sender)
    assert (forged[0], forged[2]) in real and not sender.accepts(forged)
