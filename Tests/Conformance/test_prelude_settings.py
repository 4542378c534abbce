"""Settings of a Prelude account, and data for inspection: contract 14.2, 14.5 and 16.2."""

import json

import requests

import receiver

COVERED = "+33639980001"
DISPATCH = "019c0000-0000-7000-8000-000000000001"


def target(number):
    return {"type": "phone_number", "value": number}


def settings(sandbox, **values):
    sandbox.seed(prelude={"settings": values})


def dispatch(sandbox, method="OPTIONS", body=None):
    headers = {
        "X-SDK-DispatchID": DISPATCH, "X-SDK-Key": sandbox.credentials["prelude"]["sdkKey"],
        "X-SDK-Implemented-Features": "1", "User-Agent": "Prelude/0.5.1 Core/0.3.0 (iPadOS 18.1)"}
    answer = requests.request(method, f"{sandbox.base}/v1/signals", headers=headers, data=body, timeout=10)
    assert answer.status_code == 204


def silent_url(prelude, sandbox):
    dispatch(sandbox)
    return prelude.verification.create(target=target(COVERED), dispatch_id=DISPATCH).silent.request_url


def opened(sandbox, url, **more):
    return sandbox.control("POST", f"devices/{COVERED}/open", json={"url": url, **more}).json()


def test_hops_have_latency(prelude, sandbox):
    url = silent_url(prelude, sandbox)
    settings(sandbox, silentDelayMs=4900)
    assert opened(sandbox, url)["ending"] == "code"
    settings(sandbox, silentDelayMs=5100)
    assert opened(sandbox, url) != opened(sandbox, f"{url}?sbx_delay=0")
    assert opened(sandbox, f"{url}?sbx_delay=0")["ending"] == "code"
    settings(sandbox, silentDelayMs=0)
    assert opened(sandbox, f"{url}?sbx_delay=5100")["ending"] == "failure"


def test_cellular_sources_count_as_mobile_data(prelude, sandbox):
    settings(sandbox, silentNeedsCellular=True)
    dispatch(sandbox, "POST", b"\x01")
    assert prelude.verification.create(target=target(COVERED), dispatch_id=DISPATCH).method == "message"
    settings(sandbox, cellularSources=["127."])
    assert prelude.verification.create(
        target=target("+33639980003"), dispatch_id=DISPATCH).method == "silent"


def test_the_control_api_shows_verifications_and_dispatches(prelude, sandbox):
    with receiver.Receiver() as up:
        dispatch(sandbox)
        url = prelude.verification.create(
            target=target(COVERED), dispatch_id=DISPATCH, options={"callback_url": up.url}).silent.request_url
        sandbox.advance("1s")
    prelude.verification.check(target=target(COVERED), code="000000")

    seen, = sandbox.control("GET", f"verifications?provider=prelude&number=%2B{COVERED[1:]}").json()["verifications"]
    assert (seen["state"], seen["checks"], [attempt["channel"] for attempt in seen["attempts"]]) == (
        "pending", 1, ["silent"])
    assert url.endswith(seen["silentSessions"][0]["token"])
    assert (seen["details"]["dispatchId"], seen["details"]["checks"][0]["value"]) == (DISPATCH, "000000")
    webhook = sandbox.control("GET", f"webhooks/{seen['webhooks'][0]}").json()
    assert webhook["request"]["headers"][-1].startswith("X-Webhook-Signature: rsassa-pss-sha256=")
    kept, = sandbox.control("GET", "records/prelude?kind=dispatch").json()["records"]
    assert kept["key"] == DISPATCH
    assert (kept["record"]["platform"], kept["record"]["features"]) == ("ipados", 1)
    arrival, = kept["record"]["arrivals"]
    assert (arrival["method"], arrival["at"][:19]) == ("OPTIONS", "2026-01-05T10:20:30")
    assert sandbox.credentials["prelude"]["sdkKey"] not in json.dumps(kept)
