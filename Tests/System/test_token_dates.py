"""46 A1: dates in the tokens that clients sign may have a fraction (RFC 7519, 2), at every provider."""

import json

import jwt
import pytest
import requests

import hyphen_client
import twilio_verify_push as push
from apns_client import START, Gateway
from provider_tokens import GRANT, bearer

IDENTITY = "user-00000001"
# As `time.time()` gives it.
NOW = START - 0.75


def apns(sandbox, **dates):
    gateway = Gateway(sandbox)
    token = jwt.encode({"iss": gateway.key["teamId"], "iat": NOW, **dates}, gateway.key["authKey"], "ES256",
                       {"kid": gateway.key["keyId"]})
    return gateway.post(provider_token=token)


def fcm(sandbox, **dates):
    account = json.loads(sandbox.credentials["fcm"]["serviceAccount"])
    claims = {"iss": account["client_email"], "aud": account["token_uri"], "iat": NOW, "exp": NOW + 3600,
              "scope": "https://www.googleapis.com/auth/firebase.messaging", **dates}
    return requests.post(f"{sandbox.base}/fcm/token", timeout=20, data={
        "grant_type": GRANT, "assertion": jwt.encode(claims, account["private_key"], "RS256")})


def vonage(sandbox, **dates):
    own = sandbox.credentials["vonage"]
    claims = {"application_id": own["applicationId"], "iat": NOW, "exp": NOW + 900, "nbf": NOW, "jti": "1", **dates}
    return requests.post(
        f"{sandbox.base}/v2/verify", timeout=20, headers=bearer(jwt.encode(claims, own["privateKey"], "RS256")),
        json={"brand": "Acme", "workflow": [{"channel": "sms", "to": "12025550100"}]})


def camara(sandbox, **dates):
    own = sandbox.credentials["camara"]
    claims = {"iss": own["clientId"], "sub": own["clientId"], "aud": f"{sandbox.base}/camara/oauth2/token",
              "iat": NOW, "nbf": NOW, "exp": NOW + 60, "jti": "1", **dates}
    return requests.post(f"{sandbox.base}/camara/oauth2/token", timeout=20, data={
        "grant_type": "client_credentials", "scope": "dpv:FraudPreventionAndDetection sim-swap:check",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": jwt.encode(claims, own["privateKey"], "RS256")})


def hyphen(sandbox, **dates):
    """Signs up with an ID token of the Firebase emulator, which is not signed."""
    claims = {"email": "mara@example.test", "sub": "u1", "aud": "tern-dev", "exp": NOW + 600, **dates}
    phone = hyphen_client.Phone(sandbox, "phone")
    identity = {"method": "firebase", "chainName": "flow-testnet", "token": jwt.encode(claims, None, "none")}
    return phone.send("POST", "/auth/v1/signup", {**identity, "userKey": phone.user_key})


def twilio(sandbox, **dates):
    """An app with the mobile SDK reads a challenge."""
    own = sandbox.credentials["twilio"]
    service = f"{sandbox.base}/v2/Services/{own['serviceSid']}"
    entity = f"{service}/Entities/{IDENTITY}"

    def create(url, **form):
        return requests.post(url, form, auth=(own["accountSid"], own["authToken"]), timeout=20).json()

    phone = push.Phone(sandbox.base, own["serviceSid"], IDENTITY, lambda: NOW)
    phone.create_factor(create(f"{service}/AccessTokens", Identity=IDENTITY, FactorType="push")["token"])
    phone.verify_factor()
    asked = create(f"{entity}/Challenges", **{"FactorSid": phone.factor["sid"], "Details.Message": "Sign in?"})
    # The phone's own dates follow the sandbox's clock, which shows whole seconds.
    password = phone.jwt(**{"nbf": NOW, "exp": NOW + 600, **dates})
    return requests.get(f"{entity}/Challenges/{asked['sid']}", auth=("token", password), timeout=20)


DATES = {apns: ["iat"], fcm: ["iat", "exp"], vonage: ["iat", "exp", "nbf"], camara: ["iat", "exp", "nbf"],
         hyphen: ["exp"], twilio: ["nbf", "exp"]}


def status(answer):
    return getattr(answer, "status_code", None) or answer.status


@pytest.mark.parametrize("provider", DATES)
def test_46_a1_dates_may_have_a_fraction(sandbox, provider):
    assert status(provider(sandbox)) in (200, 201, 202)


@pytest.mark.parametrize("provider, name", [(provider, name) for provider in DATES for name in DATES[provider]])
@pytest.mark.parametrize("value, found", [("soon", 'the string "soon"'), (True, "the boolean true")])
def test_46_a1_reason_names_what_was_found(sandbox, provider, name, value, found):
    assert status(provider(sandbox, **{name: value})) in (400, 401, 403)

    assert f"{name}: expected seconds since 1970, as a number; found {found}" in sandbox.journal()[-1]["why"]
