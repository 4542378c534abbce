"""The test case of unittest and Django."""

import os
import re
import subprocess
import sys

import pytest

from ringfence import Ringfence

TESTS = """
import unittest
from ringfence.testcase import SandboxTestCase

class SignIn(SandboxTestCase):
    sandbox_options = {"clock": "2026-01-05T12:00:00Z"}

    def send(self):
        service = self.sandbox.credentials["twilio"]["serviceSid"]
        self.sandbox.twilio().verify.v2.services(service).verifications.create(to="+12025550100", channel="sms")

    def test_passes(self):
        self.send()
        self.assertRegex(self.sandbox.code("+12025550100"), r"^[0-9]{6}$")
        self.assertEqual(self.sandbox.now.isoformat(), "2026-01-05T12:00:00+00:00")

    def test_fails(self):
        self.sandbox.fail("text-lost")
        self.send()
        self.fail("the app has failed")

    @unittest.skip("not yet")
    def test_is_skipped(self):
        self.sandbox

    def test_skips_itself(self):
        self.sandbox
        self.skipTest("not here")

    @unittest.expectedFailure
    def test_uses_no_sandbox(self):
        self.fail()
"""


@pytest.fixture
def server(monkeypatch):
    """That of no other test."""
    monkeypatch.delenv("RINGFENCE_URL", raising=False)
    with Ringfence() as server:
        yield server


@pytest.mark.parametrize("runner", [("unittest",), ("pytest", "-p", "no:ringfence", "-p", "no:cacheprovider")])
def test_a_failed_test_says_what_happened(runner, server, tmp_path):
    (tmp_path / "test_sign_in.py").write_text(TESTS, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", *runner, "test_sign_in.py"], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "RINGFENCE_URL": server.url, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})

    said = done.stdout + done.stderr
    assert done.returncode == 1 and "the app has failed" in said
    assert re.search(r"test_sign_in.py.*in test_fails|test_sign_in.py:\d+: AssertionError", said)
    assert re.search(r"What happened in the sandbox of \S*SignIn.test_fails:\nsandbox test_fails\S*: http\S+\n", said)
    assert said.count("What happened") == 1
    assert "12:00:00 201 POST" in said and "not as usual: the text is lost, because of the failure text-lost" in said
    assert [each["name"] for each in server.control("GET", "sandboxes")["sandboxes"]] == ["default"]


def test_an_error_does_not_repeat_what_happened(server, tmp_path):
    (tmp_path / "test_waits.py").write_text("""
from ringfence.testcase import SandboxTestCase

class Waits(SandboxTestCase):
    def test_waits(self):
        self.sandbox.code("+12025550100", within=0)
""", encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "unittest", "test_waits.py"], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "RINGFENCE_URL": server.url, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})

    assert done.stderr.count("no request reached it") == 1 and "NotArrived: there is no code for" in done.stderr


def test_the_server_ends_with_the_tests(tmp_path):
    (tmp_path / "test_sign_in.py").write_text(TESTS, encoding="utf-8")
    inherited = {name: value for name, value in os.environ.items() if name != "RINGFENCE_URL"}

    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-m", "unittest", "test_sign_in.SignIn.test_passes"], cwd=tmp_path,
        capture_output=True, text=True, check=False,
        env={**inherited, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})

    assert (done.returncode, "OK" in done.stderr, "Warning" in done.stderr) == (0, True, False), done.stderr
