"""Vonage Messages with the official client: senders.md, section 6.
The others: Sources/Providers/Vonage/Checks."""

import hashlib
import json
import uuid

import jwt
import pytest
import requests
from vonage_http_client.errors import AuthenticationError, HttpRequestError, NotFoundError, RateLimitedError
from vonage_jwt import verify_signature
from vonage_messages import RcsText, Sms, WhatsappTemplate, WhatsappText
from vonage_messages.models import WhatsappTemplateResource, WhatsappTemplateSettings

import receiver
import vonage_client

NUMBER = "12025550150"
TYPE = "https://developer.vonage.com/api-errors/messages"


@pytest.fixture
def vonage(sandbox):
    return vonage_client.Clients(sandbox)


def text(words="Your code is 482913", to=NUMBER, **more):
    return Sms(to=to, from_="Acme", text=words, **more)


def refusal(act, error=HttpRequestError):
    with pytest.raises(error) as caught:
        act()
    assert caught.value.response.headers["Content-Type"] == "application/problem+json"
    return caught.value.response.json()


def arrivals(hook, count):
    return [json.loads(hook.next()[2]) for _ in range(count)]


def test_vonage_nm1_and_nm10_a_text_with_signed_webhooks(vonage):
    with receiver.Receiver() as hook:
        vonage.receive_at(hook.url)
        sent = vonage.application.messages.send(text(client_ref="r1"))
        vonage.sandbox.advance("1s")
        found = [hook.next() for _ in range(2)]

    assert str(uuid.UUID(sent.message_uuid)) == sent.message_uuid and sent.workflow_id is None
    assert vonage.sandbox.code(f"+{NUMBER}") == "482913"
    bodies = [json.loads(body) for _, _, body in found]
    assert [body["status"] for body in bodies] == ["submitted", "delivered"]
    assert list(bodies[0]) == [
        "message_uuid", "to", "from", "timestamp", "status", "usage", "client_ref", "channel", "destination", "sms"]
    for _, headers, body in found:
        token = headers["Authorization"].removeprefix("Bearer ")
        assert verify_signature(token, vonage.own["signatureSecret"])
        assert not verify_signature(token, vonage.own["signatureSecret"][::-1])
        claims = jwt.decode(token, vonage.own["signatureSecret"], algorithms=["HS256"])
        assert claims["payload_hash"] == hashlib.sha256(body).hexdigest()
        assert (claims["api_key"], claims["application_id"]) == (vonage.own["apiKey"], vonage.own["applicationId"])


def test_vonage_nm2_key_and_secret(vonage):
    with receiver.Receiver() as hook:
        vonage.settings(deliveryUrl=hook.url)
        sent = vonage.account.messages.send(text())
        vonage.sandbox.advance("1s")
        assert {body["message_uuid"] for body in arrivals(hook, 2)} == {sent.message_uuid}


def test_vonage_nm3_wrong_credentials(vonage):
    wrong = vonage.client(api_key=vonage.own["apiKey"], api_secret="wrong")
    problem = refusal(lambda: wrong.messages.send(text()), AuthenticationError)
    assert problem["type"] == "https://developer.vonage.com/api-errors/#unathorized"
    expired = requests.post(
        f"{vonage.sandbox.base}/vonage/v1/messages", json={}, timeout=10,
        headers={"Authorization": f"Bearer {vonage.token(iat=1000, exp=999)}"})
    assert (expired.status_code, expired.json()["title"]) == (401, "Unauthorized")


def test_vonage_nm4_a_text_that_is_too_long_for_the_channel(vonage):
    problem = refusal(lambda: vonage.application.messages.send(
        RcsText(to=NUMBER, from_="Acme", text="x", ttl=259200, client_ref="r", webhook_url="hook")))
    assert problem["type"] == f"{TYPE}#1150"
    assert [parameter["name"] for parameter in problem["invalid_parameters"]] == ["webhook_url"]


