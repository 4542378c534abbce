"""Conformance checks V1 to V24 of the Telesign contract, section 17.1: one test for each number. Checks P and
S are in test_telesign_handset.py.

Uses the official clients. Their responses are checked against the schema of the Verify API
(telesign_schemas.py).
"""

import json
import re

import jsonschema
import pytest

from ringfence import different
from telesign_clients import NUMBER, OTHER_KEY, REFERENCE, UNKNOWN, code_of
from telesign_flows import TOKEN, WHATSAPP_FIRST, methods
from telesign_signing import JSON


def test_telesign_v01_create(telesign):
    answer = telesign.ov.createVerificationProcess(NUMBER, {})

    body = answer.json
    assert (answer.status_code, code_of(answer), body["state"]) == (200, 3901, "ONGOING")
    assert body["status"]["description"] == "Request in progress"
    assert re.fullmatch(REFERENCE, body["reference_id"])
    assert body["recipient"] == {"phone_number": NUMBER}
    assert [entry["method"] for entry in body["verification_policy"]] == ["sms"]
    assert type(body["verification_policy"][0]["fallback_time"]) is int
    assert "mobile_app_token" not in body and "errors" not in body


def test_telesign_v02_retrieve_at_once(telesign):
    process = telesign.process(telesign.begin())

    (method,) = process["inner_methods"]
    assert (method["method"], method["state"], method["err_code"]) == ("sms", "ONGOING", 3901)
    assert method["err_msg"] == "Request in progress"
    assert "status" not in process
    assert process["voice_lang"] == "en-US"


def test_telesign_v03_finalize_with_json_in_the_query(telesign):
    reference = telesign.begin()

    answer = telesign.finalize(reference, telesign.code())

    assert (answer.status_code, answer.json) == (200, {"status": {"code": 3900, "description": "Verified"}})
    assert telesign.process(reference)["state"] == "VERIFIED"


def test_telesign_v04_finalize_with_basic(telesign):
    reference = telesign.begin()

    answer = telesign.ov.updateVerificationProcess(
        reference, {"action": "finalize", "security_factor": telesign.code()}, use_basic_auth=True)

    assert (answer.status_code, answer.json()["status"]["code"]) == (200, 3900)


def test_telesign_v05_wrong_code(telesign):
    reference, code = telesign.begin(), telesign.code()

    answer = telesign.finalize(reference, different(code))

    assert (answer.status_code, code_of(answer)) == (200, 3909)
    assert answer.json["status"]["description"] == "Invalid code entered"
    assert telesign.process(reference)["state"] == "ONGOING"
    assert telesign.verdict(reference, code) == 3900


def test_telesign_v06_three_wrong_codes(telesign):
    reference, code = telesign.begin(), telesign.code()

    verdicts = [telesign.verdict(reference, different(code)) for _ in range(3)]
    afterwards = telesign.finalize(reference, code)

    assert verdicts == [3909, 3909, 3904]
    assert code_of(afterwards) == 3904  # the final wrong-code code: it ended by attempts (4.6)
    process = telesign.process(reference)
    assert (process["state"], methods(process)) == ("REJECTED", [("sms", "REJECTED")])


def test_telesign_v07_three_wrong_codes_by_the_openapi_document(telesign):
    telesign.switch(verify__wrong_code="openapi")
    reference, code = telesign.begin(), telesign.code()

    verdicts = [telesign.verdict(reference, different(code)) for _ in range(3)]

    assert verdicts == [3904, 3904, 3909]
    assert telesign.verdict(reference, code) == 3909
    assert telesign.process(reference)["state"] == "REJECTED"


def test_telesign_v08_code_too_old(telesign):
    telesign.switch(verify__code_ttl_s=60)
    reference, code = telesign.begin(), telesign.code()
    telesign.advance("61s")

    answer = telesign.finalize(reference, code)

    assert (answer.status_code, code_of(answer)) == (400, 3935)
    assert telesign.process(reference)["state"] != "VERIFIED"


