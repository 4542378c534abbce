"""Conformance checks 24 to 27 and 29 of the Prelude contract, section 17: one test for each number. Then the
operations of Prelude's products that have no numbered check.

Uses the official client. Its responses are checked against the provider's typed models if they are installed.
"""

import base64
import datetime
import json

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from prelude_python_sdk import BadRequestError, NotFoundError, PermissionDeniedError

import receiver
from sdk_errors import refused

NUMBER = "+33639980050"
OTHER = "+33639980057"


def phone(number):
    return {"type": "phone_number", "value": number}


def target(client):
    """Path and query of the client's last request, as sent."""
    return client.answers[-1].request.url.raw_path.decode()


def settings(sandbox, **values):
    sandbox.seed(prelude={"settings": values})


def test_prelude_24_block_list(prelude):
    for _ in range(2):
        assert prelude.verification_management.set_phone_number("block", phone_number=NUMBER).phone_number == NUMBER
    listed = prelude.verification_management.list_phone_numbers("block").phone_numbers
    assert [entry.phone_number for entry in listed] == [NUMBER]
    assert isinstance(listed[0].created_at, datetime.datetime)

    blocked = prelude.verification.create(target=phone(NUMBER))
    assert (blocked.status, blocked.reason) == ("blocked", "in_block_list")

    removed = prelude.verification_management.delete_phone_number("block", phone_number=NUMBER)
    assert removed.phone_number == NUMBER
    assert prelude.verification.create(target=phone(NUMBER)).status == "success"


def test_prelude_25_test_numbers(prelude, sandbox):
    numbers = prelude.verification_management.sandbox
    added = numbers.add_phone_number(phone_number=NUMBER, attempt_code="424242")
    assert (added.phone_number, added.attempt_code) == (NUMBER, "424242")
    prelude.verification.create(target=phone(NUMBER))
    assert prelude.verification.check(target=phone(NUMBER), code="424242").status == "success"

    numbers.add_phone_number(phone_number=NUMBER, attempt_code="515151")
    assert [(entry.phone_number, entry.attempt_code) for entry in numbers.list_phone_numbers().phone_numbers] == [
        (NUMBER, "515151")]
    prelude.verification.create(target=phone(NUMBER))
    assert prelude.verification.check(target=phone(NUMBER), code="424242").status == "failure"
    assert prelude.verification.check(target=phone(NUMBER), code="515151").status == "success"
    assert sandbox.control("GET", f"inbox/{NUMBER}").json()["messages"] == []

    assert numbers.delete_phone_number(NUMBER).phone_number == NUMBER
    assert target(prelude).endswith(f"/sandbox/{NUMBER}")
    assert numbers.list_phone_numbers().phone_numbers == []


def test_prelude_26_lookup(prelude):
    found = prelude.lookup.lookup("+33639980005", type=["cnam"])

    assert target(prelude).endswith("/v2/lookup/+33639980005?type=cnam")
    assert found.line_type == "mobile"
    assert found.flags == ["ported"]
    assert found.phone_number == "+33639980005"


def test_prelude_27_watch(prelude):
    suspicious = prelude.watch.predict(target=phone("+33639980010"))
    assert suspicious.prediction == "suspicious"
    assert suspicious.risk_factors and suspicious.id and suspicious.request_id

    event = {"target": phone(NUMBER), "label": "payment.confirmed", "confidence": "maximum"}
    assert prelude.watch.send_events(events=[event] * 100).status == "success"
    with refused(BadRequestError, "invalid_request", "events"):
        prelude.watch.send_events(events=[event] * 101)


def test_prelude_29_notify(prelude, sandbox):
    sent = prelude.notify.send(template_id="template_x", to=NUMBER, from_="ACME", variables={"a": "b"})
    assert sent.variables == {"a": "b"}
    assert sent.from_ == "ACME"
    sandbox.advance("1s")
    message = sandbox.control("GET", f"inbox/{NUMBER}/latest").json()
    assert (message["from"], message["text"]) == ("ACME", "[template_x] a=b")

    batch = prelude.notify.send_batch(template_id="template_x", to=[NUMBER, OTHER])
    assert (batch.total_count, batch.success_count, batch.error_count) == (2, 2, 0)
    assert [result.message.to for result in batch.results] == [NUMBER, OTHER]


def test_management_is_forbidden_without_access(prelude, sandbox):
    settings(sandbox, management=False)

    with refused(PermissionDeniedError, "forbidden"):
        prelude.verification_management.list_phone_numbers("block")


