"""The messages API with the official client: conformance check 64 of the contract."""

import datetime
import urllib.parse

import pytest
from twilio.request_validator import RequestValidator

import receiver
from twilio_errors import refused

NUMBER, SENDER = "+12025550100", "+15005550006"


def test_twilio_64_a_message_is_created_fetched_redacted_and_deleted(connect, sandbox, client):
    message = client.messages.create(to=NUMBER, from_=SENDER, body="Hello")
    assert connect.statuses == [201]
    assert (message.status, message.direction, message.num_segments) == ("queued", "outbound-api", "1")
    assert isinstance(message.date_created, datetime.datetime)
    inbox = sandbox.control("GET", f"inbox/{NUMBER}").json()["messages"]
    assert [entry["text"] for entry in inbox] == ["Hello"]

    sandbox.advance("1s")
    fetched = client.messages(message.sid).fetch()
    assert (fetched.status, fetched.error_code) == ("delivered", None)
    assert isinstance(fetched.date_sent, datetime.datetime)
    assert client.messages(message.sid).update(body="").body == ""
    assert client.messages(message.sid).delete() is True
    gone = client.messages(message.sid)
    for call in gone.fetch, gone.delete, lambda: gone.update(body=""), gone.media.list:
        with refused(404, 20404):
            call()
    with refused(400, 21211, "Invalid 'To' Phone Number"):
        client.messages.create(to="+1202555", from_=SENDER, body="Hello")


def test_twilio_64_lists_span_pages(connect, sandbox, client):
    sids = [client.messages.create(to=NUMBER, from_=SENDER, body=str(i)).sid for i in range(7)]
    other = client.messages.create(to="+12025550101", from_="Acme", body="x").sid
    sandbox.advance("1s")

    assert [message.sid for message in client.messages.list(page_size=3)] == [other, *reversed(sids)]
    assert all(url.startswith(sandbox.base) for url in connect.urls)
    assert [message.sid for message in client.messages.list(to="+12025550101")] == [other]
    assert [message.sid for message in client.messages.list(from_="Acme")] == [other]
    today = client.messages(other).fetch().date_sent
    assert len(client.messages.list(date_sent=today.date())) == 8
    assert len(client.messages.list(date_sent_after=today + datetime.timedelta(days=1))) == 0
    assert len(client.messages.list(date_sent_before=today + datetime.timedelta(days=1))) == 8


def test_twilio_64_status_callbacks_are_signed(sandbox, client):
    with receiver.Receiver() as hook:
        url = f"{hook.url}?tenant=7"
        message = client.messages.create(to=NUMBER, from_=SENDER, body="Hello", status_callback=url)
        sandbox.advance("1s")
        arrivals = [hook.next(), hook.next()]

    validator = RequestValidator(sandbox.credentials["twilio"]["authToken"])
    forms = [dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True)) for _, _, body in arrivals]
    assert [form["MessageStatus"] for form in forms] == ["sent", "delivered"]
    for form, (_, headers, _) in zip(forms, arrivals):
        assert form["MessageSid"] == form["SmsSid"] == message.sid
        assert validator.validate(url, form, headers["X-Twilio-Signature"])
        assert not validator.validate(url, {**form, "To": "x"}, headers["X-Twilio-Signature"])


@pytest.mark.parametrize("to, statuses", [
    ("+12025550130", ["sent", "undelivered"]),  # unknown at its operator
    ("+12025550131", ["sent"]),  # its operator sends no receipts
])
def test_a_message_is_sent_before_it_fails_and_without_a_receipt(sandbox, client, to, statuses):
    with receiver.Receiver() as hook:
        message = client.messages.create(to=to, from_=SENDER, body="Hello", status_callback=hook.url)
        sandbox.advance("1h")
        forms = [dict(urllib.parse.parse_qsl(hook.next()[2].decode())) for _ in statuses]

    assert [form["MessageStatus"] for form in forms] == statuses
    fetched = client.messages(message.sid).fetch()
    assert fetched.status == statuses[-1]
    assert isinstance(fetched.date_sent, datetime.datetime)


def test_46_d1_a_receiver_that_does_not_answer_is_called_as_the_url_asks_for(sandbox, client):
    with receiver.Receiver(answers=(None,)) as hook:
        client.messages.create(to=NUMBER, from_=SENDER, body="Hello", status_callback=f"{hook.url}#rt=100&rc=3&rp=rt")
        sandbox.advance("1s")
        arrivals = hook.all()

    sent = [headers for _, headers, body in arrivals if b"MessageStatus=sent" in body]
    assert len(sent) == 4
    assert {headers["User-Agent"] for headers in sent} == {"TwilioProxy/1.1"}
    assert len({headers["I-Twilio-Idempotency-Token"] for headers in sent}) == 1


def test_46_d1_a_receiver_that_is_down_is_called_twice(sandbox, client):
    client.messages.create(
        to=NUMBER, from_=SENDER, body="Hello", status_callback=f"http://127.0.0.1:{receiver.free_port()}/")
    sandbox.advance("1s")

    assert {len(webhook["attempts"]) for webhook in sandbox.entries("webhooks")} == {2}


def test_media_and_feedback(client):
    message = client.messages.create(to=NUMBER, from_=SENDER, media_url=["https://a.test/1.png", "https://a.test/2.gif"])
    media = client.messages(message.sid).media.list()

    assert message.sid.startswith("MM") and message.num_media == "2"
    assert [entry.content_type for entry in media] == ["image/png", "image/gif"]
    one = client.messages(message.sid).media(media[0].sid)
    assert one.fetch().parent_sid == message.sid
    assert one.delete() is True
    for call in one.fetch, one.delete:
        with refused(404, 20404):
            call()
    assert client.messages(message.sid).fetch().num_media == "1"
    assert client.messages(message.sid).feedback.create(outcome="confirmed").outcome == "confirmed"
    with refused(400, 60200):
        client.messages(message.sid).feedback.create(outcome="maybe")


def test_the_account_of_the_credentials(connect, sandbox, client):
    own = sandbox.credentials["twilio"]
    account = client.api.v2010.accounts(own["accountSid"]).fetch()

    assert (account.sid, account.status, account.type) == (own["accountSid"], "active", "Full")
    with refused(401, 20003):
        connect(sandbox, password="wrong").api.v2010.accounts(own["accountSid"]).fetch()