def test_telesign_v09_process_too_old(telesign):
    reference, code = telesign.begin(), telesign.code()
    telesign.advance("301s")

    answer = telesign.finalize(reference, code)

    assert (answer.status_code, code_of(answer)) == (400, 3908)
    assert telesign.process(reference)["state"] == "FAILED"


def test_telesign_v10_finalize_again(telesign):
    reference, code = telesign.begin(), telesign.code()
    telesign.finalize(reference, code)

    again = telesign.finalize(reference, code)

    assert (again.status_code, code_of(again)) == (400, 3931)
    assert again.json["status"]["description"] == "Invalid workflow"


def test_telesign_v11_own_code(telesign):
    reference = telesign.begin(security_factor="0042")

    assert telesign.code() == "0042"
    assert telesign.verdict(reference, "42") in (3110, 3909)
    assert telesign.verdict(reference, "0042") == 3900


@pytest.mark.parametrize("factor", ["12", "12345678901", "12a4", "", 1234])
def test_telesign_v12_invalid_own_code(telesign, factor):
    answer = telesign.create(security_factor=factor)

    assert answer.status_code == 400, answer.body
    assert telesign.inbox() == []


def test_telesign_v13_recipient_without_data_for_the_policy(telesign):
    no_phone = telesign.generic(recipient={"email": "a@b.co"}, verification_policy=[{"method": "sms"}])
    no_email = telesign.generic(recipient={"phone_number": NUMBER}, verification_policy=[{"method": "email"}])

    assert (no_phone.status_code, code_of(no_phone)) == (400, 3302)
    assert (no_email.status_code, code_of(no_email)) == (400, 3309)


@pytest.mark.parametrize("number", ["abc", "1 555 867 5309", "123456", "1234567890123456"])
def test_telesign_v14_invalid_number(telesign, number):
    answer = telesign.create(number)

    assert (answer.status_code, code_of(answer)) == (400, 3101)


@pytest.mark.parametrize("external_id", ["x" * 101, "é"])
def test_telesign_v15_external_id(telesign, external_id):
    answer = telesign.create(external_id=external_id)

    assert (answer.status_code, code_of(answer)) == (400, 3103)


def test_telesign_v16_body_too_long(telesign):
    answer = telesign.create(padding="x" * 10_300)

    assert (answer.status_code, code_of(answer)) == (413, 3116)
    assert "reference_id" in answer.json
    assert code_of(telesign.create(padding="x" * 9_000)) == 3901


@pytest.mark.parametrize("policy", [
    [{"method": name} for name in ("sms", "whatsapp", "viber", "voice")],
    [{"method": "sms", "fallback_time": 151}, {"method": "voice", "fallback_time": 150}],
    [{"method": "sms", "fallback_time": 29}],
    [{"method": "sms"}, {"method": "silent"}],
    [{"method": "push"}, {"method": "silent"}, {"method": "sms"}],
    [{"method": "silent"}],
    [{"method": "sms"}, {"method": "sms"}],
    [{"method": "pigeon"}],
    [{"fallback_time": 60}],
    [],
    "sms",
], ids=["four", "301_s", "29_s", "silent_second", "push_and_silent", "silent_alone", "twice", "unknown", "no_method",
        "empty", "no_array"])
def test_telesign_v17_broken_policy(telesign, policy):
    answer = telesign.generic(
        recipient={"phone_number": NUMBER, "push_app_token": TOKEN}, verification_policy=policy)

    assert answer.status_code == 400, answer.body
    assert telesign.inbox() == []


@pytest.mark.parametrize("later, verdict", [("240s", 3900), ("300s", 3908)])
def test_telesign_v18_fallback(telesign, later, verdict):
    """The same code is sent over the next channel and is valid for another 300 s, until 361 s after the
    creation."""
    reference = telesign.begin(verification_policy=WHATSAPP_FIRST)
    first = telesign.code()
    telesign.advance("61s")

    process = telesign.process(reference)
    messages = telesign.inbox()
    telesign.advance(later)

    assert methods(process) == [("whatsapp", "FAILED"), ("sms", "ONGOING")]
    assert process["inner_methods"][0]["err_code"] == 3056
    assert [message["channel"] for message in messages] == ["whatsapp", "sms"]
    assert {message["code"] for message in messages} == {first}
    assert telesign.verdict(reference, first) == verdict


