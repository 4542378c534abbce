"""Why no code comes: said where tests read codes, and in the summary of `ringfence run`."""

import re
import sys

import pytest
import requests

import ringfence
from running import SEND, run

ENDING = "because its number ends in 0130 (Docs/Carrier.md)"


def send(sandbox, number, channel="sms"):
    own = sandbox.credentials["twilio"]
    return requests.post(
        f"{sandbox.base}/v2/Services/{own['serviceSid']}/Verifications", data={"To": number, "Channel": channel},
        auth=(own["accountSid"], own["authToken"]), timeout=10)


def reason(sandbox, number):
    """What the answer says after `there is no code for … yet`."""
    said = sandbox.control("GET", f"inbox/{number}/latest/code", expect=(404,)).text
    start = f"there is no code for {number} yet"
    assert said.startswith(start)
    return said.removeprefix(start).removeprefix(": ").strip()


@pytest.mark.parametrize("number, said", [
    ("+12025550130", f"the text is lost, {ENDING}"),
    ("+12025550132", "the text is lost, because its number ends in 0132 (Docs/Carrier.md)"),
    ("+12025550112", "the text is refused, because its number ends in 0112 (Docs/Carrier.md)"),
    ("+12025550134", "the text is refused, because its number ends in 0134 (Docs/Carrier.md)"),
    ("+12025550151", "the text arrives at 2026-01-05T10:20:50.000Z, because its number ends in 0151 (Docs/Carrier.md)"),
    ("+12025550152", "the text is held until 2026-01-05T10:25:30.000Z, then it expires, because its number ends in 0152 "
                     "(Docs/Carrier.md)"),
])
def test_c2_the_ending_of_a_number_is_named(sandbox, number, said):
    send(sandbox, number)

    assert reason(sandbox, number) == said


def test_c2_a_call_that_nobody_hears_is_named(sandbox):
    send(sandbox, "+12025550135", channel="call")

    assert reason(sandbox, "+12025550135") == "the call finds the line busy, because its number ends in 0135 (Docs/Carrier.md)"


def test_c2_a_scenario_is_named(sandbox):
    sandbox.control("PUT", "scenarios", json={"scenarios": [{"outcome": "garbled"}, {"outcome": "lostButDelivrd"}]})
    send(sandbox, "+12025550170")
    assert reason(sandbox, "+12025550170") == "the text shows no readable code, because scenario 1 says so (/control/scenarios)"

    sandbox.control("PUT", "scenarios", json={"scenarios": [{"outcome": "lostButDelivrd"}]})
    send(sandbox, "+12025550171")
    assert reason(sandbox, "+12025550171") == (
        "the text is lost, although its receipt says that it was delivered, because scenario 1 says so (/control/scenarios)")


@pytest.mark.parametrize("record, said", [
    ({"suspended": True}, "the text is refused, because its line is suspended"),
    ({"barring": ["smsIn"]}, "the text is refused, because its line is barred"),
    ({"lineType": "landline"}, "the text is refused, because its line takes no texts"),
    ({"scenarios": [{"outcome": "undeliverable"}]}, "the text is lost, because its record says so"),
])
def test_c2_the_record_of_a_number_is_named(sandbox, record, said):
    number = "+12025550172"
    sandbox.control("PUT", f"subscribers/{number}", json=record)
    send(sandbox, number)

    assert reason(sandbox, number) == f"{said} (/control/subscribers/{number})"


def test_c2_without_a_reason_nothing_is_made_up(sandbox):
    assert reason(sandbox, "+12025550170") == ""

    send(sandbox, "+12025550170")
    assert re.fullmatch(r"\d{6}", sandbox.code("+12025550170"))


def test_c2_a_missing_message_has_the_same_reason(sandbox):
    send(sandbox, "+12025550130")

    said = sandbox.control("GET", "inbox/+12025550130/latest", expect=(404,)).json()["error"]

    assert said == f"there is no message for +12025550130 yet: the text is lost, {ENDING}"


def test_c2_the_summary_of_a_run_has_the_same_reason():
    said = run(sys.executable, "-c", SEND, "+12025550130").stderr.decode()

    assert f"the text is lost, {ENDING}" in said


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
    twilio, telesign, prelude = (sandbox.credentials[name] for name in ("twilio", "telesign", "prelude"))
    service = f"{sandbox.base}/v2/Services/{twilio['serviceSid']}"
    pair = (twilio["accountSid"], twilio["authToken"])
    bearer = {"Authorization": f"Bearer {prelude['apiToken']}"}
    for number in promised():
        assert send(sandbox, number, channel).status_code == 201
        checked = requests.post(
            f"{service}/VerificationCheck", data={"To": number, "Code": sandbox.code(number)}, auth=pair, timeout=10)
        assert checked.json()["status"] == "approved", number

        if channel != "whatsapp":
            path = "/v1/verify/sms" if channel == "sms" else "/v1/verify/call"
            made = requests.post(
                sandbox.base + path, data={"phone_number": number[1:]},
                auth=(telesign["customerId"], telesign["apiKey"]), timeout=10).json()
            code = sandbox.code(number)
            done = requests.get(
                f"{sandbox.base}/v1/verify/{made['reference_id']}", params={"verify_code": code},
                auth=(telesign["customerId"], telesign["apiKey"]), timeout=10).json()
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
