"""Rate limits and their buckets with the official client; check 21 of the Twilio Verify contract by the Node
SDK's way of writing JSON."""

import pytest

import sdk_requests
from twilio_errors import refused

NUMBER = "+15551234567"


@pytest.fixture
def limit(service):
    """The rate limit `end_user_ip` with a bucket of two in a minute."""
    sid = service.rate_limits.create(unique_name="end_user_ip", description="per IP").sid
    service.rate_limits(sid).buckets.create(max=2, interval=60)
    return service.rate_limits(sid)


def test_twilio_21_third_create_is_refused(limit, service, raw):
    def start():
        return service.verifications.create(to=NUMBER, channel="sms", rate_limits={"end_user_ip": "1.2.3.4"})

    for _ in range(2):
        start()

    with refused(429, 20429, "Too many requests"):
        start()
    answer = sdk_requests.NODE.send(
        "POST", raw.verifications, raw.pair,
        {"To": NUMBER, "Channel": "sms", "RateLimits": '{ "end_user_ip" : "1.2.3.4" }'})
    assert answer.status == 429


def test_twilio_rate_limits(service):
    made = service.rate_limits.create(unique_name="user-id_1.0", description="per user")

    assert made.links["buckets"] == f"{made.url}/Buckets"
    updated = service.rate_limits(made.sid).update(description="per person")
    assert (updated.description, updated.date_created) == ("per person", made.date_created)
    assert service.rate_limits("user-id_1.0").fetch().sid == made.sid
    assert [limit.sid for limit in service.rate_limits.list()] == [made.sid]
    assert service.rate_limits(made.sid).delete() is True
    for call in (service.rate_limits(made.sid).fetch, service.rate_limits(made.sid).delete,
                 service.rate_limits(made.sid).update, service.rate_limits(made.sid).buckets.list):
        with refused(404, 20404):
            call()


def test_twilio_buckets(limit):
    made = limit.buckets.create(max=4, interval=3600)

    assert made.rate_limit_sid == limit.fetch().sid
    updated = limit.buckets(made.sid).update(max=5)
    assert (updated.max, updated.interval) == (5, 3600)
    assert limit.buckets(made.sid).fetch().max == 5
    assert [bucket.interval for bucket in limit.buckets.list(page_size=1)] == [60, 3600]
    with refused(400, 60211):
        limit.buckets.create(max=4, interval=60)
    assert limit.buckets(made.sid).delete() is True
    for call in limit.buckets(made.sid).fetch, limit.buckets(made.sid).delete, limit.buckets(made.sid).update:
        with refused(404, 20404):
            call()
