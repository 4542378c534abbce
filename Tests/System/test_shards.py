"""Three servers behind HAProxy, with the configuration of the documents. Source: CONSOLE.md 5."""

import base64
import time

import jwt
import pytest
import requests
import twilio.rest
from prelude_python_sdk import Prelude

import ringfence
from shards import ADMIN, HAPROXY, NAMES, TOKEN, Cluster, keep_key

pytestmark = [pytest.mark.skipif(HAPROXY is None, reason="no HAProxy here: Tests/Tools/install-packages python installs it"), pytest.mark.timeout(120)]

NUMBER = "+12025550100"

@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("shards"))
    yield cluster
    cluster.stop()

def test_a_new_sandbox_goes_to_the_server_with_the_least_to_do(cluster):
    made = [cluster.create(name=f"new-{number}") for number in range(9)]

    assert {described["name"][:3] for described in made} == {f"{name}." for name in NAMES}
    for described in made:
        account = described["credentials"]["twilio"]["accountSid"]
        assert account[2:4] == described["name"][:2]
        assert cluster.get(f"/control/sandboxes/{described['name']}").json()["name"] == described["name"]

def test_a_sandbox_is_found_by_prefix_header_path_and_token(cluster):
    for name, described in cluster.on_each().items():
        sandbox = described["name"]
        own = requests.post(f"{cluster.url}/control/sandboxes/{sandbox}/tokens", headers=ADMIN, timeout=10).json()["token"]
        found = [
            cluster.get(f"/s/{sandbox}/control/entropy"),
            cluster.get("/control/entropy", **{"X-Sandbox": sandbox}),
            requests.get(f"{cluster.url}/control/entropy", headers={"Authorization": f"Bearer {own}"}, timeout=10),
            requests.get(f"{cluster.url}/control/entropy", cookies={"ringfence-token": own}, timeout=10),
            cluster.get(f"/control/sandboxes/{sandbox}"),
        ]
        assert [answer.status_code for answer in found] == [200] * 5, name

def call_with_credentials(url, own):
    """One request of each provider's clients, which name no sandbox."""
    client = twilio.rest.Client(own["twilio"]["accountSid"], own["twilio"]["authToken"])
    client.verify.base_url = url
    client.verify.v2.services(own["twilio"]["serviceSid"]).verifications.create(to=NUMBER, channel="sms")
    client = twilio.rest.Client(own["twilio"]["apiKeySid"], own["twilio"]["apiKeySecret"], own["twilio"]["accountSid"])
    client.verify.base_url = url
    client.verify.v2.services(own["twilio"]["serviceSid"]).fetch()
    Prelude(api_token=own["prelude"]["apiToken"], base_url=url).verification.create(
        target={"type": "phone_number", "value": NUMBER})
    basic = base64.b64encode(f"{own['telesign']['customerId']}:{own['telesign']['apiKey']}".encode()).decode()
    requests.get(f"{url}/v1/phoneid/standard/12025550100", headers={"Authorization": f"Basic {basic}"}, timeout=10)
    requests.post(f"{url}/v1/messaging", headers={"Authorization": f"TSA {own['telesign']['customerId']}:c2ln"}, timeout=10)
    token = requests.post(f"{url}/token", timeout=10, data={
        "grant_type": "client_credentials", "client_id": own["prove"]["clientId"],
        "client_secret": own["prove"]["clientSecret"]}).json()["access_token"]
    requests.post(f"{url}/v3/start", json={}, headers={"Authorization": f"Bearer {token}"}, timeout=10)
    requests.get(f"{url}/verification/v1/verifications/id/1", timeout=10,
                 auth=(own["sinch"]["applicationKey"], own["sinch"]["applicationSecret"]))
    requests.get(f"{url}/v2/verify/templates", auth=(own["vonage"]["apiKey"], own["vonage"]["apiSecret"]), timeout=10)
    now = int(time.time())
    signed = jwt.encode({"application_id": own["vonage"]["applicationId"], "iat": now, "exp": now + 60, "jti": "1"},
                        own["vonage"]["privateKey"], "RS256")
    requests.get(f"{url}/v2/verify/templates", headers={"Authorization": f"Bearer {signed}"}, timeout=10)
    token = requests.post(f"{url}/oauth2/token", timeout=10, auth=(own["camara"]["clientId"], own["camara"]["clientSecret"]),
                          data={"grant_type": "client_credentials", "scope": "sim-swap"}).json()["access_token"]
    requests.post(f"{url}/sim-swap/v2/check", json={}, headers={"Authorization": f"Bearer {token}"}, timeout=10)
    client = own["camara"]["clientId"]
    signed = jwt.encode({"iss": client, "sub": client, "aud": "x", "exp": now + 60, "jti": "1"}, own["camara"]["privateKey"], "RS256")
    requests.post(f"{url}/oauth2/token", timeout=10, data={"grant_type": "client_credentials", "client_assertion": signed})
    requests.post(f"{url}/hyphen/api/sms", json={}, headers={"X-Hyphen-App-Secret": own["hyphen"]["appSecret"]}, timeout=10)
    requests.post(f"{url}/v1/projects/{own['fcm']['projectId']}/messages:send", json={}, timeout=10)

