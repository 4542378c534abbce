"""Conformance checks P1 to P12 and S1 to S3 of the Telesign contract, section 17.2: one test for each number.
Then the rest of sections 5.4, 5.5 and 6, from the mobile SDK's side."""

import json
import re

import pytest
import requests

import receiver
from ringfence import different
from telesign_clients import NUMBER, OTHER_KEY, code_of
from telesign_flows import APP, TOKEN, complete, decide, initiate, login, methods, register, registered, walk


# 17.2

@pytest.mark.parametrize("flag, value", [("push_registration", True), ("device_registration", "stamp")],
                         ids=["p01", "p02"])
def test_telesign_p01_p02_registration_sends_an_sms_at_once(telesign, flag, value):
    made, _ = register(telesign, flag, value)

    assert made["mobile_app_token"] and made[flag] == value
    assert [message["channel"] for message in telesign.inbox()] == ["sms"]
    process = telesign.process(made["reference_id"])
    assert (process["state"], methods(process)) == ("ONGOING", [("push", "SKIPPED"), ("sms", "ONGOING")])


def test_telesign_p03_handset_registers(telesign):
    made, body = register(telesign)
    token = made["mobile_app_token"]

    answer = telesign.handset("POST", "registrations", token, json=body)

    assert answer.status_code == 201
    assert re.fullmatch(r"[0-9a-fA-F-]{36}", answer.json()["device_id"])
    assert answer.json()["registered"] is True
    assert answer.json()["status"] == {"code": 3900, "description": "Verified"}
    assert telesign.process(made["reference_id"])["state"] == "VERIFIED"
    found = telesign.handset("GET", "registrations", token, params={"phone_number": NUMBER, "app_id": APP})
    assert (found.status_code, found.json()["registered"]) == (200, True)
    again = telesign.handset("POST", "registrations", token, json=body)
    assert (again.status_code, again.json()) == (200, answer.json())


def test_telesign_p04_handset_registers_with_a_wrong_code(telesign):
    made, body = register(telesign)
    token = made["mobile_app_token"]
    wrong = {**body, "otp_code": different(body["otp_code"])}

    verdicts = [telesign.handset("POST", "registrations", token, json=wrong) for _ in range(2)]
    found = telesign.handset("GET", "registrations", token, params={"phone_number": NUMBER, "app_id": APP})

    assert [(answer.status_code, answer.json()["status"]["code"]) for answer in verdicts] == [(200, 3909)] * 2
    assert found.json()["registered"] is False
    assert telesign.verdict(made["reference_id"], wrong["otp_code"]) == 3904  # two attempts were counted


def test_telesign_p05_handset_registers_too_late(telesign):
    made, body = register(telesign)
    telesign.advance("301s")

    answer = telesign.handset("POST", "registrations", made["mobile_app_token"], json=body)

    assert (answer.status_code, answer.json()) == (
        401, {"status": {"code": 3400, "description": "Not authorized"}})


def test_telesign_p06_login_by_push(telesign):
    registered(telesign)

    made = login(telesign, external_id="login-7781")

    assert (made["state"], made["external_id"]) == ("CREATED", "login-7781")
    assert made["mobile_app_token"]
    assert [entry["fallback_time"] for entry in made["verification_policy"]] == [60, 240]
    assert [message["channel"] for message in telesign.inbox()] == ["push"]
    pushes = telesign.sandbox.control("GET", "pushes").text
    assert made["reference_id"] in pushes and TOKEN in pushes


def test_telesign_p07_approve(telesign):
    device = registered(telesign)
    made = login(telesign)

    answer = decide(telesign, made, "approve", device)

    assert (answer.status_code, answer.json()["status"]["code"], answer.json()["state"]) == (200, 3900, "VERIFIED")
    process = telesign.process(made["reference_id"])
    assert (process["state"], methods(process)) == ("VERIFIED", [("push", "VERIFIED"), ("sms", "SKIPPED")])


def test_telesign_p08_deny(telesign):
    device = registered(telesign)
    made = login(telesign)

    answer = decide(telesign, made, "deny", device)
    telesign.advance("61s")

    assert (answer.status_code, answer.json()["status"]["code"], answer.json()["state"]) == (200, 3904, "REJECTED")
    process = telesign.process(made["reference_id"])
    assert (process["state"], methods(process)[0]) == ("REJECTED", ("push", "REJECTED"))
    assert [message for message in telesign.inbox() if message["channel"] == "sms"] == []


def test_telesign_p08_deny_with_fallback_is_a_setting(telesign):
    telesign.switch(verify__push_deny_fallback=True)
    device = registered(telesign)
    made = login(telesign)
    decide(telesign, made, "deny", device)

    assert telesign.process(made["reference_id"])["state"] == "ONGOING"
    assert telesign.verdict(made["reference_id"], telesign.code()) == 3900


