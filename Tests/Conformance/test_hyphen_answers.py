"""Conformance checks H10 to H12, H16, H18 to H22, H24, H26 and H28 of the Hyphen contract, section 9: answers
and devices."""

import pytest

from hyphen_client import STATUSES, TX_ID, Phone, two_factor_auth

EMAIL = "mara@example.test"
UNKNOWN = "0b54a8d2-5f0e-4c7a-9a70-3d1f6a3c0001"


@pytest.fixture
def old(sandbox):
    """A signed-in device: the destination."""
    return Phone(sandbox, "old-phone", email=EMAIL).sign_up()


@pytest.fixture
def new(sandbox, old):
    """A device that asks for approval: the source."""
    phone = Phone(sandbox, "new-phone", email=EMAIL)
    phone.request_approval()
    return phone


def add(sandbox, old, name, platform="Android"):
    """Another signed-in device of the account."""
    phone = Phone(sandbox, name, platform, email=EMAIL)
    phone.request_approval()
    assert old.approve(phone.request_id).status in (200, 204)
    phone.keep(phone.finish().json())
    return phone


def test_hyphen_10_expiry(sandbox, old, new):
    sandbox.advance("300s")

    assert old.approve(new.request_id).error == (400, "TwoFactorAuthExpired")
    assert new.pushes() == []
    assert two_factor_auth(new.fetch()["twoFactorAuth"])["status"] in STATUSES
    assert new.fetch(X_Hyphen_SDK_Platform=None)["twoFactorAuth"]["status"] == "expired"


def test_hyphen_11_a_third_device(sandbox, old):
    third = add(sandbox, old, "third-phone")
    sandbox.advance("1s")
    old.call("POST", "/auth/v1/refresh", {"refreshToken": old.credentials["refreshToken"]})
    new = Phone(sandbox, "new-phone", email=EMAIL)
    assert new.request_approval()["request"]["destDevice"]["name"] == "old-phone"

    assert third.approve(new.request_id).error == (403, "NotDestinationDevice")
    assert third.fetch(new.request_id)["twoFactorAuth"]["status"] == "pending"


def test_hyphen_12_the_source_approves(old, new):
    answer = new.approve(new.request_id)

    assert answer.error == (403, "NotDestinationDevice")
    assert [key["type"] for key in old.keys()] == ["user-key", "server-key"]


def test_hyphen_16_a_second_answer(old, new):
    old.approve(new.request_id)

    assert old.approve(new.request_id, "b2" * 32).error == (409, "TwoFactorAuthAlreadyResolved")
    assert old.deny(new.request_id).error == (409, "TwoFactorAuthAlreadyResolved")
    assert new.fetch()["twoFactorAuth"]["result"]["txId"] == TX_ID
    assert len(new.pushes()) == 1


def test_hyphen_18_bad_transaction_id(old, new):
    answer = old.approve(new.request_id, "zz")

    assert answer.error == (400, "InvalidRequest")
    assert answer["field"] == "txId"
    assert new.fetch()["twoFactorAuth"]["status"] == "pending"


def test_hyphen_19_another_destination(sandbox, old):
    other = add(sandbox, old, "other-phone")
    new = Phone(sandbox, "new-phone", "iOS", email=EMAIL)
    first = new.request_approval()["request"]["destDevice"]
    asked, idle = (other, old) if first["name"] == "other-phone" else (old, other)
    before = len(idle.pushes("2fa-request"))
    target = next(found for found in old.devices() if found["name"] == idle.device["name"])

    answer = new.retry(target["id"])

    assert answer.status == 200
    assert answer["twoFactorAuth"]["request"]["destDevice"] == target
    assert len(idle.pushes("2fa-request")) == before + 1
    assert idle.pushes()[-1]["decoded"]["hyphen:data"]["twoFactorAuth"]["request"]["destDevice"] == target
    assert asked.approve(new.request_id).error == (403, "NotDestinationDevice")
    assert idle.approve(new.request_id).status == 204


def test_hyphen_20_a_destination_of_another_account(sandbox, old, new):
    stranger = Phone(sandbox, "strange-phone", email="other@example.test").sign_up()
    (device,) = stranger.devices()

    answer = new.retry(device["id"])

    assert answer.error == (404, "DeviceNotFound")
    assert stranger.pushes() == []
    assert stranger.fetch(new.request_id).error == (404, "TwoFactorAuthNotFound")


def test_hyphen_21_ios_gets_a_body(sandbox):
    old = Phone(sandbox, "old-iphone", "iOS", email=EMAIL).sign_up()
    new = Phone(sandbox, "new-phone", email=EMAIL)
    new.request_approval()

    answer = old.approve(new.request_id)

    assert (answer.status, answer.text) == (200, "{}")


def test_hyphen_22_two_slashes(old, new):
    path = f"/device/v1/2fa/{new.request_id}"

    once, twice = old.send("GET", path), old.send("GET", f"/{path}")

    assert (twice.status, twice.text) == (200, once.text)
    assert old.send("GET", f"/hyphen/{path}").text == once.text
    assert old.send("GET", "//device/v1/nothing").error == (404, "NotFound")


def test_hyphen_24_unregistered_token(sandbox):
    new = Phone(sandbox, "new-phone", email="deadtoken@example.test")

    assert new.request_approval()["status"] == "pending"

    attempts = sandbox.control("GET", "pushes/attempts").json()["attempts"]
    assert [(attempt["target"]["value"], attempt["error"]) for attempt in attempts] == [
        ("sbx-fcm-deadtoken-gone", "UNREGISTERED")]


def test_hyphen_26_new_push_token(sandbox, old):
    (before,) = old.devices()

    answer = old.update(pushToken="sbx-fcm-newer")

    assert answer["device"] == {**before, "pushToken": "sbx-fcm-newer"}
    Phone(sandbox, "new-phone", email=EMAIL).request_approval()
    assert old.pushes() == []
    old.token = "sbx-fcm-newer"
    assert len(old.pushes("2fa-request")) == 1


def test_a_token_that_another_phone_has_left_gets_the_pushes_of_the_phone_that_names_it_now(sandbox, old):
    left = old.token
    old.update(pushToken="sbx-fcm-newer")
    old.token = "sbx-fcm-newer"
    other = Phone(sandbox, "other-phone", email="other@example.test", push_token=left).sign_up()

    Phone(sandbox, "new-phone", email=other.email).request_approval()
    Phone(sandbox, "newest-phone", email=EMAIL).request_approval()

    assert len(other.pushes("2fa-request")) == len(old.pushes("2fa-request")) == 1


def test_hyphen_28_unknown_request(old):
    for answer in (old.fetch(UNKNOWN), old.retry("any", UNKNOWN), old.deny(UNKNOWN), old.approve(UNKNOWN)):
        assert answer.error == (404, "TwoFactorAuthNotFound")
