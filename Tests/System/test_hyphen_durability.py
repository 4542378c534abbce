"""Hyphen after a crash: acknowledged changes are there, and due work is done at its time."""

import pytest

import hyphen_client
import ringfence
from hyphen_client import Phone

EMAIL = "mara@example.test"


@pytest.fixture
def run(tmp_path):
    """Starts a server on the data of the previous one."""

    def run():
        server = ringfence.Server("--data", tmp_path / "data", "--clock", "2026-01-05T10:20:30Z")
        return server, ringfence.Sandbox(server.sandbox_described("default"))

    return run


def test_accounts_tokens_and_requests_survive(run):
    server, sandbox = run()
    with server:
        old = Phone(sandbox, "old-iphone", "iOS", email=EMAIL).sign_up()
        new = Phone(sandbox, "new-iphone", "iOS", email=EMAIL)
        new.request_approval()
        before = new.fetch().text
        server.kill()
    server, sandbox = run()
    with server:
        old.sandbox = new.sandbox = sandbox
        assert new.fetch().text == before
        assert old.approve(new.request_id).status == 200
        server.kill()
    server, sandbox = run()
    with server:
        new.sandbox = sandbox
        new.keep(new.finish().json())
        assert [push["data"]["hyphen:type"] for push in new.pushes()] == ["2fa-status-change"]


def test_a_person_answers_after_the_crash(run):
    server, sandbox = run()
    with server:
        new = Phone(sandbox, "new-iphone", "iOS", email="auto-ok@example.test")
        new.request_approval()
        server.kill()
    server, sandbox = run()
    with server:
        new.sandbox = sandbox
        assert new.fetch()["twoFactorAuth"]["status"] == "pending"
        sandbox.advance("2s")
        assert hyphen_client.two_factor_auth(new.fetch()["twoFactorAuth"])["status"] == "approved"
