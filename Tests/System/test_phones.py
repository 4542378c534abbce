"""What real phones in the same network need: their pushes without a control token, the certificate authority,
a setup."""

import json
import plistlib
import ssl
import xml.etree.ElementTree

import pytest
import requests

import ringfence
import wire

TOKEN = "admin-token-of-the-tests"
NUMBER = "+12025550100"


@pytest.fixture(scope="module")
def guarded():
    with ringfence.Server(environment={"RINGFENCE_ADMIN_TOKEN": TOKEN}) as server:
        yield server


def as_admin(server, method, path, expect=(200, 201), **named):
    answer = requests.request(
        method, f"{server.http}/control/{path}", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=20, **named)
    assert answer.status_code in expect, answer.text
    return answer


def push(base, credentials, number=NUMBER):
    own = credentials["telesign"]
    answer = requests.post(
        f"{base}/telesign/v2/verify/push", data={"phone_number": number[1:]}, timeout=20,
        auth=(own["customerId"], own["apiKey"]))
    assert answer.status_code == 200, answer.text
    return answer.json()["reference_id"]


def push_as_admin(server, number):
    return push(server.http, as_admin(server, "GET", "sandboxes/default").json()["credentials"], number)


def device(server, number):
    return as_admin(server, "POST", "devices", json={"number": number, "provider": "telesign"}).json()


def test_a_phone_gets_its_own_pushes_without_a_control_token(guarded):
    (own, other) = (device(guarded, NUMBER), device(guarded, "+12025550101"))
    reference = push_as_admin(guarded, NUMBER)
    push_as_admin(guarded, "+12025550101")

    answer = requests.get(f"{guarded.http}/control/phone/pushes?token={own['pushToken']}", timeout=20)
    nobody = requests.get(f"{guarded.http}/control/phone/pushes?token=guess", timeout=20)

    assert [entry["reference"] for entry in answer.json()["pushes"]] == [reference]
    assert other["pushToken"] not in answer.text
    assert nobody.json()["pushes"] == []
    for path in ("pushes", "devices", "phone/setup?provider=twilio", "phone/qr.svg?provider=twilio"):
        assert requests.get(f"{guarded.http}/control/{path}", timeout=20).status_code == 401
    assert requests.get(f"{guarded.http}/control/phone/pushes", timeout=20).status_code == 400


def test_a_phone_waits_for_its_push(guarded):
    number = "+12025550102"
    own = device(guarded, number)
    device(guarded, "+12025550160")
    with wire.Wire(guarded.address) as line:
        line.send(wire.request("GET", f"/control/phone/pushes?token={own['pushToken']}&wait=30"))
        push_as_admin(guarded, "+12025550160")
        reference = push_as_admin(guarded, number)

        (found,) = json.loads(line.receive().body)["pushes"]

    assert (found["reference"], found["data"]["type"]) == (reference, "push_verify_v2")


def test_phones_get_the_authority(guarded):
    profile = requests.get(f"{guarded.http}/control/phone/authority.mobileconfig", timeout=20)
    certificate = requests.get(f"{guarded.http}/control/phone/authority.crt", timeout=20)

    assert profile.headers["Content-Type"] == "application/x-apple-aspen-config"
    assert certificate.headers["Content-Type"] == "application/x-x509-ca-cert"
    (payload,) = plistlib.loads(profile.content)["PayloadContent"]
    assert payload["PayloadContent"] == certificate.content
    ssl.create_default_context(cadata=certificate.content)


def test_the_setup_names_what_an_app_needs(sandbox):
    setup = sandbox.control("GET", "phone/setup", params={"provider": "twilio", "identity": "ana-0001"}).json()
    image = sandbox.control("GET", "phone/qr.svg", params={"provider": "twilio"})

    assert setup["url"] == f"{sandbox.base}/twilio"
    assert setup["proxy"] == sandbox.base.split("//")[1].split("/")[0]
    assert setup["pushes"] == f"{sandbox.base}/control/phone/pushes"
    assert setup["values"]["serviceSid"] == sandbox.credentials["twilio"]["serviceSid"]
    assert setup["values"]["identity"] == "ana-0001"
    registered = sandbox.session.post(
        f"{setup['url']}/v2/Services/{setup['values']['serviceSid']}/Entities/ana-0001/Factors",
        auth=("token", setup["values"]["accessToken"]), timeout=20, data={
            "FriendlyName": "Phone", "FactorType": "push", "Binding.Alg": "ES256", "Config.AppId": "com.acme",
            "Config.NotificationPlatform": "none", "Config.SdkVersion": "3.0.2",
            "Binding.PublicKey": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWW5aEv82MvoOPVvr59t7s1s8JL8gSaGzJ1QpOO06kbpw"
                                 "+hNLZT7OUeBqNxHqwaDmIUp93jDq569DOmWJevkT/Q=="})
    assert registered.status_code == 201, registered.text
    assert xml.etree.ElementTree.fromstring(image.text).tag.endswith("svg")
