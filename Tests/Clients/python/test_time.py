"""The clock of a sandbox."""

import datetime

import pytest

from ringfence import ControlError, NotArrived

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
    with pytest.raises(ControlError, match="expected a duration"):
        sandbox.advance(600)


def test_a_clock_can_be_frozen_at_a_time_and_released(sandbox):
    sandbox.freeze("2026-01-05T10:20:30Z")
    assert sandbox.now == START

    sandbox.release()
    assert sandbox.now > START + datetime.timedelta(days=100)


@frozen
def test_a_late_text_says_that_the_clock_stands_still(sandbox, send):
    sandbox.fail("text-late", to="+12025550100")
    send()
    stands = "the text arrives at .*; the clock stands still, and sandbox.advance moves it\nsandbox "
    with pytest.raises(NotArrived, match=stands):
        sandbox.code("+12025550100", within=0)
    with pytest.raises(NotArrived, match="0 arrived before; the clock stands still"):
        sandbox.webhooks.wait(within=0)

    sandbox.release()
    with pytest.raises(NotArrived) as raised:
        sandbox.webhooks.wait(within=0)
    assert "stands still" not in str(raised.value)


def test_a_clock_can_be_frozen_now(sandbox):
    sandbox.freeze()

    assert sandbox.now == sandbox.now
