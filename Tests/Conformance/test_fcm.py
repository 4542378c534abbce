"""FCM HTTP v1 with firebase-admin and with raw requests: the numbered checks of the push contract, section 6.
Accounts and topics have their own files."""

import threading
import time

import pytest
import requests
from firebase_admin import exceptions, messaging

from fcm_client import INVALID, UNREGISTERED, error_of


# Tokens are what the other languages' clients and the contract have; the client would like `fid` instead.
pytestmark = pytest.mark.filterwarnings("ignore:.* is deprecated. Use .*fids? instead")


def test_push_01_a_message_is_in_the_inbox(fcm):
    data = {"kind": "login", "ref": "r-17"}

    name = fcm.send(token="sbx-a", data=data, notification=messaging.Notification("Confirm", "Tap to answer"))

    assert name.startswith(f"projects/{fcm.project}/messages/")
    [push] = fcm.pushes(token="sbx-a")
    assert push["data"] == data
    assert (push["target"], push["attempts"]) == ({"kind": "token", "value": "sbx-a"}, 1)
    assert (push["via"], push["source"], push["provider"]) == ("fcm-v1", "external", "custom")
    assert (push["visible"], push["priority"], push["ttlSeconds"]) == (True, "normal", 2419200)
    assert (push["status"], push["deliveredAt"]) == ("sent", "2026-01-05T10:20:30.000Z")
    [shown] = fcm.sandbox.control("GET", "inbox/sbx-a").json()["messages"]
    assert shown["text"] == "Confirm: Tap to answer"


def test_push_01_an_installation_is_a_target_too(fcm):
    fcm.send(fid="sbx-a", data={"a": "b"})

    [push] = fcm.pushes(token="sbx-a")
    assert push["target"] == {"kind": "fid", "value": "sbx-a"}


def test_push_02_camel_and_snake_case_are_the_same(fcm):
    snake = {"token": "sbx-a", "data": {"a": "b"}, "android": {
        "collapse_key": "k", "ttl": "300s", "restricted_package_name": "com.a", "direct_boot_ok": True,
        "notification": {"click_action": "x", "notification_priority": "PRIORITY_LOW", "title_loc_args": ["1"]}},
        "apns": {"fcm_options": {"analytics_label": "l"}}, "fcm_options": {"analytics_label": "m"}}
    camel = {"token": "sbx-a", "data": {"a": "b"}, "android": {
        "collapseKey": "k", "ttl": "300s", "restrictedPackageName": "com.a", "directBootOk": True,
        "notification": {"clickAction": "x", "notificationPriority": "PRIORITY_LOW", "titleLocArgs": ["1"]}},
        "apns": {"fcmOptions": {"analyticsLabel": "l"}}, "fcmOptions": {"analyticsLabel": "m"}}

    assert [fcm.post(message, validate_only=False).status_code for message in (snake, camel)] == [200, 200]

    one, other = fcm.pushes(token="sbx-a")
    for entry in one, other:
        del entry["id"], entry["reference"]
    assert one == other
    assert one["raw"]["android"]["collapseKey"] == "k"


def test_push_03_a_dry_run_is_listed_and_not_sent(fcm):
    name = fcm.send(token="sbx-a", dry_run=True, data={"a": "b"})

    assert name.endswith("/fake_message_id")
    assert fcm.pushes() == []
    [attempt] = fcm.attempts(token="sbx-a")
    assert (attempt["dryRun"], attempt["status"]) == (True, 200)
    with pytest.raises(messaging.UnregisteredError):
        fcm.send(token="sbx-b-gone", dry_run=True)


def test_push_05_data_values_must_be_strings(fcm):
    error = error_of(fcm.post({"token": "sbx-a", "data": {"a": "b", "n": 5}}), 400, INVALID)

    assert error["fields"] == ["message.data[1].value"]
    assert error["message"] == "Invalid value at 'message.data[1].value' (TYPE_STRING), 5"


