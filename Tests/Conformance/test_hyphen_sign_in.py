"""Conformance checks H1 to H9, H14, H23, H25 and H27 of the Hyphen contract, section 9: signing in."""

import base64
import datetime
import json

import pytest

import hyphen_client
import ringfence
from hyphen_client import TX_ID, Phone, two_factor_auth

EMAIL = "mara@example.test"


@pytest.fixture
def old(sandbox):
    """A signed-in device: the destination."""
    return Phone(sandbox, "old-phone", email=EMAIL).sign_up()


@pytest.fixture
def new(sandbox, old):
    """A device that asks for approval: the source."""
    phone = Phone(sandbox, "new-phone", email=EMAIL)
    phone.request = phone.request_approval()
    return phone


def instant(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")


def id_token(algorithm="none", **claims):
    """An ID token as the Firebase emulator signs it: not at all."""
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return f"{part({'alg': algorithm, 'typ': 'JWT'})}.{part(claims)}."


def test_hyphen_01_request_for_approval(sandbox, old):
    answer = Phone(sandbox, "new-phone", email=EMAIL).ask()

    assert answer.status == 200
    request = two_factor_auth(answer["twoFactorAuth"])
    assert request["status"] == "pending"
    lifetime = instant(request["expiresAt"]) - instant(request["request"]["requestedAt"])
    assert lifetime == datetime.timedelta(seconds=300)
    assert isinstance(answer["ephemeralAccessToken"], str) and answer["ephemeralAccessToken"]
    assert request["id"] == request["request"]["id"]
    assert request["request"]["userOpInfo"] == {
        "type": "sign-in", "signIn": {"email": EMAIL, "ip": "127.0.0.1", "location": "Sandbox City, Nowhere"}}


def test_hyphen_02_push_of_the_request(old, new):
    (push,) = old.pushes()

    assert push["data"]["hyphen:type"] == "2fa-request"
    assert push["visible"] is True and push["notification"]["title"] and push["notification"]["body"]
    assert push["raw"]["android"] == {"priority": "HIGH", "ttl": "300s"}
    assert push["raw"]["apns"]["headers"]["apns-priority"] == "10"
    assert push["raw"]["apns"]["headers"]["apns-push-type"] == "alert"
    assert push["provider"] == "hyphen"
    assert push["source"] == "internal"


def test_hyphen_03_data_is_the_request(old, new):
    (push,) = old.pushes()

    text = push["data"]["hyphen:data"]
    assert isinstance(text, str)
    assert json.loads(text) == {"twoFactorAuth": new.request}


def test_hyphen_04_data_are_strings(old, new):
    (push,) = old.pushes()

    assert set(push["data"]) == {"hyphen:type", "hyphen:data"}
    assert all(isinstance(value, str) for value in push["data"].values())


def test_hyphen_05_approval(old, new):
    answer = old.approve(new.request_id)

    assert (answer.status, answer.text) == (204, "")
    fetched = two_factor_auth(new.fetch()["twoFactorAuth"])
    assert fetched["status"] == "approved"
    assert fetched["result"] == {"txId": TX_ID}


def test_hyphen_06_push_of_the_approval(old, new):
    old.approve(new.request_id)

    (push,) = new.pushes()

    assert push["data"]["hyphen:type"] == "2fa-status-change"
    assert push["notification"] is None and push["visible"] is False
    assert push["raw"]["apns"]["headers"]["apns-push-type"] == "background"
    assert push["raw"]["apns"]["headers"]["apns-priority"] == "5"
    assert push["raw"]["apns"]["payload"] == {"aps": {"content-available": 1}}
    assert push["raw"]["android"] == {"priority": "HIGH", "ttl": "300s"}
    decoded = two_factor_auth(json.loads(push["data"]["hyphen:data"])["twoFactorAuth"])
    assert decoded["result"]["txId"] == TX_ID


def test_hyphen_07_finish(old, new):
    old.approve(new.request_id)

    answer = new.finish()

    assert answer.status == 200
    new.keep(answer.json())
    assert new.public_key in [key["publicKey"] for key in new.keys()]
    assert [key["keyIndex"] for key in new.keys()] == [0, 1, 2]
    assert answer["transaction"]["id"] == TX_ID


def test_hyphen_08_the_new_key_signs_in(sandbox, old):
    new = Phone(sandbox, "new-iphone", "iOS", email=EMAIL)
    assert new.sign_in() == "2fa"
    old.approve(new.request_id)
    new.keep(new.finish().json())
    new.credentials = None

    assert new.sign_in() == "key"

    assert len(new.public_key) == 128
    assert new.call("GET", "/account/v1/me")["account"]["id"] == old.call("GET", "/account/v1/me")["account"]["id"]


def test_hyphen_09_denial(old, new):
    answer = old.deny(new.request_id)

    assert answer.status == 204
    assert new.fetch()["twoFactorAuth"]["status"] == "denied"
    (push,) = new.pushes("2fa-status-change")
    decoded = two_factor_auth(json.loads(push["data"]["hyphen:data"])["twoFactorAuth"])
    assert decoded["status"] == "denied" and "result" not in decoded
    assert new.finish().error == (400, "TwoFactorAuthDenied")


def test_hyphen_14_expired_identity(sandbox, old):
    phone = Phone(sandbox, "new-phone", email=EMAIL)
    claims = {"email": EMAIL, "sub": "u1", "aud": "tern-dev"}
    start = int(datetime.datetime(2026, 1, 5, 10, 20, 30, tzinfo=datetime.timezone.utc).timestamp())

    def ask(token):
        return phone.send("POST", "/auth/v1/signin/2fa", {
            "request": {"method": "firebase", "token": token}, "userKey": phone.user_key})

    assert ask(id_token(**claims, exp=start + 1)).status == 200
    for refused in (id_token(**claims, exp=start), id_token("RS256", **claims, exp=start + 1), "sbx-user:mara", "x.y"):
        answer = ask(refused)
        assert answer.error == (401, "InvalidFirebaseToken")
        assert "please sign up" not in answer.text


def test_hyphen_23_wrong_signature(sandbox):
    phone = Phone(sandbox, "iphone", "iOS", email=EMAIL).sign_up()
    data = phone.challenge()["challengeData"]
    wrong = hyphen_client.KeyPair("another").sign(data)

    assert phone.respond(data, wrong).error == (401, "InvalidSignature")
    assert phone.respond(data).error == (400, "ChallengeInvalid")


def test_hyphen_25_no_app_secret(sandbox, old):
    calls = [("POST", "/auth/v1/signup"), ("POST", "/auth/v1/refresh"), ("GET", "/device/v1/devices"),
             ("GET", "/account/v1/me"), ("POST", "/auth/v1/signin/2fa"), ("GET", "/sign/v1/cadence")]
    for method, path in calls:
        assert old.send(method, path, X_Hyphen_App_Secret=None).error == (401, "InvalidAppSecret")
    assert old.send("GET", "/account/v1/me", X_Hyphen_App_Secret="unknown").error == (401, "InvalidAppSecret")


def test_hyphen_27_equal_runs():
    def run():
        with ringfence.Server() as server:
            sandbox = server.sandbox(name="equal")
            old = Phone(sandbox, "old-phone", email=EMAIL)
            # Two signatures of one text differ, so the devices sign up and do not answer challenges.
            old.sign_up()
            new = Phone(sandbox, "new-phone", email=EMAIL)
            answer = new.ask()
            return old.credentials, answer.text, [push["data"] for push in old.pushes()]

    assert run() == run()
