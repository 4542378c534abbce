"""Conformance check 61 of the Twilio Verify contract, section 20: the numbers of the default seed, and the
flag `--numbers any`."""

import json

import ringfence

SEEDED = json.loads((ringfence.ROOT / "Seeds/default/subscribers.json").read_text())["subscribers"]


def test_twilio_61_every_seeded_number_is_accepted(service):
    assert len(SEEDED) > 10
    for subscriber in SEEDED:
        assert service.verifications.create(to=subscriber["number"], channel="call").status == "pending"


def test_the_flag_numbers_any_accepts_everything(connect):
    with ringfence.Server("--numbers", "any") as server:
        sandbox = server.sandbox()
        service = connect(sandbox).verify.v2.services(sandbox.credentials["twilio"]["serviceSid"])
        for number in ("+1202555", "+12025550100123", "+10000000000", "+330612345678", "+999123456789"):
            assert service.verifications.create(to=number, channel="sms").status == "pending"
