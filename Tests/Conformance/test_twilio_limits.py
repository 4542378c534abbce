"""Conformance checks 21 and 58 of the Twilio Verify contract: rate limits, their buckets, and how they
count."""

import json

import pytest
import requests

import sdk_requests
from twilio_errors import refused

NUMBER = "+15551234567"


def start(service, limits, number=NUMBER):
    return service.verifications.create(to=number, channel="sms", rate_limits=limits)


@pytest.fixture
def limit(service):
    """The rate limit `end_user_ip` with a bucket of two in a minute."""
    sid = service.rate_limits.create(unique_name="end_user_ip", description="per IP").sid
    service.rate_limits(sid).buckets.create(max=2, interval=60)
    return service.rate_limits(sid)


def test_twilio_21_third_create_is_refused(limit, service, raw):
    for _ in range(2):
        start(service, {"end_user_ip": "1.2.3.4"})

    with refused(429, 20429, "Too many requests"):
        start(service, {"end_user_ip": "1.2.3.4"})
    answer = sdk_requests.NODE.send(
        "POST", raw.verifications, raw.pair,
        {"To": NUMBER, "Channel": "sms", "RateLimits": '{ "end_user_ip" : "1.2.3.4" }'})
    assert (answer.status, answer.headers["Retry-After"]) == (429, "60")
    assert answer.headers["Twilio-Reached-Rate-Limit"] == "end_user_ip"


def test_twilio_58_counts_each_value_and_each_interval(limit, sandbox, service, raw):
    start(service, {"end_user_ip": "1.2.3.4"})
    sandbox.advance("20s")
    start(service, {"end_user_ip": "1.2.3.4"})

    with refused(429, 20429):
        start(service, {"end_user_ip": "1.2.3.4"})
    start(service, {"end_user_ip": "5.6.7.8"})
    sandbox.advance("39500ms")
    form = {"To": "+15551234568", "Channel": "sms", "RateLimits": json.dumps({"end_user_ip": "1.2.3.4"})}
    answer = requests.post(raw.verifications, form, auth=raw.pair, timeout=20)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
    sandbox.advance("500ms")
    assert start(service, {"end_user_ip": "1.2.3.4"}, "+15551234568").status == "pending"


def test_twilio_58_refused_creates_send_nothing_and_count_nothing(limit, sandbox, service):
    number = "+15551234569"
    for _ in range(2):
        start(service, {"end_user_ip": "1.2.3.4"})
    service.rate_limits.create(unique_name="session")
    service.rate_limits("session").buckets.create(max=1, interval=600)

    with refused(429, 20429):
        start(service, {"session": "a", "end_user_ip": "1.2.3.4"}, number)

    assert sandbox.entries(f"inbox/{number}") == []
    assert start(service, {"session": "a"}, number).status == "pending"


@pytest.mark.parametrize("limits", [
    {"unknown": "1"}, {"end_user_ip": {"a": "b"}}, {"end_user_ip": None}, {"end_user_ip": "x" * 257}, "text"])
def test_twilio_58_unusable_keys_and_values_are_60200(limit, service, limits):
    with refused(400, 60200, "Invalid parameter: RateLimits"):
        start(service, limits)


def test_twilio_58_any_json_object_is_accepted(limit, sandbox, service):
    for limits in ({}, {"end_user_ip": 7}, {"end_user_ip": True}, {"end_user_ip": ""}):
        assert start(service, limits).status == "pending"


def test_twilio_58_every_bucket_of_a_limit_counts(limit, sandbox, service):
    limit.buckets.create(max=3, interval=3600)
    for _ in range(2):
        start(service, {"end_user_ip": "a"})
    sandbox.advance("60s")
    start(service, {"end_user_ip": "a"})

    with refused(429, 20429):
        start(service, {"end_user_ip": "a"})


def test_twilio_rate_limits(connect, service):
    made = service.rate_limits.create(unique_name="user-id_1.0", description="per user")

    assert (made.sid[:2], made.unique_name, made.description) == ("RK", "user-id_1.0", "per user")
    assert made.links["buckets"] == f"{made.url}/Buckets"
    updated = service.rate_limits(made.sid).update(description="per person")
    assert (updated.description, updated.date_created) == ("per person", made.date_created)
    assert service.rate_limits("user-id_1.0").fetch().sid == made.sid
    assert [limit.sid for limit in service.rate_limits.list()] == [made.sid]
    assert service.rate_limits(made.sid).delete() is True
    assert connect.statuses == [201, 200, 200, 200, 204]
    for call in (service.rate_limits(made.sid).fetch, service.rate_limits(made.sid).delete,
                 service.rate_limits(made.sid).update, service.rate_limits(made.sid).buckets.list):
        with refused(404, 20404):
            call()
    assert service.rate_limits.list() == []


def test_twilio_buckets(connect, limit):
    connect.statuses.clear()
    made = limit.buckets.create(max=4, interval=3600)

    assert (made.sid[:2], made.max, made.interval) == ("BL", 4, 3600)
    assert made.rate_limit_sid == limit.fetch().sid
    updated = limit.buckets(made.sid).update(max=5)
    assert (updated.max, updated.interval) == (5, 3600)
    assert limit.buckets(made.sid).fetch().max == 5
    assert [bucket.interval for bucket in limit.buckets.list()] == [60, 3600]
    assert limit.buckets(made.sid).delete() is True
    assert connect.statuses == [201, 200, 200, 200, 200, 204]
    for call in limit.buckets(made.sid).fetch, limit.buckets(made.sid).delete, limit.buckets(made.sid).update:
        with refused(404, 20404):
            call()


@pytest.mark.parametrize("parameter, values", [
    ("Max", {"max": 0, "interval": 60}), ("Interval", {"max": 1, "interval": 0}),
    ("Interval", {"max": 1, "interval": "soon"})])
def test_twilio_bad_bucket_is_60200(limit, parameter, values):
    with refused(400, 60200, f"Invalid parameter: {parameter}"):
        limit.buckets.create(**values)


def test_twilio_buckets_are_paged(sandbox, service):
    sandbox.seed(twilio={"settings": {"maxBuckets": 30}})
    service.rate_limits.create(unique_name="a")
    for interval in range(1, 24):
        service.rate_limits("a").buckets.create(max=1, interval=interval)

    intervals = [bucket.interval for bucket in service.rate_limits("a").buckets.list(page_size=10)]

    assert intervals == list(range(1, 24))


def test_twilio_a_deleted_service_takes_its_limits_along(client):
    services = client.verify.v2.services
    sid = services.create(friendly_name="Short lived").sid
    limit = services(sid).rate_limits.create(unique_name="a").sid
    services(sid).rate_limits(limit).buckets.create(max=1, interval=1)
    services(sid).messaging_configurations.create(country="US", messaging_service_sid=f"MG{'1' * 32}")

    services(sid).delete()

    with refused(404, 20404):
        services(sid).rate_limits(limit).fetch()
    with refused(404, 20404):
        services(sid).messaging_configurations("US").fetch()
