"""Conformance checks 1 to 23, 44 and 55 of the Twilio Verify contract, section 18: one test for each
number. Then operations that have no numbered check."""

import datetime
import re

import pytest
import requests

import sdk_requests
from ringfence import different
from twilio_errors import refused

NUMBER = "+15551234567"
COVERED = "+12025550100"  # its operator takes part in silent verification


def start(service, channel="sms", **more):
    return service.verifications.create(to=NUMBER, channel=channel, **more)


def check(service, code):
    return service.verification_checks.create(to=NUMBER, code=code)


def test_twilio_01_service_is_created(connect, client):
    service = client.verify.v2.services.create(friendly_name="Acme")

    assert connect.statuses == [201]
    assert service.sid.startswith("VA") and len(service.sid) == 34
    assert service.code_length == 6
    assert service.dtmf_input_required is True
    assert isinstance(service.date_created, datetime.datetime)


def test_twilio_02_verification_is_pending(connect, service):
    verification = start(service)

    assert connect.statuses == [201]
    assert verification.status == "pending"
    assert verification.valid is False
    assert [attempt["attempt_sid"][:2] for attempt in verification.send_code_attempts] == ["VL"]


@pytest.mark.quick
def test_twilio_03_right_code_is_approved(connect, sandbox, service):
    start(service)

    answer = check(service, sandbox.code(NUMBER))

    assert connect.statuses == [201, 200]
    assert answer.status == "approved"
    assert answer.valid is True


def test_twilio_04_second_check_after_approval_is_20404(sandbox, service):
    start(service)
    code = sandbox.code(NUMBER)
    check(service, code)

    with refused(404, 20404, "VerificationCheck was not found"):
        check(service, code)


def test_twilio_09_cancel_frees_the_destination(sandbox, service):
    for _ in range(5):
        first = start(service)
    code = sandbox.code(NUMBER)

    canceled = service.verifications(first.sid).update(status="canceled")
    second = start(service)

    assert canceled.status == "canceled"
    assert second.sid != first.sid
    assert sandbox.code(NUMBER) != code


def test_twilio_11_malformed_to_is_60200(service):
    with refused(400, 60200, "Invalid parameter `To`"):
        service.verifications.create(to="12", channel="sms")


def test_twilio_14_wrong_token_is_20003(connect, sandbox):
    stranger = connect(sandbox, password="f" * 32)

    with refused(401, 20003):
        stranger.verify.v2.services(sandbox.credentials["twilio"]["serviceSid"]).fetch()


def test_twilio_15_foreign_service_is_20404(server, connect, client):
    other = server.sandbox(seed=15)  # with another seed, or its ids would be ours
    foreign = connect(other).verify.v2.services.create(friendly_name="Theirs").sid

    with refused(404, 20404):
        client.verify.v2.services(foreign).fetch()
    assert connect(other).verify.v2.services(foreign).fetch().friendly_name == "Theirs"
    other.delete()


@pytest.mark.parametrize("sdk", [sdk_requests.NODE, sdk_requests.PHP], ids=lambda sdk: sdk.name)
def test_twilio_16_plus_in_a_path_stays_plus(service, raw, sdk):
    verification = start(service)

    answer = sdk.send("GET", f"{raw.verifications}/{sdk.destination(NUMBER)}", raw.pair)

    assert answer.status == 200
    assert (answer.json()["sid"], answer.json()["to"]) == (verification.sid, NUMBER)
    assert service.verifications(NUMBER).fetch().sid == verification.sid


@pytest.fixture
def hundred_and_twenty_services(client):
    """120 in all, including those of the new sandbox."""
    services = client.verify.v2.services
    for number in range(120 - len(services.list())):
        services.create(friendly_name=f"Acme {number}")
    return services


def test_twilio_17_all_pages_are_followed(connect, sandbox, hundred_and_twenty_services):
    connect.urls.clear()

    limited = hundred_and_twenty_services.list(limit=120, page_size=50)
    whole = hundred_and_twenty_services.list(page_size=50)

    assert len({service.sid for service in limited}) == 120
    assert len({service.sid for service in whole}) == 120
    assert len(connect.urls) >= 6
    assert all(url.startswith(f"{sandbox.base}/v2/Services") for url in connect.urls)


@pytest.mark.parametrize("sdk", [sdk_requests.NODE, sdk_requests.RUBY, sdk_requests.GO], ids=lambda sdk: sdk.name)
def test_twilio_17_all_pages_are_followed_by(sandbox, raw, hundred_and_twenty_services, sdk):
    pages = list(sdk.pages(f"{raw.services}?PageSize=50", raw.pair, "services"))

    assert [len(items) for _, items in pages] == [50, 50, 20]
    assert len({item["sid"] for _, items in pages for item in items}) == 120
    assert all(url.startswith(f"{sandbox.base}/v2/Services") for url, _ in pages)


