"""Webhooks of factors and event streams: checks 42, 43 and 54 of the Twilio Verify contract, and sections 8.2
and 14."""

import base64
import hashlib
import hmac
import json
import urllib.parse

import pytest
from twilio.request_validator import RequestValidator

import receiver
import totp
from twilio_errors import refused
from twilio_phones import START, ask, clock, enrolled, entity, new_phone  # noqa: F401

NUMBER = "+12025550100"
EVENTS = "com.twilio.accountsecurity.verify."


@pytest.fixture
def hook():
    with receiver.Receiver() as up:
        yield up


def node_validate_request_with_body(token, signature, url, body):
    """`validateRequestWithBody` of Twilio's Node SDK, written from its description: the signature covers the
    URL, and the URL's query has the hash of the body."""
    sent = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["bodySHA256"][0]
    signed = base64.b64encode(hmac.new(token.encode(), url.encode(), hashlib.sha1).digest()).decode()
    return hmac.compare_digest(signed, signature) and hashlib.sha256(body).hexdigest() == sent


def called(hook, arrival):
    """The URL, the signature and the body of a request to the receiver."""
    path, headers, body = arrival
    signature = {name.lower(): value for name, value in headers.items()}["x-twilio-signature"]
    return f"{hook.scheme}://127.0.0.1:{hook.port}{path}", signature, body


def token_of(sandbox):
    return sandbox.credentials["twilio"]["authToken"]


def next_form(sandbox, hook):
    """The fields of the next webhook with a form, whose signature must be right."""
    url, signature, body = called(hook, hook.next())
    fields = dict(urllib.parse.parse_qsl(body.decode(), strict_parsing=True))
    assert RequestValidator(token_of(sandbox)).validate(url, fields, signature) is True
    assert RequestValidator(token_of(sandbox)).validate(url, fields | {"type": "other"}, signature) is False
    return fields


def test_twilio_42_events_of_a_phone_are_signed(sandbox, service, hook, entity, new_phone):
    service.webhooks.create(friendly_name="All", event_types=["*"], webhook_url=f"{hook.url}?tenant=7")
    phone = new_phone(push_token="f3c1a7d05e2b4c8f9a6d7e0b1c2d3e4f")
    assert phone.verify_factor() == "verified"
    challenge = ask(entity, phone, details_fields=[{"label": "Ort", "value": "Zürich & Bern = 1+1"}])
    phone.respond(challenge.sid, "approved")
    denied = ask(entity, phone)
    phone.respond(denied.sid, "denied")
    entity.factors(phone.factor["sid"]).delete()

    created, verified, approved, rejected, deleted = [next_form(sandbox, hook) for _ in range(5)]

    assert [each["type"] for each in (created, verified, approved, rejected, deleted)] == [
        "factor.created", "factor.verified", "challenge.approved", "challenge.denied", "factor.deleted"]
    for each in created, verified, approved, rejected, deleted:
        assert each["factor_sid"] == phone.factor["sid"]
        assert (each["factor_type"], each["entity_identity"]) == ("push", "user-00000001")
    assert (created["factor_status"], verified["factor_status"]) == ("unverified", "verified")
    assert (approved["challenge_sid"], approved["challenge_status"]) == (challenge.sid, "approved")
    assert json.loads(approved["challenge_details"])["fields"] == [{"label": "Ort", "value": "Zürich & Bern = 1+1"}]
    assert (rejected["challenge_sid"], rejected["challenge_status"]) == (denied.sid, "denied")
    assert len({each["uuid"] for each in (created, verified, approved, rejected, deleted)}) == 5


def test_twilio_43_json_body_is_signed_by_its_hash(sandbox, service, hook, new_phone):
    sandbox.seed(twilio={"settings": {"webhookBody": "json"}})
    service.webhooks.create(friendly_name="All", event_types=["*"], webhook_url=f"{hook.url}?tenant=7")
    new_phone()

    url, signature, body = called(hook, hook.next())

    assert json.loads(body)["type"] == "factor.created"
    assert node_validate_request_with_body(token_of(sandbox), signature, url, body) is True
    changed = body.replace(b"factor.created", b"factor.creates")
    assert node_validate_request_with_body(token_of(sandbox), signature, url, changed) is False
    assert RequestValidator(token_of(sandbox)).validate(url, body.decode(), signature) is True


