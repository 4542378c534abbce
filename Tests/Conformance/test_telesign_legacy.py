"""Conformance checks of the Telesign contract, section 17.3, with the official clients; the others are in
Sources/Providers/Telesign/Checks. Their responses are checked against the provider's Swagger files
(telesign_schemas.py).
"""

import re

from telesign_clients import NUMBER, REFERENCE, UNKNOWN, code_of, error_of


def state(answer):
    """The verdict on a code. It changes neither the HTTP status nor the delivery status (7.4)."""
    assert answer.status_code == 200, answer.body
    return answer.json["verify"]["code_state"]


def send(telesign, number=NUMBER, **fields):
    """Sends an SMS and returns its reference id."""
    answer = telesign.vc.sms(number, **fields)
    assert (answer.status_code, code_of(answer)) == (200, 290), answer.body
    return answer.json["reference_id"]


# 17.3

def test_telesign_l01_sms(telesign):
    answer = telesign.vc.sms(NUMBER)

    body = answer.json
    assert (answer.status_code, code_of(answer), body["sub_resource"], body["errors"]) == (200, 290, "sms", [])
    assert body["verify"] == {"code_state": "UNKNOWN", "code_entered": ""}
    assert body["status"]["description"] == "Message in progress"
    assert re.fullmatch(REFERENCE, body["reference_id"])
    assert re.fullmatch(r"\d{7}", telesign.code()) and telesign.code() in telesign.text()
    assert body.get("resource_uri") in (None, f"/v1/verify/{body['reference_id']}")


def test_telesign_l07_unknown_reference(telesign):
    answer = telesign.vc.status(UNKNOWN)

    assert (answer.status_code, code_of(answer), error_of(answer)) == (404, 599, -10001)
    assert answer.json["status"]["description"] == "Status not available"
    assert answer.json["errors"][0]["description"] == "CustomerID/ReferenceID not found"


def test_telesign_l12_completion(telesign):
    reference = send(telesign)

    answer = telesign.vc.completion(reference)

    assert (answer.status_code, code_of(answer)) == (200, 1900)
    assert answer.json["status"]["description"] == "Verify completion successfully recorded"
    assert (answer.json["subresource"], answer.json["sub_resource"]) == ("completion", "completion")
    assert (answer.json["reference_id"], answer.json["errors"]) == (reference, [])


def test_telesign_l13_completion_of_an_unknown_reference(telesign):
    answer = telesign.vc.completion(UNKNOWN)

    assert (answer.status_code, error_of(answer)) == (400, -30013)


def test_telesign_l14_voice(telesign):
    answer = telesign.vc.voice(NUMBER)

    body = answer.json
    assert (answer.status_code, code_of(answer), body["sub_resource"]) == (200, 103, "call")
    assert body["verify"] == {"code_state": "UNKNOWN", "code_entered": ""}
    assert re.fullmatch(r"\d+", body["voice"]["caller_id"])
    assert body["call_forwarding"]["call_forward"] == "NOT_FORWARDED"
    assert telesign.inbox()[-1]["channel"] == "call" and re.fullmatch(r"\d{5}", telesign.code())
    assert state(telesign.vc.status(body["reference_id"], verify_code=telesign.code())) == "VALID"


def test_telesign_l15_smart(telesign):
    answer = telesign.vc.smart(NUMBER, "BACF")

    assert (answer.status_code, answer.json["sub_resource"]) in [(200, "sms"), (200, "voice")]
    assert code_of(answer) == {"sms": 290, "voice": 103}[answer.json["sub_resource"]]
    assert state(telesign.vc.status(answer.json["reference_id"], verify_code=telesign.code())) == "VALID"


def test_telesign_legacy_smart_needs_a_ucid(telesign):
    answer = telesign.rc.post("/v1/verify/smart", phone_number=NUMBER)

    assert (answer.status_code, error_of(answer)) == (400, -10001)
    assert "ucid" in answer.json["errors"][0]["description"]
