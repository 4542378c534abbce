"""APNs with raw requests: the numbered checks of the push contract, section 6, and its section 2."""

import uuid

import pytest

from apns_client import START, TOKEN, Gateway, alert, refused


@pytest.fixture
def apns(sandbox):
    return Gateway(sandbox)


def test_push_20_a_valid_notification_is_accepted(apns):
    given = str(uuid.uuid4())

    answer = apns.post(alert("Confirm sign-in", ref="r-17"), apns_id=given, apns_push_type="alert", apns_priority="10")

    assert (answer.status_code, answer.content, answer.headers["apns-id"]) == (200, b"", given)
    [push] = apns.pushes(token=TOKEN)
    assert (push["via"], push["source"], push["to"], push["reference"]) == ("apns", "external", TOKEN, given)
    assert (push["text"], push["data"], push["visible"]) == ("Confirm sign-in", {"ref": "r-17"}, True)
    assert push["apns"]["headers"] == {
        "apns-topic": "com.example.app", "apns-id": given, "apns-push-type": "alert", "apns-priority": "10"}
    assert push["raw"] == push["apns"]["payload"] == alert("Confirm sign-in", ref="r-17")


def test_push_20_ids_are_generated_in_upper_case(apns):
    answer = apns.post(alert())

    generated = answer.headers["apns-id"]
    assert generated == str(uuid.UUID(generated)).upper()
    assert "apns-unique-id" not in answer.headers
    for host in "api.sandbox.push.apple.com", "api.development.push.apple.com":
        assert uuid.UUID(apns.post(alert(), host=host).headers["apns-unique-id"])


def test_push_21_priorities(apns):
    background = {"aps": {"content-available": 1}}
    refused(apns.post(alert(), apns_priority="7"), 400, "BadPriority")
    lenient = apns.post(background, apns_push_type="background", apns_priority="10")
    assert lenient.status_code == 200
    assert "apns-priority must be 5" in apns.sandbox.journal(provider="apns")[-1]["why"]

    apns.settings(strictBackground=True)

    refused(apns.post(background, apns_push_type="background", apns_priority="10"), 400, "BadPriority")
    assert apns.post(background, apns_push_type="background", apns_priority="5").status_code == 200
    assert [push["priority"] for push in apns.pushes()] == ["high", "normal"]
    assert [push["visible"] for push in apns.pushes()] == [False, False]


def test_push_22_provider_tokens_are_valid_for_an_hour(apns):
    assert apns.post(alert(), provider_token=apns.provider_token(age=59 * 60)).status_code == 200
    refused(apns.post(alert(), provider_token=apns.provider_token(age=61 * 60)), 403, "ExpiredProviderToken")


def test_push_23_unregistered_tokens(apns):
    device = apns.device(apnsToken=TOKEN)
    apns.sandbox.advance("90s")
    apns.sandbox.control("PUT", f"devices/{device['id']}", json={"state": "unregistered"})
    apns.sandbox.advance("90s")

    error = refused(apns.post(alert()), 410, "Unregistered")

    assert error["timestamp"] == (START + 90) * 1000
    assert apns.pushes() == []
    assert [(attempt["status"], attempt["error"]) for attempt in apns.attempts(token=TOKEN)] == [(410, "Unregistered")]
