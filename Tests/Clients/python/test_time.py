"""The clock of a sandbox."""

import datetime

import pytest

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
