"""Conformance check 48 of the Twilio Verify contract, and passkeys by the official client: each operation
once with success and once refused. What the server decides: Passkeys.http and PasskeySignIns.http in
Sources/Providers/Twilio/Checks."""

import pytest

from passkeys import Authenticator, encode, text
from twilio_errors import refused
from twilio_passkeys import CONFIG, IDENTITY, approve, challenge, create, verify


def enrolled(service, authenticator=None):
    """An authenticator whose passkey is verified, and its factor."""
    authenticator = authenticator or Authenticator()
    factor = create(service)
    verify(service, authenticator.create(factor.options["publicKey"]))
    return authenticator, factor


def test_twilio_48_passkey_factor_has_options_for_the_browser(connect, service):
    factor = create(service)

    assert connect.statuses == [201]
    assert (factor.status, factor.factor_type, factor.binding) == ("unverified", "passkeys", None)
    assert factor.sid.startswith("YF04")
    assert factor.config == CONFIG
    options = factor.options["publicKey"]
    assert text(options["challenge"]) == factor.sid
    assert text(options["user"]["id"]) == factor.entity_sid
    assert options["rp"] == {"id": "example.com", "name": "Example"}
    assert options["pubKeyCredParams"] == [{"type": "public-key", "alg": -7}]  # 46 D0
    assert options["authenticatorSelection"] == {
        "authenticatorAttachment": "platform", "requireResidentKey": False, "residentKey": "preferred",
        "userVerification": "preferred"}
    assert (options["timeout"], options["attestation"], options["excludeCredentials"]) == (600000, "none", [])
    with refused(400, 60371):
        create(service, config=None)


def test_passkey_is_verified_and_signs_in(connect, service):
    authenticator, factor = enrolled(service)

    assert service.entities(IDENTITY).factors(factor.sid).fetch().status == "verified"
    asked = challenge(service, identity=IDENTITY)
    assert (asked.status, asked.identity, asked.factor_sid) == ("pending", IDENTITY, factor.sid)
    assert text(asked.options["publicKey"]["challenge"]) == asked.sid
    assert asked.options["publicKey"]["allowCredentials"] == [{"type": "public-key", "id": encode(authenticator.credential)}]
    right = authenticator.get(asked.options["publicKey"])

    answer = approve(service, right)

    assert (answer.sid, answer.status) == (asked.sid, "approved")
    assert connect.statuses[-1] == 200
    with refused(403, 60322):
        approve(service, right)
    with refused(404, 60392):
        challenge(service, identity="user-99999999")


def test_challenge_without_identity_is_for_any_passkey(sandbox, service):
    """The answer's empty texts deviate from the provider's document. Source: contract 12"""
    def browser(method, options, expect=200, **more):
        return sandbox.control("POST", f"devices/+12025550100/passkeys/{method}", expect=(expect,),
                               json={"options": options, **more}).json()

    service.update(passkeys_relying_party_id="example.com", passkeys_relying_party_name="Example")
    made = browser("create", create(service).options)
    verify(service, made)

    asked = challenge(service)

    assert (asked.entity_sid, asked.identity, asked.factor_sid) == ("", "", "")
    assert browser("get", asked.options, expect=409)["field"] == "credential"
    assert approve(service, browser("get", asked.options, credential=made["id"])).status == "approved"


@pytest.mark.parametrize("authenticator, code", [
    (Authenticator(flags=0), 60379), (Authenticator(algorithm=-8), 60385), (Authenticator(credential=b"x" * 1024), 60387)])
def test_registration_without_a_user_or_with_another_key_is_refused(service, authenticator, code):
    factor = create(service)

    with refused(400, code):
        verify(service, authenticator.create(factor.options["publicKey"]))
    assert service.entities(IDENTITY).factors(factor.sid).fetch().status == "unverified"


def test_sign_in_with_a_counter_that_does_not_grow_is_refused(service):
    authenticator, _ = enrolled(service, Authenticator(sign_count=1))
    asked = challenge(service, identity=IDENTITY)

    with refused(400, 60379):
        approve(service, authenticator.get(asked.options["publicKey"]))
    authenticator.sign_count = 2
    assert approve(service, authenticator.get(asked.options["publicKey"])).status == "approved"
