"""A virtual handset with a push factor: a person's day as a story, and a crash between question and
answer."""

import pytest
import twilio.rest

import receiver
import ringfence

NAME = "default"
NUMBER = "+12025550101"
IDENTITY = "user-00000001"


class Bank:
    """The back end of an app, with the official client."""

    def __init__(self, sandbox):
        own = sandbox.credentials["twilio"]
        client = twilio.rest.Client(own["accountSid"], own["authToken"])
        client.verify.base_url = sandbox.base
        self.service = client.verify.v2.services(own["serviceSid"])
        self.person = self.service.entities(IDENTITY)

    def ask(self, message):
        factor = [each for each in self.person.factors.list() if each.status == "verified"][-1]
        return self.person.challenges.create(factor_sid=factor.sid, details_message=message).sid

    def status(self, challenge):
        return self.person.challenges(challenge).fetch().status


@pytest.fixture
def run(tmp_path):
    """Starts a server on the data of the previous one."""
    def run():
        server = ringfence.Server("--data", tmp_path / "data", "--clock", "2026-01-05T10:20:30Z")
        return server, ringfence.Sandbox(server.sandbox_described(NAME))

    return run


def enrol(sandbox, **more):
    return sandbox.control("POST", "devices", json={
        "number": NUMBER, "provider": "twilio", "identity": IDENTITY, **more}).json()


def test_a_person_enrols_a_phone_approves_denies_and_lets_expire(run):
    server, sandbox = run()
    with server, receiver.Receiver() as hook:
        bank = Bank(sandbox)
        bank.service.webhooks.create(friendly_name="Bank", event_types=["*"], webhook_url=hook.url)
        enrol(sandbox)

        first = bank.ask("Log in from Lima?")
        assert sandbox.control("GET", "pushes/latest").json()["text"] == "Log in from Lima?"
        sandbox.control("POST", f"devices/{NUMBER}/approve")
        second = bank.ask("Send 5,000 EUR?")
        sandbox.control("POST", f"devices/{NUMBER}/deny")
        third = bank.ask("Log in again?")
        sandbox.advance("6m")

        assert [bank.status(each) for each in (first, second, third)] == ["approved", "denied", "expired"]
        told = [dict(pair.split("=") for pair in hook.next()[2].decode().split("&"))["type"] for _ in range(4)]
        assert told == ["factor.created", "factor.verified", "challenge.approved", "challenge.denied"]

        enrol(sandbox)  # a new installation of the app: the old one gets no more pushes
        sandbox.control("PUT", f"subscribers/{NUMBER}", json={"pushes": "approve"})
        fourth = bank.ask("Log in on the new phone?")
        sandbox.advance("5s")
        assert bank.status(fourth) == "approved"
        assert len(bank.person.factors.list()) == 2


def test_a_handset_answers_after_a_crash(run):
    server, sandbox = run()
    with server:
        device = enrol(sandbox)
        challenge = Bank(sandbox).ask("Log in?")
        server.kill()
    server, sandbox = run()
    with server:
        assert sandbox.control("GET", f"devices/{device['id']}").json()["publicKey"] == device["publicKey"]
        sandbox.control("POST", f"devices/{NUMBER}/approve")
        assert Bank(sandbox).status(challenge) == "approved"
