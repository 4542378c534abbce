"""The fields of a message, and how they are shown. Source: the push contract, sections 1.1 and 5."""

import pytest
from firebase_admin import messaging


# Tokens are what the other languages' clients and the contract have; the client would like `fid` instead.
pytestmark = pytest.mark.filterwarnings("ignore:.* is deprecated. Use .*fids? instead")


@pytest.mark.quick
def test_fcm_every_field_of_the_client_is_accepted(fcm):
    """No field of the current client is rejected as unknown."""
    android = messaging.AndroidConfig(
        collapse_key="k", priority="high", ttl=300, restricted_package_name="com.a", data={"k": "v"},
        direct_boot_ok=True, fcm_options=messaging.AndroidFCMOptions("l"),
        notification=messaging.AndroidNotification(
            title="t", body="b", icon="i", color="#aabbcc", sound="s", tag="t", click_action="c", body_loc_key="k",
            body_loc_args=["a"], title_loc_key="k", title_loc_args=["a"], channel_id="c", image="https://a/i.png",
            ticker="t", sticky=True, local_only=False, priority="max", vibrate_timings_millis=[100, 250],
            default_vibrate_timings=False, default_sound=True, visibility="secret", notification_count=3,
            light_settings=messaging.LightSettings("#aabbccdd", 100, 200), default_light_settings=False,
            proxy="if_priority_lowered"))
    webpush = messaging.WebpushConfig(
        headers={"TTL": "1"}, data={"w": "v"}, fcm_options=messaging.WebpushFCMOptions("https://a.example/"),
        notification=messaging.WebpushNotification(title="t", actions=[messaging.WebpushNotificationAction("a", "b")]))
    apns = messaging.APNSConfig(
        headers={"apns-priority": "5"}, fcm_options=messaging.APNSFCMOptions("l", "https://a/i.png"),
        payload=messaging.APNSPayload(messaging.Aps(
            alert=messaging.ApsAlert("t", "s", "b"), badge=1, category="c", thread_id="t", mutable_content=True,
            sound=messaging.CriticalSound("s", True, 0.5))))

    fcm.send(
        token="sbx-a", data={"k": "w"}, android=android, webpush=webpush, apns=apns,
        fcm_options=messaging.FCMOptions("label"), notification=messaging.Notification("t", "b", "https://a/i.png"))

    [push] = fcm.pushes()
    assert push["data"] == {"k": "v"}
    assert (push["priority"], push["ttlSeconds"], push["visible"]) == ("high", 300, True)


@pytest.mark.parametrize("data, provider", [
    ({"type": "verify_push_challenge", "factor_sid": "YF1"}, "twilio"),
    ({"provider": "telesign", "type": "push_verify"}, "telesign"), ({"type": "other"}, "custom"),
])
def test_fcm_a_push_names_the_provider_of_its_data(fcm, data, provider):
    fcm.send(token="sbx-a", data={**data, "more": '{"a":[1]}'})

    [push] = fcm.pushes(provider=provider)
    assert push["provider"] == provider
    assert push["decoded"] == {"more": {"a": [1]}}
    assert fcm.pushes(provider="prelude") == []
    assert len(fcm.pushes(provider="fcm")) == len(fcm.pushes(type=data["type"])) == 1


def test_fcm_a_push_to_another_providers_token_reaches_its_handset(fcm):
    fcm.sandbox.control("POST", "devices", json={
        "number": "+12025550100", "provider": "telesign", "app": "com.example.bank:1.0.0", "pushToken": "sbx-bank"})

    fcm.send(token="sbx-bank", data={"a": "b"})

    [push] = fcm.pushes(number="+12025550100")
    assert push["app"] == "com.example.bank:1.0.0"