def test_push_06_exactly_one_target_is_required(fcm):
    both = error_of(fcm.post({"token": "sbx-a", "topic": "news"}), 400, INVALID)
    neither = error_of(fcm.post({"data": {"a": "b"}}), 400, INVALID)

    assert both["fields"] == ["message"]
    assert neither["fcm"] == [INVALID]


@pytest.mark.parametrize("key", ["from", "message_type", "google.x", "gcm.notification.title"])
def test_push_07_reserved_keys_are_rejected(fcm, key):
    error = error_of(fcm.post({"token": "sbx-a", "data": {key: "x"}}), 400, INVALID)

    assert (error["fcm"], error["fields"]) == ([INVALID], ["message.data"])
    with pytest.raises(exceptions.InvalidArgumentError, match="Invalid data payload key"):
        fcm.send(token="sbx-a", data={key: "x"})


def test_push_08_large_messages_are_rejected(fcm):
    error = error_of(fcm.post({"token": "sbx-a", "data": {"a": "x" * 5000}}), 400, INVALID)

    assert error["fcm"] == [INVALID]
    assert fcm.pushes() == []
    assert fcm.post({"token": "sbx-a", "data": {"a": "x" * 4095}}).status_code == 200
    assert fcm.post({"token": "sbx-a", "data": {"a": "x" * 4096}}).status_code == 400


def check_refusal(fcm, token, status, word, code, raised):
    answer = fcm.post({"token": token})

    assert error_of(answer, status, word)["fcm"] == [code]
    assert answer.headers.get("Retry-After") == ("1" if status == 429 else None)
    with pytest.raises(raised):
        fcm.send(token=token)
    assert fcm.pushes() == []


def test_push_09_a_token_that_is_gone(fcm):
    check_refusal(fcm, "sbx-b-gone", 404, "NOT_FOUND", UNREGISTERED, messaging.UnregisteredError)
    check_refusal(fcm, "sbx-b-expired", 404, "NOT_FOUND", UNREGISTERED, messaging.UnregisteredError)


