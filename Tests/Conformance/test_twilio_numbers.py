"""Conformance check 61 of the Twilio Verify contract, section 20: numbers that cannot exist."""

import json

import pytest
from twilio.base.exceptions import TwilioRestException

import ringfence

IMPOSSIBLE = {
    "+1202555": "tooShort", "+12025550100123": "tooLong", "+4477009001": "invalidLength",
    "+10000000000": "invalidPrefix", "+11234567890": "invalidPrefix", "+330612345678": "tooLong",
    "+999123456789": "invalidCountryCode", "+2101234567": "invalidCountryCode",
}
DIALLED = {
    "+330612345678": "; To has a 0 after the country code 33, which is dialled within the country only; "
                     "did you mean +33612345678?",
}
SEEDED = json.loads((ringfence.ROOT / "Seeds/default/subscribers.json").read_text())["subscribers"]


def refusal(service, number, channel="sms"):
    with pytest.raises(TwilioRestException) as refused:
        service.verifications.create(to=number, channel=channel)
    error = refused.value
    return error.status, error.code, error.msg


@pytest.mark.parametrize("number", IMPOSSIBLE)
def test_twilio_61_an_impossible_number_is_refused(sandbox, service, number):
    for channel in ("sms", "call", "whatsapp", "sna"):
        status, code, text = refusal(service, number, channel)
        assert (status, code) == (400, 60200)
        assert f"Invalid parameter `To`: {number}" in text

    assert sandbox.control("GET", "messages").json()["messages"] == []
    why = sandbox.control("GET", "journal/latest").json()["why"]
    answer = sandbox.control("GET", f"numbers/{number}").json()
    hint = DIALLED.get(number, "")
    assert (answer["valid"], answer["problem"], f"{answer['why']}{hint}") == (False, IMPOSSIBLE[number], why)


def test_twilio_61_every_seeded_number_is_accepted(service):
    assert len(SEEDED) > 10
    for subscriber in SEEDED:
        assert service.verifications.create(to=subscriber["number"], channel="call").status == "pending"


@pytest.mark.parametrize("number", [
    "+12025550199", "+15551234567", "+447700900999", "+33639980001", "+61491570006", "+4915228817386",
    "+46701740605", "+353209101234", "+990123456", "+14155552671", "+819012345678"])
def test_twilio_61_fictional_and_real_numbers_are_accepted(service, number):
    assert service.verifications.create(to=number, channel="sms").status == "pending"


def test_a_record_or_a_prefix_of_a_seed_makes_a_number_valid(sandbox, service):
    sandbox.control("PUT", "subscribers/+999123456789", json={"operator": "Acme"})
    sandbox.control("POST", "seed", json={"numberPrefixes": [{"prefix": "+99911", "digits": [9]}, {"prefix": "+2101"}]})

    for number in ("+999123456789", "+999112345", "+2101234567", "+21012345"):
        assert service.verifications.create(to=number, channel="sms").status == "pending"
    for number in ("+999123456788", "+9991123456", "+2102345678"):
        assert refusal(service, number)[1] == 60200


def test_fictional_numbers_are_refused_on_request(sandbox, service):
    sandbox.control("POST", "seed", json={"twilio": {"settings": {"fictionalNumbers": "refuse"}}})

    for number in ("+447700900999", "+12025550177", "+990123456"):
        assert refusal(service, number)[:2] == (400, 60200)
        assert "fictionalNumbers" in sandbox.control("GET", "journal/latest").json()["why"]
    sandbox.control("PUT", "subscribers/+447700900999", json={})
    for number in ("+447700900999", "+14155552671"):
        assert service.verifications.create(to=number, channel="sms").status == "pending"


def test_the_flag_numbers_any_accepts_everything(connect):
    with ringfence.Server("--numbers", "any") as server:
        sandbox = server.sandbox()
        service = connect(sandbox).verify.v2.services(sandbox.credentials["twilio"]["serviceSid"])
        for number in IMPOSSIBLE:
            assert service.verifications.create(to=number, channel="sms").status == "pending"
