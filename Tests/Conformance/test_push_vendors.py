"""Pushes of the providers themselves: the numbered checks P26 and P27 of the push contract."""

import pytest

KEYS = ["type", "challenge_sid", "factor_sid", "message"]
SECRET = "hidden-4711"


@pytest.fixture
def ask(sandbox, service):
    """Enrols an app of Twilio's, and asks it: `ask("android", "sbx-1")`. Returns the device and the
    challenge."""
    def ask(platform, **members):
        device = sandbox.control("POST", "devices", json={
            "provider": "twilio", "number": "+12025550101", "platform": platform, "identity": "user-7ab2", **members
        }).json()
        [factor] = service.entities("user-7ab2").factors.list()
        challenge = service.entities("user-7ab2").challenges.create(
            factor_sid=factor.sid, details_message="Log in?", details_fields=[{"label": "Amount", "value": "39.99"}],
            hidden_details={"secret": SECRET})
        return device, challenge
    return ask


def test_push_26_a_challenge_is_a_data_message_on_android(sandbox, ask):
    device, challenge = ask("android", pushToken="sbx-1")

    [push] = sandbox.entries("pushes", token="sbx-1")

    assert list(push["data"]) == KEYS and all(isinstance(value, str) for value in push["data"].values())
    assert push["data"]["challenge_sid"] == challenge.sid and push["data"]["message"] == "Log in?"
    assert (push["notification"], push["visible"], push.get("apns")) == (None, False, None)
    assert (push["via"], push["source"], push["priority"], push["ttlSeconds"]) == ("fcm-v1", "internal", "high", 300)
    assert (push["provider"], push["device"]) == ("twilio", device["id"])
    assert SECRET not in str(push) and "39.99" not in str(push)


def test_push_26_a_challenge_is_an_alert_on_ios(sandbox, ask):
    """It goes to Apple's token. The list finds it by either token of the phone."""
    device, challenge = ask("ios", pushToken="sbx-1", app="com.acme.bank:2.1.0")

    [push] = sandbox.entries("pushes", token=device["apnsToken"])

    assert sandbox.entries("pushes", token="sbx-1") == [push]
    assert (push["to"], push["via"], push["visible"]) == (device["apnsToken"], "apns", True)
    assert push["apns"]["headers"] == {
        "apns-topic": "com.acme.bank", "apns-push-type": "alert", "apns-priority": "10", "apns-expiration": "1767608730"}
    assert push["apns"]["payload"]["aps"] == {"alert": {"body": "Log in?"}, "category": "verify_push_challenge"}
    assert {name: push["apns"]["payload"][name] for name in KEYS} == push["data"]
    assert SECRET not in str(push) and "39.99" not in str(push)
    file = sandbox.control("GET", f"pushes/{push['id']}.apns").json()
    assert (file["Simulator Target Bundle"], file["challenge_sid"]) == ("com.acme.bank", challenge.sid)


def test_push_27_a_factor_without_pushes_gets_none(sandbox, service):
    sandbox.control("POST", "devices", json={
        "provider": "twilio", "number": "+12025550101", "identity": "user-7ab2"})
    [factor] = service.entities("user-7ab2").factors.list()
    service.entities("user-7ab2").factors(factor.sid).update(config_notification_platform="none")

    challenge = service.entities("user-7ab2").challenges.create(factor_sid=factor.sid, details_message="Log in?")

    assert sandbox.entries("pushes") == []
    assert [one.sid for one in service.entities("user-7ab2").challenges.list(status="pending")] == [challenge.sid]
