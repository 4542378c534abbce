"""What one sandbox issues opens no other sandbox, also not one with the same random seed. Source: issue 22,
A2."""

import time

import pytest
import requests

import hyphen_client
import ringfence
from provider_tokens import GRANT, PRESENTATIONS, Keys, bearer


@pytest.fixture(scope="module")
def strict():
    with ringfence.Server("--auth", "strict") as server:
        yield server


@pytest.fixture(scope="module")
def sandboxes(strict):
    """Two sandboxes with equal seeds, in which the same happened."""
    return [Keys(strict.sandbox(name=name, seed=7)) for name in ("alpha", "bravo")]


@pytest.mark.parametrize("name", PRESENTATIONS)
def test_another_sandbox_refuses_it_and_its_own_accepts_it(sandboxes, name):
    alpha, bravo = sandboxes

    assert not alpha.present(name, to=bravo)
    assert alpha.present(name, to=alpha)


def test_a_service_account_of_one_sandbox_cannot_sign_for_that_of_another(sandboxes):
    alpha, bravo = sandboxes
    project = bravo.own["fcm"]["projectId"]

    forged = alpha.assertion(iss=f"firebase-adminsdk@{project}.iam.gserviceaccount.com")

    answer = requests.post(
        f"{bravo.sandbox.base}/fcm/token", data={"grant_type": GRANT, "assertion": forged}, timeout=20)
    assert answer.status_code == 400, answer.text


def test_the_keys_and_tokens_of_virtual_handsets_differ(strict):
    apps = [strict.sandbox(seed=7).control("POST", "devices", json={
        "provider": "apns", "platform": "ios", "number": "+12025550141"}).json() for _ in range(2)]

    assert apps[0]["id"] == apps[1]["id"]
    for secret in ("publicKey", "pushToken", "apnsToken"):
        assert apps[0][secret] != apps[1][secret]


def test_the_keys_that_providers_sign_and_check_with_differ(strict):
    def keys(sandbox):
        own = sandbox.credentials["twilio"]
        url = f"{sandbox.base}/v2/Services/{own['serviceSid']}/Entities/user-00000001/Factors"
        factor = requests.post(url, data={"FactorType": "totp", "FriendlyName": "Codes"}, timeout=20,
                               auth=(own["accountSid"], own["authToken"])).json()
        phone = hyphen_client.Phone(sandbox, "phone", email="mara@example.test").sign_up()
        return factor["binding"]["secret"], next(key["publicKey"] for key in phone.keys() if key["type"] == "server-key")

    one, other = (keys(strict.sandbox(seed=7)) for _ in range(2))

    assert one[0] != other[0] and one[1] != other[1]


@pytest.mark.parametrize("path, form, use", [
    ("prove/token", {"grant_type": "client_credentials", "client_id": "stranger", "client_secret": "any"},
     ("POST", "v3/unify", {"phoneNumber": "2001004014", "possessionType": "mobile"})),
    ("oauth/v2/token", {"grant_type": "client_credentials", "client_id": "OQ" + "9" * 32, "client_secret": "any"},
     ("GET", "v2/Services", None)),
    ("fcm/token", {"grant_type": GRANT, "assertion": "stranger"},
     ("POST", "v1/projects/stranger-project/messages:send", {"message": {"topic": "news"}})),
], ids=["prove", "twilio", "fcm"])
def test_a_strict_server_refuses_tokens_of_clients_that_it_does_not_know(tmp_path, path, form, use):
    """Also those that it issued when it was open."""
    method, target, body = use
    data = tmp_path / "data"
    with ringfence.Server("--data", data, "--auth", "open") as server:
        if "assertion" in form:
            default = ringfence.Sandbox(server.sandbox_described("default"))
            keys = object.__new__(Keys)
            keys.own = default.credentials
            now = int(time.time())
            form = {**form, "assertion": keys.assertion(iss="x@stranger-project.iam.gserviceaccount.com", iat=now, exp=now + 60)}
        token = requests.post(f"{server.http}/{path}", data=form, timeout=20).json()["access_token"]
        assert requests.request(method, f"{server.http}/{target}", json=body, headers=bearer(token), timeout=20).ok

    with ringfence.Server("--data", data, "--auth", "strict") as server:
        answer = requests.request(method, f"{server.http}/{target}", json=body, headers=bearer(token), timeout=20)

    assert answer.status_code == 401, answer.text