def test_telesign_v19_malformed_reference(telesign):
    for reference in ("not-an-id", "F" * 31, "f" * 32, "G" * 32):
        answer = telesign.ov.getVerificationProcess(reference)
        assert answer.status_code == 400, answer.body


def test_telesign_v20_wrong_key(telesign):
    answer = telesign.other(key=OTHER_KEY).create()

    assert (answer.status_code, code_of(answer)) == (401, 3400)
    assert {"reference_id", "status"} <= set(answer.json)


def test_telesign_v21_callback_url_is_not_enabled(telesign):
    answer = telesign.create(callback_url="http://127.0.0.1:9/hook")

    assert (answer.status_code, code_of(answer)) == (401, 3203)
    telesign.switch(verify__callback_allowed=True)
    assert code_of(telesign.create(callback_url="http://127.0.0.1:9/hook")) == 3901


def test_telesign_v22_rate_limit(telesign):
    telesign.switch(rate__verify=10)

    codes = [code_of(telesign.create()) for _ in range(11)]
    last = telesign.answers[-1]
    telesign.advance("1s")

    assert codes == [3901] * 10 + [3204]
    assert last.status_code == 429
    assert code_of(telesign.create()) == 3901


def finalization(code):
    return json.dumps({"action": "finalize", "security_factor": code}, separators=(",", ":"))


def test_telesign_v23_what_csharp_sends(telesign):
    reference = telesign.begin()
    headers = {**telesign.basic, "Content-Type": f"{JSON}; charset=utf-8"}

    answer = telesign.raw("PATCH", f"/verification/{reference}", headers, finalization(telesign.code()))

    assert (answer.status_code, code_of(answer)) == (200, 3900)
    assert telesign.process(reference)["state"] == "VERIFIED"


def test_telesign_v24_charset(telesign):
    reference = telesign.begin()
    headers = {**telesign.basic, "Content-Type": f"{JSON}; charset=utf-8"}

    answer = telesign.raw("PATCH", f"/verification/{reference}/state", headers, finalization(telesign.code()))

    assert (answer.status_code, code_of(answer)) == (200, 3900)


def test_telesign_responses_are_checked_against_the_schemas(telesign_checker):
    """Tests the checker itself: each response breaks one rule."""
    head = {"Content-Type": JSON}
    status = {"code": 3901, "description": "Request in progress"}
    made = {"reference_id": "5E1A0C4F1B2D4C0E9A7B3F6D8C2E1A90", "recipient": {"phone_number": NUMBER},
            "state": "ONGOING", "verification_policy": [{"method": "sms", "fallback_time": 300}], "status": status}

    def check(body, code=200, path="/verification", headers=None):
        telesign_checker.check("POST", f"http://x/s/y/telesign{path}", code, headers or head, json.dumps(body))

    check(made)
    for changed in ({"reference_id": "abc"}, {"status": {**status, "code": "3901"}}, {"errors": []}):
        with pytest.raises(AssertionError):
            check({**made, **changed})
    with pytest.raises(AssertionError):
        check(made, headers={**head, "Retry-After": "1"})
    with pytest.raises(AssertionError):
        check({"status": status, "errors": []}, 400, "/v1/verify/sms")
    with pytest.raises(AssertionError, match="has the text 'Under way'"):
        check({**made, "status": {**status, "description": "Under way"}})
    with pytest.raises(jsonschema.ValidationError):
        check({**made, "stranger": 1})
    with pytest.raises(AssertionError, match="unknown members"):
        check({"reference_id": UNKNOWN, "errors": [], "stranger": 1}, 200, "/v1/verify/sms")
