"""Conformance checks 31 to 41, 70 and 71 of the Twilio Verify contract: a test for each number. The
server side is the official client; the phone is a client of the mobile SDKs' protocol
(Tests/Tools/twilio_verify_push.py). Then pushes."""

import base64
import json

import pytest
import requests

import twilio_verify_push as push
from twilio_errors import refused
from twilio_phones import IDENTITY, PUSH_TOKEN, ask, clock, enrolled, entity, new_phone, phone, refused_answer  # noqa: F401


@pytest.mark.parametrize("system", ["ios", "android"])
def test_twilio_31_phone_creates_a_factor(new_phone, system):
    phone = new_phone(system, push_token=PUSH_TOKEN, metadata={"os": "1+1 = 2/3"})

    assert phone.factor["sid"].startswith("YF03")
    assert phone.factor["status"] == "unverified"
    assert phone.factor["metadata"] == {"os": "1+1 = 2/3"}
    assert phone.factor["binding"] == {"alg": "ES256", "public_key": phone.key.public}
    assert phone.factor["config"]["notification_token"] == PUSH_TOKEN


@pytest.mark.parametrize("system", ["ios", "android"])
def test_twilio_32_phone_verifies_its_factor(entity, new_phone, system):
    phone = new_phone(system)

    assert phone.verify_factor() == "verified"
    assert entity.factors(phone.factor["sid"]).fetch().status == "verified"


@pytest.mark.parametrize("skew", [3600, -3600])
def test_twilio_33_wrong_clock_is_repaired_with_one_retry(entity, phone, clock, skew):
    challenge = ask(entity, phone)
    clock.now += skew
    phone.statuses.clear()

    phone.challenge(challenge.sid)
    phone.challenge(challenge.sid)

    assert phone.statuses == [401, 200, 200]


def test_twilio_34_phone_reads_what_the_server_wrote(entity, phone):
    challenge = ask(
        entity, phone, "Log in to Acme / São Paulo?", details_fields=[{"label": "a", "value": "b"}],
        hidden_details={"ip": "203.0.113.9"})

    read, fields = phone.challenge(challenge.sid)

    assert read["details"] == {
        "message": "Log in to Acme / São Paulo?", "fields": [{"label": "a", "value": "b"}],
        "date": "2026-01-05T10:20:30Z"}
    assert read["hidden_details"] == {"ip": "203.0.113.9"}
    assert "sid" in fields.split(",") and " " not in fields


@pytest.mark.parametrize("system", ["ios", "android"])
@pytest.mark.parametrize("status", ["approved", "denied"])
def test_twilio_35_phone_answers(entity, enrolled, system, status):
    phone = enrolled(system)
    challenge = ask(
        entity, phone, details_fields=[{"label": "Place", "value": "Lima / Perú"}], hidden_details={"b": "1", "a": "2"})

    phone.respond(challenge.sid, status)

    fetched = entity.challenges(challenge.sid).fetch()
    assert fetched.status == status
    assert fetched.date_responded == fetched.date_created


def test_twilio_36_second_answer_is_refused(entity, phone):
    challenge = ask(entity, phone)
    read, fields = phone.challenge(challenge.sid)
    denial = phone.answer(read, "denied", fields.split(","))
    phone.respond(challenge.sid, "approved")

    with pytest.raises(push.LocalError, match="already updated"):
        phone.respond(challenge.sid, "denied")
    refused_answer(entity, phone, challenge, denial, 403, 60322)


def test_twilio_37_without_the_header_the_phone_cannot_answer(sandbox, entity, phone):
    sandbox.seed(twilio={"settings": {"signatureFields": ""}})
    challenge = ask(entity, phone)

    with pytest.raises(push.LocalError, match="no signature fields"):
        phone.respond(challenge.sid, "approved")


def test_twilio_38_expired_challenge_is_refused(sandbox, entity, phone, clock):
    challenge = ask(entity, phone)
    read, fields = phone.challenge(challenge.sid)
    sandbox.advance("301s")
    clock.now += 301

    assert phone.challenge(challenge.sid)[0]["status"] == "expired"
    with pytest.raises(push.LocalError, match="expired"):
        phone.respond(challenge.sid, "approved")
    refused_answer(entity, phone, challenge, phone.answer(read, "approved", fields.split(",")), 403, 60323)


def test_twilio_39_changed_answer_is_refused(entity, phone):
    challenge = ask(entity, phone)
    read, fields = phone.challenge(challenge.sid)
    header, payload, signature = phone.answer(read, "denied", fields.split(",")).split(".")
    claims = json.loads(push.decode(payload)) | {"status": "approved"}

    changed = ".".join((header, push.encode(json.dumps(claims).encode()), signature))

    refused_answer(entity, phone, challenge, changed, 403, 60324)


