"""Conformance check M59 of the CAMARA contract, section 17: Nokia's client `network-as-code`, over HTTP."""

import datetime
import inspect

import pytest
import requests
from network_as_code import NetworkAsCodeApi
from network_as_code.core.api_error import ApiError

import camara_browser

A, SWAPPED, RECYCLED, LANDLINE, NOBODY, ROAMING, FORWARDED, NEW_DEVICE = (
    f"+120255501{ending}" for ending in ("00", "02", "08", "12", "32", "37", "39", "60"))
DAY, FUTURE = datetime.date(2025, 1, 1), datetime.date(2027, 1, 1)
UTC = datetime.timezone.utc

# For each operation: a call and what it finds; a call that is refused, and the status.
QUESTIONS = {
    "sim_swap.check": (
        lambda nokia: [nokia.sim_swap.check(phone_number=SWAPPED, **more).swapped
                       for more in ({}, {"max_age": 71}, {"max_age": 73})], [True, False, True],
        lambda nokia: nokia.sim_swap.check(phone_number=NOBODY), 404),
    "sim_swap.retrieve_date": (
        lambda nokia: nokia.sim_swap.retrieve_date(phone_number=SWAPPED).latest_sim_change,
        datetime.datetime(2026, 1, 2, 10, 20, 30, tzinfo=UTC),
        lambda nokia: nokia.sim_swap.retrieve_date(), 422),
    "device_swap.check": (
        lambda nokia: nokia.device_swap.check(phone_number=NEW_DEVICE, max_age=2).swapped, True,
        lambda nokia: nokia.device_swap.check(phone_number=NEW_DEVICE, max_age=2401), 400),
    "device_swap.retrieve_date": (
        lambda nokia: nokia.device_swap.retrieve_date(phone_number=NEW_DEVICE).latest_device_change,
        datetime.datetime(2026, 1, 5, 9, 20, 30, tzinfo=UTC),
        lambda nokia: nokia.device_swap.retrieve_date(phone_number=LANDLINE), 422),
    "number_recycling.check": (
        lambda nokia: nokia.number_recycling.check(phone_number=RECYCLED, specified_date=DAY).phone_number_recycled, True,
        lambda nokia: nokia.number_recycling.check(phone_number=RECYCLED, specified_date=FUTURE), 400),
    "kyc.check_tenure": (
        lambda nokia: nokia.kyc.check_tenure(phone_number=A, tenure_date=DAY).tenure_date_check, True,
        lambda nokia: nokia.kyc.check_tenure(phone_number=A, tenure_date=FUTURE), 400),
    "kyc.verify_age": (
        lambda nokia: nokia.kyc.verify_age(phone_number=A, age_threshold=18).age_check, "true",
        lambda nokia: nokia.kyc.verify_age(phone_number=A, age_threshold=121), 400),
    "kyc.match": (
        lambda nokia: nokia.kyc.match(phone_number=A, given_name="ada").given_name_match, "true",
        lambda nokia: nokia.kyc.match(phone_number=A), 400),
    "call_forwarding_signal.retrieve_call_forwarding": (
        lambda nokia: nokia.call_forwarding_signal.retrieve_call_forwarding(phone_number=FORWARDED), ["unconditional"],
        lambda nokia: nokia.call_forwarding_signal.retrieve_call_forwarding(phone_number=NOBODY), 404),
    "call_forwarding_signal.retrieve_unconditional_call_forwarding": (
        lambda nokia: nokia.call_forwarding_signal.retrieve_unconditional_call_forwarding(phone_number=FORWARDED).active, True,
        lambda nokia: nokia.call_forwarding_signal.retrieve_unconditional_call_forwarding(phone_number="1"), 400),
    "consent_info.retrieve": (
        lambda nokia: consent(nokia).status_info[0].status_valid_for_processing, True,
        lambda nokia: consent(nokia, purpose="advertising"), 400),
    "device_status.retrieve_roaming_status": (
        lambda nokia: nokia.device_status.retrieve_roaming_status(device={"phone_number": ROAMING}).roaming, True,
        lambda nokia: nokia.device_status.retrieve_roaming_status(device={}), 400),
    "device_status.retrieve_reachability_status": (
        lambda nokia: nokia.device_status.retrieve_reachability_status(device={"phone_number": A}).connectivity, ["DATA", "SMS"],
        lambda nokia: nokia.device_status.retrieve_reachability_status(device={"phone_number": NOBODY}), 404),
}
# The same four operations, four times.
SUBSCRIPTIONS = [
    (api, version, f"org.camaraproject.device-{api}-status-subscriptions.v0.{event}")
    for api, event in (("roaming", "roaming-on"), ("reachability", "reachability-data")) for version in ("", "_v08")]
PUBLIC = {
    "na_c_authorization_server.get_jwks", "well_known_metadata.get_openid_configuration",
    "well_known_metadata.get_oauth_authorization_server"}
SIGNED_IN = {
    "number_verification.verify", "number_verification.verify_v2", "number_verification.get_device_phone_number_v2",
    "number_verification_v100.phone_number_share", "oauth.get_client_credentials"}
