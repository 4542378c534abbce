"""The messages API with the official client: conformance check 64 of the contract."""

import datetime
import urllib.parse

import pytest
from twilio.base.exceptions import TwilioRestException
from twilio.request_validator import RequestValidator

import receiver

NUMBER, SENDER = "+12025550100", "+15005550006"


def refusal(send, **named):
    with pytest.raises(TwilioRestException) as refused:
        send(**named)
    assert refused.value.status == 400
    return refused.value.code


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
    with pytest.raises(TwilioRestException) as gone:
        client.messages(message.sid).fetch()
    assert gone.value.code == 20404


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


def test_twilio_64_a_scheduled_message_is_canceled(sandbox, client):
    send_at = datetime.datetime(2026, 1, 5, 11, 0, tzinfo=datetime.timezone.utc)
    message = client.messages.create(
        to=NUMBER, messaging_service_sid="MG" + "1" * 32, body="Later", schedule_type="fixed", send_at=send_at)
    assert message.status == "scheduled"

    assert client.messages(message.sid).update(status="canceled").status == "canceled"
    sandbox.advance("2h")
    assert sandbox.control("GET", f"inbox/{NUMBER}").json()["messages"] == []


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


def test_a_messaging_service_shows_the_sender_that_it_chose(sandbox, client):
    message = client.messages.create(to=NUMBER, messaging_service_sid="MG" + "1" * 32, body="Hello")
    assert (message.status, message.from_) == ("accepted", None)

    sandbox.advance("1s")
    assert client.messages(message.sid).fetch().from_ == sandbox.control("GET", f"inbox/{NUMBER}/latest").json()["from"]


@pytest.mark.parametrize("to, sender, code", [
    (NUMBER, "+15005550001", 21212), (NUMBER, "+15005550007", 21606), (NUMBER, "+15005550008", 21611),
    ("+15005550001", SENDER, 21211), ("+15005550002", SENDER, 21612), ("+15005550003", SENDER, 21408),
    ("+15005550004", SENDER, 21610), ("+15005550009", SENDER, 21614)])
def test_twilio_64_test_numbers_fail_as_documented(client, to, sender, code):
    assert refusal(client.messages.create, to=to, from_=sender, body="a") == code


def test_media_and_feedback(client):
    message = client.messages.create(to=NUMBER, from_=SENDER, media_url=["https://a.test/1.png", "https://a.test/2.gif"])
    media = client.messages(message.sid).media.list()

    assert message.sid.startswith("MM") and message.num_media == "2"
    assert [entry.content_type for entry in media] == ["image/png", "image/gif"]
    one = client.messages(message.sid).media(media[0].sid)
    assert one.fetch().parent_sid == message.sid
    assert one.delete() is True
    assert client.messages(message.sid).fetch().num_media == "1"
    assert client.messages(message.sid).feedback.create(outcome="confirmed").outcome == "confirmed"


def test_the_account_of_the_credentials(connect, sandbox, client):
    own = sandbox.credentials["twilio"]
    account = client.api.v2010.accounts(own["accountSid"]).fetch()

    assert (account.sid, account.status, account.type) == (own["accountSid"], "active", "Full")
    with pytest.raises(TwilioRestException) as refused:
        connect(sandbox, password="wrong").api.v2010.accounts(own["accountSid"]).fetch()
    assert (refused.value.status, refused.value.code) == (401, 20003)
