"""Servers and sandboxes, with and without pytest."""

import os
import shutil
import unittest

import pytest
from twilio.base.exceptions import TwilioRestException

from ringfence import ControlError, Ringfence, RingfenceError

NUMBER = "+12025550100"


@pytest.fixture
def alone(monkeypatch):
    """No server in the environment."""
    for name in ("RINGFENCE_URL", "RINGFENCE_TOKEN", "RINGFENCE_ADMIN_TOKEN"):
        monkeypatch.delenv(name, raising=False)


class SignIn(unittest.TestCase):
    """Without fixtures."""

    @classmethod
    def setUpClass(cls):
        url = os.environ.pop("RINGFENCE_URL", None)
        cls.server = Ringfence()
        if url:
            os.environ["RINGFENCE_URL"] = url
        cls.addClassCleanup(cls.server.stop)

    def test_a_code_signs_in(self):
        with self.server.sandbox() as sandbox:
            service = sandbox.twilio().verify.v2.services(sandbox.credentials["twilio"]["serviceSid"])
            service.verifications.create(to=NUMBER, channel="sms")
            checked = service.verification_checks.create(to=NUMBER, code=sandbox.code(NUMBER))
            self.assertEqual(checked.status, "approved")


def test_a_sandbox_is_named_after_its_test(sandbox):
    assert sandbox.name.startswith("test_a_sandbox_is_named_after_its_test")


@pytest.mark.parametrize("value", ["with spaces / and ümlauts", "x" * 200])
def test_a_name_is_always_valid(sandbox, value):
    assert sandbox.name.startswith("test_a_name_is_always_valid-")
    assert len(sandbox.name) <= 64


def test_equal_names_get_an_ending(ringfence, sandbox):
    with ringfence.sandbox(sandbox.name) as other:
        assert other.name.startswith(sandbox.name[:55]) and other.name != sandbox.name


def test_a_deleted_sandbox_says_so(ringfence):
    sandbox = ringfence.sandbox()
    sandbox.delete()
    sandbox.delete()

    with pytest.raises(ControlError, match=f"there is no sandbox {sandbox.name}"):
        sandbox.code(NUMBER)


def test_a_stopped_server_says_so(alone):
    server = Ringfence()
    sandbox = server.sandbox()
    server.stop()
    server.stop()

    with pytest.raises(RingfenceError, match=f"no server answers at {sandbox.url}: .*refused"):
        sandbox.code(NUMBER)


def test_options_are_those_of_run(alone):
    with Ringfence(options=["--numbers", "safe-only"]) as server, server.sandbox() as sandbox:
        with pytest.raises(TwilioRestException, match="Invalid parameter `To`"):
            sandbox.twilio().verify.v2.services(sandbox.credentials["twilio"]["serviceSid"]).verifications.create(
                to="+14155552671", channel="sms")


def test_a_misspelt_option_is_refused(alone):
    with pytest.raises(RingfenceError, match="the server did not start: (.|\n)*--number"):
        Ringfence(options=["--number", "safe-only"])


def test_a_running_server_is_used(ringfence, monkeypatch):
    monkeypatch.setenv("RINGFENCE_URL", f"{ringfence.url}/s/default/")

    with Ringfence() as server:
        assert server.url == ringfence.url
    assert ringfence.control("GET", "sandboxes/default")["name"] == "default"


def test_a_running_server_takes_no_options(ringfence):
    with pytest.raises(RingfenceError, match="options are for a new server"):
        Ringfence(ringfence.url, options=["--auth", "strict"])


def test_a_missing_program_is_named(alone, monkeypatch):
    monkeypatch.delenv("RINGFENCE_BINARY", raising=False)
    monkeypatch.setattr(shutil, "which", lambda _: None)

    with pytest.raises(RingfenceError, match="pip install ringfence"):
        Ringfence()


def test_a_wrong_path_of_the_program_is_named(alone, monkeypatch):
    monkeypatch.setenv("RINGFENCE_BINARY", "/nowhere/ringfence")

    with pytest.raises(RingfenceError, match="RINGFENCE_BINARY: /nowhere/ringfence is no program"):
        Ringfence()
