"""A story: Ana has a wallet app on a virtual handset, and signs in with a new phone."""

import pytest

from hyphen_client import Phone
from virtual_handset import VirtualHandset

NUMBER = "+12025550100"
EMAIL = "ana@example.test"


@pytest.fixture
def handset(sandbox):
    return VirtualHandset(sandbox, NUMBER, "hyphen", identity=EMAIL)


@pytest.fixture
def phone(sandbox, handset):
    """Ana's new phone. Its SDK is that of iOS, which keeps its token."""
    return Phone(sandbox, "anas-new-iphone", "iOS", email=EMAIL)


def test_the_handset_registers_by_the_public_requests(handset):
    assert handset.routes("hyphen") == ["signUp"]


def test_ana_approves_with_her_key(sandbox, handset, phone):
    assert phone.sign_in() == "2fa"
    sandbox.advance("1s")

    handset.approve()

    assert [push["data"]["hyphen:type"] for push in handset.pushes()] == ["2fa-request"]
    assert handset.routes("hyphen")[-3:] == ["createChallenge", "respondToChallenge", "approveTwoFactorAuth"]
    phone.keep(phone.finish().json())
    assert len(phone.devices()) == 2


def test_ana_denies(handset, phone):
    phone.sign_in()

    handset.deny()

    assert phone.finish().error == (400, "TwoFactorAuthDenied")


def test_ana_needs_twenty_seconds(sandbox, handset, phone):
    handset.set(behaviour="approve", answerAfterMs=20_000)
    phone.sign_in()
    sandbox.advance("19s")
    assert phone.finish().error == (400, "TwoFactorAuthPending")

    sandbox.advance("1s")

    assert phone.finish().status == 200


def test_ana_ignores_it_until_it_expires(sandbox, handset, phone):
    handset.set(behaviour="ignore")
    phone.sign_in()

    sandbox.advance("300s")

    assert phone.finish().error == (400, "TwoFactorAuthExpired")
    assert "expired" in handset.approve(expect=(409,))["error"]


def test_the_app_was_deleted(sandbox, handset, phone):
    handset.set(condition="appDeleted")

    phone.sign_in()

    assert handset.pushes() == []
    attempts = sandbox.control("GET", "pushes/attempts").json()["attempts"]
    assert [attempt["error"] for attempt in attempts] == ["UNREGISTERED"]
    assert "deleted" in handset.approve(expect=(409,))["error"]


def test_a_second_handset_is_approved_on_the_first(sandbox, handset):
    second = VirtualHandset(sandbox, "+12025550101", "hyphen", identity=EMAIL)

    assert second.routes("hyphen")[-6:] == [
        "signUp", "createTwoFactorAuth", "createChallenge", "respondToChallenge", "approveTwoFactorAuth",
        "finishTwoFactorAuth"]
    assert "challenge.approved" in second.events()


def test_a_second_handset_without_consent_does_not_register(sandbox, handset):
    handset.set(condition="locked")

    answer = sandbox.control("POST", "devices", expect=(409,), json={
        "number": "+12025550101", "provider": "hyphen", "identity": EMAIL}).json()

    assert "the handset is locked" in answer["error"]
