"""The clock of a sandbox."""

import datetime

import pytest
from twilio.base.exceptions import TwilioRestException

from ringfence import ControlError

NUMBER = "+12025550100"
START = datetime.datetime(2026, 1, 5, 10, 20, 30, tzinfo=datetime.timezone.utc)
frozen = pytest.mark.ringfence(clock="2026-01-05T10:20:30Z")


@frozen
def test_a_mark_freezes_the_clock(sandbox):
    assert sandbox.now == START


@frozen
def test_the_clock_moves(sandbox):
    sandbox.advance("1h30m")

    assert sandbox.now == START + datetime.timedelta(minutes=90)


@frozen
def test_the_clock_moves_by_a_timedelta(sandbox):
    sandbox.advance(datetime.timedelta(days=2, milliseconds=5))

    assert sandbox.now == START + datetime.timedelta(days=2, milliseconds=5)


def test_a_clock_can_be_frozen_at_a_time_and_released(sandbox):
    sandbox.freeze("2026-01-05T10:20:30Z")
    assert sandbox.now == START

    sandbox.release()
    assert sandbox.now > START + datetime.timedelta(days=100)


def test_a_clock_can_be_frozen_now(sandbox):
    sandbox.freeze()

    assert sandbox.now == sandbox.now


def test_a_code_expires(sandbox, service, send):
    send()
    code = sandbox.code(NUMBER)
    sandbox.advance("11m")

    with pytest.raises(TwilioRestException, match="HTTP 404"):
        service.verification_checks.create(to=NUMBER, code=code)


def test_a_wrong_duration_is_refused(sandbox):
    with pytest.raises(ControlError) as raised:
        sandbox.advance("10 minutes")

    assert raised.value.field == "$.advance"
