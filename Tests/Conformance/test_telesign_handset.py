"""Silent Verify with the official client, and check X4 of the Telesign contract, "Additions": the token of an
app names its sandbox. Other rules are in Sources/Providers/Telesign/Checks."""

import requests

from telesign_clients import NUMBER, OTHER_KEY, code_of
from telesign_flows import complete, initiate, login, register, walk


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


def test_telesign_s01_silent(telesign):
    begun = initiate(telesign, external_id="mine")

    answer = complete(telesign, begun, walk(telesign, begun))

    assert begun["status"]["code"] == 4501 and begun["external_id"] == "mine"
    assert (answer.status_code, code_of(answer)) == (200, 4501)
    flat = {name: begun[name] for name in (
        "verification_url", "method", "expected_response_code", "post_body", "query_string_params")}
    assert begun["verification"] == flat and flat["method"] == "GET"


def test_telesign_s03_silent_without_verification(telesign):
    begun = initiate(telesign)

    answer = telesign.rc.post("/silent/finalize", json_fields={"initiate_reference_id": begun["reference_id"]})

    assert (answer.status_code, code_of(answer)) == (400, 40004)


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
