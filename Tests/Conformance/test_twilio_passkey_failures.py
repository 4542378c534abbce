"""Passkeys on a virtual handset, by the control API, and everything that is wrong with them."""

import pytest

from twilio_errors import refused
from twilio_passkeys import CONFIG, IDENTITY, approve, challenge, create, verify

NUMBER = "+12025550100"


@pytest.fixture
def call(sandbox):
    """`navigator.credentials` in a browser on a handset: call("create", options)."""

    def call(method, options, expect=(200,), number=NUMBER, **more):
        return sandbox.control("POST", f"devices/{number}/passkeys/{method}", expect=expect,
                               json={"options": options, **more}).json()
    return call


@pytest.fixture
def factor(service, call):
    """A verified passkey."""
    factor = create(service, config={**CONFIG, "user_verification": "required"})
    assert verify(service, call("create", factor.options)).status == "verified"
    return factor


@pytest.fixture
def asked(service, factor):
    return challenge(service, identity=IDENTITY)


def test_a_passkey_is_created_and_signs_in_twice(service, call, factor):
    for _ in range(2):
        asked = challenge(service, identity=IDENTITY)
        assert approve(service, call("get", asked.options)).status == "approved"


@pytest.mark.parametrize("fault, status, code", [
    ("noUserVerification", 400, 60379), ("wrongOrigin", 400, 60382), ("wrongRpId", 400, 60382),
    ("wrongChallenge", 400, 60364), ("wrongKey", 400, 60381), ("unknownCredential", 404, 60390),
    ("staleCounter", 400, 60379)])
def test_a_sign_in_is_refused_and_stays_pending(service, call, asked, fault, status, code):
    with refused(status, code):
        approve(service, call("get", asked.options, fault=fault))

    assert approve(service, call("get", asked.options)).status == "approved"


@pytest.mark.parametrize("fault, status, code", [
    ("noUserVerification", 400, 60379), ("wrongOrigin", 400, 60382), ("wrongRpId", 400, 60382),
    ("wrongChallenge", 400, 60362)])
def test_a_registration_is_refused(service, call, fault, status, code):
    factor = create(service, config={**CONFIG, "user_verification": "required"})

    with refused(status, code):
        verify(service, call("create", factor.options, fault=fault))


@pytest.mark.parametrize("method", ["create", "get"])
def test_the_person_cancels(call, asked, method):
    answer = call(method, asked.options, expect=(409,), fault="cancelled")

    assert answer["error"].startswith("NotAllowedError")


def test_a_challenge_expires_and_is_answered_once(sandbox, service, call, asked):
    approve(service, call("get", asked.options))
    with refused(403, 60322):
        approve(service, call("get", asked.options))

    asked = challenge(service, identity=IDENTITY)
    sandbox.advance("601s")
    with refused(400, 60384):
        approve(service, call("get", asked.options))


def test_a_deleted_passkey_is_replaced_by_a_new_one(service, call, factor, asked):
    service.entities(IDENTITY).factors(factor.sid).delete()
    with refused(404, 60390):
        approve(service, call("get", asked.options))

    again = create(service)
    verify(service, call("create", again.options))
    assert approve(service, call("get", challenge(service, identity=IDENTITY).options)).status == "approved"


def test_another_handset_does_not_have_the_passkey(call, asked):
    answer = call("get", asked.options, expect=(409,), number="+12025550101")

    assert answer["error"].startswith("NotAllowedError")


def test_a_passkey_without_a_name_is_chosen_by_its_id(service, call, factor):
    service.update(passkeys_relying_party_id="example.com", passkeys_relying_party_name="Example")
    asked = challenge(service)
    assert call("get", asked.options, expect=(409,))["field"] == "credential"
    known = challenge(service, identity=IDENTITY).options["publicKey"]["allowCredentials"][0]["id"]

    assert approve(service, call("get", asked.options, credential=known)).status == "approved"


@pytest.mark.parametrize("change, error", [
    ({"fault": "wrongkey"}, 'did you mean "wrongKey"?'), ({"orign": "https://a.test"}, 'did you mean "origin"?')])
def test_wrong_members_are_refused_with_the_nearest_name(call, asked, change, error):
    assert error in call("get", asked.options, expect=(400,), **change)["error"]
