"""The phone numbers in faults and scenarios: which are refused, and which requests they match."""

import json

import pytest
import requests

import ringfence
from ringfence import command

NUMBER = "+12025550150"
SERVICE = "/v2/Services/VA00000000000000000000000000000001/Verifications"
FORM, JSON = "application/x-www-form-urlencoded", "application/json"

# Each provider, as its clients write the number.
SPELLINGS = {
    "Twilio": ("POST", SERVICE, FORM, "To={plus}{digits}&Channel=sms", "%2B"),
    "Twilio, a lookup": ("GET", "/v2/PhoneNumbers/{plus}{digits}", None, None, "%2B"),
    "Telesign": ("POST", "/v1/messaging", FORM, "phone_number={digits}&message=a&message_type=OTP", ""),
    "Telesign, a path": ("GET", "/v1/phoneid/live/{digits}", None, None, ""),
    "Telesign, JSON": ("POST", "/verification", JSON, '{{"recipient":{{"phone_number":"{digits}"}}}}', ""),
    "Prelude": ("POST", "/v2/verification", JSON, '{{"target":{{"type":"phone_number","value":"{plus}{digits}"}}}}', "+"),
    "Prelude, escaped": ("POST", "/v2/verification", JSON, '{{"target":{{"value":"{plus}{digits}"}}}}', r"\u002b"),
    "Prove": ("POST", "/v3/start", JSON, '{{"phoneNumber":"{plus}{digits}"}}', "+"),
    "Prove, without plus": ("POST", "/v3/start", JSON, '{{"phoneNumber":"{digits}"}}', ""),
}


def status(sandbox, spelling, digits):
    method, path, kind, body, plus = SPELLINGS[spelling]
    filled = body and body.format(plus=plus, digits=digits)
    return requests.request(
        method, sandbox.base + path.format(plus=plus, digits=digits), data=filled,
        headers={"Content-Type": kind} if kind else {}, timeout=10).status_code


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_c1_a_fault_matches_its_number_in_every_spelling(sandbox, spelling):
    sandbox.faults({"number": NUMBER, "status": 503})

    assert status(sandbox, spelling, NUMBER[1:]) == 503
    for other in (NUMBER[1:] + "1", "4" + NUMBER[1:], NUMBER[1:-1], NUMBER[2:-1] + "1"):
        assert status(sandbox, spelling, other) != 503, other


def test_c1_a_fault_matches_national_spellings_where_the_provider_reads_them(sandbox):
    sandbox.faults({"number": NUMBER, "status": 503})
    prove = {"json": {"phoneNumber": "2025550150"}}
    lookup = "/v2/PhoneNumbers/(202) 555-0150"

    assert requests.post(f"{sandbox.base}/v3/start", timeout=10, **prove).status_code == 503
    assert requests.get(f"{sandbox.base}{lookup}", timeout=10).status_code == 503
    assert requests.get(f"{sandbox.base}{lookup}?CountryCode=GB", timeout=10).status_code != 503
    for spelling in "+1 202.555.0150", "%2B1%20%28202%29%20555%200150", "0012025550150":
        assert requests.get(f"{sandbox.base}/v2/PhoneNumbers/{spelling}", timeout=10).status_code == 503, spelling
    form = {"To": "+1 (202) 555-0150", "Channel": "sms"}
    assert requests.post(f"{sandbox.base}{SERVICE}", data=form, timeout=10).status_code == 503
    # For Telesign, these digits are a number in Egypt.
    assert status(sandbox, "Telesign", "2025550150") != 503


@pytest.mark.parametrize("number, meant", [
    ("banana", ""), ("12025550150", NUMBER), ("+1 202 555 0150", NUMBER), ("+1202*", ""), ("", ""),
])
@pytest.mark.parametrize("rule, field", [
    (lambda number: {"faults": [{"number": number, "status": 503}]}, "$.faults[0].number"),
    (lambda number: {"scenarios": [{"match": {"number": number}, "outcome": "slow"}]}, "$.scenarios[0].match.number"),
])
def test_c1_a_number_that_can_match_nothing_is_refused(sandbox, tmp_path, number, meant, rule, field):
    body = rule(number)
    seed = tmp_path / "seed.json"
    seed.write_text(json.dumps(body))
    (name,) = body

    refused = sandbox.control("PUT", name, json=body, expect=(400,)).json()
    checked = command("seed", "check", seed, expect=1)

    for said in (refused["error"], checked):
        assert f'{field}: expected a phone number such as +12025550100, or an email address; found "{number}"' in said
        assert (f'did you mean "{meant}"?' in said) == bool(meant)
    assert sandbox.control("GET", name).json() == {name: []}
