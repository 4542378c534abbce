"""Fixtures for tests with phones: the server side is Twilio's official client, the phones speak the mobile
SDKs' protocol."""

import datetime

import pytest

import twilio_verify_push as push

IDENTITY = "user-00000001"
PUSH_TOKEN = "f3c1a7d05e2b4c8f9a6d7e0b1c2d3e4f5a6b7c8d"
START = int(datetime.datetime(2026, 1, 5, 10, 20, 30, tzinfo=datetime.timezone.utc).timestamp())


@pytest.fixture
def entity(service):
    return service.entities(IDENTITY)


@pytest.fixture
def clock():
    """The phones' clock. Tests move it with the sandbox's."""
    class Clock:
        now = START

        def __call__(self):
            return self.now

    return Clock()


@pytest.fixture
def new_phone(sandbox, service, clock):
    """Makes phones with a factor that is not verified yet."""
    def new_phone(system="ios", identity=IDENTITY, **more):
        phone = push.Phone(sandbox.base, sandbox.credentials["twilio"]["serviceSid"], identity, clock, system)
        token = service.access_tokens.create(identity=identity, factor_type="push").token
        phone.create_factor(token, **more)
        return phone

    return new_phone


@pytest.fixture
def enrolled(new_phone):
    def enrolled(*words, **more):
        phone = new_phone(*words, **more)
        assert phone.verify_factor() == "verified"
        return phone

    return enrolled


@pytest.fixture
def phone(enrolled):
    return enrolled()


def ask(entity, phone, message="Log in?", **more):
    return entity.challenges.create(factor_sid=phone.factor["sid"], details_message=message, **more)


def refused_answer(entity, phone, challenge, payload, status, code):
    """Sends an answer that must be refused and change nothing."""
    before = entity.challenges(challenge.sid).fetch()
    answer = phone.send_answer(challenge.sid, payload)
    assert (answer.status, answer.json()["code"]) == (status, code), answer.text
    after = entity.challenges(challenge.sid).fetch()
    assert vars(after) | {"_version": 0, "_solution": 0, "_context": 0} == vars(before) | {
        "_version": 0, "_solution": 0, "_context": 0}
