"""Conformance checks C1 to C5 of the Telesign contract, section 17.6: one test for each number. The
rest of section 13 is in Sources/Providers/Telesign/Checks/Callbacks.http."""

import datetime
import json
import re

import pytest
from telesign.util import verify_telesign_callback_signature

import receiver
import telesign_signing
from telesign_clients import NUMBER


def send(telesign, number=NUMBER, **fields):
    """Sends an SMS and returns its reference id."""
    answer = telesign.vc.sms(number, **fields)
    assert answer.status_code == 200, answer.body
    return answer.json["reference_id"]


class Hook:
    """The account's callback URL, and the requests to it."""

    def __init__(self, telesign, up):
        self.telesign, self.up = telesign, up

    def next(self):
        """Headers, with lower-case names, and the body of the next request."""
        _, headers, body = self.up.next(within=10)
        return {name.lower(): value for name, value in headers.items()}, body

    def rest(self):
        """The bodies of all other requests so far."""
        return [json.loads(body) for _, _, body in self.up.all()]


@pytest.fixture
def hooked(telesign):
    """Sets an account's callback URL to a receiver that answers with these statuses."""
    opened = []

    def hooked(*answers):
        up = receiver.Receiver(answers=answers or (200,))
        up.__enter__()
        opened.append(up)
        telesign.switch(account__callback_url=up.url)
        return Hook(telesign, up)

    yield hooked
    for up in opened:
        up.__exit__()


def seconds_of(webhook):
    """The time of each attempt, in seconds after the first."""
    times = [datetime.datetime.fromisoformat(attempt["at"]) for attempt in webhook["attempts"]]
    return [(each - times[0]).total_seconds() for each in times]


def the_webhook(telesign):
    (webhook,) = telesign.sandbox.control("GET", "webhooks").json()["webhooks"]
    return webhook


def test_telesign_c01_one_callback_when_delivery_is_final(telesign, hooked):
    hook = hooked()
    reference = send(telesign)
    telesign.advance("60s")

    headers, raw = hook.next()
    body = json.loads(raw)

    assert hook.rest() == []
    signature = headers["x-ts-authorization"]
    assert verify_telesign_callback_signature(telesign.key, signature, raw.decode()) is True
    assert headers["authorization"] == f"TSA {telesign.customer}:{signature}"
    assert headers["content-type"].startswith("application/json")
    assert (body["reference_id"], body["sub_resource"], body["errors"]) == (reference, "sms", [])
    assert (body["status"]["code"], body["status"]["description"]) == (200, "Delivered to handset")
    assert body["verify"] == {"code_state": "UNKNOWN", "code_entered": None}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", body["submit_timestamp"])
    info = body["additional_info"]
    assert info["message_parts_count"] == 1 and re.fullmatch(r"\d{3}", info["mcc"])
    assert re.fullmatch(r"\d+\.\d{5}", info["price"]) and info["currency"] == "USD"


def test_telesign_c02_receiver_fails_four_times(telesign, hooked):
    hook = hooked(500)
    send(telesign)
    telesign.advance("60s")
    telesign.advance("1h")

    assert len(hook.rest()) == 4
    webhook = the_webhook(telesign)
    assert seconds_of(webhook) == [0, 5, 15, 30]
    assert [attempt["status"] for attempt in webhook["attempts"]] == [500] * 4


def test_telesign_c03_receiver_recovers(telesign, hooked):
    hook = hooked(500, 200)
    send(telesign)
    telesign.advance("1h")

    first, second = hook.rest()
    assert first == second
    assert seconds_of(the_webhook(telesign)) == [0, 5]


def test_telesign_c04_altered_body(telesign, hooked):
    hook = hooked()
    send(telesign)
    telesign.advance("60s")

    headers, raw = hook.next()
    at = raw.index(b"200")
    altered = raw[:at] + b"1" + raw[at + 1:]

    assert verify_telesign_callback_signature(telesign.key, headers["x-ts-authorization"], raw.decode()) is True
    assert verify_telesign_callback_signature(telesign.key, headers["x-ts-authorization"], altered.decode()) is False
    assert headers["x-ts-authorization"] == telesign_signing.signature(telesign_signing.decoded(telesign.key), raw.decode())


def test_telesign_c05_fallback_of_a_process(telesign, hooked, telesign_checker):
    hook = hooked()
    reference = telesign.begin(verification_policy=[{"method": "whatsapp", "fallback_time": 60}, {"method": "sms"}])
    telesign.advance("65s")
    told = hook.rest()
    telesign.finalize(reference, telesign.code())
    telesign.advance("1s")
    ended = hook.rest()

    assert told and ended
    for body in told + ended:
        assert "status" not in body and body["reference_id"] == reference
        telesign_checker.validate("retrieve_response", body)
    states = [[method["state"] for method in body["inner_methods"]] for body in told]
    assert ["FAILED", "ONGOING"] in states
    assert told[0]["inner_methods"][0]["err_code"] == 3000  # the receipt of the first method came first
    assert ended[-1]["state"] == "VERIFIED"


def test_telesign_callback_vectors():
    """The signatures of the official helper and of these tests match the vectors of 13.1."""
    body = ('{"reference_id":"0123456789ABCDEF0123456789ABCDEF","status":{"code":200,'
            '"description":"Delivered to handset","updated_on":"2026-11-21T08:00:00.000000Z"}}')
    key = telesign_signing.base64.b64encode(bytes(range(64))).decode()
    signature = "bk81nrHDbZ6lMf/aOux08fF3fM6v3qzxSoMENR2pM+k="

    assert telesign_signing.signature(telesign_signing.decoded(key), body) == signature
    assert verify_telesign_callback_signature(key, signature, body)
