"""The vendors' clients, and apps that make them themselves."""

import asyncio
import json
import os
import subprocess
import sys

import pytest

from ringfence import RingfenceError

NUMBER = "+12025550100"


def test_telesign(sandbox):
    reference = sandbox.telesign().createVerificationProcess(NUMBER[1:], {}).json["reference_id"]

    done = sandbox.telesign().updateVerificationProcess(
        reference, {"action": "finalize", "security_factor": sandbox.code(NUMBER, provider="telesign")})

    assert done.json["status"]["code"] == 3900


def test_another_client_of_telesign(sandbox):
    from telesign.messaging import MessagingClient

    assert sandbox.telesign(MessagingClient).message(NUMBER[1:], "Hello", "OTP").status_code == 200
    assert sandbox.message(NUMBER)["text"] == "Hello"


def test_prelude(sandbox):
    client = sandbox.prelude()
    target = {"type": "phone_number", "value": NUMBER}
    client.verification.create(target=target)

    assert client.verification.check(target=target, code=sandbox.code(NUMBER)).status == "success"


def test_sinch(sandbox):
    sandbox.control("POST", "seed", {"sinch": {"settings": {"timestampTolerance": 0}}})
    verifications = sandbox.sinch().verification.verifications
    verifications.start_sms(identity={"type": "number", "endpoint": NUMBER})

    assert verifications.report_sms_by_identity(NUMBER, sandbox.code(NUMBER)).status == "SUCCESSFUL"


def test_vonage(sandbox):
    from vonage_verify import SmsChannel, VerifyRequest

    verify = sandbox.vonage().verify
    started = verify.start_verification(VerifyRequest(brand="Acme", workflow=[SmsChannel(to=NUMBER[1:])]))

    assert verify.check_code(started.request_id, sandbox.code(NUMBER, provider="vonage")).status == "completed"


def test_camara(sandbox):
    client = sandbox.camara()
    assert client.sim_swap.check(phone_number=NUMBER).swapped is False

    sandbox.phone(NUMBER).event("simSwap")

    assert client.sim_swap.check(phone_number=NUMBER).swapped is True


def test_prelude_async(sandbox):
    target = {"type": "phone_number", "value": NUMBER}

    async def sign_in():
        async with sandbox.prelude_async() as client:
            await client.verification.create(target=target)
            code = await asyncio.to_thread(sandbox.code, NUMBER)
            return (await client.verification.check(target=target, code=code)).status

    assert asyncio.run(sign_in()) == "success"


def test_twilio_async(sandbox):
    async def sign_in():
        client = sandbox.twilio_async()
        async with client.http_client:
            service = client.verify.v2.services(sandbox.credentials["twilio"]["serviceSid"])
            await service.verifications.create_async(to=NUMBER, channel="sms")
            code = await asyncio.to_thread(sandbox.code, NUMBER)
            return (await service.verification_checks.create_async(to=NUMBER, code=code)).status

    assert asyncio.run(sign_in()) == "approved"


def test_other_products_of_twilio(sandbox):
    client = sandbox.twilio()

    assert client.lookups.v2.phone_numbers(NUMBER).fetch().valid
    client.messages.create(to=NUMBER, from_="+12025550199", body="Hello")
    assert sandbox.message(NUMBER)["text"] == "Hello"


def test_a_missing_sdk_is_named(sandbox, monkeypatch):
    monkeypatch.setitem(sys.modules, "prelude_python_sdk", None)

    with pytest.raises(RingfenceError, match='pip install "prelude-python-sdk"'):
        sandbox.prelude()


@pytest.mark.parametrize("name, part, requirement", [
    ("sinch", "sinch.domains.verification", "sinch>=1,<2"), ("vonage", "vonage.vonage", "vonage>=4"),
    ("camara", "network_as_code.consent_info", "network-as-code>=10"),
    ("telesign", "telesignenterprise.omniverify", "telesignenterprise>=3")])
def test_46_g2_a_version_that_works_is_named(sandbox, monkeypatch, name, part, requirement):
    """Other versions of these SDKs do not have the module."""
    monkeypatch.setitem(sys.modules, part, None)

    with pytest.raises(RingfenceError, match=f'pip install "{requirement}"'):
        getattr(sandbox, name)()


def test_clients_ignore_the_proxies_of_the_environment(sandbox, monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)

    test_prelude(sandbox)
    test_telesign(sandbox)
    test_vonage(sandbox)
    test_camara(sandbox)
    test_other_products_of_twilio(sandbox)


def test_an_app_makes_its_own_client(sandbox, sandbox_env):
    """Requests to Twilio's own host reach the sandbox of this test."""
    from twilio.rest import Client

    service = Client().verify.v2.services(os.environ["TWILIO_VERIFY_SERVICE_SID"])
    service.verifications.create(to=NUMBER, channel="sms")

    assert sandbox.code(NUMBER) == "365233"
    assert sandbox_env["RINGFENCE_URL"] == sandbox.url


def test_firebase_reaches_the_sandbox(sandbox, sandbox_env):
    import firebase_admin
    from firebase_admin import messaging

    app = firebase_admin.initialize_app(name=sandbox.name)
    messaging.send(messaging.Message(token="sbx-1", data={"ref": "r-17"}), app=app)
    firebase_admin.delete_app(app)

    assert sandbox.control("GET", "pushes/latest")["data"] == {"ref": "r-17"}


def test_other_hosts_are_not_reached(sandbox_env):
    import requests

    with pytest.raises(requests.exceptions.ProxyError):
        requests.get("https://ringfence.example", timeout=10)


def test_the_environment_is_restored(sandbox):
    before = dict(os.environ)
    with sandbox.use_env(proxy=False) as variables:
        assert os.environ["PRELUDE_BASE_URL"] == sandbox.url
        assert variables == sandbox.env
        assert "HTTPS_PROXY" not in variables

    assert dict(os.environ) == before


def test_a_program_gets_the_environment(sandbox):
    program = "import os, prelude_python_sdk as p\n" \
        "print(p.Prelude().verification.create(target={'type': 'phone_number', 'value': '+12025550100'}).status)"

    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **sandbox.env}, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "success"
    assert sandbox.code(NUMBER)


def test_40_1_a_program_inherits_sandbox_env(sandbox, sandbox_env):
    """Twilio's client reads no base URL: it needs the proxy, which only `sandbox_env` has."""
    program = "import os; from twilio.rest import Client\n" \
        "service = Client().verify.v2.services(os.environ['TWILIO_VERIFY_SERVICE_SID'])\n" \
        f"print(service.verifications.create(to='{NUMBER}', channel='sms').status)"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "pending" and sandbox.code(NUMBER)


def test_files_in_the_environment_can_be_read(sandbox):
    with open(sandbox.env["GOOGLE_APPLICATION_CREDENTIALS"], encoding="utf-8") as file:
        assert json.load(file)["project_id"] == sandbox.credentials["fcm"]["projectId"]
