"""Lookup v2 with the official client: conformance checks 49, 50 and 63 of the contract."""

import pytest
from twilio.base.exceptions import TwilioRestException
from twilio.rest.lookups.v2.bucket import BucketList
from twilio.rest.lookups.v2.lookup_override import LookupOverrideList
from twilio.rest.lookups.v2.query import QueryList

NUMBER = "+12025550100"
PACKAGES = [
    "caller_name", "sim_swap", "call_forwarding", "line_status", "line_type_intelligence", "identity_match",
    "reassigned_number", "sms_pumping_risk", "phone_number_quality_score", "pre_fill"]


def look(client, number=NUMBER, **more):
    return client.lookups.v2.phone_numbers(number).fetch(**more)


def test_twilio_49_requested_packages_are_objects(client):
    found = look(client, "+14155550100", fields="line_type_intelligence,sim_swap")

    assert found.valid is True and found.country_code == "US"
    assert found.line_type_intelligence["type"] == "mobile"
    assert set(found.sim_swap) >= {"last_sim_swap", "carrier_name", "error_code"}
    for name in set(PACKAGES) - {"line_type_intelligence", "sim_swap"}:
        assert getattr(found, name) is None, name


def test_twilio_50_a_short_number_is_an_answer(connect, client):
    found = look(client, "+141")

    assert connect.statuses == [200]
    assert found.valid is False
    assert found.validation_errors == ["TOO_SHORT"]


def test_twilio_63_every_package_of_a_seeded_number(sandbox, client, service):
    sandbox.seed(subscribers=[{
        "number": NUMBER, "simSwaps": ["-2h"], "forwarding": ["unconditional"],
        "kyc": {"givenName": "Ada", "familyName": "Byron", "locality": "London", "postalCode": "98117"}}])
    verification = service.verifications.create(to=NUMBER, channel="sms")
    service.verification_checks.create(to=NUMBER, code=sandbox.code(NUMBER))

    found = look(
        client, fields=",".join(PACKAGES), first_name="Ada", last_name="Bryon", city="Paris", last_verified_date="20250101",
        verification_sid=verification.sid)

    for name in PACKAGES:
        assert getattr(found, name)["error_code"] is None, name
    assert found.caller_name["caller_name"] == "Ada Byron"
    assert found.sim_swap["last_sim_swap"]["swapped_in_period"] is True
    assert found.call_forwarding["call_forwarding_enabled"] is True
    assert found.line_status["status"] == "active"
    assert found.identity_match["first_name_match"] == "exact_match"
    assert found.identity_match["city_match"] == "no_match"
    assert found.reassigned_number["is_number_reassigned"] == "no"
    assert 0 <= found.sms_pumping_risk["sms_pumping_risk_score"] <= 100
    assert found.phone_number_quality_score["quality_category"] == "low"
    assert found.pre_fill["postal_code"] == "98117"

    impossible = look(client, "+12025555", fields="line_type_intelligence")
    assert (impossible.valid, impossible.line_type_intelligence) == (False, None)


def test_national_numbers_and_links_of_the_called_host(sandbox, client):
    found = look(client, "0639980001", country_code="FR")

    assert (found.phone_number, found.national_format) == ("+33639980001", "06 39 98 00 01")
    assert found.url == f"{sandbox.base}/v2/PhoneNumbers/+33639980001"


def test_an_unknown_package_is_refused(client):
    with pytest.raises(TwilioRestException) as refused:
        look(client, fields="carrier")

    assert (refused.value.status, refused.value.code) == (400, 60200)


def test_a_batch(client):
    entries = [
        QueryList.LookupBatchRequest({"correlation_id": "a", "phone_number": NUMBER, "fields": ["line_type_intelligence"]}),
        QueryList.LookupBatchRequest({"phone_number": "+141"})]
    found = client.lookups.v2.query.create(lookup_request=QueryList.LookupRequest({"phone_numbers": entries}))

    assert len(found.phone_numbers) == 2


def test_overrides(client):
    override = client.lookups.v2.lookup_overrides(phone_number=NUMBER, field="line_type_intelligence")
    override.create(LookupOverrideList.OverridesRequest({"line_type": "landline", "reason": "Seen"}))
    assert look(client, fields="line_type_intelligence").line_type_intelligence["type"] == "landline"
    override.update(LookupOverrideList.OverridesRequest({"line_type": "uan", "reason": None}))

    assert override.fetch().overridden_line_type == "uan"
    assert override.delete() is True
    with pytest.raises(TwilioRestException) as gone:
        override.fetch()
    assert gone.value.code == 20404


def test_rate_limits(client):
    bucket = client.lookups.v2.bucket(field="sim_swap", bucket="mine")
    bucket.update(BucketList.RateLimitRequest({"limit": 10, "ttl": 60}))

    assert (bucket.fetch().limit, bucket.fetch().ttl) == (10, 60)
    assert [limit["bucket"] for limit in client.lookups.v2.rate_limits.fetch().rate_limits] == ["mine"]
    assert bucket.delete() is True
