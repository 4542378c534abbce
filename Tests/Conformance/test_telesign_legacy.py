"""Conformance checks L1 to L15 of the Telesign contract, section 17.3: one test for each number. Then the
rest of section 7.

Uses the official clients. Their responses are checked against the provider's Swagger files
(telesign_schemas.py).
"""

import re

import pytest

from ringfence import different
from telesign_clients import NUMBER, REFERENCE, UNKNOWN, code_of, error_of
from telesign_signing import FORM


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


def test_telesign_l02_own_code_and_template(telesign):
    reference = send(telesign, verify_code="01234", template="Code $$CODE$$ é")

    assert telesign.text() == "Code 01234 é"
    checked = telesign.vc.status(reference, verify_code="01234")
    assert (state(checked), checked.json["verify"]["code_entered"]) == ("VALID", "01234")
    assert state(telesign.vc.status(reference, verify_code="1234")) == "INVALID"


def test_telesign_l03_status_counts_no_attempt(telesign):
    reference = send(telesign)

    answers = [telesign.vc.status(reference) for _ in range(5)]

    for answer in answers:
        assert code_of(answer) in (290, 203, 200)
        assert answer.json["verify"] == {"code_state": "UNKNOWN", "code_entered": ""}
        assert (answer.json["sub_resource"], answer.json["reference_id"]) == ("sms", reference)
    assert state(telesign.vc.status(reference, verify_code=telesign.code())) == "VALID"


def test_telesign_l04_wrong_code(telesign):
    reference = send(telesign)
    before = code_of(telesign.vc.status(reference))

    answer = telesign.vc.status(reference, verify_code=different(telesign.code()))

    assert state(answer) == "INVALID"
    assert (code_of(answer), answer.json["errors"]) == (before, [])


def test_telesign_l05_three_wrong_codes(telesign):
    reference, code = send(telesign), telesign.code()

    states = [state(telesign.vc.status(reference, verify_code=different(code))) for _ in range(3)]

    assert states == ["INVALID"] * 3
    assert state(telesign.vc.status(reference, verify_code=code)) == "MAX_ATTEMPTS_EXCEEDED"


def test_telesign_l06_code_too_old(telesign):
    reference, code = send(telesign), telesign.code()
    telesign.advance("301s")

    assert state(telesign.vc.status(reference, verify_code=code)) == "EXPIRED"


def test_telesign_l07_unknown_reference(telesign):
    answer = telesign.vc.status(UNKNOWN)

    assert (answer.status_code, code_of(answer), error_of(answer)) == (404, 599, -10001)
    assert answer.json["status"]["description"] == "Status not available"
    assert answer.json["errors"][0]["description"] == "CustomerID/ReferenceID not found"


@pytest.mark.parametrize("hours", [24, 2])
def test_telesign_l08_reference_too_old(telesign, hours):
    telesign.switch(auth__date_tolerance_s=0, reference__retention_h=hours)
    reference = send(telesign)
    telesign.advance(f"{hours * 60 - 1}m")
    assert telesign.vc.status(reference).status_code == 200
    telesign.advance("2m")

    answer = telesign.vc.status(reference)

    assert (answer.status_code, code_of(answer), error_of(answer)) == (404, 599, -10004)


def test_telesign_l09_malformed_reference(telesign):
    answer = telesign.vc.status("xyz")

    assert (answer.status_code, code_of(answer), error_of(answer)) == (400, 500, -10001)
    assert answer.json["errors"][0]["description"] == "Invalid Request: ReferenceID Parameter: xyz"


@pytest.mark.parametrize("number", ["abc", "123456", "1234567890123456", "1 555 867 5309", "1-555-867-5309"])
def test_telesign_l10_invalid_number(telesign, number):
    answer = telesign.vc.sms(number)

    assert (answer.status_code, code_of(answer), error_of(answer)) == (400, 500, -10001)
    assert answer.json["errors"][0]["description"] == f"Invalid Request: PhoneNumber Parameter: {number}"


@pytest.mark.parametrize("field", [{"transaction_amount": "5"}, {"transaction_payee": "Acme"}])
def test_telesign_l11_amount_and_payee_come_together(telesign, field):
    answer = telesign.vc.sms(NUMBER, **field)

    assert answer.status_code == 400 and error_of(answer) == -10001, answer.body
    assert telesign.inbox() == []


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


# 7.1 to 7.5, rules without a numbered check

def test_telesign_legacy_delivery_moves_on(telesign):
    """290, then 203, then 200, which is final (7.4)."""
    reference = send(telesign)
    seen = [code_of(telesign.vc.status(reference))]
    for _ in range(100):
        telesign.advance("100ms")
        code = code_of(telesign.vc.status(reference))
        if code != seen[-1]:
            seen.append(code)

    assert seen == [290, 203, 200]


