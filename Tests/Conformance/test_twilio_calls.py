"""Calls with the official client, and the requests that an app gets: senders.md, section 2."""

import urllib.parse

import pytest
from twilio.request_validator import RequestValidator
from twilio.rest import Client
from twilio.twiml.voice_response import Gather, VoiceResponse

import receiver
from twilio_errors import refused

NUMBER, SENDER = "+12025550100", "+12025550199"


def form(text):
    return dict(urllib.parse.parse_qsl(text, keep_blank_values=True))


def said(*texts):
    response = VoiceResponse()
    for text in texts:
        response.say(text)
    return str(response)


def latest(sandbox, what=""):
    return sandbox.control("GET", f"inbox/{NUMBER}/latest{what}")


def test_calls_are_created_fetched_changed_listed_and_deleted(connect, sandbox, client):
    call = client.calls.create(to=NUMBER, from_=SENDER, twiml=said("Hello"))
    assert connect.statuses == [201]
    assert (call.status, call.direction, call.date_created) == ("queued", "outbound-api", None)

    sandbox.advance("1s")
    assert client.calls(call.sid).fetch().status == "in-progress"
    assert client.calls(call.sid).update(twiml=said("Now 482914")).status == "in-progress"
    sandbox.advance("10s")
    assert latest(sandbox, "/code").text == "482914"
    ended = client.calls(call.sid).fetch()
    assert (ended.status, ended.duration, ended.price) == ("completed", "2", "-0.01400")
    assert [found.sid for found in client.calls.list(status="completed", start_time=ended.start_time.date())] == [call.sid]
    assert client.calls(call.sid).events.list() == []
    with refused(400, 21220, "Call is not in-progress. Cannot redirect."):
        client.calls(call.sid).update(status="completed")
    assert client.calls(call.sid).delete() is True
    for gone in client.calls(call.sid).fetch, client.calls(call.sid).delete, client.calls(call.sid).events.list:
        with refused(404, 20404):
            gone()
    with refused(404, 20404):
        client.calls(call.sid).update(status="completed")
    with refused(400, 21205, "Url parameter is required."):
        client.calls.create(to=NUMBER, from_=SENDER)
    with refused(400, 60200):
        client.calls.list(status="over")


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_TC2_the_app_is_asked_for_a_document_with_a_signature(sandbox, client, method):
    with receiver.App(lambda *_: (200, "text/xml", said("Hello"))) as app:
        url = f"{app.url}?tenant=7&x=a%20b"
        call = client.calls.create(to=NUMBER, from_=SENDER, url=url, method=method)
        sandbox.advance("5s")
        asked, target, headers, body = app.next()

    validator = RequestValidator(sandbox.credentials["twilio"]["authToken"])
    whole = app.url.removesuffix("/hook") + target
    parameters = form(body) if method == "POST" else form(target.partition("?")[2])
    assert (asked, parameters["CallSid"], parameters["CallStatus"]) == (method, call.sid, "in-progress")
    assert whole.startswith(url) and (method == "GET" or whole == url)
    signed = form(body) if method == "POST" else {}
    assert validator.validate(whole, signed, headers["X-Twilio-Signature"])
    assert not validator.validate(whole + "x", signed, headers["X-Twilio-Signature"])
    assert latest(sandbox).json()["text"] == "Hello"
    events = client.calls(call.sid).events.list()
    assert [event.response["response_code"] for event in events] == [200]


def test_TC3_a_key_leads_to_the_next_document_at_the_same_address(sandbox, client):
    def answer(method, _, body):
        response = VoiceResponse()
        if method == "GET":
            gather = Gather(num_digits=1, timeout=15)
            gather.say("Press 1 to hear your token.")
            response.append(gather)
        elif form(body)["Digits"] == "1":
            response.say("4. 8. 2. 9. 1. 3.")
            response.say("Once more: 4. 8. 2. 9. 1. 3.")
        return 200, "text/html; charset=utf-8", str(response)

    with receiver.App(answer) as app:
        client.calls.create(to=NUMBER, from_=SENDER, url=app.url, method="GET", timeout=15)
        sandbox.advance("20s")
        assert [app.next()[0] for _ in range(2)] == ["GET", "POST"]

    message = latest(sandbox).json()
    assert (message["code"], message["codeCandidates"], message["call"]["keys"]) == ("482913", ["482913"], "1")