def test_an_approved_totp_challenge_is_announced(sandbox, service, hook, entity):
    service.webhooks.create(friendly_name="Answers", event_types=["challenge.approved"], webhook_url=hook.url)
    factor = entity.new_factors.create(friendly_name="Ana", factor_type="totp")
    secret = factor.binding["secret"]
    entity.factors(factor.sid).update(auth_payload=totp.code(secret, START))
    sandbox.advance("30s")
    challenge = entity.challenges.create(factor_sid=factor.sid, auth_payload=totp.code(secret, START + 30))
    assert challenge.status == "approved"

    fields = next_form(sandbox, hook)

    assert (fields["challenge_sid"], fields["factor_type"]) == (challenge.sid, "totp")


def test_a_deleted_entity_announces_its_factors(sandbox, service, hook, entity, new_phone):
    phone = new_phone()
    service.webhooks.create(friendly_name="Gone", event_types=["factor.deleted"], webhook_url=hook.url)

    entity.delete()

    assert next_form(sandbox, hook)["factor_sid"] == phone.factor["sid"]


def test_twilio_54_event_types_are_a_repeated_field(connect, service, hook):
    webhook = service.webhooks.create(
        friendly_name="Two", event_types=["factor.deleted", "factor.verified"], webhook_url=hook.url)

    assert connect.statuses == [201]
    assert (webhook.sid[:2], webhook.status, webhook.version) == ("YW", "enabled", "v2")
    assert service.webhooks(webhook.sid).fetch().event_types == ["factor.deleted", "factor.verified"]


def test_a_webhook_is_changed_listed_and_deleted(service, hook):
    made = [service.webhooks.create(friendly_name=name, event_types=["*"], webhook_url=hook.url) for name in "abc"]

    changed = service.webhooks(made[1].sid).update(
        status="disabled", event_types=["challenge.denied"], webhook_url=f"{hook.url}?x=1")

    assert (changed.status, changed.event_types, changed.webhook_method) == ("disabled", ["challenge.denied"], "POST")
    assert [each.sid for each in service.webhooks.list(page_size=2)] == [each.sid for each in made]
    assert service.webhooks(made[1].sid).delete() is True
    gone = service.webhooks(made[1].sid)
    for call in gone.fetch, gone.delete, lambda: gone.update(status="enabled"):
        with refused(404, 20404):
            call()
    with refused(400, 60200):
        service.webhooks.create(friendly_name="a", event_types=["factor.lost"], webhook_url=hook.url)


@pytest.fixture
def subscribed(sandbox, service, hook):
    """A Service whose events go to the receiver; reads the next event."""
    sandbox.seed(twilio={"settings": {"eventSink": f"{hook.url}?tenant=7"}})
    service.update(verify_event_subscription_enabled=True)
    token = token_of(sandbox)

    def next_event():
        url, signature, body = called(hook, hook.next())
        assert RequestValidator(token).validate(url, body.decode(), signature) is True
        assert node_validate_request_with_body(token, signature, url, body)
        assert not node_validate_request_with_body(token, signature, url, body[:-1] + b" ")
        (event,) = json.loads(body)
        assert event["type"].startswith(EVENTS)
        return event["type"].removeprefix(EVENTS), event["data"]

    return next_event


def test_the_sink_gets_signed_events_of_a_verification(sandbox, service, subscribed):
    verification = service.verifications.create(to=NUMBER, channel="sms", custom_friendly_name="Blue")
    code = sandbox.code(NUMBER)
    sandbox.advance("30s")
    service.verification_checks.create(to=NUMBER, code=code)

    events = [subscribed() for _ in range(4)]

    assert [kind for kind, _ in events] == [
        "verification.pending", "message.sent", "message.delivered", "verification.approved"]
    assert {data["verification_sid"] for _, data in events} == {verification.sid}
    approved = events[-1][1]
    assert (approved["verification_status"], approved["custom_friendly_name"]) == ("APPROVED", "Blue")
    assert approved["check_attempts"] == {
        "count": 1, "attempts": [{"time": "2026-01-05T10:21:00.000000Z", "status": "SUCCESS"}]}


def test_the_sink_gets_nothing_of_other_services(sandbox, client, subscribed, hook):
    other = client.verify.v2.services.create(friendly_name="Other")
    client.verify.v2.services(other.sid).verifications.create(to=NUMBER, channel="sms")
    sandbox.advance("601s")

    assert sandbox.control("GET", "webhooks").json()["webhooks"] == []