def test_a_sandbox_is_found_by_every_providers_credentials(cluster):
    for name, described in cluster.on_each().items():
        requests.delete(f"{cluster.url}/s/{described['name']}/control/journal", headers=ADMIN, timeout=10)

        call_with_credentials(cluster.url, described["credentials"])

        seen = requests.get(f"{cluster.servers[name].http}/s/{described['name']}/control/journal",
                            headers=ADMIN, timeout=10).json()["requests"]
        assert [entry["provider"] for entry in seen] == [
            "twilio", "twilio", "prelude", "telesign", "telesign", "prove", "prove", "sinch", "vonage", "vonage",
            "camara", "camara", "camara", "hyphen", "fcm"], name

def test_a_killed_server_fails_only_its_own_sandboxes_until_it_is_back(cluster):
    own = cluster.on_each()
    before = cluster.get("/s/cd.own/control/entropy").json()
    cluster.servers["cd"].kill()

    assert [cluster.get(f"/s/{name}.own/control/entropy").status_code for name in NAMES] == [200, 503, 200]
    cluster.wait("/s/cd.own/control/entropy", 503)
    for _ in range(6):
        assert cluster.create()["name"][:2] in ("ab", "ef")

    cluster.servers["cd"] = cluster.start("cd")
    cluster.wait("/s/cd.own/control/entropy", 200)
    assert cluster.get("/s/cd.own/control/entropy").json() == before
    assert cluster.get("/control/sandboxes/cd.own").json()["credentials"] == own["cd"]["credentials"]

def move(cluster, sandbox, source, destination, expect=0):
    return ringfence.command("sandbox", "move", sandbox, "--url", cluster.servers[source].http, "--to",
                             cluster.servers[destination].http, environment={"RINGFENCE_ADMIN_TOKEN": TOKEN}, expect=expect)

def test_a_moved_sandbox_goes_on_with_its_credentials_and_its_token(cluster):
    made = requests.post(f"{cluster.servers['ab'].http}/control/sandboxes", headers=ADMIN, timeout=10,
                         json={"name": "ab.moving", "ttl": "9h", "clock": "2026-01-05T10:20:30Z"}).json()
    own = made["credentials"]["twilio"]
    client = twilio.rest.Client(own["accountSid"], own["authToken"])
    client.verify.base_url = cluster.url
    service = client.verify.v2.services(own["serviceSid"])
    started = service.verifications.create(to=NUMBER, channel="sms")

    keys = move(cluster, "ab.moving", "ab", "ef").split()
    cluster.rebalance([f"{key} ef" for key in keys])

    headers = {"Authorization": f"Bearer {made['token']}"}
    code = requests.get(f"{cluster.url}/control/inbox/{NUMBER}/latest/code", headers=headers, timeout=10).text
    checked = service.verification_checks.create(verification_sid=started.sid, code=code)
    assert checked.status == "approved"
    assert cluster.get("/control/sandboxes/ab.moving").json()["ttl"] == "9h"
    left = requests.get(f"{cluster.servers['ab'].http}/control/sandboxes/ab.moving", headers=ADMIN, timeout=10)
    assert left.status_code == 404

def exists(cluster, server, sandbox):
    return requests.get(f"{cluster.servers[server].http}/control/sandboxes/{sandbox}", headers=ADMIN, timeout=10).ok

def test_a_move_that_fails_changes_nothing(cluster):
    for server in ("ab", "cd"):
        requests.put(f"{cluster.servers[server].http}/control/sandboxes/ab.twin/snapshot", headers=ADMIN, timeout=10,
                     json=requests.get(f"{cluster.servers['ab'].http}/control/sandboxes/default/snapshot",
                                       headers=ADMIN, timeout=10).json())
    requests.post(f"{cluster.servers['ab'].http}/control/sandboxes", json={"name": "ab.stays"}, headers=ADMIN, timeout=10)
    taken = requests.post(f"{cluster.servers['ef'].http}/control/sandboxes", json={"name": "ef.taken"}, headers=ADMIN, timeout=10)
    assert taken.ok

    assert "there is no sandbox ab.nobody" in move(cluster, "ab.nobody", "ab", "cd", expect=1)
    assert "default sandbox cannot be moved" in move(cluster, "default", "ab", "cd", expect=1)
    assert "nothing was moved" in move(cluster, "ef.taken", "ef", "ef", expect=1)
    assert exists(cluster, "ef", "ef.taken") and exists(cluster, "ab", "ab.stays")

def test_a_server_with_another_key_is_refused_and_keeps_nothing(cluster, tmp_path):
    requests.post(f"{cluster.servers['ab'].http}/control/sandboxes", json={"name": "ab.keyed"}, headers=ADMIN, timeout=10)
    keep_key(tmp_path / "data", "6" * 64)
    with ringfence.Server("--data", tmp_path / "data", environment={"RINGFENCE_ADMIN_TOKEN": TOKEN}) as stranger:
        said = ringfence.command(
            "sandbox", "move", "ab.keyed", "--url", cluster.servers["ab"].http, "--to", stranger.http,
            environment={"RINGFENCE_ADMIN_TOKEN": TOKEN}, expect=1)
        left = requests.get(f"{stranger.http}/control/sandboxes/ab.keyed", headers=ADMIN, timeout=10)

    assert "the token of sandbox ab.keyed would not be valid" in said
    assert left.status_code == 404
    assert exists(cluster, "ab", "ab.keyed")

@pytest.mark.parametrize("name", ["a", "abc", "AB", "ag", "1a"])
def test_the_name_of_a_shard_must_fit_into_every_id(name):
    assert "--shard: expected two letters from a to f, such as ab" in ringfence.command("serve", "--shard", name, expect=64)
