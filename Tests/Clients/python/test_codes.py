"""Codes and messages."""

import threading

import pytest
from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client

from ringfence import ControlError, NotArrived

NUMBER, OTHER = "+12025550100", "+12025550101"


def test_a_code_signs_in(sandbox, service, send):
    send()

    checked = service.verification_checks.create(to=NUMBER, code=sandbox.code(NUMBER))

    assert checked.status == "approved"


@pytest.mark.ringfence(seed=7)
def test_another_seed_gives_another_code(sandbox, send):
    send()

    assert sandbox.code(NUMBER) != "365233"


def test_a_code_is_awaited(sandbox, send):
    """The app sends while the test waits already."""
    found = []
    waiting = threading.Thread(target=lambda: found.append(sandbox.code(NUMBER, within=20)))
    waiting.start()
    send()
    waiting.join()

    assert found == ["365233"]


def test_a_message_has_its_text(sandbox, send):
    send()

    message = sandbox.message(NUMBER)

    assert (message["channel"], message["provider"], message["to"]) == ("sms", "twilio", NUMBER)
    assert "365233" in message["text"]


def test_a_call_is_a_message(sandbox, send):
    send(channel="call")

    message = sandbox.message(NUMBER, channel="call")

    assert message["call"]["result"] == "answered"
    assert sandbox.code(NUMBER, channel="call") == message["code"]


def test_verifications_of_all_providers(sandbox, send):
    send()
    sandbox.prelude().verification.create(target={"type": "phone_number", "value": OTHER})

    assert [(each["provider"], each["to"]) for each in sandbox.verifications] == [
        ("twilio", NUMBER), ("prelude", OTHER)]


def test_no_code_says_that_nothing_was_sent(sandbox):
    with pytest.raises(NotArrived) as raised:
        sandbox.code(NUMBER, within=0)

    assert str(raised.value).startswith(f"there is no code for {NUMBER} yet")
    assert "no request reached it: does the app use the sandbox's URL or environment, and make its clients in this test?" in str(raised.value)


def test_no_code_says_why_the_text_was_lost(sandbox, send):
    send("+12025550130")

    with pytest.raises(NotArrived, match=r"the text is lost, because its number ends in 0130"):
        sandbox.code("+12025550130", within=0)


def test_no_code_says_why_the_request_was_refused(sandbox, service):
    with pytest.raises(TwilioRestException):
        service.verifications.create(to="12", channel="sms")

    with pytest.raises(NotArrived) as raised:
        sandbox.code(NUMBER, within=0)

    assert "400 POST /v2/Services/" in str(raised.value) and "why: " in str(raised.value)


def test_no_code_says_that_the_app_has_another_account(sandbox, sandbox_env):
    """As an app that reads its settings when it is imported."""
    client = Client("AC" + 32 * "a", 32 * "b")
    with pytest.raises(TwilioRestException):
        client.messages.create(to=NUMBER, from_="+12025550199", body="Your code is 482913")

    with pytest.raises(NotArrived, match="knows its own credentials only. Does the app read them"):
        sandbox.code(NUMBER, within=0)


def test_a_misspelt_provider_is_refused_with_the_right_one(sandbox):
    with pytest.raises(ControlError, match='unknown provider "twilo"; did you mean "twilio"?') as raised:
        sandbox.code(NUMBER, provider="twilo")

    assert raised.value.status == 400 and raised.value.field == "provider"


def test_a_longer_wait_than_the_server_has_is_refused(sandbox):
    with pytest.raises(ControlError, match="wait"):
        sandbox.code(NUMBER, within=31)
