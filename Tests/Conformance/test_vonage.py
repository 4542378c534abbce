"""Conformance checks of the Vonage contract, section 13, with the official client: each operation that the
client has succeeds and is refused. The others: Sources/Providers/Vonage/Checks, Tests/Providers/Vonage."""

import json
import re
import uuid

import pytest
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from vonage_http_client.errors import HttpRequestError
from vonage_identity_insights import EmptyInsight, IdentityInsightsRequest, InsightsRequest, SimSwapInsight
from vonage_identity_insights.errors import IdentityInsightsError
from vonage_jwt import verify_signature
from vonage_number_insight import (
    AdvancedAsyncInsightRequest, AdvancedSyncInsightRequest, BasicInsightRequest, StandardInsightRequest)
from vonage_number_insight.errors import NumberInsightError
from vonage_verify import SilentAuthChannel, SmsChannel, VerifyRequest, VoiceChannel
from vonage_verify_legacy import Psd2Request
from vonage_verify_legacy import VerifyRequest as LegacyRequest
from vonage_verify_legacy.errors import VerifyError

import receiver
import vonage_client
from ringfence import different

NUMBER = "12025550150"
COVERED = "12025550100"
TYPE = "https://developer.vonage.com/en/api-errors"


@pytest.fixture(scope="module")
def tls(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vonage")
    with vonage_client.serve(folder) as server:
        yield server, folder


@pytest.fixture
def vonage(tls, monkeypatch):
    """The clients over HTTPS; Tests/System/test_redirection.py has one under `ringfence run`."""
    server, folder = tls
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(folder / "authority.pem"))
    sandbox = server.sandbox()
    yield vonage_client.Clients(sandbox, server)
    sandbox.delete()


def request(*channels, **more):
    return VerifyRequest(brand="Acme", workflow=list(channels) or [SmsChannel(to=NUMBER)], **more)


def refusal(act):
    """The error of a call as its status, fragment of `type`, and body."""
    with pytest.raises(HttpRequestError) as caught:
        act()
    body = caught.value.response.json()
    assert caught.value.response.headers["Content-Type"] == "application/problem+json"
    assert set(body) >= {"title", "type", "detail", "instance"}
    return caught.value.response.status_code, body["type"].partition("#")[2], body


def legacy_status(act, error=VerifyError):
    with pytest.raises(error) as caught:
        act()
    return re.search(r"'status': '?(\d+)", str(caught.value)).group(1)


@pytest.mark.quick
def test_vonage_01_a_code_completes_a_request(vonage):
    verify = vonage.application.verify
    started = verify.start_verification(request())

    assert str(uuid.UUID(started.request_id)) == started.request_id
    done = verify.check_code(started.request_id, vonage.sandbox.code(f"+{NUMBER}"))
    assert (done.request_id, done.status) == (started.request_id, "completed")
    assert refusal(lambda: verify.check_code(started.request_id, "1234"))[:2] == (404, "request-not-found")


