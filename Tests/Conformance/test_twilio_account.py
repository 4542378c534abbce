"""Conformance checks 24, 47, 51, 52, 53, 62, 65 and 73 of the Twilio Verify contract: what an account has,
what it may not do, and its small resources."""

import zlib

import pytest
import requests

from twilio_errors import refused

NUMBER = "+15551234567"
SENEGAL = "+221771234567"
MESSAGING = f"MG{'1' * 32}"


def start(service, to=NUMBER, channel="sms", **more):
    return service.verifications.create(to=to, channel=channel, **more)


def restrict(sandbox, **settings):
    sandbox.seed(twilio={"settings": settings})


def test_twilio_24_lookup_shows_the_carrier(service):
    assert start(service).lookup == {"carrier": None}
    service.update(lookup_enabled=True)

    carrier = start(service).lookup["carrier"]

    assert (carrier["type"], carrier["error_code"]) == ("mobile", None)
    assert set(carrier) == {"mobile_country_code", "mobile_network_code", "name", "type", "error_code"}


@pytest.mark.parametrize("setup, status, code", [
    ("mailerTemplate", 400, 60218), ("mailerPlaceholders", 400, 60219), ("mailerSender", 403, 60222),
    ("mailerCredits", 401, 60603), ("mailerUser", 401, 60604)])
def test_twilio_an_email_needs_a_complete_mailer(sandbox, service, setup, status, code):
    restrict(sandbox, missingSetup=[setup])
    start(service)

    with refused(status, code):
        start(service, "ana@example.com", "email")


def test_twilio_an_account_that_is_not_active(sandbox, client, service):
    restrict(sandbox, accountStatus="suspended")

    with refused(401, 20005, "Account not active"):
        start(service)
    with refused(401, 20005):
        client.lookups.v2.phone_numbers(NUMBER).fetch()
    assert client.api.v2010.account.fetch().status == "suspended"


def test_twilio_47_safe_list(connect, client):
    numbers = client.verify.v2.safelist

    made = numbers.create(phone_number=NUMBER)
    found = client.verify.v2.safelist(NUMBER).fetch()

    assert (made.sid[:2], made.phone_number, made.sid) == ("GN", NUMBER, found.sid)
    assert made.url.endswith(f"/v2/SafeList/Numbers/{NUMBER}")
    with refused(400, 60411):
        numbers.create(phone_number=NUMBER)
    assert client.verify.v2.safelist(NUMBER).delete() is True
    with refused(404, 20404):
        client.verify.v2.safelist(NUMBER).fetch()
    with refused(404, 20404):
        client.verify.v2.safelist(NUMBER).delete()
    with refused(400, 60200):
        numbers.create(phone_number="12")
    assert connect.statuses == [201, 200, 400, 204, 404, 404, 400]


def test_twilio_51_test_credentials_are_20008(connect, client, sandbox):
    own = sandbox.credentials["twilio"]
    account, token = f"AC{zlib.crc32(sandbox.name.encode()):032x}", "7" * 32
    sandbox.seed(twilio={"account": {
        "accountSid": own["accountSid"], "authToken": own["authToken"], "testAccountSid": account,
        "testAuthToken": token}})
    tester = connect(sandbox, token, account).verify.v2

    for call in (tester.services.list, lambda: start(tester.services(own["serviceSid"])),
                 lambda: tester.safelist.create(phone_number=NUMBER), tester.services(own["serviceSid"]).fetch):
        with refused(403, 20008, "Resource not accessible with Test Account Credentials"):
            call()
    with refused(401, 20003):
        connect(sandbox, "8" * 32, account).verify.v2.services.list()
    client.verify.v2.services.list()


def test_twilio_52_fraud_rule_and_safe_list(client, sandbox, service):
    restrict(sandbox, blockedPrefixes=["+221"])

    with refused(403, 60410, r"\+221 prefix is blocked for the SMS channel"):
        start(service, SENEGAL)
    start(service)
    client.verify.v2.safelist.create(phone_number=SENEGAL)
    assert start(service, SENEGAL).status == "pending"
    with refused(403, 60410):
        start(service, "+221771234568")
    client.verify.v2.safelist.create(phone_number="+22177")
    assert start(service, "+221771234568").status == "pending"


