"""Conformance checks of the Sinch contract, section 10, with the official client: each operation that it has
succeeds once and is refused once. The other checks are in Sources/Providers/Sinch/Checks and
Tests/Providers/Sinch, by their numbers."""

import datetime
import functools
import re

import pytest
import requests
from sinch.domains.verification.exceptions import VerificationException

import receiver
import ringfence
import sinch_client
from ringfence import different
from sinch_client import identity

NUMBER = "+12025550100"
UNKNOWN = "1234567890"


Refused = functools.partial(sinch_client.Refused, VerificationException, "errorCode")


def code_of(sandbox, number=NUMBER):
    return sandbox.control("GET", f"inbox/{number}/latest/code").text.strip()


def caller_of(sandbox, number=NUMBER):
    return sandbox.control("GET", f"inbox/{number}/latest").json()["from"]


def test_sinch_s11_a_text_is_verified(sandbox, sinch):
    started = sinch.verification.verifications.start_sms(identity=identity(NUMBER))
    assert re.fullmatch(r"[0-9]{10}", started.id) and "{{CODE}}" in started.sms.template

    report = {"method": "sms", "sms": {"code": code_of(sandbox)}}
    assert sinch.verification.verifications.report_by_id(started.id, report).status == "SUCCESSFUL"


def test_sinch_start_sms(sandbox, sinch):
    verifications = sinch.verification.verifications
    started = verifications.start_sms(
        identity=identity(NUMBER), reference="r1", custom="c1", code_type="Alpha", expiry="00:01:00", template="{{CODE}}")
    assert (started.method, started.sms.interception_timeout) == ("sms", 120)
    assert {link["rel"] for link in started._links} == {"status", "report"}
    assert re.fullmatch(r"[A-Z]{4}", code_of(sandbox))

    with Refused(409, 40900):
        verifications.start_sms(identity=identity(NUMBER), reference="r1")
    with Refused(400, 40005):
        verifications.start_sms(identity=identity("12025550100"))


def test_sinch_report_sms(sandbox, sinch):
    verifications = sinch.verification.verifications
    started = verifications.start_sms(identity=identity(NUMBER))
    code = code_of(sandbox)
    wrong = verifications.report_sms_by_id(started.id, different(code))
    assert (wrong.status, wrong.reason) == ("FAIL", "Invalid code")
    done = verifications.report_sms_by_identity(NUMBER, code, cli="Sinch")
    assert (done.id, done.status, done.reason) == (started.id, "SUCCESSFUL", None)

    with Refused(404, 40400):
        verifications.report_sms_by_id(UNKNOWN, code)
    with Refused(404, 40400):
        verifications.report_sms_by_identity("+12025550109", code)
    with Refused(404, 40400):
        verifications.report_by_identity("+12025550109", {"method": "sms", "sms": {"code": code}})
    with Refused(400, 40002):
        verifications.report_by_id(started.id, {"method": "sms"})
    older = verifications.report_by_identity(NUMBER, {"method": "sms", "sms": {"code": code}})
    assert older.status == "SUCCESSFUL"


def test_sinch_flash_call(sandbox, sinch):
    verifications = sinch.verification.verifications
    started = verifications.start_flash_call(identity=identity(NUMBER), dial_timeout=20)
    caller = caller_of(sandbox)
    assert started.method == "flashcall" and re.fullmatch(started.flash_call.cli_filter, caller)
    assert (started.flash_call.report_timeout, started.flash_call.deny_call_after) == (120, 60)
    assert verifications.report_flash_call_by_id(started.id, NUMBER).reason == "Invalid CLI"
    assert verifications.report_flash_call_by_id(started.id, caller).status == "SUCCESSFUL"
    verifications.start_flash_call(identity=identity(NUMBER))
    assert verifications.report_flash_call_by_identity(NUMBER, caller_of(sandbox)).status == "SUCCESSFUL"

    with Refused(400, 40001):
        verifications.start_flash_call(identity=identity(NUMBER), dial_timeout=4)
    with Refused(404, 40400):
        verifications.report_flash_call_by_id(UNKNOWN, caller)
    with Refused(400, 40002):
        verifications.report_flash_call_by_identity(NUMBER)


def test_sinch_phone_call(sandbox, sinch):
    verifications = sinch.verification.verifications
    landline = "+12025550112"
    started = verifications.start_phone_call(identity=identity(landline))
    assert verifications.report_phone_call_by_id(started.id, code_of(sandbox, landline)).status == "SUCCESSFUL"
    older = verifications.start_callout(identity=identity(landline), speech_locale="en-US")
    assert older.method == "callout"
    done = verifications.report_phone_call_by_identity(landline, code_of(sandbox, landline))
    assert (done.id, done.status) == (older.id, "SUCCESSFUL")

    with Refused(400, 40003):
        verifications.start_phone_call(identity=identity("+1202"))
    with Refused(400, 40001):
        verifications.start_callout(identity=identity(landline), speech_locale="no tag")
    with Refused(400, 40002):
        verifications.report_phone_call_by_id(started.id)
    with Refused(404, 40400):
        verifications.report_phone_call_by_identity("+12025550109", "1234")


