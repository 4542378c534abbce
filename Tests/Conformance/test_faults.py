"""Injected faults as official clients see them: failures after the work, and a proxy's page."""

import pytest
import requests
from prelude_python_sdk import APIStatusError
from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client

NUMBER = "+12025550100"


def codes(sandbox):
    """The codes in the inbox of the number, oldest first."""
    return [message["code"] for message in sandbox.entries(f"inbox/{NUMBER}")]


def test_a_500_after_the_work_has_sent_the_code(sandbox, service):
    sandbox.faults({"provider": "twilio", "route": "createVerification", "status": 500, "when": "after", "times": 1})

    with pytest.raises(TwilioRestException) as failed:
        service.verifications.create(to=NUMBER, channel="sms")

    assert failed.value.status == 500
    (code,) = codes(sandbox)
    assert service.verification_checks.create(to=NUMBER, code=code).status == "approved"


def test_a_client_that_repeats_after_such_a_500_sends_twice(sandbox, prelude):
    sandbox.faults({"provider": "prelude", "route": "createVerification", "status": 500, "when": "after", "times": 1})

    prelude.verification.create(target={"type": "phone_number", "value": NUMBER})

    assert prelude.statuses == [500, 200]
    assert len(codes(sandbox)) == 2


def test_a_500_before_the_work_has_sent_nothing(sandbox, service):
    sandbox.faults({"provider": "twilio", "route": "createVerification", "status": 500})

    with pytest.raises(TwilioRestException):
        service.verifications.create(to=NUMBER, channel="sms")

    assert codes(sandbox) == []


def test_a_proxys_page_is_html(sandbox):
    sandbox.faults({"damage": "html"})

    for method, path in ("GET", "/v2/Services"), ("GET", "/v2/lookup/+12025550100"), ("POST", "/v1/messaging"), ("POST", "/v3/start"):
        answer = requests.request(method, sandbox.base + path, timeout=10)
        assert (answer.status_code, answer.headers["Content-Type"]) == (502, "text/html")
        assert answer.text.startswith("<html>") and "502 Bad Gateway" in answer.text


def test_official_clients_do_not_take_a_proxys_page_for_an_answer(sandbox, prelude):
    sandbox.faults({"status": 502, "damage": "html"})
    own = sandbox.credentials["twilio"]
    twilio = Client(own["accountSid"], own["authToken"])
    twilio.verify.base_url = sandbox.base

    with pytest.raises(Exception) as failed:
        twilio.verify.v2.services(own["serviceSid"]).verifications.create(to=NUMBER, channel="sms")
    with pytest.raises(APIStatusError) as refused:
        prelude.with_options(max_retries=0).verification.create(target={"type": "phone_number", "value": NUMBER})

    assert "502" in str(failed.value) or "JSON" in type(failed.value).__name__
    assert refused.value.status_code == 502
    assert codes(sandbox) == []
