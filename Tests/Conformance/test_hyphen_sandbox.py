"""The sandbox's side of the Hyphen contract, section 8: seeded accounts, decisions by hand, faults, settings,
exports."""

import datetime
import hashlib
import json

import jwt
import pytest

import hyphen_client
from hyphen_client import TX_ID, KeyPair, Phone, two_factor_auth

EMAIL = "mara@example.test"


@pytest.fixture
def old(sandbox):
    return Phone(sandbox, "old-phone", email=EMAIL).sign_up()


def ask(sandbox, email=EMAIL, platform="Android"):
    phone = Phone(sandbox, f"new-phone-of-{email.split('@')[0]}", platform, email=email)
    phone.request_approval()
    return phone


def status(phone):
    return phone.fetch()["twoFactorAuth"]["status"]


def test_the_seeded_phone_approves_after_two_seconds(sandbox):
    phone = ask(sandbox, "auto-ok@example.test", "iOS")
    sandbox.advance("1999ms")
    assert status(phone) == "pending"

    sandbox.advance("1ms")

    found = two_factor_auth(phone.fetch()["twoFactorAuth"])
    assert found["result"]["txId"] == hashlib.sha256(phone.request_id.encode()).hexdigest()
    assert [push["data"]["hyphen:type"] for push in phone.pushes()] == ["2fa-status-change"]
    routes = [entry["route"] for entry in sandbox.journal(provider="hyphen")]
    assert routes[-4:-1] == ["createChallenge", "respondToChallenge", "approveTwoFactorAuth"]
    assert phone.finish().status == 200


def test_the_seeded_phone_denies_after_two_seconds(sandbox):
    phone = ask(sandbox, "auto-no@example.test", "iOS")

    sandbox.advance("2s")

    assert status(phone) == "denied"
    assert phone.finish().error == (400, "TwoFactorAuthDenied")


def test_the_seeded_phone_ignores_until_the_end(sandbox):
    phone = ask(sandbox, "silent@example.test", "iOS")

    sandbox.advance("300s")

    assert phone.finish().error == (400, "TwoFactorAuthExpired")
    assert phone.pushes() == []


def test_the_seeded_account_without_a_device(sandbox):
    assert Phone(sandbox, "phone", email="nodevice@example.test").ask().error == (400, "NoDestinationDevice")


def test_a_person_decides_by_the_control_api(sandbox):
    phone = ask(sandbox, "ines@example.test", "iOS")
    assert phone.fetch()["twoFactorAuth"]["request"]["destDevice"]["id"] == "dev_ines_phone"
    phone.retry("dev_ines_ipad")

    sandbox.control("POST", f"devices/{phone.request_id}/approve")

    assert status(phone) == "approved"
    assert "no pending challenge" in sandbox.control(
        "POST", f"devices/{phone.request_id}/deny", expect=(409,)).json()["error"]


def test_a_device_whose_key_is_elsewhere_answers_by_itself(sandbox, old):
    phone = ask(sandbox)

    answer = sandbox.control("POST", f"devices/{phone.request_id}/approve", expect=(409,)).json()

    assert "is not in the sandbox" in answer["error"]
    assert old.approve(phone.request_id).status == 204


def test_requests_are_listed(sandbox, old):
    phone = ask(sandbox)

    pending = sandbox.control("GET", "pushes?provider=hyphen&type=2fa-request&state=pending").json()["pushes"]
    records = sandbox.control("GET", "records/hyphen?kind=2fa").json()["records"]

    assert [push["to"] for push in pending] == [old.token]
    assert [record["record"]["id"] for record in records] == [phone.request_id]


def test_the_next_push_fails(sandbox, old):
    sandbox.faults({"provider": "fcm", "route": "sendMessage", "code": "UNREGISTERED", "times": 1})

    ask(sandbox)
    assert old.pushes() == []
    ask(sandbox)

    assert len(old.pushes()) == 1
    attempts = sandbox.control("GET", "pushes/attempts").json()["attempts"]
    assert [(attempt["status"], attempt["error"]) for attempt in attempts] == [(404, "UNREGISTERED"), (200, None)]


def test_a_status_change_is_lost_and_the_source_asks(sandbox, old):
    phone = ask(sandbox)
    sandbox.faults({"provider": "fcm", "route": "sendMessage", "contains": "2fa-status-change", "code": "UNREGISTERED"})

    old.approve(phone.request_id)

    assert phone.pushes() == []
    assert status(phone) == "approved"


def test_a_message_too_large_is_refused_by_the_gateway(sandbox):
    old = Phone(sandbox, "old-phone", email=EMAIL, push_token="sbx-" + "x" * 3000).sign_up()
    phone = ask(sandbox)

    (attempt,) = sandbox.control("GET", "pushes/attempts").json()["attempts"]

    assert attempt["error"] == "INVALID_ARGUMENT"
    assert old.pushes() == [] and status(phone) == "pending"


def test_messages_are_hashes_or_scripts(sandbox, old):
    phone = Phone(sandbox, "new-iphone", "iOS", email=EMAIL)
    digest = phone.request_approval()["request"]["message"]
    sandbox.seed(hyphen={"settings": {"messageForm": "cadence"}})
    script = json.loads(phone.request_approval()["request"]["message"])["cadence"]

    assert phone.public_key in script
    assert digest == hashlib.sha256(script.encode()).hexdigest()