def test_sinch_data(sandbox, sinch):
    verifications = sinch.verification.verifications
    for start in (verifications.start_data, verifications.start_seamless):
        started = start(identity=identity(NUMBER))
        sandbox.control("POST", f"devices/{NUMBER}/open", json={"url": started.seamless.target_uri, "as": "android"})
        assert sinch.verification.verification_status.get_by_id(started.id).status == "SUCCESSFUL"
        with Refused(422, 42201):
            start(identity=identity("+12025550145"))


def test_sinch_status(sandbox, sinch):
    statuses = sinch.verification.verification_status
    started = sinch.verification.verifications.start_sms(identity=identity(NUMBER), reference="a_1")
    for found in (statuses.get_by_id(started.id), statuses.get_by_reference("a_1"), statuses.get_by_identity(NUMBER, "sms")):
        assert (found.id, found.status, found.price) == (started.id, "PENDING", None)
        assert (found.reference, found.identity) == ("a_1", identity(NUMBER))
    sinch.verification.verifications.report_sms_by_id(started.id, code_of(sandbox))
    assert statuses.get_by_id(started.id).price["verificationPrice"]["currencyId"] == "USD"

    with Refused(404, 40400):
        statuses.get_by_id(UNKNOWN)
    with Refused(404, 40400):
        statuses.get_by_reference("nothing")
    with Refused(404, 40400):
        statuses.get_by_identity(NUMBER, "flashcall")


def test_sinch_s05_a_wrong_secret_is_refused(sandbox, sinch):
    client = sinch_client.connect(sandbox, secret="c2VjcmV0")

    with Refused(401, 40102):
        client.verification.verifications.start_sms(identity=identity(NUMBER))
    assert sinch.verification.verifications.start_sms(identity=identity(NUMBER)).id


def test_sinch_s12_the_clients_times_are_recent(server):
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    sandbox = server.sandbox(clock=now)
    client = sinch_client.connect(sandbox)

    started = client.verification.verifications.start_sms(identity=identity(NUMBER))

    assert client.verification.verification_status.get_by_id(started.id).status == "PENDING"
    sandbox.delete()


@pytest.mark.parametrize("action, status", [("allow", 200), ("deny", 403)])
def test_sinch_s36_s38_a_receiver_decides(sandbox, sinch_plain, action, status):
    answer = '{"action":"%s","sms":{"code":"AB-12"}}' % action
    with receiver.Receiver(body=answer) as hook:
        sandbox.control("POST", "seed", json={"sinch": {"settings": {"callbackUrl": hook.url}}})
        started = sinch_plain.start("sms", NUMBER)
        arrivals = hook.all()

    assert started.status_code == status, started.text
    assert arrivals[0][2].startswith(b'{"id":"') and b"VerificationRequestEvent" in arrivals[0][2]
    assert sandbox.control("GET", "messages").json()["messages"] == [] if action == "deny" else code_of(sandbox) == "AB-12"


def test_sinch_s39_a_receiver_that_is_too_slow_denies(sandbox, sinch_plain):
    with receiver.Receiver(answers=(None,)) as hook:
        sandbox.control("POST", "seed", json={"sinch": {"settings": {"callbackUrl": hook.url, "callbackTimeout": 1}}})
        started = sinch_plain.start("sms", NUMBER)

    assert (started.status_code, started.json()["errorCode"]) == (403, 40300)
    assert sinch_plain.status("sms", NUMBER).json()["reason"] == "Invalid callback"


def test_sinch_a_decision_survives_a_crash(tmp_path):
    """The receiver's answer sends the code, also when the server has restarted meanwhile."""
    with receiver.Receiver(body='{"action":"allow"}', answers=(None, 200)) as hook:
        with ringfence.Server("--data", tmp_path) as server:
            sandbox = server.sandbox_described("default")["credentials"]["sinch"]
            pair = (sandbox["applicationKey"], sandbox["applicationSecret"])
            seed = {"sinch": {"settings": {"callbackUrl": hook.url}}}
            requests.post(f"{server.http}/control/seed", json=seed, timeout=10).raise_for_status()
            with pytest.raises(requests.Timeout):
                requests.post(f"{server.http}{sinch_client.BASE}", auth=pair, timeout=0.5, json={
                    "identity": identity(NUMBER), "method": "sms"})
            server.kill()

        with ringfence.Server("--data", tmp_path) as server:
            found = requests.get(f"{server.http}/control/inbox/{NUMBER}/latest?wait=10", timeout=20)
            assert found.status_code == 200, found.text