@pytest.mark.parametrize("code", [60410, 60238])
def test_twilio_52_a_listed_number_skips_injected_blocks(client, sandbox, service, code):
    sandbox.faults({"provider": "twilio", "route": "createVerification", "code": str(code), "times": 2})

    with refused(403, code):
        start(service)
    client.verify.v2.safelist.create(phone_number=NUMBER)
    assert start(service).status == "pending"
    with refused(403, code):
        start(service, SENEGAL)


def test_twilio_52_no_risk_check_no_block(sandbox, service):
    restrict(sandbox, blockedPrefixes=["+221"])

    assert start(service, SENEGAL, risk_check="disable").status == "pending"
    with refused(403, 60410):
        start(service, SENEGAL, risk_check="enable")


@pytest.mark.parametrize("channel", ["sms", "whatsapp"])
def test_twilio_53_geo_rule(sandbox, service, channel):
    restrict(sandbox, blockedCountries=["SN"])

    with refused(403, 60605, f"Geo-Permissions. SN is blocked for {channel} channel for all services"):
        start(service, SENEGAL, channel)
    assert start(service, NUMBER, channel).status == "pending"


def test_twilio_62_defaults_of_a_new_service(client, sandbox):
    services = client.verify.v2.services
    made = services.create(friendly_name="Acme Bank")

    assert made.totp == {"issuer": "Acme Bank", "time_step": 30, "code_length": 6, "skew": 1}
    assert made.push == {"include_date": True, "apn_credential_sid": None, "fcm_credential_sid": None}
    restrict(sandbox, pushIncludeDate=False)
    assert services(made.sid).fetch().push["include_date"] is False
    restrict(sandbox, pushIncludeDate=True)
    changed = services(made.sid).update(push_include_date=False, totp_time_step=40, totp_issuer="Acme")
    assert changed.push["include_date"] is False
    assert changed.totp == {"issuer": "Acme", "time_step": 40, "code_length": 6, "skew": 1}


PATHS = [
    ("GET", ""), ("POST", "/Verifications"), ("GET", "/RateLimits/RK1/Buckets"), ("GET", "/Nonsense"),
    ("GET", "/Nonsense/1/2"), ("PUT", "/Verifications"), ("GET", "/Entities/someone/Challenges/YC1"),
    ("POST", "/Webhooks"), ("POST", "/AccessTokens"), ("POST", "/Passkeys/Factors")]


@pytest.mark.parametrize("method, path", PATHS)
def test_twilio_65_sign_in_is_checked_before_everything_else(raw, sandbox, method, path):
    own = sandbox.credentials["twilio"]["accountSid"]
    for service in raw.service, f"{raw.services}/VA{'9' * 32}":
        for pair in ((own, "f" * 32), None):
            answer = requests.request(method, service + path, auth=pair, timeout=20)
            assert (answer.status_code, answer.json()["code"]) == (401, 20003)
    wrong = sandbox.journal()[-2]
    assert "wrong secret" in wrong["why"]


@pytest.mark.parametrize("method, path", PATHS)
def test_twilio_65_then_the_service(raw, sandbox, method, path):
    answer = requests.request(method, f"{raw.services}/VA{'9' * 32}{path}", auth=raw.pair, timeout=20)

    assert (answer.status_code, answer.json()["code"]) == (404, 20404)
    assert "no Service VA999" in sandbox.journal()[-1]["why"]


def test_twilio_65_then_the_path(raw, sandbox):
    unknown = requests.get(f"{raw.service}/Nonsense", auth=raw.pair, timeout=20)
    elsewhere = requests.get(f"{sandbox.base}/twilio/v2/Nonsense", auth=(raw.pair[0], "f" * 32), timeout=20)

    assert (unknown.status_code, unknown.json()["code"]) == (404, 20404)
    assert sandbox.journal()[-2]["why"].startswith("not emulated: ")
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (401, 20003)


@pytest.mark.parametrize("address, is_valid", [
    ("203.0.113.9", True), ("2001:db8::1", True), ("::ffff:203.0.113.9", True), ("::", True),
    ("203.0.113", False), ("203.0.113.999", False), ("1:2:3", False), ("2001:db8::1::2", False), ("phone", False)])
def test_twilio_device_ip_is_an_address(service, address, is_valid):
    if is_valid:
        assert start(service, channel="auto", device_ip=address).status == "pending"
    else:
        with refused(400, 60200, "Invalid parameter: DeviceIp"):
            start(service, channel="auto", device_ip=address)


