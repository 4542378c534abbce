"""Virtual handsets with push factors: the app enrols by the public requests, and a person answers on the
handset."""

import pytest

from twilio_phones import ask, clock, enrolled, entity, new_phone  # noqa: F401

NUMBER = "+12025550100"
IDENTITY = "user-12025550100"


def create_device(sandbox, expect=201, **more):
    return sandbox.control("POST", "devices", expect=(expect,), json={
        "number": NUMBER, "provider": "twilio", **more}).json()


@pytest.fixture
def device(sandbox):
    return create_device(sandbox)


@pytest.fixture
def person(service):
    """The entity of the handset's person."""
    return service.entities(IDENTITY)


def the_factor(person):
    (factor,) = person.factors.list()
    return factor


def ask_on_handset(person, **more):
    return person.challenges.create(factor_sid=the_factor(person).sid, details_message="Log in?", **more)


def test_a_handset_enrols_by_the_public_requests(sandbox, device, person):
    factor = the_factor(person)

    assert (factor.status, factor.factor_type) == ("verified", "push")
    assert factor.config["notification_token"] == device["pushToken"]
    assert factor.config["app_id"] == device["app"]
    journal = [entry["route"] for entry in sandbox.journal(provider="twilio")]
    assert journal[:3] == ["createAccessToken", "createFactor", "updateFactor"]


def test_identity_service_and_platform_can_be_chosen(sandbox, client):
    other = client.verify.v2.services.create(friendly_name="Other")

    create_device(sandbox, identity="8d1c6f2e-ana", service=other.sid, platform="ios", app="com.acme.bank")

    (factor,) = client.verify.v2.services(other.sid).entities("8d1c6f2e-ana").factors.list()
    assert (factor.config["notification_platform"], factor.config["app_id"]) == ("apn", "com.acme.bank")


@pytest.mark.parametrize("action, status", [("approve", "approved"), ("deny", "denied")])
def test_a_person_answers_on_request(sandbox, device, person, action, status):
    challenge = ask_on_handset(person, details_fields=[{"label": "Place", "value": "Lima / Perú"}])
    assert person.challenges(challenge.sid).fetch().status == "pending"
    assert sandbox.control("GET", "pushes/latest").json()["data"]["challenge_sid"] == challenge.sid
    sandbox.advance("20s")

    answered = sandbox.control("POST", f"devices/{NUMBER}/{action}").json()

    assert answered["reference"] == challenge.sid
    fetched = person.challenges(challenge.sid).fetch()
    assert (fetched.status, fetched.date_responded.second) == (status, 50)
    assert sandbox.control("POST", f"devices/{NUMBER}/approve", expect=(409,)).json()["error"]


@pytest.mark.parametrize("reaction, status", [("approve", "approved"), ("deny", "denied"), ("ignore", "expired")])
def test_a_person_answers_automatically(sandbox, device, person, reaction, status):
    sandbox.control("PUT", f"subscribers/{NUMBER}", json={"pushes": reaction})
    challenge = ask_on_handset(person)

    sandbox.advance("10m")

    assert person.challenges(challenge.sid).fetch().status == status


def test_an_offline_handset_answers_when_it_is_back(sandbox, device, person):
    sandbox.control("PUT", f"subscribers/{NUMBER}", json={"pushes": "approve"})
    sandbox.control("PUT", f"devices/{device['id']}", json={"online": False})
    challenge = ask_on_handset(person)
    sandbox.advance("30s")
    assert person.challenges(challenge.sid).fetch().status == "pending"

    sandbox.control("PUT", f"devices/{device['id']}", json={"online": True})
    sandbox.advance("5s")

    assert person.challenges(challenge.sid).fetch().status == "approved"


@pytest.mark.parametrize("is_automatic", [False, True])
def test_an_answer_goes_through_the_public_requests(sandbox, device, person, is_automatic):
    if is_automatic:
        sandbox.control("PUT", f"subscribers/{NUMBER}", json={"pushes": "approve"})
    challenge = ask_on_handset(person)

    if is_automatic:
        sandbox.advance("10s")
    else:
        sandbox.control("POST", f"devices/{NUMBER}/approve")

    routes = [entry["route"] for entry in sandbox.journal(provider="twilio")]
    assert routes[routes.index("createChallenge"):] == ["createChallenge", "fetchChallenge", "updateChallenge"]
    assert person.challenges(challenge.sid).fetch().status == "approved"


@pytest.mark.parametrize("is_automatic", [False, True])
def test_a_refused_answer_is_visible(sandbox, device, person, is_automatic):
    if is_automatic:
        sandbox.control("PUT", f"subscribers/{NUMBER}", json={"pushes": "approve"})
    sandbox.faults({"provider": "twilio", "route": "updateChallenge", "code": "60324"})
    challenge = ask_on_handset(person)

    if is_automatic:
        sandbox.advance("10s")
    else:
        answer = sandbox.control("POST", f"devices/{NUMBER}/approve", expect=(409,)).json()
        assert "the app could not answer" in answer["error"] and "60324" in answer["error"]

    assert person.challenges(challenge.sid).fetch().status == "pending"
    (refused,) = [entry for entry in sandbox.journal(provider="twilio") if entry["route"] == "updateChallenge"]
    assert refused["response"]["status"] == 403
    kinds = [event["kind"] for event in sandbox.control("GET", "events?limit=1000").json()["events"]]
    assert "challenge.refused" in kinds


def test_an_expired_challenge_cannot_be_approved(sandbox, device, person):
    challenge = ask_on_handset(person)
    sandbox.advance("301s")

    sandbox.control("POST", f"devices/{NUMBER}/approve", expect=(409,))
    assert person.challenges(challenge.sid).fetch().status == "expired"


@pytest.mark.parametrize("more, field", [
    ({"provider": "telesign", "identity": "a"}, "identity"), ({"provider": "prelude", "service": "a"}, "service")])
def test_other_providers_have_no_identities(sandbox, more, field):
    answer = create_device(sandbox, expect=400, **more)

    assert answer["field"].endswith(field)


def test_an_app_with_its_own_key_enrols_by_itself(sandbox, client, person):
    key = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWW5aEv82MvoOPVvr59t7s1s8JL8gSaGzJ1QpOO06kbpw+hNLZT7OUeBqNxHqwaDmIUp93jDq569DOmWJevkT/Q=="

    device = create_device(sandbox, publicKey=key)

    assert device["publicKey"] == key
    assert sandbox.journal(provider="twilio") == []


def test_a_refused_enrolment_registers_nothing(sandbox, client):
    answer = create_device(sandbox, expect=409, identity="short")

    assert "AccessTokens answered 400" in answer["error"]
    assert sandbox.control("GET", f"devices/{NUMBER}").json()["apps"] == []
    assert '"code":20404' in create_device(sandbox, expect=409, service="VA" + "0" * 32)["error"]


def test_only_its_app_answers_for_a_real_phone(sandbox, entity, new_phone):
    phone = new_phone(push_token="f3c1a7d05e2b4c8f9a6d7e0b1c2d3e4f")
    phone.verify_factor()
    challenge = ask(entity, phone)

    answer = sandbox.control("POST", f"devices/{challenge.sid}/approve", expect=(409,)).json()

    assert "whose key the sandbox has" in answer["error"]
    assert entity.challenges(challenge.sid).fetch().status == "pending"
    phone.respond(challenge.sid, "approved")
    assert entity.challenges(challenge.sid).fetch().status == "approved"
