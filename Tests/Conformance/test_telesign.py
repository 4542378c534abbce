"""Conformance checks of the Telesign contract, section 17.1, with the official clients; the others are in
Sources/Providers/Telesign/Checks. Their responses are checked against the schema of the Verify API
(telesign_schemas.py).
"""

import json
import re

import jsonschema
import pytest

from telesign_clients import NUMBER, OTHER_KEY, UNKNOWN, code_of
from telesign_signing import JSON


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


def test_telesign_v10_finalize_again(telesign):
    reference, code = telesign.begin(), telesign.code()
    telesign.finalize(reference, code)

    again = telesign.finalize(reference, code)

    assert (again.status_code, code_of(again)) == (400, 3931)
    assert again.json["status"]["description"] == "Invalid workflow"


def test_telesign_v19_malformed_reference(telesign):
    for reference in ("not-an-id", "F" * 31, "f" * 32, "G" * 32):
        answer = telesign.ov.getVerificationProcess(reference)
        assert answer.status_code == 400, answer.body


def test_telesign_v20_wrong_key(telesign):
    answer = telesign.other(key=OTHER_KEY).create()

    assert (answer.status_code, code_of(answer)) == (401, 3400)
    assert {"reference_id", "status"} <= set(answer.json)


@pytest.mark.parametrize("length", [3, 10])
def test_telesign_verify_code_length_is_a_setting(telesign, length):
    assert telesign.begin() and re.fullmatch(r"\d{6}", telesign.code())
    telesign.switch(verify__code_length=length)

    assert telesign.begin() and re.fullmatch(r"\d{%d}" % length, telesign.code())


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
