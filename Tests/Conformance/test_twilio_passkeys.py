"""Conformance checks 48 and 72 of the Twilio Verify contract, and section 12: passkeys through the official
client."""

import pytest
import requests

from passkeys import USER_PRESENT, Authenticator, encode, text
from twilio_errors import refused
from twilio_passkeys import CONFIG, IDENTITY, PARTY, approve, challenge, create, verify


def enrolled(service, authenticator=None, **more):
    """An authenticator whose passkey is verified, and its factor."""
    authenticator = authenticator or Authenticator()
    factor = create(service, **more)
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


@pytest.mark.parametrize("party", [{}, None, {"id": "", "name": "", "origins": []}])
def test_twilio_72_relying_party_without_values_is_the_services(service, party):
    """twilio-go sends an empty object for every caller who names no relying party."""
    service.update(passkeys_relying_party_id="example.com", passkeys_relying_party_name="Example",
                   passkeys_relying_party_origins="https://example.com",
                   passkeys_authenticator_attachment="platform", passkeys_discoverable_credentials="preferred")

    authenticator, factor = enrolled(service, config={"relying_party": party, "user_verification": "required"})

    assert factor.config["relying_party"] == PARTY
    assert factor.config["user_verification"] == "required"
    assert service.entities(IDENTITY).factors(factor.sid).fetch().status == "verified"


def test_twilio_72_no_relying_party_anywhere_is_60371(service):
    with refused(400, 60371):
        create(service, config={"relying_party": {}})


def test_passkey_is_verified_and_signs_in(connect, service):
    authenticator, factor = enrolled(service)

    assert service.entities(IDENTITY).factors(factor.sid).fetch().status == "verified"
    asked = challenge(service, identity=IDENTITY)
    assert (asked.status, asked.identity, asked.factor_sid) == ("pending", IDENTITY, factor.sid)
    assert text(asked.options["publicKey"]["challenge"]) == asked.sid
    assert asked.sid.startswith("YC04")
    assert asked.options["publicKey"]["allowCredentials"] == [{"type": "public-key", "id": encode(authenticator.credential)}]

    answer = approve(service, authenticator.get(asked.options["publicKey"]))

    assert (answer.sid, answer.status) == (asked.sid, "approved")
    assert connect.statuses[-1] == 200


def test_challenge_without_identity_is_for_any_passkey(service):
    service.update(passkeys_relying_party_id="example.com")
    authenticator, _ = enrolled(service)

    asked = challenge(service)

    assert (asked.entity_sid, asked.identity, asked.factor_sid) == ("", "", "")
    assert approve(service, authenticator.get(asked.options["publicKey"])).status == "approved"


def test_service_has_the_defaults_of_config(service):
    service.update(passkeys_relying_party_id="example.com", passkeys_relying_party_name="Acme",
                   passkeys_relying_party_origins="https://example.com,https://www.example.com",
                   passkeys_authenticator_attachment="any", passkeys_discoverable_credentials="required",
                   passkeys_user_verification="required")

    factor = create(service, config=None)

    assert factor.config["relying_party"] == {
        "id": "example.com", "name": "Acme", "origins": ["https://example.com", "https://www.example.com"]}
    assert factor.config["user_verification"] == "required"
    with refused(400, 60379):
        verify(service, Authenticator(flags=USER_PRESENT).create(factor.options["publicKey"]))


def test_known_passkeys_are_excluded_from_the_next_registration(service):
    authenticator, _ = enrolled(service)

    assert create(service).options["publicKey"]["excludeCredentials"] == [
        {"type": "public-key", "id": encode(authenticator.credential)}]


@pytest.mark.parametrize("change, code", [
    ({"friendly_name": None}, 60388), ({"friendly_name": "a" * 65}, 60388), ({"identity": None}, 60367),
    ({"identity": "short"}, 60367), ({"config": None}, 60371), ({"config": {"relying_party": {"name": "Acme"}}}, 60372),
    ({"config": {"relying_party": {"id": "https://example.com"}}}, 60372),
    ({"config": {"relying_party": {"id": "example.com", "origins": ["https://evil.example"]}}}, 60371),
    ({"config": {"relying_party": {"id": "example.com", "origins": ["http://example.com"]}}}, 60371),
    ({"config": {**CONFIG, "user_verification": "always"}}, 60370),
    ({"config": {**CONFIG, "authenticator_attachment": "usb"}}, 60370),
])
def test_wrong_factor_is_refused(service, change, code):
    with refused(400, code):
        create(service, **change)


@pytest.mark.parametrize("name", ["authenticator_attachment", "discoverable_credentials", "user_verification"])
def test_46_d0_factor_needs_each_criterion_in_config_or_in_the_service(service, name):
    config = {key: value for key, value in CONFIG.items() if key != name}

    with refused(400, 60393, f"Authenticator criteria are missing from the request: {name}"):
        create(service, config=config)

    service.update(**{f"passkeys_{name}": CONFIG[name]})
    assert create(service, config=config).config == CONFIG


def registration(service, **changes):
    answer = Authenticator().create(create(service).options["publicKey"])
    response = {**answer["response"], **changes.pop("response", {})}
    return {**answer, "response": response, **changes}


@pytest.mark.parametrize("change, code", [
    ({"id": "AAAA"}, 60375), ({"rawId": None}, 60376), ({"rawId": "!"}, 60376),
    ({"authenticatorAttachment": "any"}, 60377), ({"response": {"attestationObject": None}}, 60386),
    ({"response": {"attestationObject": "AAAA"}}, 60386), ({"response": {"clientDataJSON": None}}, 60380),
    ({"response": {"clientDataJSON": encode(b"{}")}}, 60380),
])
def test_wrong_registration_is_refused(service, change, code):
    answer = registration(service, **change)

    with refused(400, code):
        verify(service, answer)