@pytest.mark.parametrize("ending, final", [
    ("0207", 207), ("0221", 221), ("0230", 230), ("0250", 250), ("0290", 290)])
def test_telesign_legacy_scenarios_of_delivery(telesign, ending, final):
    """15.1: some fail at once, others later. The first response may already report a blocked message."""
    answer = telesign.vc.sms(f"1555867{ending}")
    assert answer.status_code == 200 and code_of(answer) in (290, final), answer.body
    telesign.advance("120s")

    assert code_of(telesign.vc.status(answer.json["reference_id"])) == final


@pytest.mark.parametrize("ending, status, code, error", [
    ("0429", 429, 500, -40007), ("0503", 503, 500, -90001), ("0033", 401, 500, -10033)])
def test_telesign_legacy_scenarios_that_reject_the_request(telesign, ending, status, code, error):
    answer = telesign.vc.sms(f"1555867{ending}")

    assert (answer.status_code, code_of(answer), error_of(answer)) == (status, code, error)
    assert telesign.inbox(f"1555867{ending}") == []


@pytest.mark.parametrize("resource", ["/v1/verify/sms", "/v1/verify/call", "/v1/verify/smart"])
def test_telesign_legacy_missing_parameter(telesign, resource):
    answer = telesign.rc.post(resource, ucid="BACF", language="en-US")

    assert (answer.status_code, code_of(answer), error_of(answer)) == (400, 500, -10001)
    assert answer.json["errors"][0]["description"] == (
        "Invalid Request: Missing parameter Parameter: phone_number")


def test_telesign_legacy_smart_needs_a_ucid(telesign):
    answer = telesign.rc.post("/v1/verify/smart", phone_number=NUMBER)

    assert (answer.status_code, error_of(answer)) == (400, -10001)
    assert "ucid" in answer.json["errors"][0]["description"]


@pytest.mark.parametrize("preference, resource", [("call", "voice"), ("sms", "sms")])
def test_telesign_legacy_smart_has_a_preference(telesign, preference, resource):
    answer = telesign.vc.smart(NUMBER, "BACF", preference=preference, verify_code="4242",
                               sms_message="SMS $$CODE$$", tts_message="Call $$CODE$$")

    assert answer.json["sub_resource"] == resource
    assert telesign.code() == "4242"


@pytest.mark.parametrize("fields", [
    {"verify_code": "12"}, {"verify_code": "12345678"}, {"verify_code": "12a4"}, {"ucid": "NOPE"},
    {"template": "x" * 1601}, {"sender_id": "x" * 21}, {"originating_ip": "nowhere"}])
def test_telesign_legacy_broken_sms(telesign, fields):
    answer = telesign.vc.sms(NUMBER, **fields)

    assert (answer.status_code, code_of(answer)) == (400, 500), answer.body
    assert error_of(answer) == -10001
    assert telesign.inbox() == []


@pytest.mark.parametrize("code", ["123", "12345"])
def test_telesign_legacy_own_code_of_a_call(telesign, code):
    answer = telesign.vc.voice(NUMBER, verify_code=code, tts_message="Your code, $$CODE$$.")

    assert answer.status_code == 200, answer.body
    assert telesign.code() == code


@pytest.mark.parametrize("code", ["12", "123456"])
def test_telesign_legacy_own_code_of_a_call_with_a_wrong_length(telesign, code):
    answer = telesign.vc.voice(NUMBER, verify_code=code, tts_message="Your code, $$CODE$$.")

    assert (answer.status_code, error_of(answer)) == (400, -10001), answer.body


def test_telesign_legacy_all_parameters_of_an_sms(telesign):
    """A template, an amount with a payee, and parameters that only the network uses."""
    reference = send(
        telesign, ucid="PWRT", verify_code="007", sender_id="Acme", originating_ip="2001:db8::1", language="fr-FR",
        template="$$PAYEE$$ gets $$AMOUNT$$: $$CODE$$", transaction_amount="5 EUR", transaction_payee="Acme",
        is_primary="true", dlt_template_id="1", dlt_entity_id="2", sim_swap_check="false")

    message = telesign.inbox()[-1]
    assert message["text"] == "Acme gets 5 EUR: 007"
    assert state(telesign.vc.status(reference, verify_code="7")) == "INVALID"
    assert state(telesign.vc.status(reference, verify_code="007")) == "VALID"


