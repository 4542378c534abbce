"""Service accounts, through Google's host names under `ringfence run` and through the sandbox's address.
Source: the push contract, 1.4 and check 16."""

import json
import os
import subprocess
import sys
import time

import pytest
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from firebase_admin import credentials
from google.auth import crypt, jwt

import ringfence
from fcm_client import error_of


# Tokens are what the other languages' clients and the contract have; the client would like `fid` instead.
pytestmark = pytest.mark.filterwarnings("ignore:.* is deprecated. Use .*fids? instead")


def test_push_16_a_service_account_signs_in_once_and_sends(fcm):
    fcm.send(token="sbx-a", data={"a": "b"})
    fcm.send(token="sbx-a", data={"a": "c"})

    [asked] = fcm.sandbox.journal(route="createToken")
    assert asked["response"]["status"] == 200
    assert "grant-type%3Ajwt-bearer" in asked["request"]["body"]
    assert "eyJ" not in json.dumps(asked), "the assertion is masked"
    assert "sbx_oauth" not in json.dumps(fcm.sandbox.journal()), "access tokens are masked"
    assert len(fcm.pushes()) == 2


def private_key():
    """A key that the sandbox does not know."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


UNMODIFIED = """
import json, os, urllib.request
import firebase_admin
from firebase_admin import messaging

firebase_admin.initialize_app()
messaging.send(messaging.Message(token="sbx-a", data={"a": "b"}))
messaging.subscribe_to_topic(["sbx-a"], "news")
batch = messaging.send_each([messaging.Message(topic="news"), messaging.Message(token="sbx-b-gone")])
assert [type(one.exception).__name__ for one in batch.responses] == ["NoneType", "UnregisteredError"]


def ask(path):
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    return json.load(direct.open(os.environ["RINGFENCE_URL"] + path))


print(json.dumps([ask("/control/pushes"), ask("/control/journal"), ask("/control/pushes/attempts")]))
"""


def test_push_16_the_unmodified_client_uses_googles_host_names():
    """The proxy of `ringfence run` reaches no outside host, so a request that misses the sandbox fails."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        [str(ringfence.binary()), "run", "--", sys.executable, "-W", "ignore", "-c", UNMODIFIED], env=kept,
        capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 0, done.stderr
    pushes, journal, attempts = json.loads(done.stdout)
    assert [(push["to"], push["target"]["kind"]) for push in pushes["pushes"]] == [
        ("sbx-a", "token"), ("sbx-a", "topic")]
    answered = [(one["route"], one["response"]["status"]) for one in journal["requests"] if one["provider"] == "fcm"]
    # Simultaneous requests arrive in any order.
    together = answered[3:]
    assert sorted(together) == [("sendMessage", 200), ("sendMessage", 404)]
    assert answered[:3] == [
        ("createToken", 200), ("sendMessage", 200), ("createSubscription", 200)]
    assert [attempt["status"] for attempt in attempts["attempts"]] == [200, *(status for _, status in together)]