@pytest.mark.parametrize("system", ["ios", "android"])
def test_twilio_40_phone_reads_all_pages(entity, enrolled, system):
    phone, other = enrolled(system), enrolled()
    sids = [ask(entity, phone, f"Log in {number}?").sid for number in range(25)]
    ask(entity, other)

    found, token = [], None
    while True:
        page, token = phone.challenges(size=10, token=token)
        found += [challenge["sid"] for challenge in page]
        if token is None:
            break

    assert found == sids
    newest, _ = phone.challenges(size=10, order="desc")
    assert [challenge["sid"] for challenge in newest] == sids[:14:-1]
    phone.respond(sids[3], "approved")
    assert [challenge["sid"] for challenge in phone.challenges(status="approved")[0]] == [sids[3]]


def test_twilio_41_deleting_a_deleted_factor_succeeds(entity, phone):
    challenge = ask(entity, phone)
    read, fields = phone.challenge(challenge.sid)
    answer = phone.answer(read, "approved", fields.split(","))
    assert entity.factors(phone.factor["sid"]).delete()

    assert phone.send_answer(challenge.sid, answer).status == 401
    phone.delete_factor()

    assert phone.factor is None


def test_phone_deletes_its_factor_and_its_challenges_cannot_be_answered(entity, phone):
    challenge = ask(entity, phone)
    sid = phone.factor["sid"]
    read, fields = phone.challenge(challenge.sid)
    payload = phone.answer(read, "approved", fields.split(","))

    phone.delete_factor()

    assert phone.statuses[-1] == 204
    with refused(404, 20404):
        entity.factors(sid).fetch()
    with refused(404, 20404):
        entity.challenges(challenge.sid).update(auth_payload=payload)
    assert entity.challenges(challenge.sid).fetch().status == "pending"


def test_phone_reaches_its_sandbox_by_its_token_alone(sandbox, service, clock, entity):
    """Without a prefix in the URL: the account in the access token, and later in the phone's own, selects the
    sandbox."""
    phone = push.Phone(sandbox.origin, sandbox.credentials["twilio"]["serviceSid"], IDENTITY, clock)

    phone.create_factor(service.access_tokens.create(identity=IDENTITY, factor_type="push").token)

    assert phone.verify_factor() == "verified"
    phone.respond(ask(entity, phone).sid, "approved")
    assert entity.factors(phone.factor["sid"]).fetch().status == "verified"


def test_account_that_an_open_sandbox_lets_in_has_phones(server, clock):
    """The default sandbox knows neither the account nor the Service."""
    account, service, credentials = "AC" + "7" * 32, "VA" + "7" * 32, ("AC" + "7" * 32, "any")
    entity = f"{server.http}/v2/Services/{service}/Entities/user-00000007"
    token = requests.post(f"{server.http}/v2/Services/{service}/AccessTokens", auth=credentials, timeout=20, data={
        "Identity": "user-00000007", "FactorType": "push"}).json()["token"]
    phone = push.Phone(server.http, service, "user-00000007", clock)

    phone.create_factor(token)

    assert phone.factor["account_sid"] == account
    assert phone.verify_factor() == "verified"
    challenge = requests.post(f"{entity}/Challenges", auth=credentials, timeout=20, data={
        "FactorSid": phone.factor["sid"], "Details.Message": "Log in?"}).json()
    phone.respond(challenge["sid"], "approved")
    assert requests.delete(entity, auth=credentials, timeout=20).status_code == 204


def test_phone_reads_its_service(service, phone):
    resource = phone.service_resource()

    assert resource["sid"] == service.fetch().sid
    assert resource["account_sid"] == phone.factor["account_sid"]


def test_phone_changes_its_push_token(sandbox, entity, enrolled):
    phone = enrolled("android", push_token=PUSH_TOKEN)

    assert phone.update_token("sbx-new")["config"]["notification_token"] == "sbx-new"
    ask(entity, phone)

    assert [entry["to"] for entry in sandbox.entries("pushes")] == ["sbx-new"]
    assert phone.update_token(None)["config"] == {
        "credential_sid": phone.factor["config"]["credential_sid"], "sdk_version": "0.9.0", "app_id": "com.example.app",
        "notification_platform": "none", "notification_token": None}


# Pushes


def test_challenge_is_pushed_and_its_notification_sends_the_push_again(sandbox, entity, enrolled):
    phone = enrolled(push_token=PUSH_TOKEN)
    challenge = ask(entity, phone)

    notification = entity.challenges(challenge.sid).notifications.create(ttl=60)

    assert notification.sid.startswith("NT") and (notification.priority, notification.ttl) == ("high", 60)
    assert [(entry["to"], entry["reference"]) for entry in sandbox.entries("pushes")] == [(PUSH_TOKEN, challenge.sid)] * 2
    phone.respond(challenge.sid, "denied")
    assert sandbox.entries("pushes")[0]["state"] == "denied"


def test_phone_without_pushes_gets_none(sandbox, entity, phone):
    challenge = ask(entity, phone)

    assert sandbox.entries("pushes") == []
    assert [item["sid"] for item in phone.challenges(status="pending")[0]] == [challenge.sid]
    with refused(400, 60307):
        entity.challenges(challenge.sid).notifications.create()


