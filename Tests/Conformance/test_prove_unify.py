"""What clients show of conformance checks 8 and 15 of the Prove contract, section 11."""

import re

import pytest

import prove_client
from prove_client import SDKS, Device

LORANT = {"possessionType": "mobile", "phoneNumber": "2001004014"}
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}"


@pytest.mark.quick
def test_prove_08_unify_answers_pending(go):
    answer = go.unify(**LORANT)

    assert answer["success"] == "pending"
    assert re.fullmatch(UUID, answer["correlationId"])
    claims = prove_client.claims(answer["authToken"])
    assert answer["authToken"].count(".") == 2
    assert claims["exp"] - claims["iat"] == 900
    assert claims["sub"] != answer["correlationId"]


@pytest.mark.parametrize("sdk", SDKS, ids=lambda sdk: sdk.name)
def test_prove_15_otp_success(sandbox, sdk):
    client = sdk.client(sandbox)
    unified = client.unify(**LORANT)
    device = Device()

    assert device.authenticate(unified)["step"] == "otp_start"
    assert device.otp_start()["step"] == "otp_finish"
    assert device.otp(sandbox.code("+12001004014"))["step"] == "auth_finish"

    status = client.status(unified["correlationId"])
    assert (status["success"], status["deviceId"]) == ("true", device.registration["deviceId"])
    assert re.fullmatch(UUID, status["proveId"])