def test_registration_without_response_is_60378(raw):
    answer = requests.post(f"{raw.service}/Passkeys/VerifyFactor", auth=raw.pair, json={"rawId": "AAAA"}, timeout=20)

    assert (answer.status_code, answer.json()["code"]) == (400, 60378)


@pytest.mark.parametrize("authenticator, code", [
    (Authenticator(origin="https://evil.example"), 60382), (Authenticator(domain="evil.example"), 60382),
    (Authenticator(flags=0), 60379), (Authenticator(algorithm=-8), 60385), (Authenticator(credential=b"x" * 1024), 60387),
])
def test_registration_of_another_site_without_a_user_or_with_another_key_is_refused(service, authenticator, code):
    factor = create(service)

    with refused(400, code):
        verify(service, authenticator.create(factor.options["publicKey"]))
    assert service.entities(IDENTITY).factors(factor.sid).fetch().status == "unverified"


def test_registration_for_an_unknown_or_a_verified_factor_is_refused(service):
    authenticator, factor = enrolled(service)
    options = factor.options["publicKey"]

    with refused(400, 60383):
        verify(service, authenticator.create(options))
    with refused(404, 60390):
        verify(service, authenticator.create({**options, "challenge": encode(b"YF04" + b"0" * 30)}))
    with refused(400, 60362):
        verify(service, authenticator.create({**options, "challenge": encode(b"hello")}))


def test_passkey_cannot_be_registered_twice(service):
    authenticator, _ = enrolled(service)

    with refused(409, 60317):
        verify(service, authenticator.create(create(service, identity="user-00000002").options["publicKey"]))


def test_challenge_for_an_unknown_identity_or_passkey_is_refused(service):
    with refused(404, 60392):
        challenge(service, identity="user-99999999")
    factor = create(service)
    with refused(404, 60390):
        challenge(service, identity=IDENTITY)
    with refused(400, 60383):
        challenge(service, identity=IDENTITY, factor_sid=factor.sid)
    with refused(400, 60362):
        challenge(service, factor_sid="YF04")
    with refused(404, 60390):
        challenge(service, factor_sid="YF04" + "0" * 30)
    with refused(400, 60371):
        challenge(service)


class TestRefusedSignIn:
    """Whatever is wrong, the challenge stays pending, and the right answer still approves it."""

    @pytest.fixture
    def passkey(self, service):
        authenticator, _ = enrolled(service, Authenticator(sign_count=1))
        return authenticator

    @pytest.fixture
    def asked(self, service, passkey):
        return challenge(service, identity=IDENTITY)

    @pytest.fixture(autouse=True)
    def stays_pending(self, service, passkey, asked):
        yield
        passkey.sign_count, passkey.origin, passkey.domain = 2, "https://example.com", "example.com"
        assert approve(service, passkey.get(asked.options["publicKey"])).status == "approved"

    def test_by_a_stolen_credential_id(self, service, asked, passkey):
        thief = Authenticator(sign_count=2)
        thief.user = passkey.user
        with refused(400, 60381):
            approve(service, thief.get(asked.options["publicKey"]))

    def test_on_another_site(self, service, asked, passkey):
        passkey.sign_count, passkey.origin = 2, "https://evil.example"
        with refused(400, 60382):
            approve(service, passkey.get(asked.options["publicKey"]))

    def test_with_a_counter_that_does_not_grow(self, service, asked, passkey):
        with refused(400, 60379):
            approve(service, passkey.get(asked.options["publicKey"]))

    def test_for_another_challenge(self, service, asked, passkey):
        unknown = {**asked.options["publicKey"], "challenge": encode(b"YC04" + b"0" * 30)}
        with refused(404, 60391):
            approve(service, passkey.get(unknown))
        with refused(400, 60364):
            approve(service, passkey.get({**unknown, "challenge": encode(b"hello")}))

    def test_by_another_user(self, service, asked, passkey):
        other = Authenticator(credential=b"other" * 4)
        enrolled(service, other, identity="user-00000002")
        with refused(404, 60390):
            approve(service, other.get(asked.options["publicKey"]))

    def test_with_another_user_handle(self, service, asked, passkey):
        answer = passkey.get(asked.options["publicKey"])
        answer["response"]["userHandle"] = encode(b"YE" + b"0" * 32)
        with refused(400, 60378):
            approve(service, answer)


def test_answered_challenge_is_60322_and_an_old_one_60384(sandbox, service):
    authenticator, _ = enrolled(service)
    asked = challenge(service, identity=IDENTITY)
    answer = authenticator.get(asked.options["publicKey"])
    approve(service, answer)
    with refused(403, 60322):
        approve(service, answer)

    asked = challenge(service, identity=IDENTITY)
    sandbox.advance("601s")
    with refused(400, 60384):
        approve(service, authenticator.get(asked.options["publicKey"]))


def test_deleted_passkey_cannot_sign_in_and_can_be_registered_again(service):
    authenticator, factor = enrolled(service)
    asked = challenge(service, identity=IDENTITY)
    service.entities(IDENTITY).factors(factor.sid).delete()

    with refused(404, 60390):
        approve(service, authenticator.get(asked.options["publicKey"]))
    enrolled(service, authenticator)
