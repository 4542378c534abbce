"""Latency and request limits (Docs/Load.md), as clients on the network see them."""

import time

import pytest
import requests

AUTH = ("AC00000000000000000000000000000001", "0123456789abcdef0123456789abcdef")

# Each provider's 429: a request, the header Retry-After, and how to find the code.
LIMITED = {
    "twilio": ("/v2/Services", "1", lambda body: body["code"] == 20429),
    "telesign": ("/v1/messaging/nothing", None, lambda body: body["status"]["code"] == 10019),
    "prelude": ("/v2/lookup/+33612345678", None, lambda body: body["code"] == "too_many_attempts"),
    "vonage": ("/v2/verify/templates", None, lambda body: body["type"].endswith("#throttled")),
    "prove": ("/v3/identity", "1", lambda body: body["code"] == 8000),
    "sinch": ("/verification/v1/verifications/id/1", None, lambda body: body["errorCode"] == 42900),
    "camara": ("/sim-swap-subscriptions/v0.3/subscriptions", None, lambda body: body["code"] == "TOO_MANY_REQUESTS"),
    "hyphen": ("/account/v1/me", None, lambda body: body["code"] == "TooManyRequests"),
}


@pytest.mark.parametrize("provider", LIMITED)
def test_requests_beyond_a_limit_get_the_providers_429(sandbox, provider):
    path, retry_after, is_right = LIMITED[provider]
    sandbox.control("PUT", "limits", json={"limits": [{"provider": provider, "requestsPerSecond": 1}]})
    sandbox.control("POST", "clock", json={"mode": "frozen"})

    first, second = (requests.get(f"{sandbox.base}/{provider}{path}", timeout=10) for _ in range(2))
    sandbox.advance("1s")
    third = requests.get(f"{sandbox.base}/{provider}{path}", timeout=10)

    assert first.status_code != 429
    assert (second.status_code, second.headers.get("Retry-After")) == (429, retry_after)
    assert is_right(second.json()), second.text
    assert third.status_code != 429
    assert sandbox.control("GET", "limits").json()["limits"][0]["applied"] == 1


def test_answers_wait_in_real_time(sandbox):
    sandbox.control("PUT", "latency", json={"latency": [{"provider": "twilio", "medianMs": 300}]})

    start = time.monotonic()
    requests.get(f"{sandbox.base}/v2/Services", auth=AUTH, timeout=10)
    waited = time.monotonic() - start
    sandbox.control("DELETE", "latency")
    start = time.monotonic()
    requests.get(f"{sandbox.base}/v2/Services", auth=AUTH, timeout=10)

    assert waited >= 0.3 > time.monotonic() - start


def test_snapshots_have_the_rules(sandbox):
    rules = {"latency": [{"provider": "twilio", "medianMs": 300, "p99Ms": 900}], "limits": [{"requestsPerSecond": 50}]}
    for name, value in rules.items():
        sandbox.control("PUT", name, json={name: value})
    before = [sandbox.control("GET", name).json() for name in rules]
    saved = sandbox.control("GET", f"sandboxes/{sandbox.name}/snapshot").json()
    for name in rules:
        sandbox.control("DELETE", name)

    sandbox.control("PUT", f"sandboxes/{sandbox.name}/snapshot", json=saved)

    assert [sandbox.control("GET", name).json() for name in rules] == before
