"""Lookup with the official client: conformance check 49 of the contract, and each operation."""

import pytest
from twilio.rest.lookups.v2.bucket import BucketList
from twilio.rest.lookups.v2.lookup_override import LookupOverrideList
from twilio.rest.lookups.v2.query import QueryList

from twilio_errors import refused

NUMBER = "+12025550100"


def look(client, number=NUMBER, **more):
    return client.lookups.v2.phone_numbers(number).fetch(**more)


def test_twilio_49_requested_packages_are_objects(sandbox, client):
    found = look(client, "0639980001", country_code="FR", fields="line_type_intelligence,sim_swap")

    assert (found.valid, found.country_code, found.national_format) == (True, "FR", "06 39 98 00 01")
    assert found.line_type_intelligence["type"] == "mobile"
    assert set(found.sim_swap) >= {"last_sim_swap", "carrier_name", "error_code"}
    assert found.caller_name is None
    assert found.url == f"{sandbox.base}/v2/PhoneNumbers/+33639980001"
    with refused(400, 60200):
        look(client, fields="carrier")


def test_a_batch(client):
    entries = [
        QueryList.LookupBatchRequest({"correlation_id": "a", "phone_number": NUMBER, "fields": ["line_type_intelligence"]}),
        QueryList.LookupBatchRequest({"phone_number": "+141"})]
    create = client.lookups.v2.query.create

    assert len(create(lookup_request=QueryList.LookupRequest({"phone_numbers": entries})).phone_numbers) == 2
    with refused(400, 60200):
        create(lookup_request=QueryList.LookupRequest({"phone_numbers": [QueryList.LookupBatchRequest({})]}))


def test_overrides(client):
    override = client.lookups.v2.lookup_overrides(phone_number=NUMBER, field="line_type_intelligence")
    with refused(404, 20404):
        override.update(LookupOverrideList.OverridesRequest({"line_type": "uan", "reason": None}))
    override.create(LookupOverrideList.OverridesRequest({"line_type": "landline", "reason": "Seen"}))
    override.update(LookupOverrideList.OverridesRequest({"line_type": "uan", "reason": None}))

    assert override.fetch().overridden_line_type == "uan"
    assert override.delete() is True
    for call in override.fetch, override.delete:
        with refused(404, 20404):
            call()


def test_rate_limits(client):
    bucket = client.lookups.v2.bucket(field="sim_swap", bucket="mine")
    bucket.update(BucketList.RateLimitRequest({"limit": 10, "ttl": 60}))

    assert (bucket.fetch().limit, bucket.fetch().ttl) == (10, 60)
    assert [limit["bucket"] for limit in client.lookups.v2.rate_limits.fetch().rate_limits] == ["mine"]
    assert bucket.delete() is True
    for call in bucket.fetch, bucket.delete:
        with refused(404, 20404):
            call()


def test_tl6_version_1(connect, client):
    with pytest.warns(DeprecationWarning):
        numbers = client.lookups.phone_numbers
    found = numbers(NUMBER).fetch(type=["carrier", "caller-name"], add_ons=["payfone"], add_ons_data={"payfone": {"a": "b"}})

    assert (found.phone_number, found.carrier["type"], found.add_ons["status"]) == (NUMBER, "mobile", "successful")
    assert found.url.endswith(f"/v1/PhoneNumbers/{NUMBER}?Type=carrier&Type=caller-name")
    assert numbers("(202) 555-0100").fetch(country_code="US").carrier is None
    with refused(404, 20404, r"The requested resource /PhoneNumbers/\+1202555 was not found"):
        numbers("+1202555").fetch()
