"""A story: Ana has Acme's app on a virtual handset. Acme's server uses Twilio's official client, and sees
what she does."""

import pytest
from twilio.rest import Client

from virtual_handset import VirtualHandset

NUMBER = "+12025550100"


class Acme:
    """The app's server."""

    def __init__(self, sandbox):
        own = sandbox.credentials["twilio"]
        client = Client(own["accountSid"], own["authToken"])
        client.verify.base_url = sandbox.base
        self.person = client.verify.v2.services(own["serviceSid"]).entities("user-12025550100")

    def ask(self):
        (factor,) = self.person.factors.list()
        assert factor.status == "verified"
        return self.person.challenges.create(factor_sid=factor.sid, details_message="Sign in to Acme?").sid

    def state(self, sign_in):
        return self.person.challenges(sign_in).fetch().status


@pytest.fixture
def handset(sandbox):
    return VirtualHandset(sandbox, NUMBER, "twilio")


@pytest.fixture
def acme(sandbox, handset):
    return Acme(sandbox)


@pytest.mark.parametrize("action, state", [("approve", "approved"), ("deny", "denied")])
def test_ana_decides(sandbox, handset, acme, action, state):
    sign_in = acme.ask()
    sandbox.advance("5s")
    assert [push["data"]["challenge_sid"] for push in handset.pushes()] == [sign_in]
    assert acme.state(sign_in) == "pending"

    getattr(handset, action)()

    assert acme.state(sign_in) == state


def test_ana_ignores_it_until_it_expires(sandbox, handset, acme):
    handset.set(behaviour="ignore")
    sign_in = acme.ask()

    sandbox.advance("10m")

    assert acme.state(sign_in) == "expired"
    assert "expired" in handset.approve(expect=(409,))["error"]


@pytest.mark.parametrize("behaviour, state", [("approve", "approved"), ("deny", "denied")])
def test_ana_needs_twenty_seconds(sandbox, handset, acme, behaviour, state):
    handset.set(behaviour=behaviour, answerAfterMs=20_000)
    sign_in = acme.ask()
    sandbox.advance("19s")
    assert acme.state(sign_in) == "pending"

    sandbox.advance("10s")

    assert acme.state(sign_in) == state
    assert handset.routes("twilio")[-4:-1] == ["fetchChallenge", "fetchChallenge", "updateChallenge"]


def test_the_app_was_deleted(sandbox, handset, acme):
    handset.set(condition="appDeleted")
    sign_in = acme.ask()

    sandbox.advance("10s")

    assert handset.pushes() == []
    assert "deleted" in handset.approve(expect=(409,))["error"]
    assert acme.state(sign_in) == "pending"  # and the factor is still there
    assert "register it again" in handset.set(expect=(409,), condition="ready")["error"]


@pytest.mark.parametrize("change, arrives", [
    ({"condition": "locked"}, True), ({"condition": "batteryEmpty"}, False), ({"online": False}, False),
    ({"condition": "biometricsFailed"}, True)])
def test_nobody_answers_until_the_handset_is_usable_again(sandbox, handset, acme, change, arrives):
    handset.set(behaviour="approve", **change)
    sign_in = acme.ask()
    sandbox.advance("30s")
    assert (len(handset.pushes()), acme.state(sign_in)) == (arrives, "pending")
    handset.approve(expect=(409,))
    assert acme.state(sign_in) == "pending"

    handset.set(condition="ready", online=True)
    sandbox.advance("1s")

    assert (len(handset.pushes()), acme.state(sign_in)) == (1, "approved")


def test_a_denial_needs_no_biometrics(sandbox, handset, acme):
    handset.set(condition="biometricsFailed")
    sign_in = acme.ask()

    handset.deny()

    assert acme.state(sign_in) == "denied"


@pytest.mark.parametrize("offset", [-3600, 3600])
def test_the_sdk_repairs_a_wrong_clock(sandbox, handset, acme, offset):
    """The first token is refused; the SDK takes the time from the answer, and signs again. Source:
    `twilio-verify.md` 11.3"""
    handset.set(clockOffsetSeconds=offset)
    sign_in = acme.ask()
    start = len(sandbox.journal(provider="twilio"))

    handset.approve()

    entries = sandbox.journal(provider="twilio")[start:]
    assert [entry["response"]["status"] for entry in entries] == [401, 200, 200]
    assert acme.state(sign_in) == "approved"


def test_a_new_app_is_on_the_same_handset(sandbox, handset, acme):
    handset.set(condition="locked", behaviour="deny")

    other = sandbox.control("POST", "devices", json={"number": NUMBER, "provider": "fcm", "app": "com.other"}).json()

    assert (other["condition"], other["behaviour"]) == ("locked", "deny")
    (one, two) = handset.set(condition="ready")["apps"]
    assert (one["condition"], two["condition"]) == ("ready", "ready")


@pytest.mark.parametrize("change, field", [
    ({"behaviour": "ignore", "answerAfterMs": 5}, "answerAfterMs"), ({"behaviour": "aprove"}, "behaviour"),
    ({"condition": "batteryEmpty", "online": True}, "online"), ({"condition": "loked"}, "condition"),
    ({"condition": "appDeleted", "state": "ok"}, "state"), ({"pushToken": "a"}, "pushToken"),
    ({"clockOffsetSeconds": 10 ** 12}, "clockOffsetSeconds")])
def test_what_cannot_take_effect_is_refused(handset, change, field):
    assert handset.set(expect=(400,), **change)["field"].endswith(field)


def test_the_state_survives_a_snapshot_and_an_export(sandbox, handset):
    handset.set(behaviour="approve", answerAfterMs=1500, condition="locked", clockOffsetSeconds=-90)

    (exported,) = sandbox.control("GET", f"sandboxes/{sandbox.name}/export").json()["devices"]
    snapshot = sandbox.control("GET", f"sandboxes/{sandbox.name}/snapshot").json()

    assert {name: exported[name] for name in (
        "behaviour", "answerAfterMs", "condition", "clockOffsetSeconds")} == {
            "behaviour": "approve", "answerAfterMs": 1500, "condition": "locked", "clockOffsetSeconds": -90}
    devices = snapshot["tables"]["devices"]
    (row,) = [dict(zip(devices["columns"], row)) for row in devices["rows"]]
    assert (row["behaviour"], row["answer_after"], row["condition"], row["clock_offset"]) == (
        "approve", 1500, "locked", -90)
