"""A story: Ana signs in to Acme with her phone. Acme's server uses Twilio's official client, her phone the
mobile SDK's protocol, and nothing but the sandbox answers them."""

import datetime

import pytest
from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client

import ringfence
import twilio_verify_push as push

ANA = "user-ana-0001"
NOON = datetime.datetime(2026, 1, 5, 12, 0, 0, tzinfo=datetime.timezone.utc)


class World:
    """The time, which is the sandbox's and everybody's."""

    def __init__(self, server):
        self.sandbox = server.sandbox(clock=NOON.strftime("%Y-%m-%dT%H:%M:%SZ"))
        self.now = int(NOON.timestamp())

    def clock(self):
        return self.now

    def wait(self, seconds):
        self.sandbox.advance(f"{seconds}s")
        self.now += seconds


class Acme:
    """The app's server."""

    def __init__(self, world):
        own = world.sandbox.credentials["twilio"]
        client = Client(own["accountSid"], own["authToken"])
        client.verify.base_url = world.sandbox.base
        self.service_sid = own["serviceSid"]
        self.service = client.verify.v2.services(self.service_sid)
        self.entity = self.service.entities(ANA)

    def access_token(self):
        return self.service.access_tokens.create(identity=ANA, factor_type="push").token

    def ask(self, place):
        """Starts a sign-in: asks the newest verified phone."""
        phone = [factor for factor in self.entity.factors.list() if factor.status == "verified"][-1]
        return self.entity.challenges.create(
            factor_sid=phone.sid, details_message="Sign in to Acme?", details_fields=[{"label": "Place", "value": place}]).sid

    def lets_in(self, sign_in):
        return self.entity.challenges(sign_in).fetch().status == "approved"

    def state(self, sign_in):
        return self.entity.challenges(sign_in).fetch().status


class App:
    """Acme's app on a phone."""

    def __init__(self, world, acme, system="ios", push_token="ana-phone-0123456789abcdef0123456789abcdef"):
        self.world, self.acme, self.push_token = world, acme, push_token
        self.phone = push.Phone(world.sandbox.base, acme.service_sid, ANA, world.clock, system)

    def enrol(self):
        self.phone.create_factor(self.acme.access_token(), name="Ana's phone", push_token=self.push_token)
        assert self.phone.verify_factor() == "verified"

    def notification(self):
        """The data of the newest push."""
        return [entry["data"] for entry in self.world.sandbox.entries("pushes") if entry["to"] == self.push_token][-1]

    def shows(self):
        """What the app shows after the push."""
        challenge, _ = self.phone.challenge(self.notification()["challenge_sid"])
        return challenge["details"]["message"], challenge["details"]["fields"][0]["value"]

    def tap(self, status):
        self.phone.respond(self.notification()["challenge_sid"], status)


@pytest.fixture
def world(server):
    world = World(server)
    yield world
    world.sandbox.delete()


@pytest.fixture
def acme(world):
    return Acme(world)


@pytest.fixture
def app(world, acme):
    app = App(world, acme)
    app.enrol()
    return app


def test_ana_enrols_her_phone_signs_in_and_approves(world, acme):
    app = App(world, acme)
    app.enrol()

    world.wait(86_400)
    sign_in = acme.ask("Lima")
    assert not acme.lets_in(sign_in)
    world.wait(3)
    assert app.shows() == ("Sign in to Acme?", "Lima")
    app.tap("approved")

    assert acme.lets_in(sign_in)


def test_ana_denies_a_sign_in_that_is_not_hers(world, acme, app):
    sign_in = acme.ask("Nowhere")
    world.wait(5)
    app.tap("denied")

    assert acme.state(sign_in) == "denied"
    with pytest.raises(push.LocalError, match="already updated"):
        app.tap("approved")
    assert not acme.lets_in(sign_in)


def test_ana_is_too_late(world, acme, app):
    sign_in = acme.ask("Lima")
    world.wait(301)

    with pytest.raises(push.LocalError, match="expired"):
        app.tap("approved")
    assert acme.state(sign_in) == "expired"

    again = acme.ask("Lima")
    world.wait(10)
    app.tap("approved")
    assert acme.lets_in(again) and not acme.lets_in(sign_in)


def test_a_thief_with_another_key_gets_nowhere(world, acme, app):
    sign_in = acme.ask("Lima")
    challenge, fields = app.phone.challenge(sign_in)

    # The thief knows everything about Ana's factor but its private key.
    thief = App(world, acme).phone
    thief.factor = app.phone.factor
    with pytest.raises(push.Refused) as error:
        thief.respond(sign_in, "approved")
    assert error.value.status == 401
    # Or has got hold of her session, and sends an answer of his own with it.
    forged = app.phone.answer(challenge, "approved", fields.split(","), key=push.Key())
    assert app.phone.send_answer(sign_in, forged).json()["code"] == 60324
    assert acme.state(sign_in) == "pending"

    app.tap("denied")
    assert acme.state(sign_in) == "denied"


def test_a_stolen_phone_is_removed_and_its_key_worth_nothing(world, acme, app):
    stolen, sid = app.phone, app.phone.factor["sid"]
    sign_in = acme.ask("Lima")
    challenge, fields = stolen.challenge(sign_in)
    answer = stolen.answer(challenge, "approved", fields.split(","))

    assert acme.entity.factors(sid).delete()
    new = App(world, acme, "android", push_token="ana-new-phone-0123456789abcdef01234567")
    new.enrol()

    assert stolen.send_answer(sign_in, answer).status == 401
    with pytest.raises(TwilioRestException) as error:
        acme.entity.challenges(sign_in).update(auth_payload=answer)
    assert error.value.code == 20404
    assert acme.state(sign_in) == "pending"
    again = acme.ask("Lima")
    new.tap("approved")
    assert acme.lets_in(again)


def test_nothing_is_lost_in_a_crash(tmp_path):
    def run():
        server = ringfence.Server("--data", tmp_path / "data", "--clock", "2026-01-05T12:00:00Z")
        world = World.__new__(World)
        world.sandbox = ringfence.Sandbox(server.sandbox_described("default"))
        world.now = int(NOON.timestamp())
        return server, world

    server, world = run()
    with server:
        acme = Acme(world)
        app = App(world, acme)
        app.enrol()
        answered, pending, token = acme.ask("Lima"), acme.ask("Cusco"), acme.access_token()
        app.phone.respond(answered, "approved")
        server.kill()
    server, world = run()
    with server:
        acme, app.world, app.phone.base = Acme(world), world, world.sandbox.base
        assert (acme.state(answered), acme.state(pending)) == ("approved", "pending")
        assert app.shows() == ("Sign in to Acme?", "Cusco")
        app.tap("denied")
        assert acme.state(pending) == "denied"
        second = App(world, acme, "android", push_token=None)
        second.phone.create_factor(token)
        assert [factor.status for factor in acme.entity.factors.list()] == ["verified", "unverified"]
