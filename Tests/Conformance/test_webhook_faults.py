"""Webhook faults and forged webhooks, received and checked as apps do: with the validators of the official
libraries, with the published key for Prelude, and as the contract says for Sinch, whose libraries have
none."""

import datetime
import re

import pytest

import receiver
from webhook_senders import NUMBER, OTHER, SENDERS


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


@pytest.mark.parametrize("sender", ["telesign", "prelude", "sinch", "sinchsms"], indirect=True)
def test_an_expired_timestamp_has_a_valid_signature(sender):
    sender.send()
    fresh = arrived(sender)
    inject(sender, timestampAgeMs=3_600_000)
    sender.send(OTHER)
    old = arrived(sender)

    def newest(arrivals):
        assert all(sender.accepts(each) for each in arrivals)
        return max(datetime.datetime.fromisoformat(sender.time_of(each)) for each in arrivals)

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
    forged = {"provider": sender.name, "url": sender.up.url, "body": sender.body, "signature": signature,
              **({"kind": sender.kind} if hasattr(sender, "kind") else {})}
    answer = sender.sandbox.control("POST", "webhooks/forge", json=forged).json()

    (arrival,) = arrived(sender)
    assert bool(sender.accepts(arrival)) == accepted
    assert answer["fault"].startswith("forged by hand") and answer["attempts"][0]["status"] == 200


@every
def test_a_copy_of_a_webhook_is_forged_with_its_bytes(sender):
    sender.send()
    real = [(path, unsigned(body)) for path, _, body in arrived(sender)]
    last = [each["id"] for each in webhooks(sender) if each["attempts"]][-1]
    sender.sandbox.control("POST", "webhooks/forge", json={"like": last})

    (forged,) = arrived(sender)
    assert (forged[0], unsigned(forged[2])) in real and not sender.accepts(forged)


def unsigned(body):
    """The bytes without a signature among them."""
    return re.sub(rb'"sig":"\w+"', b"", body)