def test_TC8_a_failing_app_is_asked_at_its_fallback(sandbox, client):
    def answer(_, target, __):
        return (200, "text/xml", said("Spare")) if target.startswith("/hook?spare") else (500, "text/html", "no")

    with receiver.App(answer) as app:
        client.calls.create(to=NUMBER, from_=SENDER, url=app.url, fallback_url=f"{app.url}?spare")
        sandbox.advance("5s")
        app.next()
        failed = form(app.next()[3])

    assert (failed["ErrorCode"], failed["ErrorUrl"]) == ("11200", app.url)
    assert latest(sandbox).json()["text"] == "Spare"


def test_TC5_status_callbacks_are_signed(sandbox, client):
    events = ["initiated", "ringing", "answered", "completed"]
    with receiver.App(lambda *_: (204, "text/plain", "")) as app:
        client.calls.create(
            to=NUMBER, from_=SENDER, twiml=said("Hello"), status_callback=app.url, status_callback_event=events)
        sandbox.advance("5s")
        arrivals = [app.next() for _ in events]

    validator = RequestValidator(sandbox.credentials["twilio"]["authToken"])
    forms = [form(body) for _, _, _, body in arrivals]
    assert [found["CallStatus"] for found in forms] == ["initiated", "ringing", "in-progress", "completed"]
    assert [found["SequenceNumber"] for found in forms] == ["0", "1", "2", "3"]
    for found, (_, _, headers, _) in zip(forms, arrivals):
        assert validator.validate(app.url, found, headers["X-Twilio-Signature"])


def test_TC10_the_sandbox_answers_the_providers_own_addresses(sandbox, client):
    text = urllib.parse.quote("The garage door is open")
    for encoded in text, urllib.parse.quote(text):
        client.calls.create(to=NUMBER, from_=SENDER, url=f"http://twimlets.com/message?Message={encoded}")
        sandbox.advance("5s")
        assert latest(sandbox).json()["text"] == "The garage door is open"
    assert sandbox.control("GET", "webhooks").json()["webhooks"] == []


def test_TC11_an_address_that_is_not_allowed_is_not_asked(sandbox, client):
    call = client.calls.create(to=NUMBER, from_=SENDER, url="https://voice.example/twiml")
    sandbox.advance("5s")
    assert client.calls(call.sid).fetch().status == "completed"
    reasons = [found["why"] for found in sandbox.control("GET", "journal").json()["requests"] if found["why"]]
    assert any("--webhook-allow voice.example" in why for why in reasons), reasons
    assert latest(sandbox).json()["text"].startswith("We are sorry")


def test_TC17_an_api_key_signs_in_and_another_account_is_refused(sandbox, client):
    own = sandbox.credentials["twilio"]
    keyed = Client(own["apiKeySid"], own["apiKeySecret"], own["accountSid"])
    keyed.api.base_url = sandbox.base
    assert keyed.calls.create(to=NUMBER, from_=SENDER, twiml=said("Hi")).status == "queued"
    with refused(401, 20003):
        client.api.v2010.accounts("AC" + "2" * 32).calls.create(to=NUMBER, from_=SENDER, twiml=said("Hi"))


def test_TC18_the_app_learns_who_has_answered(sandbox, client):
    sandbox.control("PUT", "scenarios", json={"scenarios": [{"outcome": "voicemail", "times": 1}]})
    with receiver.App(lambda *_: (200, "text/xml", said("Hello"))) as app:
        answered = []
        for _ in range(2):
            client.calls.create(to=NUMBER, from_=SENDER, url=app.url, machine_detection="Enable")
            sandbox.advance("5s")
            answered.append(form(app.next()[3])["AnsweredBy"])
    assert answered == ["machine_start", "human"]
