"""Conformance checks of the Hyphen contract, section 9, that need the key of a device, or two servers. The
others are in Sources/Providers/Hyphen/Checks, by their numbers."""

import datetime
import hashlib
import json

import jwt
import pytest

import hyphen_client
import ringfence
from hyphen_client import KeyPair, Phone

EMAIL = "mara@example.test"


@pytest.fixture
def old(sandbox):
    """A signed-in device: the destination."""
    return Phone(sandbox, "old-phone", email=EMAIL).sign_up()


def test_hyphen_03_04_data_are_strings(sandbox, old):
    asked = Phone(sandbox, "new-phone", email=EMAIL).request_approval()

    (push,) = old.pushes()

    assert set(push["data"]) == {"hyphen:type", "hyphen:data"}
    assert all(isinstance(value, str) for value in push["data"].values())
    assert json.loads(push["data"]["hyphen:data"]) == {"twoFactorAuth": asked}


def test_hyphen_08_the_new_key_signs_in(sandbox, old):
    new = Phone(sandbox, "new-iphone", "iOS", email=EMAIL)
    assert new.sign_in() == "2fa"
    old.approve(new.request_id)
    new.keep(new.finish().json())
    new.credentials = None

    assert new.sign_in() == "key"

    assert len(new.public_key) == 128
    assert new.call("GET", "/account/v1/me")["account"]["id"] == old.call("GET", "/account/v1/me")["account"]["id"]


def test_hyphen_23_wrong_signature(sandbox):
    phone = Phone(sandbox, "iphone", "iOS", email=EMAIL).sign_up()
    data = phone.challenge()["challengeData"]
    wrong = KeyPair("another").sign(data)

    assert phone.respond(data, wrong).error == (401, "InvalidSignature")
    assert phone.respond(data).error == (400, "ChallengeInvalid")


def test_hyphen_27_equal_runs():
    def run():
        with ringfence.Server() as server:
            sandbox = server.sandbox(name="equal")
            old = Phone(sandbox, "old-phone", email=EMAIL)
            # Two signatures of one text differ, so the devices sign up and do not answer challenges.
            old.sign_up()
            answer = Phone(sandbox, "new-phone", email=EMAIL).ask()
            return old.credentials, answer.text, [push["data"] for push in old.pushes()]

    assert run() == run()


def test_the_sandbox_approves_with_the_hash_of_the_id(sandbox):
    phone = Phone(sandbox, "new-phone", "iOS", email="auto-ok@example.test")
    phone.request_approval()

    sandbox.advance("2s")

    result = phone.fetch()["twoFactorAuth"]["result"]
    assert result["txId"] == hashlib.sha256(phone.request_id.encode()).hexdigest()


def test_messages_are_hashes_or_scripts(sandbox, old):
    phone = Phone(sandbox, "new-iphone", "iOS", email=EMAIL)
    digest = phone.request_approval()["request"]["message"]
    sandbox.seed(hyphen={"settings": {"messageForm": "cadence"}})
    script = json.loads(phone.request_approval()["request"]["message"])["cadence"]

    assert phone.public_key in script
    assert digest == hashlib.sha256(script.encode()).hexdigest()


def test_the_server_signs_with_the_key_of_the_list(old):
    (server,) = [key for key in old.keys() if key["type"] == "server-key"]
    message = "00ff10"

    answer = old.call("POST", "/sign/v1/cadence/transaction", {"message": message})["signature"]

    assert answer["keyId"] == server["keyIndex"]
    assert hyphen_client.verifies(server["publicKey"], answer["signature"], bytes.fromhex(message))


def test_a_recovery_key_adds_a_device(sandbox, old):
    backup = KeyPair("backup")
    old.call("POST", "/key/v1/recovery", {
        "recoveryKey": {"publicKey": backup.padded, "cloudKey": {"accountName": "mara@cloud.example"}}})
    new = Phone(sandbox, "new-phone", email=EMAIL)
    data = new.challenge("recoveryKey", backup.padded)["challengeData"]

    answer = new.call("POST", "/auth/v1/signin/challenge/respond", {
        "challengeType": "recoveryKey", "challengeData": data,
        "recoveryKey": {"signature": backup.sign(data), "newDeviceKey": new.user_key}})

    new.keep(answer)
    assert [key["keyIndex"] for key in new.keys() if key["publicKey"] == new.public_key] == [3]
    assert answer["transaction"]["chainName"] == "flow-testnet"


def test_an_identity_signed_by_the_service_account(sandbox, old):
    phone = Phone(sandbox, "new-phone", email=EMAIL)
    own = sandbox.credentials["fcm"]["privateKey"]
    end = datetime.datetime(2026, 1, 5, 11, 20, 30, tzinfo=datetime.timezone.utc)

    def ask(**claims):
        token = jwt.encode({"email": EMAIL, "sub": "u1", "aud": "tern-dev", "exp": end, **claims}, own, "RS256")
        return phone.send("POST", "/auth/v1/signin/2fa", {
            "request": {"method": "firebase", "token": token}, "userKey": phone.user_key})

    assert ask().status == 200
    assert ask(email=None).error == (401, "InvalidFirebaseToken")
    assert ask(exp=end - datetime.timedelta(hours=1)).error == (401, "InvalidFirebaseToken")


def test_an_export_is_a_seed(sandbox, server, old):
    Phone(sandbox, "new-phone", email="ines@example.test").request_approval()
    exported = sandbox.control("GET", f"sandboxes/{sandbox.name}/export").json()
    other = server.sandbox()
    try:
        other.seed(hyphen={"accounts": exported["hyphen"]["accounts"], "settings": exported["hyphen"]["settings"]})
        phone = Phone(other, "old-phone", email=EMAIL)

        phone.sign_in_with_key()

        assert phone.call("GET", "/account/v1/me") == old.call("GET", "/account/v1/me")
        assert exported["hyphen"]["apps"][0]["appSecret"] == "********"
    finally:
        other.delete()