def test_vonage_03_wrong_credentials(tls, vonage):
    server, _ = tls
    key = rsa.generate_private_key(65537, 2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    foreign = vonage.client(application_id=vonage.own["applicationId"], private_key=key)
    wrong = vonage.client(api_key=vonage.own["apiKey"], api_secret="wrong")
    for client in (foreign, wrong):
        assert refusal(lambda: client.verify.start_verification(request()))[:2] == (401, "unauthorized")
    expired = requests.post(
        f"{vonage.sandbox.base}/v2/verify", json={}, timeout=10,
        headers={"Authorization": f"Bearer {vonage.token(iat=1000, exp=999)}"})
    assert (expired.status_code, expired.json()["type"]) == (401, f"{TYPE}#jwt-expired")


def test_vonage_10_the_next_workflow(vonage):
    verify = vonage.application.verify
    started = verify.start_verification(request(SmsChannel(to=NUMBER), VoiceChannel(to=NUMBER)))

    assert verify.trigger_next_workflow(started.request_id) is None
    vonage.sandbox.advance("5s")
    channels = [message["channel"] for message in vonage.sandbox.entries(f"inbox/+{NUMBER}")]
    assert sorted(channels) == ["call", "sms"]
    status, fragment, body = refusal(lambda: verify.trigger_next_workflow(started.request_id))
    assert (status, fragment, body["detail"]) == (409, "no-events", "There are no more events left to trigger.")


def test_vonage_13_cancellation(vonage):
    verify = vonage.application.verify
    started = verify.start_verification(request())
    vonage.sandbox.advance("10s")
    assert refusal(lambda: verify.cancel_verification(started.request_id))[:2] == (404, "request-not-found")
    vonage.sandbox.advance("21s")

    assert verify.cancel_verification(started.request_id) is None


def test_vonage_15_silent_authentication(vonage):
    verify = vonage.application.verify
    started = verify.start_verification(request(SilentAuthChannel(to=COVERED), SmsChannel(to=COVERED)))

    hops = requests.get(started.check_url, timeout=10)

    assert len(hops.history) <= 5
    proof = hops.json()
    assert proof["request_id"] == started.request_id
    assert verify.check_code(started.request_id, proof["code"]).status == "completed"


def test_vonage_22_and_23_signed_events(vonage):
    verify = vonage.application.verify
    with receiver.Receiver() as hook:
        vonage.receive_at(hook.url)
        started = verify.start_verification(request(SilentAuthChannel(to=COVERED), client_ref="r1"))
        pending = hook.next()
        code = requests.get(json.loads(pending[2])["action"]["check_url"], timeout=10).json()["code"]
        verify.check_code(started.request_id, code)
        arrivals = [pending, hook.next(), hook.next()]
    bodies = [json.loads(body) for _, _, body in arrivals]
    assert [(body["type"], body["status"]) for body in bodies] == [
        ("event", "action_pending"), ("event", "completed"), ("summary", "completed")]
    assert {body["client_ref"] for body in bodies} == {"r1"}
    for _, headers, _ in arrivals:
        token = headers["Authorization"].removeprefix("Bearer ")
        assert verify_signature(token, vonage.own["signatureSecret"])
        assert not verify_signature(token, vonage.own["signatureSecret"][::-1])


def test_vonage_33_verify_legacy(vonage):
    legacy = vonage.account.verify_legacy
    started = legacy.start_verification(LegacyRequest(number=NUMBER, brand="Acme"))
    done = legacy.check_code(started.request_id, vonage.sandbox.code(f"+{NUMBER}"))
    assert (started.status, done.status, done.currency) == ("0", "0", "EUR")
    assert legacy.search(started.request_id).status == "SUCCESS"
    assert legacy_status(lambda: legacy.search("0" * 32)) == "101"

    second = legacy.start_psd2_verification(Psd2Request(number=NUMBER, payee="Shop", amount=9.99))
    found = [record.status for record in legacy.search([started.request_id, second.request_id])]
    assert found == ["SUCCESS", "IN PROGRESS"]
    wrong = different(vonage.sandbox.code(f"+{NUMBER}"))
    statuses = [legacy_status(lambda: legacy.check_code(second.request_id, wrong)) for _ in range(3)]
    assert statuses == ["16", "16", "17"]

    third = legacy.start_verification(LegacyRequest(number=NUMBER, brand="Acme", workflow_id=5))
    assert legacy.trigger_next_event(third.request_id).command == "trigger_next_event"
    assert legacy_status(lambda: legacy.trigger_next_event(third.request_id)) == "19"


def test_vonage_34_legacy_refusals(vonage):
    legacy = vonage.account.verify_legacy
    started = legacy.start_verification(LegacyRequest(number=NUMBER, brand="Acme"))
    vonage.sandbox.advance("10s")
    assert legacy_status(lambda: legacy.cancel_verification(started.request_id)) == "19"
    for act in (
            lambda: legacy.start_verification(LegacyRequest(number=NUMBER, brand="Acme")),
            lambda: legacy.start_psd2_verification(Psd2Request(number=NUMBER, payee="Shop", amount=1))):
        with pytest.raises(VerifyError, match=f"'request_id': '{started.request_id}', 'status': '10'"):
            act()
    vonage.sandbox.advance("21s")
    assert legacy.cancel_verification(started.request_id).command == "cancel"


def test_vonage_35_a_form_after_a_json_call(vonage):
    client = vonage.application
    client.verify.start_verification(request())

    assert client.verify_legacy.start_verification(LegacyRequest(number="12025550151", brand="Acme")).status == "0"


def test_vonage_33_network_unblock(vonage):
    legacy = vonage.account.verify_legacy
    assert refusal(lambda: legacy.request_network_unblock("00101", 60))[:2] == (404, "network-not-found")
    vonage.sandbox.seed(vonage={"settings": {"blockedNetworks": ["00101"]}})

    unblocked = legacy.request_network_unblock("00101", 60)

    assert (unblocked.network, unblocked.unblocked_until) == ("00101", "2026-01-05T10:21:30Z")


def test_vonage_36_identity_insights(vonage):
    def swapped(period):
        answer = vonage.application.identity_insights.requests(IdentityInsightsRequest(
            phone_number="12025550102",
            insights=InsightsRequest(format=EmptyInsight(), sim_swap=SimSwapInsight(period=period))))
        assert answer.insights.format.status.code == answer.insights.sim_swap.status.code == "OK"
        return answer.insights.sim_swap

    assert (swapped(24).is_swapped, swapped(240).is_swapped) == (False, True)
    assert swapped(240).latest_sim_swap_at.isoformat() == "2026-01-02T10:20:30+00:00"


def test_vonage_37_insights_of_other_numbers(vonage):
    def codes(number):
        insights = vonage.application.identity_insights.requests(IdentityInsightsRequest(
            phone_number=number,
            insights=InsightsRequest(sim_swap=SimSwapInsight(), current_carrier=EmptyInsight()))).insights
        return insights.sim_swap.status.code, insights.current_carrier.status.code

    assert codes("4915123456789") == ("NOT_FOUND", "OK")
    assert codes("12025550112") == ("UNSUPPORTED_NETWORK_TYPE",) * 2
    broken = vonage.client(application_id=vonage.own["applicationId"], private_key=vonage.own["privateKey"])
    vonage.sandbox.faults({"provider": "vonage", "route": "requestInsights", "code": "rate-limit"})
    with pytest.raises((HttpRequestError, IdentityInsightsError)):
        broken.identity_insights.requests(IdentityInsightsRequest(
            phone_number=NUMBER, insights=InsightsRequest(format=EmptyInsight())))


def test_vonage_37_malformed_requests_of_insights(vonage):
    def problem(body, content_type="application/json"):
        answer = requests.post(
            f"{vonage.sandbox.base}/identity-insights/v1/requests", data=body, timeout=10,
            headers={"Authorization": f"Bearer {vonage.token()}", "Content-Type": content_type})
        return answer.status_code, answer.json()["type"].partition("#")[2]

    assert problem("{") == (400, "invalid-json")
    assert problem("{}", "text/plain") == (415, "content-type-header")
    assert problem('{"phone_number":"12025550100","insights":{}}') == (422, "validation")


def test_vonage_number_insight(vonage):
    insight = vonage.account.number_insight
    basic = insight.get_basic_info(BasicInsightRequest(number=NUMBER))
    standard = insight.get_standard_info(StandardInsightRequest(number="12025550105", cnam=True))
    advanced = insight.get_advanced_info_sync(AdvancedSyncInsightRequest(number="12025550137"))

    assert (basic.status, basic.country_code_iso3, basic.national_format_number) == (0, "USA", "(202) 555-0150")
    assert (standard.ported, standard.original_carrier.network_code) == ("ported", "00199")
    assert (advanced.roaming.status, advanced.roaming.roaming_country_code) == ("roaming", "FR")
    with receiver.Receiver() as hook:
        accepted = insight.get_advanced_info_async(AdvancedAsyncInsightRequest(number=NUMBER, callback=hook.url))
        body = json.loads(hook.next()[2])
    assert (accepted.status, accepted.request_id) == (0, body["request_id"])
    for act in (
            lambda: insight.get_basic_info(BasicInsightRequest(number="1202555")),
            lambda: insight.get_standard_info(StandardInsightRequest(number="1202555")),
            lambda: insight.get_advanced_info_sync(AdvancedSyncInsightRequest(number="1202555"))):
        assert legacy_status(act, NumberInsightError) == "3"
    with pytest.raises(NumberInsightError, match="'status': 3"):
        insight.get_advanced_info_async(AdvancedAsyncInsightRequest(number=NUMBER, callback="nowhere"))
