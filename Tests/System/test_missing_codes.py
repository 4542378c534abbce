"""Why no code comes, in the summary of `ringfence run`; where tests read codes: `MissingCodes.http` in
`Sources/Control/Checks`. Then the numbers whose codes always come."""

import re
import sys

import pytest
import requests

import ringfence
from running import SEND, run


def send(sandbox, number, channel="sms"):
    return sandbox.twilio(To=number, Channel=channel)


def test_c2_the_summary_of_a_run_has_the_same_reason():
    said = run(sys.executable, "-c", SEND, "+12025550130").stderr.decode()

    assert "the text is lost, because its number ends in 0130 (/control/docs/Carrier.md)" in said


# The numbers that FirstSteps.md promises for tests.

def promised():
    area = re.search(r"`(\+\d{9})(\d{2})` to `\1(\d{2})`", (ringfence.ROOT / "Docs/FirstSteps.md").read_text())
    assert area, "FirstSteps.md names no range of numbers"
    return [f"{area[1]}{ending:02}" for ending in range(int(area[2]), int(area[3]) + 1)]


def test_c2_readme_names_consecutive_numbers(sandbox):
    numbers = promised()

    assert len(numbers) >= 20
    lines = [sandbox.control("GET", f"subscribers/{number}").json() for number in numbers]
    for line in lines:
        assert (line["scenarios"], line["lineType"], line["barring"], line["optOut"]) == ([], "mobile", [], [])
        assert (line["simSwaps"], line["deviceSwaps"], line["suspended"], line["deactivatedAt"]) == ([], [], False, None)


@pytest.mark.parametrize("channel", ["sms", "call", "whatsapp"])
def test_c2_every_provider_treats_these_numbers_alike(sandbox, channel):
    """Twilio, Telesign, Prelude: each verification is sent, and its code accepted."""
    telesign, prelude = (sandbox.credentials[name] for name in ("telesign", "prelude"))
    pair = (telesign["customerId"], telesign["apiKey"])
    bearer = {"Authorization": f"Bearer {prelude['apiToken']}"}
    for number in promised():
        assert send(sandbox, number, channel).status_code == 201
        checked = sandbox.twilio("VerificationCheck", To=number, Code=sandbox.code(number))
        assert checked.json()["status"] == "approved", number

        if channel != "whatsapp":
            path = "/v1/verify/sms" if channel == "sms" else "/v1/verify/call"
            made = requests.post(sandbox.base + path, data={"phone_number": number[1:]}, auth=pair, timeout=10).json()
            code = sandbox.code(number)
            done = requests.get(
                f"{sandbox.base}/v1/verify/{made['reference_id']}", params={"verify_code": code}, auth=pair, timeout=10).json()
            assert done["verify"]["code_state"] == "VALID", (number, done)

        if channel == "sms":
            target = {"type": "phone_number", "value": number}
            made = requests.post(
                f"{sandbox.base}/v2/verification", json={"target": target}, headers=bearer, timeout=10).json()
            assert made["status"] == "success", (number, made)
            done = requests.post(
                f"{sandbox.base}/v2/verification/check", json={"target": target, "code": sandbox.code(number)},
                headers=bearer, timeout=10).json()
            assert done["status"] == "success", (number, done)


def test_c2_prove_treats_these_numbers_alike(go, sandbox):
    sandbox.seed(prove={"settings": {"unknownNumbers": "accept"}})

    answers = {go.unify(possessionType="mobile", phoneNumber=number[2:]).status for number in promised()}

    assert answers == {200}