def test_telesign_x04_registration_and_decision_with_the_token_alone(server, telesign):
    def send(path, token, body):
        return requests.post(
            f"{server.http}/handset/telesign/v1/{path}", json=body, timeout=20,
            headers={"Authorization": f"Bearer {token}"})

    made, body = register(telesign)
    answer = send("registrations", made["mobile_app_token"], body)
    assert (answer.status_code, answer.json()["registered"]) == (201, True), answer.text

    pushed = login(telesign)
    decision = {"decision": "approve", "device_id": answer.json()["device_id"]}
    answer = send(f"verifications/{pushed['reference_id']}/decision", pushed["mobile_app_token"], decision)
    assert answer.status_code == 200, answer.text
    assert telesign.process(pushed["reference_id"])["state"] == "VERIFIED"


def test_telesign_p09_no_decision(telesign):
    registered(telesign)
    made = login(telesign)
    telesign.advance("61s")

    process = telesign.process(made["reference_id"])
    assert (process["state"], methods(process)) == ("ONGOING", [("push", "FAILED"), ("sms", "ONGOING")])
    assert telesign.verdict(made["reference_id"], telesign.code()) == 3900


def test_telesign_p10_finalize_while_push_is_active(telesign):
    registered(telesign)
    made = login(telesign)

    answer = telesign.finalize(made["reference_id"], "123456")

    assert (answer.status_code, code_of(answer)) == (400, 3931)


def test_telesign_p11_no_device(telesign):
    made = login(telesign)

    process = telesign.process(made["reference_id"])
    assert methods(process) == [("push", "FAILED"), ("sms", "ONGOING")]
    assert [message["channel"] for message in telesign.inbox()] == ["sms"]
    assert telesign.verdict(made["reference_id"], telesign.code()) == 3900


def test_telesign_p12_push_receipts(telesign):
    registered(telesign)
    with receiver.Receiver() as hook:
        telesign.switch(account__callback_url=hook.url)
        made = login(telesign)
        path = f"verifications/{made['reference_id']}/push-status"
        codes = []
        for status in ("delivered", "read"):
            answer = telesign.handset("POST", path, made["mobile_app_token"], json={"push_status": status})
            assert answer.status_code == 200, answer.text
            codes.append(telesign.process(made["reference_id"])["inner_methods"][0]["err_code"])
            _, _, body = hook.next()
            assert json.loads(body)["inner_methods"][0]["err_code"] == codes[-1]

    assert codes == [3000, 3005]


def test_telesign_s01_silent(telesign):
    begun = initiate(telesign, external_id="mine")

    answer = complete(telesign, begun, walk(telesign, begun))

    assert begun["status"]["code"] == 4501 and begun["external_id"] == "mine"
    assert (answer.status_code, code_of(answer)) == (200, 4501)
    flat = {name: begun[name] for name in (
        "verification_url", "method", "expected_response_code", "post_body", "query_string_params")}
    assert begun["verification"] == flat and flat["method"] == "GET"


def test_telesign_s02_silent_mismatch(telesign):
    begun = initiate(telesign, "15558670450")

    answer = complete(telesign, begun, walk(telesign, begun))

    assert (answer.status_code, code_of(answer)) == (200, 4502)
    assert answer.json["status"]["description"] == "The phone number does not match"


def test_telesign_s03_silent_without_verification(telesign):
    begun = initiate(telesign)

    answer = telesign.rc.post("/silent/finalize", json_fields={"initiate_reference_id": begun["reference_id"]})

    assert (answer.status_code, code_of(answer)) == (400, 40004)


# 5.4, rules without a numbered check

def test_telesign_handset_token(telesign):
    """A token is valid for one process only, and required."""
    device = registered(telesign)
    first, second = login(telesign), login(telesign)

    for token in (None, "nobody", second["mobile_app_token"]):
        answer = telesign.handset("POST", f"verifications/{first['reference_id']}/decision", token,
                                  json={"decision": "approve", "device_id": device})
        assert answer.status_code in (401, 403), answer.text
        assert answer.json()["status"]["code"] == 3400
    assert telesign.process(first["reference_id"])["state"] == "CREATED"


def test_telesign_handset_decides_once(telesign):
    device = registered(telesign)
    made = login(telesign)
    decide(telesign, made, "approve", device)

    again = decide(telesign, made, "deny", device)

    assert (again.status_code, again.json()["status"]["code"]) == (400, 3931)
    assert telesign.process(made["reference_id"])["state"] == "VERIFIED"


def test_telesign_handset_decides_too_late(telesign):
    device = registered(telesign)
    made = login(telesign)
    telesign.advance("61s")

    answer = decide(telesign, made, "approve", device)

    assert (answer.status_code, answer.json()["status"]["code"]) == (400, 3908)


def test_telesign_handset_that_is_not_registered_decides_nothing(telesign):
    registered(telesign)
    made = login(telesign)

    answer = decide(telesign, made, "approve", "00000000-0000-4000-8000-000000000000")

    assert answer.status_code == 404, answer.text
    assert telesign.process(made["reference_id"])["state"] == "CREATED"


@pytest.mark.parametrize("changed, code", [
    ({"phone_number": "15558675310"}, 3101), ({"app_id": ""}, 3110), ({"app_id": "x" * 256}, 3110),
    ({"otp_code": None}, 3110), ({"phone_number": None}, 3110)])