# Not in scope of the contract, or older than its releases. `get_device_phone_number` posts to the path of a
# GET.
NOT_SERVED = {"congestion_insights", "geofencing", "location", "qod", "slice"}
NOT_SERVED_OPERATIONS = {
    "kyc.fill_in", "device_status.check_connectivity", "device_status.check_roaming", "device_status.create_subscription",
    "device_status.get_subscription", "device_status.list_subscriptions", "device_status.delete_subscription",
    "number_verification.get_device_phone_number", "well_known_metadata.get_security_txt"}


def consent(nokia, purpose="dpv:FraudPreventionAndDetection"):
    return nokia.consent_info.retrieve(
        phone_number=A, scopes=["sim-swap:check"], purpose=purpose, request_capture_url=False)


def connect(sandbox, key=None):
    return NetworkAsCodeApi(base_url=f"{sandbox.base}/camara", api_key=key or sandbox.credentials["camara"]["clientSecret"])


@pytest.fixture
def nokia(sandbox):
    sandbox.control("PUT", f"subscribers/{A}", json={"kyc": {"givenName": "Ada", "birthdate": "2000-01-01"}})
    return connect(sandbox)


def status(call):
    """The status with which a call is refused."""
    with pytest.raises(ApiError) as refused:
        call()
    return refused.value.status_code


def test_camara_m59_every_operation_is_tried(nokia):
    found = {
        f"{api}.{operation}"
        for api, _ in inspect.getmembers(NetworkAsCodeApi, lambda member: isinstance(member, property))
        for operation, _ in inspect.getmembers(type(getattr(nokia, api)), inspect.isfunction)
        if api not in NOT_SERVED and not operation.startswith("_")}

    subscriptions = {
        f"device_status.{verb}_{api}_subscription{'s' * (verb == 'list')}{version}"
        for verb in ("create", "list", "get", "delete") for api, version, _ in SUBSCRIPTIONS}
    assert found == set(QUESTIONS) | subscriptions | PUBLIC | SIGNED_IN | NOT_SERVED_OPERATIONS


@pytest.mark.parametrize("name", QUESTIONS)
def test_camara_m59_questions(nokia, name):
    ask, answer, refused, expected = QUESTIONS[name]

    assert ask(nokia) == answer
    assert status(lambda: refused(nokia)) == expected


@pytest.mark.parametrize("api, version, event", SUBSCRIPTIONS)
def test_camara_m59_subscriptions(nokia, sandbox, api, version, event):
    def call(verb, *given, client=nokia, **named):
        name = f"{verb}_{api}_subscription{'s' * (verb == 'list')}{version}"
        return getattr(client.device_status, name)(*given, **named)

    wanted = {"protocol": "HTTP", "sink": "https://127.0.0.1:9/sink", "types": [event],
              "config": {"subscription_detail": {"device": {"phone_number": A}}}}
    made = call("create", **wanted)
    assert [item.id for item in call("list")] == [call("get", made.id).id] == [made.id]
    assert call("delete", made.id) is None

    assert status(lambda: call("create", **{**wanted, "sink": "nowhere"})) == 400
    assert status(lambda: call("list", client=connect(sandbox, "wrong"))) == 401
    assert status(lambda: call("get", made.id)) == 404
    assert status(lambda: call("delete", made.id)) == 404


def test_camara_m59_the_server_exchanges_the_code(nokia, sandbox):
    code = camara_browser.code(sandbox.base, sandbox.credentials["camara"]["clientId"], A)

    assert nokia.number_verification.verify(code=code, state="s", phone_number=A).device_phone_number_verified is True
    assert status(lambda: nokia.number_verification.verify(code=code, state="s", phone_number=A)) == 401
    code = camara_browser.code(sandbox.base, sandbox.credentials["camara"]["clientId"], A)
    assert nokia.number_verification_v100.phone_number_share(code=code, state="s").device_phone_number == A
    assert status(lambda: nokia.number_verification_v100.phone_number_share()) == 403


def test_camara_m59_the_newer_number_verification_has_a_token(nokia, sandbox):
    own = sandbox.credentials["camara"]
    form = {"grant_type": "authorization_code", "redirect_uri": camara_browser.REDIRECT,
            "code": camara_browser.code(sandbox.base, own["clientId"], A)}
    token = requests.post(
        f"{sandbox.base}/camara/oauth2/token", data=form, auth=(own["clientId"], own["clientSecret"]), timeout=10).json()
    signed_in = {"additional_headers": {"Authorization": f"Bearer {token['access_token']}"}}
    newer = nokia.number_verification

    verified = newer.verify_v2(request={"phone_number": A}, request_options=signed_in)
    shared = newer.get_device_phone_number_v2(request_options=signed_in)
    assert (verified.device_phone_number_verified, shared.device_phone_number) == (True, A)
    assert status(lambda: newer.verify_v2(request={"phone_number": A})) == 403
    assert status(newer.get_device_phone_number_v2) == 403


def test_camara_m59_credentials_and_metadata(nokia, sandbox):
    own = sandbox.credentials["camara"]
    found = nokia.oauth.get_client_credentials()
    metadata = nokia.well_known_metadata

    assert (found.client_id, found.client_secret) == (own["clientId"], own["clientSecret"])
    assert status(connect(sandbox, "wrong").oauth.get_client_credentials) == 401
    assert nokia.na_c_authorization_server.get_jwks("app")["keys"][0]["kty"] == "RSA"
    issuers = {metadata.get_openid_configuration().token_endpoint, metadata.get_oauth_authorization_server().token_endpoint}
    assert issuers == {f"{sandbox.base}/camara/oauth2/token"}