@pytest.mark.parametrize("extends, seconds", [(False, 200), (True, 300)])
def test_another_device_gets_the_rest_of_the_time_or_all(sandbox, extends, seconds):
    sandbox.seed(hyphen={"settings": {"retryExtends": extends}})
    phone = ask(sandbox, "ines@example.test", "iOS")
    sandbox.advance("100s")
    phone.retry("dev_ines_ipad")

    sandbox.advance(f"{seconds - 1}s")
    assert phone.finish().error == (400, "TwoFactorAuthPending")
    sandbox.advance("1s")
    assert phone.finish().error == (400, "TwoFactorAuthExpired")


def test_a_second_request_replaces_the_first(sandbox, old):
    phone = Phone(sandbox, "new-iphone", "iOS", email=EMAIL)
    first = phone.request_approval()["id"]
    phone.request_approval()

    assert old.approve(first).error == (400, "TwoFactorAuthExpired")
    assert old.approve(phone.request_id).status == 204


def test_the_android_sdk_sends_its_token_once(sandbox, old):
    phone = ask(sandbox)
    assert phone.finish("0b54a8d2-5f0e-4c7a-9a70-3d1f6a3c0001").status == 404  # uses the token up
    assert phone.fetch().error == (401, "InvalidToken")

    phone = ask(sandbox)
    phone.fetch()
    old.approve(phone.request_id)

    assert phone.ephemeral is None
    assert phone.finish().status == 200


def test_profiles_and_short_keys(sandbox):
    phone = Phone(sandbox, "android", email=EMAIL)
    phone.public_key = phone.device["publicKey"] = phone.key.padded[:127]
    phone.sign_up()

    data = phone.challenge()["challengeData"]
    assert phone.respond(data, "ab" * 64).status == 200
    data = phone.challenge()["challengeData"]
    assert phone.respond(data, "0" * 128).error == (401, "InvalidSignature")
    sandbox.seed(hyphen={"settings": {"profile": "strict"}})
    data = phone.challenge()["challengeData"]
    assert phone.respond(data, "ab" * 64).error == (401, "InvalidSignature")


def test_an_approval_with_a_signature_is_lenient(sandbox, old):
    phone = ask(sandbox)
    path = f"/device/v1/2fa/{phone.request_id}/approve"
    sandbox.seed(hyphen={"settings": {"profile": "strict"}})
    refused = old.send("POST", path, {"signature": "ab" * 64})
    sandbox.seed(hyphen={"settings": {"profile": "lenient"}})

    assert (refused.error, refused["field"]) == ((400, "InvalidRequest"), "txId")
    assert old.send("POST", path, {"signature": "ab" * 64}).status == 204


def test_tokens_expire_and_are_bound_to_their_app(sandbox, old):
    sandbox.seed(hyphen={"apps": [{"appId": "other", "appSecret": "other-secret-of-" + sandbox.name}]})
    assert old.send("GET", "/account/v1/me", X_Hyphen_App_Secret="other-secret-of-" + sandbox.name).error == (
        401, "InvalidToken")

    sandbox.advance("3600s")

    assert old.send("GET", "/account/v1/me").error == (401, "TokenExpired")
    fresh = old.call("POST", "/auth/v1/refresh", {"refreshToken": old.credentials["refreshToken"]})
    old.credentials = fresh["credentials"]
    assert old.send("GET", "/account/v1/me").status == 200


def test_a_revoked_key_signs_out(sandbox, old):
    assert old.send("DELETE", f"/key/v1/keys/{old.public_key}").json() == {}

    assert old.send("GET", "/account/v1/me").error == (401, "InvalidToken")
    assert old.challenge().status == 400


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


def test_an_account_on_another_network(sandbox, old):
    phone = Phone(sandbox, "new-phone", email=EMAIL)

    answer = phone.send("POST", "/auth/v1/signin/2fa", {
        "request": phone.identity(chainName="flow-mainnet"), "userKey": phone.user_key})

    assert answer.error == (400, "PleaseDeploy")
    assert "please sign up" not in answer.text


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


def test_errors_name_the_field_and_do_not_repeat_the_value(sandbox, old):
    body = {"request": old.identity(), "userKey": {**old.user_key, "type": "please sign up"}}

    answer = old.send("POST", "/auth/v1/signin/2fa", body)

    assert (answer.error, answer["field"]) == ((400, "InvalidRequest"), "userKey.type")
    assert "please sign up" not in answer.text
    assert "please sign up" in sandbox.journal()[-1]["why"]


def test_an_export_is_a_seed(sandbox, server, old):
    ask(sandbox, "ines@example.test")
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


def test_a_handset_registers_and_approves(sandbox):
    first = sandbox.control("POST", "devices", json={"number": "+12025550101", "provider": "hyphen", "identity": EMAIL})
    second = sandbox.control("POST", "devices", json={"number": "+12025550102", "provider": "hyphen", "identity": EMAIL})
    assert (first.status_code, second.status_code) == (201, 201)
    phone = ask(sandbox, platform="iOS")

    sandbox.control("POST", f"devices/{phone.request_id}/approve")

    phone.keep(phone.finish().json())
    assert len(phone.devices()) == 3
    assert phone.fetch()["twoFactorAuth"]["result"]["txId"] != TX_ID
