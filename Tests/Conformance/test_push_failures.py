"""What goes wrong on the way of a push, and at the gateways, set by the control API and seen by the official
firebase-admin. Source: `push-gateway.md` 1.3, 2 and 4"""

import pytest
from firebase_admin import exceptions, messaging

from apns_client import START, TOKEN as TOKEN_OF_APPLE, Gateway, refused
from fcm_client import error_of

TOKEN = "sbx-phone"


def scenario(sandbox, outcome, **more):
    sandbox.control("PUT", "scenarios", json={
        "scenarios": [{"match": {"channel": "push"}, "outcome": outcome, **more}]})


def phone(fcm, wait=0, **change):
    """The handset of the token; its pushes, as the app on it sees them."""
    if change:
        (device,) = [app for handset in fcm.sandbox.control("GET", "devices").json()["devices"]
                     for app in handset["apps"] if app["pushToken"] == TOKEN]
        fcm.sandbox.control("PUT", f"devices/{device['id']}", json=change)
    return fcm.sandbox.control("GET", "phone/pushes", params={"token": TOKEN, "wait": wait}).json()["pushes"]


@pytest.fixture
def registered(fcm):
    fcm.sandbox.control("POST", "devices", json={"provider": "fcm", "pushToken": TOKEN})
    return fcm


def send(fcm, ttl=60):
    return fcm.send(token=TOKEN, data={"ref": "r-17"}, android=messaging.AndroidConfig(ttl=ttl))


def test_a_push_is_lost_although_it_was_accepted(registered):
    scenario(registered.sandbox, "lostButDelivrd")

    assert send(registered)

    assert phone(registered) == []


def test_a_push_is_shown_twice(registered):
    scenario(registered.sandbox, "duplicate")

    send(registered)

    assert [push["data"] for push in phone(registered)] == [{"ref": "r-17"}] * 2


@pytest.mark.parametrize("away, count, status", [("59s", 1, "delivered"), ("61s", 0, "expired")])
def test_a_phone_is_offline_for_a_while(registered, away, count, status):
    phone(registered, online=False)
    send(registered)
    registered.sandbox.advance(away)

    assert len(phone(registered, online=True)) == count
    assert [push["status"] for push in registered.pushes(token=TOKEN)] == [status]


def test_a_push_comes_late(registered):
    scenario(registered.sandbox, "slow", afterMs=30_000)
    send(registered)
    registered.sandbox.advance("29s")
    assert phone(registered) == []

    registered.sandbox.advance("1s")

    assert len(phone(registered)) == 1


def test_a_push_that_would_come_after_its_expiry_is_dropped(registered):
    scenario(registered.sandbox, "slow", afterMs=90_000)
    send(registered)

    registered.sandbox.advance("2m")

    assert phone(registered) == []


def test_a_push_is_shown_after_its_expiry(registered):
    scenario(registered.sandbox, "shownExpired", afterMs=90_000)
    send(registered)
    registered.sandbox.advance("89s")
    assert phone(registered) == []

    registered.sandbox.advance("1s")

    [push] = phone(registered)
    assert (push["status"], push["deliveredAt"]) == ("expired", "2026-01-05T10:22:00.000Z")


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

    answer = fcm.post({"token": TOKEN})

    error = error_of(answer, status, word)
    assert error["fcm"] in ([code], []) and answer.headers["Retry-After"] == "1"
    with pytest.raises(raised):
        fcm.send(token=TOKEN)
    assert fcm.pushes() == []


@pytest.mark.parametrize("reason", ["Unregistered", "ExpiredToken"])
def test_apns_refuses_a_token_since_a_time(sandbox, reason):
    apns = Gateway(sandbox)
    sandbox.faults({"provider": "apns", "code": reason})

    error = refused(apns.post(), 410, reason)

    assert error["timestamp"] == 1767608430000


@pytest.mark.parametrize("provider, code, nearest", [
    ("fcm", "UNREGISTRED", "UNREGISTERED"), ("apns", "Unregistred", "Unregistered")])
def test_a_misspelt_code_is_refused_with_the_nearest_one(sandbox, provider, code, nearest):
    answer = sandbox.control("PUT", "faults", expect=(400,), json={
        "faults": [{"provider": provider, "code": code}]}).json()

    assert answer["field"].endswith("code") and f'"{nearest}"' in answer["error"]


@pytest.mark.parametrize("outcome, count", [("lostButDelivrd", 0), ("duplicate", 2), ("shownExpired", 1)])
def test_a_push_through_apns_is_lost_or_shown_twice_or_after_its_expiry(sandbox, outcome, count):
    apns = Gateway(sandbox)
    scenario(sandbox, outcome)

    assert apns.post(apns_expiration=str(START + 60)).status_code == 200

    if outcome == "shownExpired":
        sandbox.advance("10m")
    shown = sandbox.control("GET", "phone/pushes", params={"token": TOKEN_OF_APPLE}).json()["pushes"]
    assert len(shown) == count
