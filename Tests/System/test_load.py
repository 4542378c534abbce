"""Latency (Docs/Load.md), as clients on the network see it."""

import time

import requests

AUTH = ("AC00000000000000000000000000000001", "0123456789abcdef0123456789abcdef")


def test_answers_wait_in_real_time(sandbox):
    sandbox.control("PUT", "latency", json={"latency": [{"provider": "twilio", "medianMs": 300}]})

    start = time.monotonic()
    requests.get(f"{sandbox.base}/v2/Services", auth=AUTH, timeout=10)
    waited = time.monotonic() - start
    sandbox.control("DELETE", "latency")
    start = time.monotonic()
    requests.get(f"{sandbox.base}/v2/Services", auth=AUTH, timeout=10)

    assert waited >= 0.3 > time.monotonic() - start
