"""Conformance checks 66 to 69 of the Twilio Verify contract, section 20: facts from recorded answers."""

import pytest
import requests

NUMBER = "+15551234567"
COVERED = "+12025550100"  # its operator takes part in silent verification
SILENT_MEMBERS = {"sna", "sna_attempts_error_codes"}


@pytest.fixture
def ask(raw):
    def ask(method, url, status=200, **form):
        answer = requests.request(method, url, data=form or None, auth=raw.pair, timeout=20)
        assert answer.status_code == status, answer.text
        return answer.json()

    return ask


@pytest.mark.parametrize("channel, to", [
    ("sms", NUMBER), ("call", NUMBER), ("whatsapp", NUMBER), ("email", "somebody@example.com")])
def test_twilio_66_only_silent_answers_have_silent_members(ask, raw, sandbox, channel, to):
    created = ask("POST", raw.verifications, 201, To=to, Channel=channel)
    fetched = ask("GET", f"{raw.verifications}/{created['sid']}")
    checked = ask("POST", raw.check, To=to, Code=sandbox.code(to))
    again = ask("POST", raw.verifications, 201, To=to, Channel=channel)
    updated = ask("POST", f"{raw.verifications}/{again['sid']}", Status="canceled")

    for answer in created, fetched, checked, updated:
        assert not SILENT_MEMBERS & set(answer), answer
    assert (checked["status"], updated["status"]) == ("approved", "canceled")


def test_twilio_66_silent_answers_have_them(ask, raw):
    created = ask("POST", raw.verifications, 201, To=COVERED, Channel="sna")
    fetched = ask("GET", f"{raw.verifications}/{created['sid']}")
    checked = ask("POST", raw.check, To=COVERED)
    updated = ask("POST", f"{raw.verifications}/{created['sid']}", Status="canceled")

    assert {answer["sna"]["url"] for answer in (created, fetched, updated)} == {created["sna"]["url"]}
    assert [error["code"] for error in checked["sna_attempts_error_codes"]] == [60519]


@pytest.mark.parametrize("code, number, channel, text", [
    (60410, "+9647860607907", "sms", "due to fraudulent activities. +9647860607907 prefix is blocked for the SMS channel"),
    (60410, NUMBER, "call", f"due to fraudulent activities. {NUMBER} prefix is blocked for the CALL channel"),
    (60605, "+441481960194", "sms", "Verify Geo-Permissions. GG is blocked for sms channel for all services"),
    (60605, "+221771234567", "whatsapp", "Verify Geo-Permissions. SN is blocked for whatsapp channel for all services"),
])
def test_twilio_67_texts_name_destination_and_channel(ask, raw, sandbox, code, number, channel, text):
    sandbox.faults({"provider": "twilio", "route": "createVerification", "code": str(code)})

    error = ask("POST", raw.verifications, 403, To=number, Channel=channel)

    assert error["code"] == code
    assert error["message"].endswith(text), error["message"]


@pytest.mark.parametrize("path, method", [
    ("", "GET"), ("/Verifications", "POST"), ("/VerificationCheck", "POST"), (f"/Verifications/{NUMBER}", "GET")])
def test_twilio_68_account_sid_in_place_of_a_service_sid(ask, raw, path, method):
    error = ask(method, f"{raw.services}/{raw.pair[0]}{path}", 400)

    assert (error["code"], error["message"], error["status"]) == (60200, "Invalid parameter", 400)
    assert ask("GET", f"{raw.services}/VA{'e' * 32}", 404)["code"] == 20404


def test_twilio_69_stored_attempts_have_times_in_whole_seconds(ask, raw, sandbox):
    def times(answer):
        return [attempt["time"] for attempt in answer["send_code_attempts"]]

    sandbox.advance("412ms")
    created = ask("POST", raw.verifications, 201, To=NUMBER, Channel="sms")
    sandbox.advance("1s")
    resent = ask("POST", raw.verifications, 201, To=NUMBER, Channel="sms")
    fetched = ask("GET", f"{raw.verifications}/{created['sid']}")

    assert times(created) == ["2026-01-05T10:20:30.412Z"]
    assert times(resent) == ["2026-01-05T10:20:30.000Z", "2026-01-05T10:20:31.412Z"]
    assert times(fetched) == ["2026-01-05T10:20:30.000Z", "2026-01-05T10:20:31.000Z"]
