"""Conformance check 46 of the Twilio Verify contract: the list of attempts, its filters, and the summary."""

import datetime

import pytest

from ringfence import different
from twilio_errors import refused

NUMBER = "+15551234567"
OTHER = "+447700900123"


def start(service, to=NUMBER, channel="sms"):
    return service.verifications.create(to=to, channel=channel)


def approve(sandbox, service, to=NUMBER):
    return service.verification_checks.create(to=to, code=sandbox.code(to))


@pytest.fixture
def history(sandbox, service):
    """Six attempts in four verifications; two of the verifications are approved."""
    start(service)
    sandbox.advance("30s")
    start(service, channel="call")
    approve(sandbox, service)
    sandbox.advance("30s")
    start(service, to=OTHER)
    approve(sandbox, service, OTHER)
    start(service, to="somebody@example.com", channel="email")
    sandbox.advance("1h")
    start(service)
    start(service, channel="whatsapp")


def summary(client, **filters):
    found = client.verify.v2.verification_attempts_summary().fetch(**filters)
    assert found.total_attempts == found.total_converted + found.total_unconverted
    return found.total_attempts, found.total_converted, found.conversion_rate_percentage


def test_twilio_46_list_and_summary_agree(client, sandbox, service, history):
    attempts = client.verify.v2.verification_attempts.list(channel_data_to=NUMBER)

    assert len(attempts) == 4
    assert [attempt.channel for attempt in attempts] == ["whatsapp", "sms", "call", "sms"]  # newest first
    assert [attempt.conversion_status for attempt in attempts] == [
        "unconverted", "unconverted", "converted", "unconverted"]
    everything = client.verify.v2.verification_attempts.list()
    converted = [attempt for attempt in everything if attempt.conversion_status == "converted"]
    assert summary(client) == (len(everything), len(converted), "33.333333333") == (6, 2, "33.333333333")


def test_twilio_46_summary_of_nothing(client):
    assert summary(client) == (0, 0, "0")


def test_twilio_46_filters(client, service, history):
    listed = client.verify.v2.verification_attempts.list
    middle = datetime.datetime(2026, 1, 5, 10, 21, 30, tzinfo=datetime.timezone.utc)
    newest = service.verifications(NUMBER).fetch()

    assert len(listed(status="converted")) == 2
    assert len(listed(status="unconverted")) == 4
    assert len(listed(channel="sms")) == 3
    assert len(listed(country="GB")) == 1
    assert len(listed(date_created_after=middle)) + len(listed(date_created_before=middle)) == 6 + 2
    assert len(listed(verification_sid=newest.sid)) == 2
    assert len(listed(verify_service_sid=newest.service_sid)) == 6
    assert listed(verify_service_sid=f"VA{'9' * 32}") == []
    assert listed(channel_data_to=OTHER, channel="call") == []
    assert summary(client, destination_prefix="+44") == (1, 1, "100")
    assert summary(client, country="US") == (4, 1, "25")
    assert summary(client, channel="email") == (1, 0, "0")
    assert summary(client, date_created_after=middle) == (4, 1, "25")
    assert summary(client, verify_service_sid=newest.service_sid)[0] == 6


@pytest.mark.parametrize("filters", [
    {"status": "maybe"}, {"channel": "pigeon"}, {"country": "USA"}, {"verify_service_sid": "VA1"},
    {"verification_sid": "x"}, {"date_created_after": "yesterday"}])
def test_twilio_46_bad_filters_are_60200(client, filters):
    with refused(400, 60200):
        client.verify.v2.verification_attempts.list(**filters)
    summary_filters = {name: value for name, value in filters.items() if name not in ("status", "verification_sid")}
    if summary_filters:
        with refused(400, 60200):
            summary(client, **summary_filters)


def test_twilio_46_pages_lead_through_all_attempts(client, service):
    for number in range(12):
        start(service, to=f"+1555123{1000 + number}")
        start(service, to=f"+1555123{1000 + number}", channel="call")

    attempts = client.verify.v2.verification_attempts.list(page_size=5)

    assert len({attempt.sid for attempt in attempts}) == 24
    times = [attempt.channel for attempt in attempts]
    assert times == ["call", "sms"] * 12


def test_twilio_46_an_attempt_has_the_facts_of_its_delivery(client, sandbox, service):
    sandbox.control("PUT", f"subscribers/{NUMBER}", json={"operator": "Heron Mobile", "mcc": "310", "mnc": "260"})
    created = start(service)
    sid = created.send_code_attempts[0]["attempt_sid"]
    fetch = client.verify.v2.verification_attempts(sid).fetch

    assert fetch().channel_data["message_status"] == "sent"
    sandbox.advance("1s")
    attempt = fetch()
    assert (attempt.sid, attempt.verification_sid, attempt.service_sid) == (sid, created.sid, created.service_sid)
    assert attempt.price == {"value": "0.0075", "currency": "usd"}
    assert attempt.channel_data == {
        "verification_sid": created.sid, "to": NUMBER, "status": "unconfirmed", "message_status": "delivered",
        "error_code": None, "country": "US", "code_length": 6, "locale": "en", "mcc": "310", "mnc": "260",
        "carrier": "Heron Mobile"}
    service.verification_checks.create(to=NUMBER, code=different(sandbox.code(NUMBER)))
    assert fetch().channel_data["status"] == "unconfirmed"
    approve(sandbox, service)
    assert (fetch().conversion_status, fetch().channel_data["status"]) == ("converted", "confirmed")


@pytest.mark.parametrize("outcome, status, code", [
    ("undeliverable", "undelivered", "30005"), ("reject", "undelivered", "30004"), ("filtered", "undelivered", "30007"), ("absent", "undelivered", "30003")])
def test_twilio_46_failed_messages_have_an_error_code(client, sandbox, service, outcome, status, code):
    sandbox.control("PUT", "scenarios", json={"scenarios": [{"outcome": outcome}]})
    sid = start(service).send_code_attempts[0]["attempt_sid"]
    sandbox.advance("599s")

    data = client.verify.v2.verification_attempts(sid).fetch().channel_data

    assert (data["message_status"], data["error_code"]) == (status, code)


@pytest.mark.parametrize("outcome, status", [
    ("answer", "completed"), ("busy", "busy"), ("noAnswer", "no-answer"), ("unreachable", "failed")])
def test_twilio_46_calls_have_a_call_status(client, sandbox, service, outcome, status):
    sandbox.control("PUT", "scenarios", json={"scenarios": [{"outcome": outcome}]})
    sid = start(service, channel="call").send_code_attempts[0]["attempt_sid"]
    fetch = client.verify.v2.verification_attempts(sid).fetch

    assert fetch().channel_data["call_status"] == "ringing"
    sandbox.advance("2m")
    assert fetch().channel_data["call_status"] == status


def test_twilio_46_attempts_have_the_language_of_the_message(client, service):
    for to, locale in ("+4915112345678", "de"), (NUMBER, "en"):
        sid = start(service, to=to).send_code_attempts[0]["attempt_sid"]
        assert client.verify.v2.verification_attempts(sid).fetch().channel_data["locale"] == locale


def test_twilio_46_expired_attempts(client, sandbox, service):
    sid = start(service).send_code_attempts[0]["attempt_sid"]
    sandbox.advance("11m")

    assert client.verify.v2.verification_attempts(sid).fetch().channel_data["status"] == "expired"


@pytest.mark.parametrize("sid", [f"VL{'0' * 32}", "VL1", f"VE{'0' * 32}"])
def test_twilio_46_unknown_attempts_are_20404(client, sid):
    with refused(404, 20404):
        client.verify.v2.verification_attempts(sid).fetch()
