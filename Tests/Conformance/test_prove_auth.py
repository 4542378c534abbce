"""Conformance checks PA1 and PA2 of the Prove contract: the older server API."""

import re

import pytest

import prove_client
from prove_client import GO, JAVA, TYPESCRIPT, Device

LORANT, INGE = "2001004014", "2001004016"
REQUEST = "0d9e0c1c-6f43-4b44-9a52-6c6b6b0b9d10"
START = 1767608430  # 2026-01-05T10:20:30Z
LINK = {"finalTargetUrl": "https://app.example.com/done", "messageText": "Open ####"}
OTP = {"messageText": "Your code: ####"}


def start(client, **subjects):
    return client.call("POST", "/v1/server/auth/start", {"requestId": REQUEST, "subjects": subjects})


def mobile(**authenticators):
    return {"claim": {"mobileNumber": LORANT}, "authenticators": authenticators}


def enter_code(sandbox, started):
    device = Device()
    assert device.authenticate(started)["step"] == "otp_start"
    device.otp_start()
    device.otp(sandbox.code(f"+1{LORANT}"))
    return device


def open_link(sandbox, started):
    device = Device(features=["instantLink"], role="secondary")
    device.authenticate(started)
    device.link_start()
    text = sandbox.control("GET", f"inbox/+1{LORANT}/latest").json()["text"]
    assert prove_client.send("GET", re.search(r"http\S+", text)[0]).status == 302


def use_mobile_network(sandbox, started):
    device = Device(platform="android", features=["mobileAuth"], cellularNumber=INGE)
    assert device.authenticate(started)["step"] == "mobile_auth"
    device.mobile_auth()


@pytest.mark.parametrize("sdk", (GO, TYPESCRIPT, JAVA), ids=lambda sdk: sdk.name)
@pytest.mark.parametrize("kind, subject, prove", [
    ("otp", mobile(otp=OTP), enter_code), ("instantlink", mobile(instantlink=LINK), open_link),
    ("instant", {"authenticators": {"instant": {}}}, use_mobile_network)])
def test_prove_pa1_created_at_is_in_unix_seconds(sandbox, sdk, kind, subject, prove):
    client = sdk.client(sandbox)
    started = start(client, mobile=subject)
    sandbox.advance("2s")
    prove(sandbox, started)

    finished = client.call("POST", "/v1/server/auth/finish", {"authId": started["authId"]})

    success = finished["subjects"]["mobile"]["success"]
    assert success["authenticatorType"] == kind
    assert type(success["createdAt"]) is int
    assert success["createdAt"] == START


def test_prove_pa1_created_at_of_a_known_device(go, sandbox):
    device = enter_code(sandbox, start(go, mobile=mobile(otp=OTP)))
    started = start(go, mobile=mobile(passive={"maxAge": 0}, otp=OTP))

    assert device.authenticate(started)["step"] == "auth_finish"

    finished = go.call("POST", "/v1/server/auth/finish", {"authId": started["authId"]})
    success = finished["subjects"]["mobile"]["success"]
    assert (success["authenticatorType"], success["createdAt"]) == ("passive", START)


@pytest.mark.parametrize("subject", ["device", "user", "card"])
def test_prove_pa2_other_subjects_besides_mobile_are_refused(go, subject):
    alone = start(go, **{subject: {"claim": {}}})
    besides = start(go, mobile=mobile(otp=OTP), **{subject: {"claim": {}}})

    assert (alone.status, alone["code"]) == (besides.status, besides["code"]) == (400, 8001)
    assert besides["message"] == alone["message"]
    assert "'subjects'" in besides["message"] and "mobile alone" in besides["message"]
