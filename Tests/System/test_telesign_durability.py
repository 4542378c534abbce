"""Telesign after a crash: acknowledged changes are there, and due work is done at its time."""

import datetime
import json

import pytest

import receiver
import ringfence
import telesign_clients
import telesign_schemas
import telesign_flows
import telesign_signing
from telesign_clients import NUMBER, code_of

# The default sandbox has the same account before and after; only its clock is frozen.
NAME = "default"


@pytest.fixture
def run(tmp_path):
    """Starts a server on the data of the previous one. Returns clients of its default sandbox."""
    check = telesign_schemas.TelesignSchemas().check
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    def run():
        server = ringfence.Server("--data", tmp_path / "data", "--clock", now)
        return server, telesign_clients.Clients(ringfence.Sandbox(server.sandbox_described(NAME)), check)

    return run


def test_a_process_continues_after_a_crash(run):
    server, before = run()
    with server:
        reference = before.begin(verification_policy=[{"method": "whatsapp", "fallback_time": 60}, {"method": "sms"}])
        code = before.code()
        assert before.verdict(reference, ringfence.different(code)) == 3909
        before.advance("30s")
        server.kill()
    server, after = run()
    with server:
        assert telesign_flows.methods(after.process(reference)) == [("whatsapp", "ONGOING"), ("sms", "CREATED")]
        after.advance("31s")
        assert telesign_flows.methods(after.process(reference)) == [("whatsapp", "FAILED"), ("sms", "ONGOING")]
        assert [message["channel"] for message in after.inbox()] == ["whatsapp", "sms"]
        # The attempt before the crash counts, and the code is still valid.
        assert after.verdict(reference, ringfence.different(code)) == 3909
        assert after.verdict(reference, code) == 3900


def test_a_code_a_setting_and_a_used_nonce_survive_a_crash(run):
    server, before = run()
    kind, body = telesign_flows.BODIES[telesign_flows.SMS]
    with server:
        before.switch(sms_verify__attempts=2)
        reference = before.vc.sms(NUMBER, verify_code="4242").json["reference_id"]
        assert before.vc.status(reference, verify_code="1").json["verify"]["code_state"] == "INVALID"
        headers = before.caller.headers("POST", telesign_flows.SMS, content_type=kind, body=body)
        assert before.raw("POST", telesign_flows.SMS, headers, body).status_code == 200
        server.kill()
    server, after = run()
    with server:
        replayed = after.raw("POST", telesign_flows.SMS, headers, body)
        assert (replayed.status_code, telesign_clients.error_of(replayed)) == (401, -30012)
        states = [after.vc.status(reference, verify_code=code).json["verify"]["code_state"] for code in ("2", "4242")]
        assert states == ["INVALID", "MAX_ATTEMPTS_EXCEEDED"]


def test_a_due_callback_is_sent_once(run):
    port = receiver.free_port()
    server, before = run()
    with server:
        before.switch(account__callback_url=f"http://127.0.0.1:{port}/hook")
        reference = before.vc.sms(NUMBER).json["reference_id"]
        before.advance("3s")  # delivered, and nobody listens
        server.kill()
    with receiver.Receiver(port) as up:
        server, after = run()
        with server:
            after.advance("1m")
            (arrived,) = up.all()
            after.advance("1h")
            assert up.all() == []
    assert json.loads(arrived[2])["reference_id"] == reference
    signed = {name.lower(): value for name, value in arrived[1].items()}["x-ts-authorization"]
    assert signed == telesign_signing.signature(telesign_signing.decoded(telesign_clients.PUBLISHED[1]), arrived[2].decode())


def test_a_reset_brings_back_the_seeded_account(run):
    server, clients = run()
    with server:
        clients.switch(account__state="suspended")
        clients.replace_keys(telesign_clients.OTHER_KEY)
        clients.sandbox.control("POST", "reset")
        assert code_of(clients.vc.sms(NUMBER)) == 290