def test_telesign_legacy_code_settings(telesign):
    telesign.switch(sms_verify__code_length=5, sms_verify__ttl_s=60, sms_verify__attempts=1)
    reference, code = send(telesign), telesign.code()
    assert re.fullmatch(r"\d{5}", code)
    assert state(telesign.vc.status(reference, verify_code=different(code))) == "INVALID"
    assert state(telesign.vc.status(reference, verify_code=code)) == "MAX_ATTEMPTS_EXCEEDED"

    reference, code = send(telesign), telesign.code()
    telesign.advance("61s")
    assert state(telesign.vc.status(reference, verify_code=code)) == "EXPIRED"


def test_telesign_legacy_valid_stays_valid(telesign):
    """The same code stays valid, even after its expiry (7.4)."""
    reference, code = send(telesign), telesign.code()

    states = [state(telesign.vc.status(reference, verify_code=code)) for _ in range(4)]
    telesign.advance("301s")
    states.append(state(telesign.vc.status(reference, verify_code=code)))

    assert states == ["VALID"] * 5
    assert telesign.vc.status(reference).json["verify"]["code_state"] == "VALID"


@pytest.mark.parametrize("method, path", [
    ("DELETE", "/v1/verify/sms"), ("PUT", "/v1/verify/call"), ("POST", f"/v1/verify/completion/{UNKNOWN}")])
def test_telesign_legacy_wrong_verb(telesign, method, path):
    answer = telesign.raw(method, path, {**telesign.basic, "Content-Type": FORM})

    assert (answer.status_code, code_of(answer), error_of(answer)) == (405, 500, -40005)


def test_telesign_legacy_each_sms_has_its_own_code(telesign):
    first, code = send(telesign), telesign.code()
    second = send(telesign, verify_code=different(code))

    assert state(telesign.vc.status(second, verify_code=code)) == "INVALID"
    assert state(telesign.vc.status(first, verify_code=code)) == "VALID"


def test_telesign_legacy_references_belong_to_their_customer(server, telesign_at):
    """Another account cannot read a reference (7.4: CustomerID/ReferenceID)."""
    mine, neighbour = telesign_at(server), telesign_at(server)
    reference = send(mine)

    answer = neighbour.vc.status(reference)

    assert (answer.status_code, error_of(answer)) == (404, -10001)
    assert mine.vc.status(reference).status_code == 200


def test_telesign_legacy_call_of_a_forwarded_line(telesign):
    telesign.sandbox.control("PUT", f"subscribers/+{NUMBER}", json={"forwarding": ["unconditional"]})

    flagged = telesign.vc.voice(NUMBER, call_forward_action="flag")
    blocked = telesign.vc.voice(NUMBER, call_forward_action="block")
    telesign.advance("60s")

    assert flagged.json["call_forwarding"] == {"action": "FLAG", "call_forward": "FORWARDED"}
    assert blocked.json["call_forwarding"] == {"action": "BLOCK", "call_forward": "FORWARDED"}
    assert code_of(telesign.vc.status(blocked.json["reference_id"])) == 130


def test_telesign_legacy_call_is_answered_in_the_end(telesign):
    answer = telesign.vc.voice(NUMBER)
    telesign.advance("120s")

    assert code_of(telesign.vc.status(answer.json["reference_id"])) == 100


# 7.1, 7.2: the optional objects

def test_telesign_verify_features(telesign):
    assert not {"phone_type", "numbering", "risk", "number_deactivation"} & telesign.vc.sms(NUMBER).json.keys()
    telesign.switch(sms_verify__features=["score", "number_deactivation"])

    sent = telesign.vc.sms(NUMBER).json
    called = telesign.vc.voice(NUMBER).json
    unasked = telesign.vc.sms(NUMBER, num_deac_req="false").json

    for answer in (sent, called):
        assert answer["phone_type"] == {"code": "2", "description": "MOBILE"}
        assert answer["numbering"]["original"]["country_code"] == "1"
        assert answer["numbering"]["cleansing"]["sms"]["cleansed_code"] == 100
        assert answer["risk"]["recommendation"] == "allow"
    assert sent["number_deactivation"]["status"]["code"] == 2800
    assert "number_deactivation" not in called and "number_deactivation" not in unasked


# 7.5: the control API shows when it was reported

def test_telesign_completion_is_recorded(telesign):
    reference = send(telesign)
    telesign.advance("7s")
    (before,) = telesign.sandbox.control("GET", "verifications").json()["verifications"]

    assert code_of(telesign.vc.completion(reference)) == 1900

    (after,) = telesign.sandbox.control("GET", "verifications").json()["verifications"]
    assert "completedAt" not in before["details"]
    assert abs(after["details"]["completedAt"] - telesign.moment.timestamp() * 1000) < 20_000
