"""What a phone's requests are refused for, and that nothing changes then."""

import pytest

import twilio_verify_push as push
from twilio_errors import refused
from twilio_phones import IDENTITY, ask, clock, enrolled, entity, new_phone, phone, refused_answer  # noqa: F401


# Answers that are refused


def test_answer_to_another_factors_challenge_is_not_found(entity, enrolled):
    one, other = enrolled(), enrolled("android")
    challenge = ask(entity, other)
    read, fields = other.challenge(challenge.sid)

    refused_answer(entity, one, challenge, one.answer(read, "approved", fields.split(",")), 404, 20404)
    with pytest.raises(push.Refused) as error:
        one.challenge(challenge.sid)
    assert (error.value.status, error.value.code) == (404, 20404)
    assert one.challenges()[0] == []


def test_answer_of_a_server_needs_the_devices_signature_too(entity, phone):
    challenge = ask(entity, phone)
    read, fields = phone.challenge(challenge.sid)

    with refused(403, 60324):
        entity.challenges(challenge.sid).update(auth_payload=phone.answer(read, "approved", key=push.Key()))
    answered = entity.challenges(challenge.sid).update(
        auth_payload=phone.answer(read, "approved", fields.split(",")), metadata={"os": "iOS"})
    assert (answered.status, answered.metadata) == ("approved", {"os": "iOS"})


# Factors that are refused


def test_wrong_signature_of_a_factor_is_60311_and_the_sixth_60310(entity, new_phone):
    phone = new_phone()
    right, phone.key = phone.key, push.Key()
    own = phone.jwt
    phone.jwt = lambda: push.Phone.jwt(_with(phone, right))
    for code in [60311] * 5 + [60310]:
        with pytest.raises(push.Refused) as error:
            phone.verify_factor()
        assert error.value.code == code
    phone.key, phone.jwt = right, own
    with pytest.raises(push.Refused) as error:
        phone.verify_factor()
    assert (error.value.status, error.value.code) == (429, 60310)
    assert entity.factors(phone.factor["sid"]).fetch().status == "unverified"


def _with(phone, key):
    """The same phone with another key."""
    other = push.Phone(phone.base, phone.service, phone.identity, phone.clock, phone.system)
    other.key, other.factor = key, phone.factor
    return other


def test_twenty_phones_are_the_limit(entity, new_phone):
    for _ in range(20):
        new_phone()

    with pytest.raises(push.Refused, match="Reached max limit of 20 push Factors associated per Entity") as error:
        new_phone()

    assert (error.value.status, error.value.code) == (400, 60315)
    assert len(entity.factors.list()) == 20


@pytest.mark.parametrize("changes", [{"exp": "never"}, {"nbf": None}])
def test_device_token_with_wrong_claims_is_401(entity, phone, changes):
    challenge = ask(entity, phone)
    jwt = phone.jwt
    phone.jwt = lambda: jwt(**changes)

    with pytest.raises(push.Refused) as error:
        phone.challenge(challenge.sid)

    assert (error.value.status, error.value.code) == (401, 20003)


def test_device_of_another_entity_or_service_is_401(client, entity, enrolled):
    phone, other = enrolled(), enrolled(identity="user-00000002")
    challenge = ask(entity, phone)
    elsewhere = client.verify.v2.services.create(friendly_name="Other").sid

    for change in ({"key": push.Key()}, {"identity": IDENTITY}, {"service": elsewhere}, {"factor": phone.factor | {"config": other.factor["config"]}}):
        intruder = _with(other, other.key)
        for name, value in change.items():
            setattr(intruder, name, value)
        for call in (lambda: intruder.challenge(challenge.sid), lambda: intruder.update_token(None)):
            with pytest.raises(push.Refused) as error:
                call()
            assert (error.value.status, error.value.code) in ((401, 20003), (404, 20404))
    assert entity.factors(phone.factor["sid"]).fetch().config["sdk_version"] == "3.0.2"
