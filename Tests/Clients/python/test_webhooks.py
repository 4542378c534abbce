"""Webhooks with the signatures of each provider that signs, checked without and with its library."""

import pytest
import requests
from telesign.util import verify_telesign_callback_signature
from twilio.request_validator import RequestValidator

from ringfence import NotArrived, WrongSignature

NUMBER = "+12025550100"


def twilio(sandbox):
    sandbox.twilio().messages.create(
        to=NUMBER, from_="+12025550199", body="Hello", status_callback=sandbox.webhooks.url)


def telesign(sandbox):
    sandbox.control("POST", "seed", {"telesign": {"settings": {"account.callback_url": sandbox.webhooks.url}}})
    from telesignenterprise.verify import VerifyClient
    assert sandbox.telesign(VerifyClient).sms(NUMBER[1:]).status_code == 200


def prelude(sandbox):
    sandbox.prelude().verification.create(
        target={"type": "phone_number", "value": NUMBER}, options={"callback_url": sandbox.webhooks.url})


def sinch(sandbox):
    """Its callback about the start asks for a decision."""
    sandbox.webhooks.answer(200, data={"action": "allow"})
    sandbox.control("POST", "seed", {"sinch": {"settings": {
        "callbackUrl": f"{sandbox.webhooks.url}?tenant=7", "timestampTolerance": 0}}})
    sandbox.sinch().verification.verifications.start_sms(identity={"type": "number", "endpoint": NUMBER})


def vonage(sandbox):
    from vonage_verify import SmsChannel, VerifyRequest

    application = {"id": sandbox.credentials["vonage"]["applicationId"], "statusUrl": sandbox.webhooks.url}
    sandbox.control("POST", "seed", {"vonage": {"applications": [application]}})
    verify = sandbox.vonage().verify
    started = verify.start_verification(VerifyRequest(brand="Acme", workflow=[SmsChannel(to=NUMBER[1:])]))
    verify.check_code(started.request_id, sandbox.code(NUMBER))


SENDERS = [pytest.param(each, id=each.__name__) for each in (twilio, telesign, prelude, sinch, vonage)]


@pytest.mark.parametrize("send", SENDERS)
def test_a_signature_is_valid(sandbox, send):
    send(sandbox)
    sandbox.advance("60s")

    received = sandbox.webhooks.wait()

    assert (received.provider, received.signature) == (send.__name__, "valid")
    assert isinstance(received.data, dict)


@pytest.mark.parametrize("send", SENDERS)
@pytest.mark.parametrize("failure, found", [("webhook-wrong-signature", "wrong"), ("webhook-no-signature", "missing")])
def test_a_wrong_and_a_missing_signature_are_found(sandbox, send, failure, found):
    sandbox.fail(failure)
    send(sandbox)
    sandbox.advance("60s")

    with pytest.raises(WrongSignature, match=f"the signature is {found}, not valid: <ReceivedWebhook from {send.__name__}"):
        sandbox.webhooks.wait()


@pytest.mark.parametrize("send", SENDERS)
def test_a_changed_body_has_a_wrong_signature(sandbox, send):
    send(sandbox)
    sandbox.advance("60s")
    received = sandbox.webhooks.wait()
    received.body = received.body.replace(b"0", b"1")

    assert sandbox.webhooks.check(received) == "wrong"


@pytest.mark.parametrize("token", ["secret", "a.b.c", "e30.e30.e30", "e30.W10.e30"])
def test_the_bearer_token_of_an_event_is_no_signature(sandbox, token):
    requests.post(
        f"{sandbox.url}/camara/sim-swap-subscriptions/v0.3/subscriptions", timeout=10,
        headers={"x-rapidapi-key": sandbox.credentials["camara"]["clientSecret"]}, json={
            "protocol": "HTTP", "sink": sandbox.webhooks.url,
            "types": ["org.camaraproject.sim-swap-subscriptions.v0.swapped"],
            "config": {"subscriptionDetail": {"phoneNumber": NUMBER}},
            "sinkCredential": {
                "credentialType": "ACCESSTOKEN", "accessToken": token, "accessTokenType": "bearer",
                "accessTokenExpiresUtc": "2099-01-01T00:00:00Z"}}).raise_for_status()
    sandbox.phone(NUMBER).event("simSwap")

    received = sandbox.webhooks.wait()

    assert (received.provider, received.signature) == ("camara", "none")
    assert received.headers["authorization"] == f"Bearer {token}"


def test_a_json_body_is_signed_by_its_hash(sandbox, service):
    sandbox.control("POST", "seed", {"twilio": {"settings": {"webhookBody": "json"}}})
    service.webhooks.create(friendly_name="All", event_types=["*"], webhook_url=f"{sandbox.webhooks.url}?tenant=7")
    sandbox.phone(NUMBER).register("twilio")

    received = sandbox.webhooks.wait(contains="factor.created")

    assert (received.signature, received.data["type"]) == ("valid", "factor.created")
    received.body = received.body.replace(b"created", b"deleted")
    assert sandbox.webhooks.check(received) == "wrong"


def test_a_signature_can_be_looked_at(sandbox):
    sandbox.fail("webhook-wrong-signature")
    twilio(sandbox)
    sandbox.advance("60s")

    assert sandbox.webhooks.wait(signature="any").signature == "wrong"


def test_the_official_libraries_agree(sandbox):
    twilio(sandbox)
    sandbox.advance("60s")
    received = sandbox.webhooks.wait()
    validator = RequestValidator(sandbox.credentials["twilio"]["authToken"])
    assert validator.validate(received.url, received.data, received.headers["x-twilio-signature"])

    telesign(sandbox)
    sandbox.advance("60s")
    received = sandbox.webhooks.wait(contains="reference_id")
    assert verify_telesign_callback_signature(
        sandbox.credentials["telesign"]["apiKey"], received.headers["x-ts-authorization"], received.body.decode())


def test_a_webhook_with_this_text_is_awaited(sandbox):
    twilio(sandbox)
    sandbox.advance("60s")

    assert sandbox.webhooks.wait(contains="delivered").data["MessageStatus"] == "delivered"
    assert len(sandbox.webhooks.all) >= 1


def test_a_receiver_that_fails_gets_the_webhook_again(sandbox):
    sandbox.webhooks.answer(500, 200)
    prelude(sandbox)
    sandbox.advance("10m")

    first, *later = sandbox.webhooks.all

    assert first.body in [each.body for each in later]


def test_no_webhook_says_what_the_provider_knows(sandbox):
    with pytest.raises(NotArrived, match="did the request name sandbox.webhooks.url"):
        sandbox.webhooks.wait(within=0)

    sandbox.fail("webhook-lost")
    twilio(sandbox)
    sandbox.advance("60s")
    with pytest.raises(NotArrived, match=r"twilio .* to http://127.0.0.1:\d+/webhooks: lost"):
        sandbox.webhooks.wait(within=0)