def test_telesign_handset_registers_wrongly(telesign, changed, code):
    made, body = register(telesign)

    answer = telesign.handset("POST", "registrations", made["mobile_app_token"], json={**body, **changed})

    assert (answer.status_code, answer.json()["status"]["code"]) == (400, code), answer.text
    assert telesign.process(made["reference_id"])["state"] == "ONGOING"


def test_telesign_handset_registers_in_another_process(telesign):
    registered(telesign)
    made = login(telesign)

    answer = telesign.handset("POST", "registrations", made["mobile_app_token"], json={
        "phone_number": NUMBER, "app_id": APP, "otp_code": "123456", "push_app_token": TOKEN, "platform": "android"})

    assert (answer.status_code, answer.json()["status"]["code"]) == (400, 3931)


def test_telesign_handset_back_end_finalizes_and_no_device_is_registered(telesign):
    made, body = register(telesign)

    assert telesign.verdict(made["reference_id"], body["otp_code"]) == 3900
    found = telesign.handset(
        "GET", "registrations", made["mobile_app_token"], params={"phone_number": NUMBER, "app_id": APP})
    assert found.json()["registered"] is False


def test_telesign_handset_registering_again_replaces_the_device(telesign):
    first, second = registered(telesign), registered(telesign)
    made = login(telesign)

    assert first != second
    assert decide(telesign, made, "approve", first).status_code == 404
    assert decide(telesign, made, "approve", second).status_code == 200


@pytest.mark.parametrize("method", ["stamp", "qr"])
def test_telesign_qr_is_a_push_without_its_message(telesign, method):
    device = registered(telesign)
    answer = telesign.generic(recipient={"phone_number": NUMBER},
                              verification_policy=[{"method": method}, {"method": "sms"}])
    assert answer.status_code == 200, answer.body
    made = answer.json

    assert made["state"] == "CREATED" and made["mobile_app_token"]
    assert made["reference_id"] not in telesign.sandbox.control("GET", "pushes").text
    assert decide(telesign, made, "approve", device).status_code == 200
    assert telesign.process(made["reference_id"])["state"] == "VERIFIED"


# 15.1

@pytest.mark.parametrize("ending, state", [("0700", "VERIFIED"), ("0701", "REJECTED"), ("0702", "ONGOING")])
def test_telesign_scenario_push(telesign, ending, state):
    number = f"1555867{ending}"
    registered(telesign, number)
    made = login(telesign, number)
    telesign.advance("61s")

    assert telesign.process(made["reference_id"])["state"] == state


# 6

def test_telesign_silent_wrong_token(telesign):
    begun, other = initiate(telesign), initiate(telesign)
    walk(telesign, begun)

    assert code_of(complete(telesign, begun, "guessed")) == 4502
    third = initiate(telesign)
    assert code_of(complete(telesign, third, walk(telesign, other))) == 4502


def test_telesign_silent_refusals(telesign):
    number = telesign.rc.post("/silent/initiate", json_fields={"phone_number": "abc"})
    missing = telesign.rc.post("/silent/initiate", json_fields={"external_id": "x"})
    unknown = telesign.rc.post("/silent/finalize", json_fields={
        "initiate_reference_id": "0b6f6a0e-6d0e-4d0b-9a0e-3f2a6c1d9e77", "verification": "x"})
    wrong_key = telesign.other(key=OTHER_KEY).rc.post("/silent/initiate", json_fields={"phone_number": NUMBER})

    assert (number.status_code, code_of(number)) == (400, 11000)
    assert missing.status_code == 400 and code_of(missing) == 10004
    assert (unknown.status_code, code_of(unknown)) == (404, 10011)
    assert (wrong_key.status_code, code_of(wrong_key)) == (401, 40002)


@pytest.mark.parametrize("result, state, inner", [
    ("match", "VERIFIED", [("silent", "VERIFIED"), ("sms", "SKIPPED")]),
    ("mismatch", "ONGOING", [("silent", "FAILED"), ("sms", "ONGOING")]),
    ("unreachable", "ONGOING", [("silent", "FAILED"), ("sms", "ONGOING")])])
def test_telesign_silent_within_a_process(telesign, result, state, inner):
    answer = telesign.create(verification_policy=[{"method": "silent"}, {"method": "sms"}])
    made = answer.json
    assert (made["state"], telesign.inbox()) == ("CREATED", [])

    told = telesign.handset(
        "POST", f"verifications/{made['reference_id']}/silent", made["mobile_app_token"], json={"result": result})

    assert told.status_code == 200, told.text
    process = telesign.process(made["reference_id"])
    assert (process["state"], methods(process)) == (state, inner)


def test_telesign_silent_that_fails_goes_on_by_sms(telesign):
    made = telesign.create(verification_policy=[{"method": "silent"}, {"method": "sms"}]).json

    telesign.handset("POST", f"verifications/{made['reference_id']}/silent", made["mobile_app_token"],
                     json={"result": "mismatch"})

    assert telesign.verdict(made["reference_id"], telesign.code()) == 3900
