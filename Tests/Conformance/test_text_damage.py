"""Texts that arrive damaged: what a person reads from them is refused, and the next text helps."""

import re

import pytest

NUMBER = "+12025550170"
UNREADABLE = ["garbled", "wrongEncoding"]
READABLE = ["oldCode", "truncated"]


def damage(sandbox, outcome, **match):
    """The next text is damaged."""
    scenario = {"match": {"channel": "sms", **match}, "outcome": outcome, "times": 1}
    sandbox.control("PUT", "scenarios", json={"scenarios": [scenario]})


def read(sandbox, number=NUMBER):
    """The digits that a person finds in the newest text, without those of the sender's name."""
    text = sandbox.control("GET", f"inbox/{number}/latest").json()["text"]
    return "".join(re.findall(r"[0-9]+", text))


@pytest.mark.parametrize("outcome", READABLE)
def test_twilio_refuses_what_a_damaged_text_shows(sandbox, service, outcome):
    damage(sandbox, outcome)
    service.verifications.create(to=NUMBER, channel="sms")
    digits = read(sandbox)

    # Twilio takes codes of 4 to 10 digits; fewer are an error of the request.
    entered = digits if len(digits) >= 4 else digits + "00"
    assert service.verification_checks.create(to=NUMBER, code=entered).status == "pending"

    service.verifications.create(to=NUMBER, channel="sms")
    assert service.verification_checks.create(to=NUMBER, code=sandbox.code(NUMBER)).status == "approved"


@pytest.mark.parametrize("outcome", READABLE)
def test_prelude_refuses_what_a_damaged_text_shows(sandbox, prelude, outcome):
    damage(sandbox, outcome)
    target = {"type": "phone_number", "value": NUMBER}
    prelude.verification.create(target=target)

    assert prelude.verification.check(target=target, code=read(sandbox)).status == "failure"

    sandbox.advance("60s")
    prelude.verification.create(target=target)
    assert prelude.verification.check(target=target, code=sandbox.code(NUMBER)).status == "success"


@pytest.mark.parametrize("outcome", READABLE)
def test_telesign_refuses_what_a_damaged_text_shows(telesign, outcome):
    damage(telesign.sandbox, outcome)
    reference = telesign.begin(NUMBER)

    assert telesign.verdict(reference, read(telesign.sandbox)) != 3900


@pytest.mark.parametrize("outcome", UNREADABLE)
def test_nobody_can_read_a_code(sandbox, service, outcome):
    damage(sandbox, outcome)
    service.verifications.create(to=NUMBER, channel="sms")

    assert read(sandbox) == ""
    said = sandbox.control("GET", f"inbox/{NUMBER}/latest/code", expect=(404,)).text
    assert "because scenario 1 says so" in said

    service.verifications.create(to=NUMBER, channel="sms")
    assert service.verification_checks.create(to=NUMBER, code=sandbox.code(NUMBER)).status == "approved"


def test_a_long_text_of_twilio_loses_a_segment(sandbox, client):
    damage(sandbox, "segmentLost")
    sent = client.messages.create(to=NUMBER, from_="+15005550006", body="first " * 25 + "second " * 20)

    text = sandbox.control("GET", f"inbox/{NUMBER}/latest").json()["text"]
    assert sent.num_segments == "2"
    assert text.startswith("first first") and "second second" not in text


def test_an_old_text_overtaken_by_a_new_one_is_read_last(sandbox, service):
    """A resend gives another code only in another verification; here the first one is cancelled."""
    damage(sandbox, "outOfOrder")
    first = service.verifications.create(to=NUMBER, channel="sms")
    service.verifications(first.sid).update(status="canceled")
    service.verifications.create(to=NUMBER, channel="sms")

    inbox = sandbox.control("GET", f"inbox/{NUMBER}").json()["messages"]
    assert [message["verificationId"] for message in inbox][-1] == first.sid
    assert service.verification_checks.create(to=NUMBER, code=sandbox.code(NUMBER)).status == "pending"
    assert service.verification_checks.create(to=NUMBER, code=inbox[0]["code"]).status == "approved"


@pytest.mark.parametrize("event", ["simSwap", "recycle"])
def test_who_read_the_code_after_a_swap_or_a_recycling(sandbox, service, event):
    service.verifications.create(to=NUMBER, channel="sms")
    card = sandbox.control("GET", f"subscribers/{NUMBER}").json()["iccid"]
    sandbox.control("POST", f"subscribers/{NUMBER}/events", json={"event": event})
    service.verifications.create(to=NUMBER, channel="sms")

    before = sandbox.control("GET", f"inbox/{NUMBER}?holder=previous").json()["messages"]
    now = sandbox.control("GET", f"inbox/{NUMBER}").json()["messages"]
    assert [message["holder"] for message in before] == [{"subscriber": 1, "iccid": card, "present": False}]
    assert [message["holder"]["present"] for message in now] == [True]
    assert now[0]["holder"]["iccid"] != card
    assert now[0]["holder"]["subscriber"] == (2 if event == "recycle" else 1)


def test_a_third_of_the_texts_to_a_country_is_lost(sandbox, service):
    scenario = {"match": {"country": "US", "every": 3}, "outcome": "undeliverable"}
    sandbox.control("PUT", "scenarios", json={"scenarios": [scenario]})
    for number in range(70, 76):
        service.verifications.create(to=f"+120255501{number}", channel="sms")

    reached = {message["to"] for message in sandbox.control("GET", "inbox").json()["messages"]}
    assert reached == {f"+120255501{number}" for number in (70, 71, 73, 74)}


def test_a_scenario_with_an_unknown_operator_names_the_nearest(sandbox):
    scenario = {"match": {"operator": "Wren Mobil"}, "outcome": "networkDown"}
    answer = sandbox.control("PUT", "scenarios", json={"scenarios": [scenario]}, expect=(400,)).json()

    assert answer == {
        "error": '$.scenarios[0].match.operator: unknown operator "Wren Mobil"; did you mean "Wren Mobile"?',
        "field": "$.scenarios[0].match.operator"}
