"""The requests of an app, and what is said about them."""

import threading

import pytest
from twilio.base.exceptions import TwilioRestException

from ringfence import ControlError, NotArrived

NUMBER = "+12025550100"


def test_requests_are_in_order(sandbox, service, send):
    send()
    service.verification_checks.create(to=NUMBER, code="000000")

    assert [each["route"] for each in sandbox.journal] == ["createVerification", "checkVerification"]
    assert len(sandbox.journal) == 2
    assert sandbox.journal.latest["route"] == "checkVerification"


def test_requests_are_found(sandbox, service, send):
    send()
    with pytest.raises(TwilioRestException):
        send("12")

    (found,) = sandbox.journal.requests(status=400, provider="twilio", contains="To=12")

    assert found["why"]
    assert found["response"]["status"] == 400


def test_a_request_is_awaited(sandbox, send):
    found = []
    waiting = threading.Thread(target=lambda: found.append(sandbox.journal.wait(route="createVerification", within=20)))
    waiting.start()
    send()
    waiting.join()

    assert found[0]["response"]["status"] == 201


def test_a_request_that_does_not_come(sandbox, send):
    send()

    with pytest.raises(NotArrived, match="there is no request with route checkVerification yet") as raised:
        sandbox.journal.wait(route="checkVerification", within=0)

    assert "201 POST" in str(raised.value)


def test_an_empty_journal_says_what_to_look_at(sandbox):
    with pytest.raises(NotArrived, match="sandbox.url"):
        sandbox.journal.latest


def test_a_misspelt_route_is_refused_with_the_right_one(sandbox):
    with pytest.raises(ControlError, match='did you mean "createVerification"'):
        sandbox.journal.wait(route="createVerifcation")


def test_a_cleared_journal_is_empty(sandbox, send):
    send()
    sandbox.journal.clear()

    assert list(sandbox.journal) == []


def test_the_summary_says_what_was_sent_and_refused(sandbox, send):
    send("+12025550130")
    with pytest.raises(TwilioRestException):
        send("12")

    text = sandbox.summary()

    assert text.startswith(f"sandbox {sandbox.name}: {sandbox.url}/\n")
    assert "not as usual: the text is lost, because its number ends in 0130" in text
    assert text.index("201 POST") < text.index("sms to +12025550130") < text.index("400 POST") < text.index("why:")


def test_the_summary_has_no_control_characters(sandbox, send):
    with pytest.raises(TwilioRestException):
        send("12\x1b[2J\x9b")

    assert "12<U+001B>[2J<U+009B>" in sandbox.summary()


def test_a_report_is_one_file(sandbox, send, tmp_path):
    send()

    written = sandbox.report(tmp_path / "folder" / "report.html")

    assert "365233" in written.read_text(encoding="utf-8")
