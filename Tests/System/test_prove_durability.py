"""Prove after a crash: sessions, keys and bindings are there, and timers go on."""

import pytest

import prove_client
import ringfence
from prove_client import GO, Device

NUMBER = "2001004014"


@pytest.fixture
def run(tmp_path):
    """Starts a server on the data of the previous one. Returns it with a back end of its default sandbox."""

    def run():
        server = ringfence.Server("--data", tmp_path / "data", "--clock", "2026-01-05T10:20:30Z")
        sandbox = ringfence.Sandbox(server.sandbox_described("default"))
        return server, sandbox, GO.client(sandbox)

    return run


def test_a_session_continues_after_a_crash(run):
    server, _, before = run()
    with server:
        unified = before.unify(possessionType="mobile", phoneNumber=NUMBER, allowOTPRetry=True)
        device = Device()
        device.authenticate(unified)
        device.otp_start()
        assert device.otp("0000")["attemptsLeft"] == 2
        server.kill()
    server, sandbox, after = run()
    with server:
        device.url = f"{sandbox.base}/handset/prove/v1"
        assert after.status(unified["correlationId"])["success"] == "pending"
        assert device.otp("1111")["attemptsLeft"] == 1
        assert device.otp("1234")["step"] == "auth_finish"
        passed = after.status(unified["correlationId"])
        assert passed["success"] == "true"
        server.kill()
    server, sandbox, after = run()
    with server:
        assert after.status(unified["correlationId"]).json() == passed.json()
        again = after.unify(possessionType="mobile", phoneNumber=NUMBER)
        assert device.authenticate(again)["step"] == "auth_finish"
        sandbox.advance("901s")
        assert after.status(unified["correlationId"]).status == 400
        assert prove_client.send("GET", f"{device.url}/{device.step['authId']}").json()["step"] == "auth_finish"