@pytest.mark.parametrize("sdk", [sdk_requests.RUBY, sdk_requests.NODE], ids=lambda sdk: sdk.name)
def test_twilio_18_list_page_is_exactly_200(raw, sdk):
    answer = sdk.send("GET", raw.services, raw.pair)

    assert answer.status == 200
    assert answer.json()["meta"]["key"] == "services"


def test_twilio_19_go_accepts_the_default_credentials(server, raw):
    default = server.sandbox_described("default")["credentials"]["twilio"]

    for pair in (default["accountSid"], default["authToken"]), (default["apiKeySid"], default["apiKeySecret"]):
        assert all(re.fullmatch("[a-zA-Z0-9]+", text) for text in pair)  # else 21222 or 21224 in the client
    answer = sdk_requests.GO.send("POST", raw.verifications, raw.pair, {"To": NUMBER, "Channel": "sms"})
    assert answer.status == 201
    for name in ("date_created", "date_updated"):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", answer.json()[name])  # time.Time


def test_twilio_20_java_retries_a_500_until_it_succeeds(sandbox, raw):
    sandbox.faults({"provider": "twilio", "route": "createVerification", "status": 500, "times": 2})

    attempts = 0
    while attempts < 4:  # the first try and up to three more
        attempts += 1
        answer = sdk_requests.JAVA.send("POST", raw.verifications, raw.pair, {"To": NUMBER, "Channel": "sms"})
        if answer.status < 500:
            break
        assert (answer.status, answer.json()["code"]) == (500, 20500)

    assert (attempts, answer.status) == (3, 201)
    seen = [entry for entry in sandbox.journal() if entry["route"].endswith("createVerification")]
    assert len(seen) == 3


def test_twilio_44_silent_verification(service):
    """Before and after the phone has opened the URL."""
    created = service.verifications.create(to=COVERED, channel="sna")
    before = service.verification_checks.create(to=COVERED)
    opened = requests.get(created.sna["url"], headers={"X-Sandbox-Handset": COVERED}, timeout=10)
    after = service.verification_checks.create(verification_sid=created.sid)

    assert created.channel == "sna" and created.send_code_attempts[0]["channel"] == "sna"
    attempt = created.send_code_attempts[0]["attempt_sid"]
    assert before.status == "pending"
    assert before.sna_attempts_error_codes == [{"attempt_sid": attempt, "code": 60519}]
    assert opened.text.startswith("ErrorCode=0&ErrorDescription=Success")
    assert (after.status, after.valid, after.sna_attempts_error_codes) == ("approved", True, [])


def test_twilio_44_silent_verification_with_a_client_token(service):
    created = service.verifications.create(to=COVERED, channel="sna", enable_sna_client_token=True)
    opened = requests.get(created.sna["url"], headers={"X-Sandbox-Handset": COVERED}, timeout=10)
    token = opened.text.split("&SnaClientToken=")[1]
    assert re.fullmatch("[0-9a-f]{32}", token)

    without = service.verification_checks.create(to=COVERED)
    assert (without.status, without.sna_attempts_error_codes[-1]["code"]) == ("pending", 60517)
    assert service.verification_checks.create(to=COVERED, sna_client_token=token).status == "approved"


def test_twilio_55_java_deletes_with_an_empty_form(raw):
    answer = sdk_requests.JAVA.send("DELETE", raw.service, raw.pair, form={})

    assert (answer.status, answer.text) == (204, "")
    assert sdk_requests.JAVA.send("GET", raw.service, raw.pair).status == 404


def test_twilio_service_update_and_delete(connect, sandbox, client):
    services = client.verify.v2.services
    made = services.create(friendly_name="Acme", code_length=4)

    updated = services(made.sid).update(friendly_name="Acme Bank", code_length=8, psd2_enabled=False)
    start(services(made.sid))

    assert (updated.sid, updated.friendly_name, updated.code_length) == (made.sid, "Acme Bank", 8)
    assert updated.date_created == made.date_created
    assert len(sandbox.code(NUMBER)) == 8
    with refused(400, 60200):
        services(made.sid).update(code_length=3)
    assert services(made.sid).fetch().code_length == 8
    assert services(made.sid).delete() is True
    assert connect.statuses == [201, 200, 201, 400, 200, 204]
    gone = services(made.sid)
    for call in gone.fetch, gone.delete, lambda: gone.update(friendly_name="Back"), lambda: start(gone):
        with refused(404, 20404):
            call()
    assert made.sid not in {other.sid for other in services.list()}


def test_twilio_responses_are_checked_against_the_schemas(twilio_checker):
    with pytest.raises(AssertionError, match="unknown members"):
        twilio_checker.check("GET", "http://x/s/y/v2/Services/VA0", 200, '{"stranger": 1}')
