"""Settings of a Prelude account, data that a dispatch adds, and data for inspection: contract 3.2, 3.3, 5,
14.2, 14.5 and 16.2."""

import json

import pytest
import requests

import receiver

HAPPY = "+33639980050"
COVERED = "+33639980001"
LOST = "+33639980030"
DISPATCH = "019c0000-0000-7000-8000-000000000001"


def target(number):
    return {"type": "phone_number", "value": number}


def settings(sandbox, **values):
    sandbox.seed(prelude={"settings": values})


def dispatch(sandbox, method="OPTIONS", body=None, agent="Prelude/0.5.1 Core/0.3.0 (iPadOS 18.1)"):
    headers = {
        "X-SDK-DispatchID": DISPATCH, "X-SDK-Key": sandbox.credentials["prelude"]["sdkKey"],
        "X-SDK-Implemented-Features": "1", "User-Agent": agent}
    answer = requests.request(method, f"{sandbox.base}/v1/signals", headers=headers, data=body, timeout=10)
    assert answer.status_code == 204


def silent_url(prelude, sandbox):
    dispatch(sandbox)
    return prelude.verification.create(target=target(COVERED), dispatch_id=DISPATCH).silent.request_url


def opened(sandbox, url, **more):
    return sandbox.control("POST", f"devices/{COVERED}/open", json={"url": url, **more}).json()


def test_a_dispatch_adds_signals_that_the_request_leaves_out(prelude, sandbox):
    dispatch(sandbox)
    dispatch(sandbox, "POST", b"\x01\x02")
    sandbox.advance("1m")
    created = prelude.verification.create(
        target=target(HAPPY), dispatch_id=DISPATCH, signals={"os_version": "17.0", "device_id": "d-1"})

    found = prelude.verification.phone.history.retrieve(created.id)
    assert (found.device_platform, found.signals.os_version, found.signals.device_id) == ("ipados", "17.0", "d-1")
    assert (found.ip_address, found.ip_address_region, found.signals_hash_status) == ("127.0.0.1", "FR", "valid")
    create, signals, _ = found.lifecycle.events
    assert (create.type, signals.type, signals.signals.status) == ("create", "signals", "valid")
    assert signals.signals.received_at.isoformat() == "2026-01-05T10:20:30+00:00"
    assert signals.signals.expired_at is None
    sandbox.advance("2h")
    signals = prelude.verification.phone.history.retrieve(created.id).lifecycle.events[1].signals
    assert signals.expired_at.isoformat() == "2026-01-05T11:20:30+00:00"
    listed, = prelude.verification.phone.history.list(device_platform="ipados").verifications
    assert (listed.id, listed.signals_hash_status) == (created.id, "valid")


def test_a_browser_sends_its_user_agent(prelude, sandbox):
    browser = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
    dispatch(sandbox, "POST", b"\x01", agent=f"Prelude/0.2.14 Core/0.1.2 {browser}")
    created = prelude.verification.create(target=target(HAPPY), dispatch_id=DISPATCH)

    found = prelude.verification.phone.history.retrieve(created.id)
    assert (found.device_platform, found.signals.user_agent, found.signals.os_version) == ("web", browser, None)


def test_quirks_apply_to_the_first_redirect_only(prelude, sandbox):
    quirks = [
        'X-SDK-Quirk-Header-Accept: host="*.carrier.example";value="text/html, */*", host="*";value="*/*"',
        'X-SDK-Quirk-TLS: host="*";version="1.2"']
    settings(sandbox, silentQuirks=quirks)
    url, answers = silent_url(prelude, sandbox), []
    while url:
        answers.append(requests.get(url, allow_redirects=False, timeout=10))
        url = answers[-1].headers.get("Location")

    shown = [[f"{name}: {value}" for name, value in answer.headers.items() if "Quirk" in name] for answer in answers]
    assert shown == [quirks, [], []]
    assert answers[-1].json()["code"]


@pytest.mark.parametrize("quirk", [
    "Accept: */*", 'X-SDK-Quirk-TLS: version="1.2"', 'X-SDK-Quirk-TLS: host="*";version="1.1"',
    'X-SDK-Quirk-Header-: host="*";value=""', 'X-SDK-Quirk-Header-Accept: host="*";value="a" ',
    "X-SDK-Quirk-TLS: host=*;version=1.2", 'X-SDK-Quirk-TLS: host="*";version="1.2"\r\nX: y'])
def test_an_invalid_quirk_is_rejected(sandbox, quirk):
    answer = sandbox.control("POST", "seed", json={"prelude": {"settings": {"silentQuirks": [quirk]}}}, expect=(400,))

    assert "silentQuirks" in answer.text


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
