"""Every failure of a silent verification, set by one scenario, as the official clients of each provider see
it. Source: `carrier.md` 4.5"""

import pytest

from prove_client import GO, Device
from telesign_flows import complete, initiate

NUMBER = "+12025550100"
# Prelude verifies silently where the last digits say so.
FRENCH = "+33639980001"
INGE = "2001004016"

# What the app gets, by the sandbox's own walk; then what each back end gets: Twilio's error code, and
# Telesign's status. Last, Prelude's reason for the app; `None`: the app gets no answer of Prelude's.
FAILURES = {
    "expired": ("text", 60519, (400, 40003), "expired"),
    "loop": ("more than 20 redirects", 60520, (503, 45005), None),
    "garbage": ("neither JSON nor plain text", 60533, (503, 45005), None),
    "timeout": ("timed out", 60002, (408, 40001), None),
    "carrierError": ("HTTP 503", 60511, (503, 45005), None),
    "mismatch": ("text", 60500, (200, 4502), "phone_number_mismatch"),
    "notMobile": ("text", 60531, (400, 40003), "not_cellular"),
    "noCoverage": ("text", 60510, (400, 40010), "carrier_unavailable"),
    "userDenied": ("text", 60001, (400, 40003), "user_not_found"),
}


def fail(sandbox, outcome):
    sandbox.control("PUT", "scenarios", json={
        "scenarios": [{"match": {"channel": "silent"}, "outcome": outcome}]})


def opened(sandbox, url, number=NUMBER):
    """How the app's walk ends: its text, or the reason why it got none."""
    result = sandbox.control("POST", f"devices/{number}/open", json={"url": url, "as": "android"}).json()
    return result.get("text") or result["why"]


@pytest.mark.parametrize("outcome", FAILURES)
def test_twilio(sandbox, service, outcome):
    fail(sandbox, outcome)
    walk, code, _, _ = FAILURES[outcome]
    url = service.verifications.create(to=NUMBER, channel="sna").sna["url"]

    end = opened(sandbox, url)

    assert end.startswith("ErrorCode=-") if walk == "text" else walk in end
    check = service.verification_checks.create(to=NUMBER)
    assert (check.status, [entry["code"] for entry in check.sna_attempts_error_codes]) == ("pending", [code])


@pytest.mark.parametrize("outcome", FAILURES)
def test_telesign(telesign, outcome):
    fail(telesign.sandbox, outcome)
    walk, _, expected, _ = FAILURES[outcome]
    begun = initiate(telesign, NUMBER[1:])

    end = opened(telesign.sandbox, begun["verification_url"])

    assert len(end) == 32 if walk == "text" else walk in end
    answer = complete(telesign, begun, end)
    assert (answer.status_code, answer.json["status"]["code"]) == expected


@pytest.mark.parametrize("outcome", FAILURES)
def test_prelude(sandbox, prelude, outcome):
    sandbox.seed(prelude={"settings": {"silentNeedsDispatch": False}})
    fail(sandbox, outcome)
    walk, _, _, reason = FAILURES[outcome]
    started = prelude.verification.create(target={"type": "phone_number", "value": FRENCH})
    assert started.method == "silent"

    end = opened(sandbox, started.silent.request_url, FRENCH)

    assert (reason or walk) in end


@pytest.mark.parametrize("outcome", FAILURES)
def test_prove_goes_on_with_a_code(sandbox, outcome):
    fail(sandbox, outcome)
    device = Device(platform="android", features=["mobileAuth", "otp"], cellularNumber=INGE)
    unified = GO.client(sandbox).unify(possessionType="mobile", phoneNumber=INGE)
    assert device.authenticate(unified)["step"] == "mobile_auth"

    assert device.mobile_auth()["step"] == "otp_start"


def test_a_misspelt_outcome_is_refused_with_the_nearest_name(sandbox):
    answer = sandbox.control("PUT", "scenarios", expect=(400,), json={
        "scenarios": [{"match": {"channel": "silent"}, "outcome": "expird"}]}).json()

    assert answer["field"].endswith("outcome") and "expired" in answer["error"]
