"""What goes wrong with the answer of an app on a virtual handset: another key, a second answer, a late one,
an app that was installed anew. Each provider refuses it by its public routes."""

import datetime

import pytest

from handset_sign_ins import EMAIL, NUMBER, Hyphen, Prove, Telesign, Twilio
from virtual_handset import VirtualHandset


@pytest.fixture
def telesign_sandbox(server):
    """Frozen at the real time, because Telesign's clients sign with it."""
    sandbox = server.sandbox(clock=datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))
    yield sandbox
    sandbox.delete()


@pytest.fixture
def provider(request, sandbox):
    """The back end of the provider, and its app on a handset with a sign-in that waits."""
    if request.param == "telesign":
        made = Telesign(request.getfixturevalue("telesign_sandbox"))
    elif request.param == "prove":
        made = Prove(sandbox, request.getfixturevalue("go"))
    else:
        made = {"twilio": Twilio, "hyphen": Hyphen}[request.param](sandbox)
    made.ask()
    return made


def of(**expected):
    """Parameters: a provider and what its refusal says."""
    return pytest.mark.parametrize("provider, text", expected.items(), indirect=["provider"])


@of(twilio='answered 401 {"code":20003', telesign="3400", hyphen="InvalidSignature", prove="does not accept the key")
def test_a_stolen_key_does_not_approve(provider, text):
    error = provider.handset.approve(expect=(409,), fault="wrongKey")["error"]

    assert text in error
    assert "challenge.refused" in provider.handset.events()
    assert provider.state() == "pending"


@of(twilio="60322", telesign="3931", hyphen="TwoFactorAuthAlreadyResolved", prove="8002")
def test_a_second_approval_is_refused(provider, text):
    provider.handset.approve()

    assert text in provider.handset.approve(expect=(409,), fault="late")["error"]

    assert provider.state() == "approved"


@of(twilio="60323", telesign="3400", hyphen="TwoFactorAuthExpired", prove="8002")
def test_an_approval_after_the_expiry_is_refused(provider, text):
    provider.sandbox.advance("20m")

    assert text in provider.handset.approve(expect=(409,), fault="late")["error"]


@of(twilio="answered 401")
def test_the_key_of_a_reinstalled_app_does_not_answer_for_the_old_one(provider, text):
    """The old factor's pushes still come to the phone, because it has the same push token."""
    VirtualHandset(provider.sandbox, NUMBER, "twilio")
    assert len(provider.person.factors.list()) == 2
    provider.ask()

    assert text in provider.handset.approve(expect=(409,))["error"]

    assert provider.state() == "pending"


@pytest.mark.parametrize("provider", ["hyphen"], indirect=True)
def test_a_reinstalled_app_is_not_let_in_without_the_lost_key(provider):
    answer = provider.sandbox.control("POST", "devices", expect=(409,), json={
        "number": NUMBER, "provider": "hyphen", "identity": EMAIL}).json()

    assert "did not enrol" in answer["error"]


@pytest.mark.parametrize("outcome, shown", [("lostButDelivrd", 0), ("duplicate", 2), ("shownExpired", 1)])
@pytest.mark.parametrize("provider", ["twilio", "telesign", "hyphen"], indirect=True)
def test_a_push_is_lost_or_shown_twice_or_after_the_expiry(provider, outcome, shown):
    sandbox, handset = provider.sandbox, provider.handset
    sandbox.control("DELETE", "pushes")
    sandbox.control("PUT", "scenarios", json={"scenarios": [{"match": {"channel": "push"}, "outcome": outcome}]})
    provider.ask()
    if outcome == "shownExpired":
        assert shows(handset) == 0
        sandbox.advance("10m")

    assert shows(handset) == shown

    if outcome == "shownExpired":
        assert "no pending challenge" in handset.approve(expect=(409,))["error"]
    else:
        handset.approve()
        assert provider.state() == "approved"


def shows(handset):
    """The number of pushes that the phone has shown."""
    answer = handset.sandbox.control("GET", "phone/pushes", params={"token": handset.app["pushToken"]})
    return len(answer.json()["pushes"])