def test_phone_that_is_known_already_keeps_its_number(sandbox, entity, enrolled):
    device = sandbox.control("POST", "devices", json={
        "provider": "twilio", "number": "+12025550101", "app": "com.example.app", "pushToken": "sbx-push-1"}).json()
    phone = enrolled("android", push_token="sbx-push-1")

    ask(entity, phone)

    (entry,) = sandbox.entries("pushes")
    assert (entry["number"], entry["device"]) == ("+12025550101", device["id"])


def pushed_to(sandbox, entity, phone):
    """The tokens that get pushes of a new challenge of a phone's factor."""
    sid = ask(entity, phone).sid
    return [entry["to"] for entry in sandbox.entries("pushes") if entry["reference"] == sid]


@pytest.mark.parametrize("system", ["ios", "android"])
def test_twilio_70_token_outlives_the_factor_that_named_it_first(sandbox, entity, enrolled, system):
    first, second = enrolled(system, push_token=PUSH_TOKEN), enrolled(system, push_token=PUSH_TOKEN)

    first.delete_factor()

    assert pushed_to(sandbox, entity, second) == [PUSH_TOKEN]
    second.delete_factor()
    third = enrolled(system, push_token=PUSH_TOKEN)
    assert pushed_to(sandbox, entity, third) == [PUSH_TOKEN]


def test_twilio_70_token_outlives_an_app_that_gives_it_up(sandbox, entity, enrolled):
    first, second = enrolled("android", push_token=PUSH_TOKEN), enrolled("android", push_token=PUSH_TOKEN)

    first.update_token(None)

    assert pushed_to(sandbox, entity, first) == []
    assert pushed_to(sandbox, entity, second) == [PUSH_TOKEN]


@pytest.mark.parametrize("system", ["ios", "android"])
def test_twilio_71_moved_factor_keeps_its_pushes_when_another_takes_its_old_token(sandbox, entity, enrolled, system):
    first = enrolled(system, push_token=PUSH_TOKEN)
    first.update_token("sbx-moved")
    second = enrolled(system, push_token=PUSH_TOKEN)

    assert pushed_to(sandbox, entity, first) == ["sbx-moved"]
    assert pushed_to(sandbox, entity, second) == [PUSH_TOKEN]
    assert len({entry["device"] for entry in sandbox.entries("pushes")}) == 2


@pytest.mark.parametrize("system", ["ios", "android"])
def test_twilio_71_factor_that_stays_keeps_the_token_that_another_leaves(sandbox, entity, enrolled, system):
    first, second = enrolled(system, push_token=PUSH_TOKEN), enrolled(system, push_token=PUSH_TOKEN)

    first.update_token("sbx-moved")

    assert pushed_to(sandbox, entity, first) == ["sbx-moved"]
    assert pushed_to(sandbox, entity, second) == [PUSH_TOKEN]
    first.delete_factor()
    assert pushed_to(sandbox, entity, second) == [PUSH_TOKEN]


def test_strict_push_tokens_need_32_characters(sandbox, enrolled, new_phone):
    assert enrolled(push_token="short").factor["config"]["notification_token"] == "short"
    sandbox.seed(twilio={"settings": {"strictPushTokenLength": True}})

    with pytest.raises(push.Refused) as error:
        new_phone(push_token="short")

    assert (error.value.status, error.value.code) == (400, 60300)


def test_vectors_of_section_19_2():
    """The signatures in the contract, checked with this client's code; Tests/CryptoTests checks them with the
    server's."""
    public = ("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWW5aEv82MvoOPVvr59t7s1s8JL8gSaGzJ1QpOO06kbpw+hNLZT7OUeBqNxHqwaDmIUp93jDq"
              "569DOmWJevkT/Q==")
    signature = "MEQCIHuPc6cN3P54fergBQ/wWTwk5kUVsbPtTzILlnPJf+LiAiBSfAOY98udL0Ua+GfqA7+h6RDu2+5AqIp1+FUr7cB0Jw=="
    answer = ("eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJzaWQiOiJZQzAzYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiIiwiZmFjdG9yX3NpZCI6"
              "IllGMDMwMTIzNDU2Nzg5YWJjZGVmMDEyMzQ1Njc4OWFiY2QiLCJzdGF0dXMiOiJhcHByb3ZlZCJ9.t8UJiDrBhEog1-taWOkpt8R1yvSiwGcll5P1"
              "WyA6qFQhMI75CDlTjm5H_yAggcVUPS3PNJTl5mZmuXfpO8Fcuw")
    signed, _, raw = answer.rpartition(".")

    assert push.accepts(public, base64.b64decode(signature), b"YF030123456789abcdef0123456789abcd")
    assert push.accepts(public, push.decode(raw), signed.encode())
    assert not push.accepts(public, push.decode(raw), signed.encode() + b"x")