def test_sender_ids(prelude):
    submitted = prelude.verification_management.submit_sender_id(sender_id="ACME")
    assert (submitted.sender_id, submitted.status) == ("ACME", "pending")
    rejected = prelude.verification_management.submit_sender_id(sender_id="REJECT")
    assert rejected.status == "rejected" and rejected.reason
    listed = prelude.verification_management.list_sender_ids().sender_ids
    assert [(sender.sender_id, sender.status) for sender in listed] == [("ACME", "pending"), ("REJECT", "rejected")]
    with refused(BadRequestError, "invalid_sender_id", "sender_id"):
        prelude.verification_management.submit_sender_id(sender_id="TOO LONG TO BE ONE")


def test_lookup_of_an_invalid_number(prelude):
    with refused(BadRequestError, "invalid_phone_number", "phone_number"):
        prelude.lookup.lookup("0612345678")


def test_watch_evaluate(prelude):
    challenged = prelude.watch.evaluate(
        flow_id="sign-up", target=phone("+33639980010"), signals={"is_trusted_user": False, "ip": "192.0.2.1"})
    assert (challenged.action, challenged.verdict) == ("CHALLENGE", "FLAG")
    recipe = challenged.recipes[0]
    assert recipe.score >= recipe.threshold and recipe.partial_evidence is False
    assert {rule.outcome for rule in recipe.rules} == {"TRIGGERED", "NOT_TRIGGERED"}
    allowed = prelude.watch.evaluate(flow_id="sign-up", target=phone(NUMBER), attributes={"plan": "free"})
    assert (allowed.action, allowed.verdict) == ("ALLOW", "PASS")


def test_watch_feedbacks(prelude):
    started = {"target": phone(NUMBER), "type": "verification.started", "metadata": {"correlation_id": "a"}}
    assert prelude.watch.send_feedbacks(feedbacks=[started] * 3).request_id

    suspicious = prelude.watch.predict(target=phone(NUMBER))

    assert suspicious.risk_factors == ["poor_conversion_history"]
    with refused(BadRequestError, "invalid_request", "feedbacks[0].target.type"):
        prelude.watch.send_feedbacks(feedbacks=[
            {"target": {"type": "email_address", "value": "a@example.com"}, "type": "verification.completed"}])


def test_kyc_match(prelude, sandbox):
    sandbox.seed(subscribers=[{"number": NUMBER, "kyc": {
        "givenName": "Éloïse", "familyName": "Martin", "birthdate": "1990-02-28", "postalCode": "75001"}}])

    answer = prelude.intel.kyc.match(
        NUMBER, given_name="Eloise", family_name="Marten", birthdate=datetime.date(1990, 2, 28),
        postal_code="75002", region="IDF")

    assert (answer.given_name_match, answer.given_name_match_score) == ("true", None)
    assert (answer.family_name_match, answer.family_name_match_score) == ("false", 84)
    assert (answer.birthdate_match, answer.postal_code_match) == ("true", "false")
    assert (answer.region_match, answer.region_match_score) == ("not_available", None)
    assert answer.address_match is None
    with refused(BadRequestError, "unsupported_country", "phone"):
        prelude.intel.kyc.match("+12025550100", given_name="Eloise")


def test_transactional(prelude, sandbox):
    sent = prelude.transactional.send(
        template_id="template_x", to=NUMBER, correlation_id="order-7", callback_url="https://example.com/hook")

    assert sent.id.startswith("tx_")
    assert (sent.correlation_id, sent.variables) == ("order-7", {})
    assert sent.expires_at - sent.created_at == datetime.timedelta(days=1)
    sandbox.advance("1s")
    assert sandbox.control("GET", f"inbox/{NUMBER}/latest").json()["text"] == "[template_x]"


def test_notify_schedule_and_measures(prelude, sandbox):
    now = datetime.datetime(2026, 1, 5, 10, 20, 30, tzinfo=datetime.timezone.utc)
    at = now + datetime.timedelta(days=2)

    sent = prelude.notify.send(
        template_id="template_x", to=NUMBER, schedule_at=at, expires_at=at + datetime.timedelta(hours=1),
        variables={"mood": "🎉"})

    assert sent.schedule_at == at
    assert (sent.encoding, sent.estimated_segment_count) == ("UCS-2", 1)
    assert sandbox.control("GET", f"inbox/{NUMBER}").json()["messages"] == []
    sandbox.advance("48h1s")
    assert len(sandbox.control("GET", f"inbox/{NUMBER}").json()["messages"]) == 1
    with refused(BadRequestError, "expires_at_in_past", "expires_at"):
        prelude.notify.send(template_id="template_x", to=NUMBER, expires_at=now)