def test_push_10_a_token_of_another_project(fcm):
    check_refusal(
        fcm, "sbx-c-foreign", 403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH", messaging.SenderIdMismatchError)


def test_push_11_a_token_with_too_many_messages(fcm):
    check_refusal(
        fcm, "sbx-d-quota", 429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED", messaging.QuotaExceededError)


def test_push_11_a_project_without_a_key_of_apple(fcm):
    check_refusal(
        fcm, "sbx-e-noapns", 401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR", messaging.ThirdPartyAuthError)


def test_push_12_a_gateway_that_is_down_for_a_moment(fcm):
    fcm.send(token="sbx-e-flaky2", data={"a": "b"})

    assert [attempt["status"] for attempt in fcm.attempts(token="sbx-e-flaky2")] == [503, 503, 200]
    [push] = fcm.pushes(token="sbx-e-flaky2")
    assert push["attempts"] == 3


def test_push_12_the_same_by_a_fault(fcm):
    fcm.sandbox.faults({"provider": "fcm", "route": "sendMessage", "status": 503, "times": 2})

    fcm.send(token="sbx-a", data={"a": "b"})

    assert [attempt["status"] for attempt in fcm.attempts(token="sbx-a")] == [503, 503, 200]
    assert [push["attempts"] for push in fcm.pushes(token="sbx-a")] == [3]


def test_push_12_injected_faults_set_the_error(fcm):
    fcm.sandbox.faults({"provider": "fcm", "code": "QUOTA_EXCEEDED", "retryAfter": 7, "route": "sendMessage"})

    answer = fcm.post({"token": "sbx-a"})

    assert error_of(answer, 429, "RESOURCE_EXHAUSTED")["fcm"] == ["QUOTA_EXCEEDED"]
    assert answer.headers["Retry-After"] == "7"


def test_push_13_an_expired_message_is_dropped(fcm):
    device = fcm.ios("sbx-i", online=False)
    expiration = str(1767608430 + 60)
    apns = messaging.APNSConfig(headers={"apns-expiration": expiration})

    fcm.send(token="sbx-i", notification=messaging.Notification("Now", "or never"), apns=apns)
    assert [(push["status"], push["deliveredAt"]) for push in fcm.pushes()] == [("sent", None)]
    fcm.sandbox.advance("61s")
    fcm.sandbox.control("PUT", f"devices/{device['id']}", json={"online": True})

    assert [(push["status"], push["deliveredAt"]) for push in fcm.pushes()] == [("expired", None)]
    assert fcm.sandbox.control("GET", "inbox").json()["messages"] == []


def test_push_13_a_message_waits_for_an_offline_device(fcm):
    device = fcm.ios("sbx-i", online=False)
    fcm.send(token="sbx-i", data={"a": "b"})
    fcm.sandbox.advance("59m")

    fcm.sandbox.control("PUT", f"devices/{device['id']}", json={"online": True})

    [push] = fcm.pushes(token="sbx-i")
    assert (push["status"], push["deliveredAt"]) == ("delivered", "2026-01-05T11:19:30.000Z")


def test_push_13_a_ttl_of_zero_is_delivered_at_once_or_dropped(fcm):
    device = fcm.sandbox.control("POST", "devices", json={
        "provider": "fcm", "pushToken": "sbx-n", "online": False}).json()
    never = messaging.AndroidConfig(ttl=0)

    fcm.send(token="sbx-n", data={"a": "1"}, android=never)
    fcm.sandbox.control("PUT", f"devices/{device['id']}", json={"online": True})
    fcm.send(token="sbx-n", data={"a": "2"}, android=never)

    assert [push["deliveredAt"] is not None for push in fcm.pushes(token="sbx-n")] == [False, True]


def test_push_14_apns_payload(fcm):
    fcm.ios("sbx-i")

    fcm.send(token="sbx-i", data={"a": "b"})
    fcm.send(token="sbx-i", data={"a": "b"}, notification=messaging.Notification("T", "B"), apns=messaging.APNSConfig(
        payload=messaging.APNSPayload(messaging.Aps(content_available=True, sound="default"), x=1)))

    silent, shown = fcm.pushes(token="sbx-i")
    assert (silent["visible"], shown["visible"]) == (False, True)
    assert silent["apns"]["payload"]["aps"] == {}
    assert silent["apns"]["payload"]["a"] == "b"
    assert silent["apns"]["payload"]["gcm.message_id"] == silent["reference"]
    assert shown["apns"]["payload"]["aps"] == {
        "sound": "default", "content-available": 1, "alert": {"title": "T", "body": "B"}}
    assert shown["apns"]["payload"]["x"] == 1


def test_push_14_push_file_for_a_simulator(fcm):
    fcm.ios("sbx-i")
    fcm.send(token="sbx-i", data={"a": "b"})
    fcm.send(token="sbx-android", data={"a": "b"})

    file = fcm.sandbox.control("GET", "pushes/latest.apns", params={"token": "sbx-i"}).json()

    assert (file["Simulator Target Bundle"], file["a"], file["aps"]) == ("com.example.app", "b", {})
    fcm.sandbox.control("GET", "pushes/latest.apns", expect=(409,))


def test_push_13_an_offline_iphone_keeps_the_newest_push(fcm):
    """Apple stores one notification for each app. Android keeps all but those with the same collapse key."""
    fcm.ios("sbx-i", online=False)
    fcm.sandbox.control("POST", "devices", json={
        "provider": "fcm", "pushToken": "sbx-n", "app": "com.example.android", "online": False})
    for token, keys in ("sbx-i", ["", ""]), ("sbx-n", ["", "k", "k"]):
        for number, key in enumerate(keys):
            fcm.send(token=token, data={"n": str(number)}, android=messaging.AndroidConfig(collapse_key=key or None))

    assert [push["status"] for push in fcm.pushes(token="sbx-i")] == ["replaced", "sent"]
    assert [push["status"] for push in fcm.pushes(token="sbx-n")] == ["sent", "replaced", "sent"]
    replaced, kept = fcm.pushes(token="sbx-i")
    assert (replaced["replacedBy"], "replacedBy" in kept) == (kept["id"], False)
    for token in "sbx-i", "sbx-n":
        device = fcm.pushes(token=token)[0]["device"]
        fcm.sandbox.control("PUT", f"devices/{device}", json={"online": True})
    assert [push["status"] for push in fcm.pushes(token="sbx-i")] == ["replaced", "delivered"]
    assert [push["status"] for push in fcm.pushes(token="sbx-n")] == ["delivered", "replaced", "delivered"]


def test_push_13_a_collapse_id_replaces_what_is_shown(fcm):
    device = fcm.ios("sbx-i")
    apns = messaging.APNSConfig(headers={"apns-collapse-id": "sign-in"})
    for title in "one", "two":
        fcm.send(token="sbx-i", notification=messaging.Notification(title), apns=apns)

    first, second = fcm.pushes(token=device["apnsToken"])
    assert [first["status"], second["status"]] == ["sent", "sent"]
    assert first["replacedBy"] == second["id"] and "replacedBy" not in second


def test_push_15_apple_refuses_background_pushes_at_once(fcm):
    message = {"token": "sbx-a", "data": {"a": "b"}, "apns": {
        "headers": {"apns-priority": "10", "apns-push-type": "background"}}}

    assert fcm.post(message).status_code == 200
    [lenient] = fcm.sandbox.journal(route="sendMessage")
    fcm.settings(strictBackground=True)
    strict = fcm.post(message)

    assert "apns-priority must be 5" in lenient["why"]
    assert error_of(strict, 400, INVALID)["fields"] == ["message.apns.headers"]


def test_push_19_the_legacy_api_is_gone(fcm):
    answer = requests.post(
        f"{fcm.sandbox.base}/fcm/send", json={"to": "sbx-a"}, headers={"Authorization": "key=k"}, timeout=20)

    assert "HTTP v1" in error_of(answer, 404, "NOT_FOUND")["message"]


def test_push_24_waiting_for_a_push(fcm):
    token = fcm.token()
    late = threading.Timer(1, lambda: fcm.post({"token": "sbx-a", "data": {"a": "b"}}, token=token))
    started = time.monotonic()
    late.start()

    found = fcm.sandbox.control("GET", "pushes", params={"wait": 20}).json()

    assert time.monotonic() - started < 10
    assert [push["data"] for push in found["pushes"]] == [{"a": "b"}]
    late.join()
    again = fcm.sandbox.control("GET", "pushes", params={"after": found["cursor"]}).json()
    assert (again["pushes"], again["cursor"]) == ([], found["cursor"])


def test_push_25_a_token_that_was_rotated(fcm):
    fcm.send(token="sbx-a", data={"a": "b"})
    device = fcm.pushes()[0]["device"]

    rotated = fcm.sandbox.control("POST", f"devices/{device}/rotate").json()

    assert rotated["id"] == device and rotated["pushToken"] != "sbx-a"
    with pytest.raises(messaging.UnregisteredError):
        fcm.send(token="sbx-a", data={"a": "b"})
    fcm.send(token=rotated["pushToken"], data={"a": "c"})
    assert [push["device"] for push in fcm.pushes()] == [device, device]


def test_push_28_invalid_tokens(fcm):
    assert fcm.post({"token": "free form:x"}).status_code == 400
    assert fcm.post({"token": "free-form:x"}).status_code == 200
    fcm.settings(tokens="known-only")

    error = error_of(fcm.post({"token": "unheard-of"}), 400, INVALID)

    assert (error["fcm"], error["fields"]) == ([INVALID], [])
    assert error["message"] == "Invalid registration token"
    assert fcm.post({"token": "free-form:x"}).status_code == 200
    assert fcm.post({"token": "sbx-new"}).status_code == 200
