"""FCM HTTP v1 with firebase-admin: numbered checks of the push contract, section 6. The others are in
Sources/Providers/FCM/Checks; accounts and the fields of messages have their own files."""

import threading
import time

import pytest
from firebase_admin import exceptions, messaging

from fcm_client import UNREGISTERED, error_of


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


def test_push_03_a_dry_run_is_listed_and_not_sent(fcm):
    name = fcm.send(token="sbx-a", dry_run=True, data={"a": "b"})

    assert name.endswith("/fake_message_id")
    assert fcm.pushes() == []
    [attempt] = fcm.attempts(token="sbx-a")
    assert (attempt["dryRun"], attempt["status"]) == (True, 200)
    with pytest.raises(messaging.UnregisteredError):
        fcm.send(token="sbx-b-gone", dry_run=True)


def test_push_12_a_gateway_that_is_down_for_a_moment(fcm):
    fcm.send(token="sbx-e-flaky2", data={"a": "b"})

    assert [attempt["status"] for attempt in fcm.attempts(token="sbx-e-flaky2")] == [503, 503, 200]
    [push] = fcm.pushes(token="sbx-e-flaky2")
    assert push["attempts"] == 3


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


def test_push_29_topics(fcm):
    tokens = ["sbx-t1", "sbx-t2", "sbx-t3-gone"]

    added = messaging.subscribe_to_topic(tokens, "news", app=fcm.app)
    fcm.send(topic="news", data={"a": "b"})
    removed = messaging.unsubscribe_from_topic(["sbx-t1"], "news", app=fcm.app)
    fcm.send(topic="news", data={"a": "c"})

    assert (added.success_count, added.failure_count) == (2, 1)
    assert (added.errors[0].index, added.errors[0].reason) == (2, UNREGISTERED)
    assert removed.success_count == 1
    assert [push["data"]["a"] for push in fcm.pushes(token="sbx-t1")] == ["b"]
    assert [push["data"]["a"] for push in fcm.pushes(token="sbx-t2")] == ["b", "c"]


CODES = {
    "UNREGISTERED": (404, "NOT_FOUND", messaging.UnregisteredError),
    "INVALID_ARGUMENT": (400, "INVALID_ARGUMENT", exceptions.InvalidArgumentError),
    "SENDER_ID_MISMATCH": (403, "PERMISSION_DENIED", messaging.SenderIdMismatchError),
    "QUOTA_EXCEEDED": (429, "RESOURCE_EXHAUSTED", messaging.QuotaExceededError),
    "THIRD_PARTY_AUTH_ERROR": (401, "UNAUTHENTICATED", messaging.ThirdPartyAuthError),
    "UNAVAILABLE": (503, "UNAVAILABLE", exceptions.UnavailableError),
    "INTERNAL": (500, "INTERNAL", exceptions.InternalError),
    # Errors of Google's front end, without one of FCM's own codes
    "UNAUTHENTICATED": (401, "UNAUTHENTICATED", exceptions.UnauthenticatedError),
    "PERMISSION_DENIED": (403, "PERMISSION_DENIED", exceptions.PermissionDeniedError),
    "NOT_FOUND": (404, "NOT_FOUND", exceptions.NotFoundError),
    "RESOURCE_EXHAUSTED": (429, "RESOURCE_EXHAUSTED", exceptions.ResourceExhaustedError),
}


@pytest.mark.parametrize("code", CODES)
def test_fcm_refuses_with_each_code(fcm, code):
    status, word, raised = CODES[code]
    fcm.sandbox.faults({"provider": "fcm", "route": "sendMessage", "code": code, "retryAfter": 1})

    answer = fcm.post({"token": "sbx-phone"})

    error = error_of(answer, status, word)
    assert error["fcm"] in ([code], []) and answer.headers["Retry-After"] == "1"
    with pytest.raises(raised):
        fcm.send(token="sbx-phone")
    assert fcm.pushes() == []