@pytest.mark.parametrize("parameter, value", [
    ("tags", '{"a": 1}'), ("tags", "[]"), ("channel_configuration", '"x"'), ("risk_check", "perhaps"),
    ("send_digits", "press one"), ("channel_configuration", {"from": "nobody"}),
    ("channel_configuration", {"substitutions": "x"}), ("channel_configuration", {"template_id": 1})])
def test_twilio_bad_options_are_60200(service, parameter, value):
    name = "".join(word.capitalize() for word in parameter.split("_"))
    with refused(400, 60200, f"Invalid parameter: {name}"):
        start(service, **{parameter: value})


def test_twilio_options_of_a_creation(sandbox, service):
    tags = '{"order": "1234"}'
    start(service, channel="call", send_digits="ww1234", tags=tags, risk_check="enable")
    start(service, to="ana@example.com", channel="email", channel_configuration={
        "from": "codes@example.com", "from_name": "Acme", "template_id": "d-1", "substitutions": {"a": "b"}})

    (mail,) = sandbox.entries("inbox/ana@example.com")
    assert mail["from"] == "codes@example.com"


def test_twilio_status_503_has_code_20503(sandbox, service):
    sandbox.faults({"provider": "twilio", "status": 503})

    with refused(503, 20503, "Service unavailable"):
        start(service)


def test_twilio_unknown_account_sees_its_own_sid(server, connect, request):
    """The default sandbox lets unknown accounts in."""
    account = f"AC{'5' * 32}"
    base = server.http
    service = f"VA{'5' * 32}"
    pair = (account, "whatever")
    verifications = f"{base}/v2/Services/{service}/Verifications"

    def ask(method, url, **form):
        return requests.request(method, url, data=form or None, auth=pair, timeout=20).json()

    created = ask("POST", verifications, To="+15550001111", Channel="sms")
    default = server.sandbox_described("default")["credentials"]["twilio"]["serviceSid"]
    for body in (created, ask("GET", f"{base}/v2/Services/{service}"), ask("GET", f"{base}/v2/Services/{default}"),
                 ask("POST", f"{base}/v2/Services/{default}/RateLimits", UniqueName="own-sid"),
                 ask("GET", f"{base}/v2/Attempts/{created['send_code_attempts'][0]['attempt_sid']}")):
        assert body.get("account_sid") == account, body


@pytest.mark.parametrize("country", ["XX", "ZZ", "UK", "U", "USA", "12", "allofthem", "xx"])
def test_twilio_73_messaging_configuration_for_no_country_is_60200(service, country):
    with refused(400, 60200, "Country"):
        service.messaging_configurations.create(country=country, messaging_service_sid=f"MG{'1' * 32}")

    assert service.messaging_configurations.list() == []


@pytest.mark.parametrize("country", ["US", "GB", "AQ", "XK", "all"])
def test_twilio_73_messaging_configuration_for_a_country(service, country):
    made = service.messaging_configurations.create(country=country, messaging_service_sid=f"MG{'1' * 32}")

    assert made.country == service.messaging_configurations(country).fetch().country == country


def test_twilio_messaging_configurations(connect, service):
    configurations = service.messaging_configurations

    made = configurations.create(country="US", messaging_service_sid=MESSAGING)
    other = configurations.create(country="all", messaging_service_sid=MESSAGING)
    updated = service.messaging_configurations("US").update(messaging_service_sid=f"MG{'2' * 32}")

    assert (made.country, made.messaging_service_sid, other.country) == ("US", MESSAGING, "all")
    assert updated.messaging_service_sid == f"MG{'2' * 32}"
    assert service.messaging_configurations("US").fetch().date_created == made.date_created
    assert [found.country for found in configurations.list()] == ["US", "all"]
    with refused(400, 60213):
        configurations.create(country="US", messaging_service_sid=MESSAGING)
    with refused(400, 60200):
        configurations.create(country="USA", messaging_service_sid=MESSAGING)
    with refused(400, 60200):
        configurations.create(country="GB", messaging_service_sid="MG1")
    assert service.messaging_configurations("US").delete() is True
    gone = service.messaging_configurations("US")
    for call in gone.fetch, gone.delete, lambda: gone.update(messaging_service_sid=MESSAGING):
        with refused(404, 20404):
            call()


def test_twilio_forms(client):
    form = client.verify.v2.forms("form-push").fetch()

    assert (form.form_type, set(form.forms)) == ("form-push", {"create_factor", "verify_factor", "create_challenge"})
    assert form.url.endswith("/v2/Forms/form-push")
    with refused(404, 20404):
        client.verify.v2.forms("form-totp").fetch()