def test_vonage_nm5_the_code_of_a_template(vonage):
    vonage.application.messages.send(WhatsappTemplate(
        to=NUMBER, from_="12025550199", template=WhatsappTemplateResource(name="otp", parameters=["482913", "10"]),
        whatsapp=WhatsappTemplateSettings(locale="en_US")))
    assert vonage.sandbox.code(f"+{NUMBER}") == "482913"


def test_vonage_nm7_failover(vonage):
    vonage.sandbox.seed(subscribers=[{"number": f"+{NUMBER}", "rcs": False}])
    with receiver.Receiver() as hook:
        vonage.receive_at(hook.url)
        sent = vonage.application.messages.send(
            RcsText(to=NUMBER, from_="Acme", text="482913"), failover=[text("482914")])
        vonage.sandbox.advance("2s")
        bodies = arrivals(hook, 3)
    assert sent.workflow_id
    assert [(body["channel"], body["status"]) for body in bodies] == [
        ("rcs", "rejected"), ("sms", "submitted"), ("sms", "delivered")]
    assert bodies[0]["error"]["title"] == "1300"
    assert [body["workflow"] for body in bodies] == [
        {"workflow_id": sent.workflow_id, "items_number": number, "items_total": "2"} for number in "122"]
    assert vonage.sandbox.code(f"+{NUMBER}") == "482914"


def test_vonage_nm12_and_nm13_an_answer_is_read(vonage):
    with receiver.Receiver() as hook:
        vonage.sandbox.seed(vonage={"applications": [{"id": vonage.own["applicationId"], "inboundUrl": hook.url}]})
        vonage.application.messages.send(WhatsappText(to=NUMBER, from_="12025550199", text="482913"))
        vonage.sandbox.control("POST", f"inbox/+{NUMBER}/reply", json={"text": "yes please"})
        _, headers, body = hook.next()
    inbound = json.loads(body)
    assert verify_signature(headers["Authorization"].removeprefix("Bearer "), vonage.own["signatureSecret"])
    assert (inbound["from"], inbound["to"], inbound["text"]) == (NUMBER, "12025550199", "yes please")
    assert vonage.application.messages.mark_whatsapp_message_read(inbound["message_uuid"]) is None
    unknown = str(uuid.uuid4())
    refusal(lambda: vonage.application.messages.mark_whatsapp_message_read(unknown), NotFoundError)


def test_vonage_a_message_of_rcs_is_taken_back(vonage):
    sent = vonage.application.messages.send(RcsText(to="12025550152", from_="Acme", text="482913"))
    vonage.sandbox.advance("1s")
    assert vonage.application.messages.revoke_rcs_message(sent.message_uuid) is None
    refusal(lambda: vonage.application.messages.revoke_rcs_message(sent.message_uuid))


def test_vonage_limit_of_requests(vonage):
    vonage.settings(throughput=1)
    vonage.application.messages.send(text())
    refusal(lambda: vonage.application.messages.send(text()), RateLimitedError)
    vonage.sandbox.advance("1s")
    vonage.application.messages.send(text())


@pytest.mark.parametrize("channel", ["sms", "whatsapp"])
def test_vonage_statuses_of_messages(vonage, channel):
    """Each status that a scenario asks for is that of the last webhook."""
    (options,) = vonage.sandbox.control(
        "GET", "faults/options", params={"provider": "vonage"}).json()["providers"]
    names = [status["name"] for status in options["statuses"] if channel in status["channels"]]
    sent = {"sms": text(), "whatsapp": WhatsappText(to=NUMBER, from_="12025550199", text="482913")}[channel]
    vonage.settings(deliveryUrl=f"http://127.0.0.1:{receiver.free_port()}")
    for name in (name for name in names if channel == "whatsapp" or len(name) == 4):
        scenario = {"match": {"channel": channel}, "providerStatus": {"vonage": name}}
        vonage.sandbox.control("PUT", "scenarios", json={"scenarios": [scenario]})
        vonage.account.messages.send(sent)
        vonage.sandbox.advance("10s")
        last = json.loads(vonage.sandbox.entries("webhooks")[-1]["request"]["body"])
        assert name in (last["status"], last.get("error", {}).get("title"))