def test_notify_events_are_sent_and_signed(prelude, sandbox):
    key = serialization.load_pem_public_key(sandbox.control("GET", "webhooks/keys").content)
    with receiver.Receiver() as up:
        delivered = prelude.notify.send(template_id="template_x", to=NUMBER, callback_url=up.url, correlation_id="c")
        failed = prelude.notify.send(template_id="template_x", to="+33639980030", callback_url=up.url)
        sandbox.advance("1s")
        arrived = up.all()

    for _, headers, body in arrived:
        signature = base64.urlsafe_b64decode(headers["X-Webhook-Signature"].partition("=")[2])
        key.verify(
            signature, body, padding.PSS(mgf=padding.MGF1(hashes.SHA256()), salt_length=32), hashes.SHA256())
    told = [json.loads(body) for _, _, body in arrived]

    def story(message):
        return {event["type"].rpartition(".")[2]: event["payload"] for event in told
                if message.id in (event["payload"].get("id"), event["payload"].get("message_id"))}

    assert set(story(delivered)) == {"created", "submitted", "pending_delivery", "delivered"}
    assert story(delivered)["created"]["fee"] == {"amount": "0.009", "currency": "EUR"}
    assert story(delivered)["delivered"]["correlation_id"] == "c"
    failure = story(failed)["failed"]
    assert (failure["status"], failure["reason"], failure["type"]) == ("failed", "unknown_recipient", "transactional")


def test_notify_batch_with_errors(prelude):
    batch = prelude.notify.send_batch(template_id="template_x", to=[NUMBER, "+33639980012", "06"])

    assert (batch.total_count, batch.success_count, batch.error_count) == (3, 1, 2)
    assert [result.error and result.error.code for result in batch.results] == [
        None, "invalid_line_type", "invalid_phone_number"]
    with refused(BadRequestError, "empty_batch", "to"):
        prelude.notify.send_batch(template_id="template_x", to=[])


def test_notify_reply(prelude, sandbox):
    sandbox.seed(prelude={"inboundMessages": [{"id": "im_1", "from": NUMBER}]})

    reply = prelude.notify.reply(reply_to="im_1", text="Yes.", to=NUMBER, correlation_id="c")

    assert (reply.reply_to, reply.text, reply.to, reply.correlation_id) == ("im_1", "Yes.", NUMBER, "c")
    sandbox.advance("1s")
    assert sandbox.control("GET", f"inbox/{NUMBER}/latest").json()["channel"] == "whatsapp"
    with refused(BadRequestError, "phone_number_mismatch", "to"):
        prelude.notify.reply(reply_to="im_1", text="Yes.", to=OTHER)


@pytest.fixture
def subscription(sandbox):
    sandbox.seed(prelude={
        "subscriptions": [{
            "id": "sub_news", "name": "News", "callbackUrl": "https://example.com/news",
            "messages": {"stop_message": "Bye."}, "lines": [{"country": "US", "number": "38383"}], "members": [
                {"number": NUMBER, "state": "SUB", "source": "API", "at": "2026-01-02T00:00:00Z"},
                {"number": OTHER, "state": "SUB", "source": "API", "at": "2026-01-02T00:00:00Z"},
                {"number": NUMBER, "state": "UNSUB", "source": "MO_KEYWORD", "reason": "STOP"}]}]})
    return "sub_news"


def test_notify_subscriptions(prelude, subscription):
    configs = prelude.notify.list_subscription_configs(limit=1)
    assert [config.id for config in configs.configs] == [subscription]
    assert configs.next_cursor is None
    config = prelude.notify.get_subscription_config(subscription)
    assert (config.name, config.messages.stop_message) == ("News", "Bye.")
    assert config.mo_phone_numbers[0].phone_number == "38383"

    page = prelude.notify.list_subscription_phone_numbers(subscription, limit=1)
    rest = prelude.notify.list_subscription_phone_numbers(subscription, limit=1, cursor=page.next_cursor)
    assert [entry.phone_number for entry in page.phone_numbers + rest.phone_numbers] == [NUMBER, OTHER]
    left = prelude.notify.list_subscription_phone_numbers(subscription, state="UNSUB")
    assert [(entry.phone_number, entry.reason) for entry in left.phone_numbers] == [(NUMBER, "STOP")]

    member = prelude.notify.get_subscription_phone_number(NUMBER, config_id=subscription)
    assert (member.state, member.source) == ("UNSUB", "MO_KEYWORD")
    events = prelude.notify.list_subscription_phone_number_events(NUMBER, config_id=subscription)
    assert [event.state for event in events.events] == ["UNSUB", "SUB"]
    with refused(NotFoundError, "not_found"):
        prelude.notify.get_subscription_config("sub_none")
