"""APNs with clients over HTTP/2, and with certificates. Contract: push-gateway.md 2."""

import json
import shutil
import sys

import pytest

import ringfence
import running
from apns_client import TOKEN, TOPIC, SecureLine, alert, push_certificate, refused

LISTENERS = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")
# aioapns as an app uses it. Only the environment of `ringfence run` leads it to the sandbox.
AIOAPNS = """
import asyncio, json, os, urllib.request
import aioapns

async def send():
    client = aioapns.APNs(
        key=open(os.environ["APNS_KEY_FILE"]).read(), key_id=os.environ["APNS_KEY_ID"],
        team_id=os.environ["APNS_TEAM_ID"], topic="com.example.app", use_sandbox={sandbox})
    tokens = ["0a" * 32, "sbx-b-gone", *[f"{{number:064x}}" for number in range(1, 101)]]
    requests = [
        aioapns.NotificationRequest(
            device_token=token, message={{"aps": {{"alert": "Sign in?"}}, "ref": token}}, time_to_live=60,
            priority=10, collapse_key="sign-in", push_type=aioapns.PushType.ALERT)
        for token in tokens]
    return await asyncio.gather(*[client.send_notification(one) for one in requests])

results = asyncio.run(send())
direct = urllib.request.build_opener(urllib.request.ProxyHandler({{}}))
pushes = json.load(direct.open(os.environ["RINGFENCE_URL"] + "/control/pushes?limit=1000"))["pushes"]
journal = json.load(direct.open(os.environ["RINGFENCE_URL"] + "/control/journal?limit=1"))["requests"]
print(json.dumps([[(one.status, one.description, one.timestamp) for one in results], pushes, journal]))
"""


@pytest.mark.parametrize("is_sandbox, host", [
    (False, "api.push.apple.com"), (True, "api.development.push.apple.com")])
def test_push_apns_aioapns_is_unmodified(is_sandbox, host):
    output = running.isolated(sys.executable, "-c", AIOAPNS.format(sandbox=is_sandbox))

    results, pushes, journal = json.loads(output)
    assert results[0] == ["200", None, None] and results[2:] == [results[0]] * 100
    assert results[1][:2] == ["410", "Unregistered"] and results[1][2] > 1_700_000_000_000
    assert sorted(push["data"]["ref"] for push in pushes) == sorted(
        ["0a" * 32, *[f"{number:064x}" for number in range(1, 101)]])
    assert {push["via"] for push in pushes} == {"apns"} and {push["priority"] for push in pushes} == {"high"}
    assert f"host: {host}" in journal[0]["request"]["headers"]


@pytest.mark.skipif(not shutil.which("nghttp"), reason="nghttp2-client is not installed")
def test_push_apns_nghttp(tmp_path):
    body = tmp_path / "body.json"
    body.write_text(json.dumps(alert()))

    output = running.isolated(
        "nghttp", "-v", "-d", body, "-H", "apns-topic: com.example.app", "-H", "apns-push-type: alert",
        f"https://api.push.apple.com/3/device/{TOKEN}")

    assert ":status: 403" in output and '{"reason":"MissingProviderToken"}' in output


@pytest.fixture
def secure(tmp_path):
    """A server with TLS, which accepts what its seeds have."""
    with ringfence.Server("--data", tmp_path / "data", "--auth", "strict", listeners=LISTENERS) as server:
        server.authority = tmp_path / "data" / "authority.pem"
        yield server


def test_push_apns_a_certificate_needs_no_token(secure, tmp_path):
    certificate, key = push_certificate(TOPIC)
    (tmp_path / "push.pem").write_text(certificate + key)
    sandbox = secure.sandbox()
    with SecureLine(secure, secure.authority, tmp_path / "push.pem") as connection:
        refused(connection.post(alert()), 403, "BadCertificate")

    sandbox.seed(apns={"certificates": [{"certificate": certificate}]})

    with SecureLine(secure, secure.authority, tmp_path / "push.pem") as connection:
        assert connection.post(alert()).status_code == 200
        assert connection.post(alert(), apns_topic=f"{TOPIC}.voip", apns_push_type="voip").status_code == 200
        refused(connection.post(alert(), apns_topic="com.example.other"), 400, "TopicDisallowed")
    assert [push["apns"]["headers"] for push in sandbox.entries("pushes")] == [
        {}, {"apns-topic": f"{TOPIC}.voip", "apns-push-type": "voip"}]
    sandbox.delete()


def test_push_apns_other_clients_need_no_certificate(secure):
    with SecureLine(secure, secure.authority) as connection:
        refused(connection.post(alert()), 403, "MissingProviderToken")
        refused(connection.post(alert(), authorization="bearer a.b.c"), 403, "InvalidProviderToken")
