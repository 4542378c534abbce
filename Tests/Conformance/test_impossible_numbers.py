"""Numbers that cannot exist, at the providers other than Twilio: each has its documented error."""

import pytest
from prelude_python_sdk import BadRequestError

from telesign_clients import code_of, error_of

TOO_SHORT, NO_CODE, NO_PREFIX = "+1202555", "+999123456789", "+11234567890"


@pytest.mark.parametrize("number", [TOO_SHORT, NO_CODE, "+330612345678"])
def test_prelude_refuses_a_number_with_a_wrong_length_or_country_code(prelude, sandbox, number):
    for call in (
        lambda: prelude.verification.create(target={"type": "phone_number", "value": number}),
        lambda: prelude.lookup.lookup(number),
    ):
        with pytest.raises(BadRequestError) as refused:
            call()
        assert refused.value.body["code"] == "invalid_phone_number"
        assert "cannot exist" in sandbox.control("GET", "journal/latest").json()["why"]


def test_prelude_blocks_a_number_that_is_not_allocated(prelude, sandbox):
    """`prelude.md` 11.3."""
    answer = prelude.verification.create(target={"type": "phone_number", "value": "+12001234567"})

    assert (answer.status, answer.reason) == ("blocked", "invalid_phone_number")
    assert sandbox.control("GET", "messages").json()["messages"] == []


def test_prelude_accepts_any_number_as_a_test_number(prelude):
    prelude.verification_management.sandbox.add_phone_number(phone_number=NO_CODE, attempt_code="424242")
    target = {"type": "phone_number", "value": NO_CODE}

    assert prelude.verification.create(target=target).status == "success"
    assert prelude.verification.check(target=target, code="424242").status == "success"


@pytest.mark.parametrize("number", [TOO_SHORT, NO_CODE])
def test_telesign_refuses_to_send_to_an_impossible_number(telesign, number):
    digits = number[1:]
    created, sent, texted = telesign.create(digits), telesign.mc.message(digits, "hi", "ARN"), telesign.vc.sms(digits)

    assert (created.status_code, code_of(created)) == (400, 3101)
    assert (sent.status_code, code_of(sent)) == (400, 11000)
    assert (texted.status_code, error_of(texted)) == (400, -10001)
    assert telesign.inbox(digits) == []


def test_telesign_looks_up_an_impossible_number(telesign):
    """`telesign.md` 10.2: no error, but status 300 and phone type 8."""
    answer = telesign.pc.phoneid(NO_CODE[1:])

    assert (answer.status_code, code_of(answer), answer.json["phone_type"]["code"]) == (200, 300, "8")


def test_telesign_accepts_the_number_of_official_tests(telesign):
    assert telesign.create(NO_PREFIX[1:]).status_code == 200


def test_prove_refuses_an_impossible_number(go, sandbox):
    """A sandbox that accepts only test users answers 8007, as for every other number."""
    def unify(number):
        answer = go.unify(possessionType="mobile", clientRequestId="r", phoneNumber=number)
        return answer.status, answer.json().get("code")

    assert unify("+9991234567") == (400, 8007)
    sandbox.control("POST", "seed", json={"prove": {"settings": {"unknownNumbers": "accept"}}})

    assert [unify(number) for number in ("+9991234567", "1202555", "2001239999")] == [(400, 8001)] * 3
    assert "cannot exist" in sandbox.control("GET", "journal/latest").json()["why"]
    assert unify("2001004014") == unify("2025550100") == (200, None)
