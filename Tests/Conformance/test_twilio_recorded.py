"""Conformance check 66 of the Twilio Verify contract, section 20: members of silent verification."""

import pytest
import requests

COVERED = "+12025550100"  # its operator takes part in silent verification


@pytest.fixture
def ask(raw):
    def ask(method, url, status=200, **form):
        answer = requests.request(method, url, data=form or None, auth=raw.pair, timeout=20)
        assert answer.status_code == status, answer.text
        return answer.json()

    return ask


def test_twilio_66_silent_answers_have_them(ask, raw):
    created = ask("POST", raw.verifications, 201, To=COVERED, Channel="sna")
    fetched = ask("GET", f"{raw.verifications}/{created['sid']}")
    checked = ask("POST", raw.check, To=COVERED)
    updated = ask("POST", f"{raw.verifications}/{created['sid']}", Status="canceled")

    assert {answer["sna"]["url"] for answer in (created, fetched, updated)} == {created["sna"]["url"]}
    assert [error["code"] for error in checked["sna_attempts_error_codes"]] == [60519]
