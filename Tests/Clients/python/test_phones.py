"""Phones, and what people do with them."""

import pytest

from ringfence import ControlError

NUMBER = "+12025550101"


def challenge(sandbox, service):
    """What a back end does to sign a person in by a push."""
    entity = service.entities("user-12025550101")
    (factor,) = entity.factors.list()
    return entity.challenges.create(factor_sid=factor.sid, details_message="Sign in?")


def state(service, sid):
    return service.entities("user-12025550101").challenges(sid).fetch().status


@pytest.mark.parametrize("answer, expected", [("approve", "approved"), ("deny", "denied")])
def test_a_person_answers(sandbox, service, answer, expected):
    phone = sandbox.phone(NUMBER)
    phone.register("twilio")
    asked = challenge(sandbox, service)

    assert getattr(phone, answer)()["state"] == expected
    assert state(service, asked.sid) == expected


def test_a_thief_has_another_key(sandbox, service):
    phone = sandbox.phone(NUMBER)
    phone.register("twilio")
    asked = challenge(sandbox, service)

    with pytest.raises(ControlError) as raised:
        phone.approve(fault="wrongKey")

    assert raised.value.status == 409
    assert state(service, asked.sid) == "pending"


def test_a_person_replies(sandbox, send):
    send(NUMBER)

    reply = sandbox.phone(NUMBER).reply("STOP")

    assert (reply["from"], reply["text"]) == (NUMBER, "STOP")


def test_messages_and_code_of_a_phone(sandbox, send):
    send(NUMBER)
    phone = sandbox.phone(NUMBER)

    assert [each["code"] for each in phone.messages] == [phone.code(provider="twilio")]


def test_a_sim_swap_shows_in_lookup(sandbox):
    sandbox.phone(NUMBER).event("simSwap", at="-2h")

    found = sandbox.twilio().lookups.v2.phone_numbers(NUMBER).fetch(fields="sim_swap")

    assert found.sim_swap["last_sim_swap"]["swapped_in_period"] is True


def test_a_misspelt_event_is_refused_with_the_right_one(sandbox):
    with pytest.raises(ControlError, match='did you mean "simSwap"'):
        sandbox.phone(NUMBER).event("simSwop")


def test_a_silent_verification(sandbox, service):
    sandbox.phone(NUMBER)
    sandbox.control("PUT", "subscribers/+12025550101", {"coversSilent": True})
    made = service.verifications.create(to=NUMBER, channel="sna")

    walked = sandbox.phone(NUMBER).open(made.sna["url"])

    assert walked["ending"] != "failure", walked
    assert service.verification_checks.create(to=NUMBER).status == "approved"