def test_push_16_the_sandbox_follows_from_the_account(server):
    """Without a prefix, the account or the token selects the sandbox. Google's paths exist under its hosts
    only."""
    sandbox = server.sandbox()
    account = json.loads(sandbox.credentials["fcm"]["serviceAccount"])
    signed = credentials.Certificate(account).get_credential()._make_authorization_grant_assertion()
    form = {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": signed}

    asked = requests.post(f"{server.http}/token", data=form, headers={"Host": "oauth2.googleapis.com"}, timeout=20)
    elsewhere = requests.post(f"{server.http}/token", data=form, timeout=20)
    sent = requests.post(
        f"{server.http}/v1/projects/{account['project_id']}/messages:send", json={"message": {"token": "sbx-a"}},
        headers={"Host": "fcm.googleapis.com", "Authorization": f"Bearer {asked.json()['access_token']}"}, timeout=20)

    assert (asked.status_code, sent.status_code) == (200, 200), asked.text + sent.text
    assert elsewhere.status_code >= 400
    assert len(sandbox.control("GET", "pushes").json()["pushes"]) == 1
    sandbox.delete()


def test_fcm_access_tokens_expire(fcm):
    fcm.settings(accessTokenSeconds=600)
    token = fcm.token()
    fcm.sandbox.advance("9m59s")
    assert fcm.post({"token": "sbx-a"}, token=token).status_code == 200
    fcm.sandbox.advance("1s")

    error = error_of(fcm.post({"token": "sbx-a"}, token=token), 401, "UNAUTHENTICATED")

    assert error["details"][0]["reason"] == "ACCESS_TOKEN_EXPIRED"
    fcm.send(token="sbx-a")


def test_fcm_a_token_is_valid_for_one_project(fcm):
    elsewhere = fcm.url.replace(fcm.project, "another-project")

    error = error_of(fcm.post({"token": "sbx-a"}, url=elsewhere), 403, "PERMISSION_DENIED")

    assert error["fcm"] == []
    number = fcm.url.replace(fcm.project, "123456789012")
    assert fcm.post({"token": "sbx-a"}, url=number).status_code == 200


def test_fcm_another_key_is_rejected(fcm):
    forged = credentials.Certificate({**fcm.account, "private_key": private_key()})
    unknown = credentials.Certificate({**fcm.account, "client_email": "who@nowhere.iam.gserviceaccount.com"})

    for credential, text in (forged, "Invalid JWT Signature."), (unknown, "account not found"):
        with pytest.raises(Exception, match="invalid_grant") as refused:
            credential.get_access_token()
        assert text in str(refused.value)


def ask_at(address, fcm, key=None, **claims):
    """What Appwrite sends: an assertion for the address that it calls, below the sandbox's address."""
    now = int(time.time())
    claims = {"iss": fcm.account["client_email"], "aud": f"https://{address}", "iat": now, "exp": now + 3600,
              "scope": "https://www.googleapis.com/auth/firebase.messaging", **claims}
    host, path = address.split("/", 1)
    return requests.post(f"{fcm.sandbox.base}/{path}", headers={"Host": host}, timeout=20, data={
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "assertion": jwt.encode(crypt.RSASigner.from_string(key or fcm.account["private_key"]), claims)})


@pytest.mark.parametrize("address", [
    "www.googleapis.com/oauth2/v4/token", "www.googleapis.com/oauth2/v3/token", "accounts.google.com/o/oauth2/token"])
def test_gt1_gt2_gt3_older_token_addresses(fcm, address):
    fcm.sandbox.control("POST", "clock", json={"mode": "real"})

    asked = ask_at(address, fcm)
    assert (asked.status_code, set(asked.json())) == (200, {"access_token", "expires_in", "token_type"})
    assert fcm.post({"token": "sbx-a"}, token=asked.json()["access_token"]).status_code == 200
    day = int(time.time()) - 86_400
    for refused in (ask_at(address, fcm, aud="https://example.com/token"), ask_at(address, fcm, key=private_key()),
                    ask_at(address, fcm, iat=day, exp=day + 3600)):
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")


def test_fcm_auth_open_accepts_any_service_account():
    """An app may use any service account. On a running clock, expired tokens are rejected."""
    signer = crypt.RSASigner.from_string(private_key())

    def ask(server, late=0, **claims):
        now = int(time.time()) + late
        claims = {"iss": "me@my-project.iam.gserviceaccount.com", "iat": now, "exp": now + 3600,
                  "scope": "https://www.googleapis.com/auth/cloud-platform", **claims}
        return requests.post(f"{server.http}/fcm/token", timeout=20, data={
            "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": jwt.encode(signer, claims)})

    with ringfence.Server("--auth", "open") as server:
        asked = ask(server)
        assert asked.json()["expires_in"] == 3599 and asked.json()["token_type"] == "Bearer"
        send = f"{server.http}/v1/projects/my-project/messages:send"
        for token in asked.json()["access_token"], "ya29.real-looking":
            sent = requests.post(
                send, json={"message": {"token": "sbx-a"}}, headers={"Authorization": f"Bearer {token}"}, timeout=20)
            assert sent.status_code == 200, sent.text
        newest = requests.get(f"{server.http}/control/journal/latest", timeout=20)
        assert "real credential" in newest.json()["why"] and "ya29." not in newest.text
        other = ask(server, scope="https://www.googleapis.com/auth/drive").json()["access_token"]
        insufficient = requests.post(
            send, json={"message": {"token": "sbx-a"}}, headers={"Authorization": f"Bearer {other}"}, timeout=20)
        assert error_of(insufficient, 403, "PERMISSION_DENIED")["details"][0]["reason"] == (
            "ACCESS_TOKEN_SCOPE_INSUFFICIENT")
        assert ask(server, scope="").json()["error"] == "invalid_scope"
        for wrong in ask(server, late=-3 * 3600), ask(server, late=3600), ask(server, exp=int(time.time()) + 9000):
            assert (wrong.status_code, wrong.json()["error"]) == (400, "invalid_grant")
            assert "iat and exp" in wrong.json()["error_description"]
    with ringfence.Server("--auth", "strict") as server:
        assert ask(server).json() == {
            "error": "invalid_grant", "error_description": "Invalid grant: account not found"}
