"""Every error code of the Twilio Verify contract, sections 13.1 to 13.4, is in the catalogue, whose checks
and tests show it."""

import json
import re

import ringfence

# Codes that no request can get, with the reason. Source: twilio-verify.md 13.
EXCEPTIONS = {
    20001: "a warning of the provider's log, never an error",
    **dict.fromkeys(range(60401, 60408), "raised locally by the mobile SDKs"),
    **dict.fromkeys([60325, 60327, *range(60331, 60336)], "warnings of the provider's log, never an error"),
    60330: "logged by the provider, never returned",
    60409: "a warning of the provider's log, never an error",
    **dict.fromkeys(range(60420, 60442), "unused: errors between the provider's own services"),
    **dict.fromkeys([60609, 60610, 60613, 60614, 60615, 60619, 60624, 60625], "the contract gives them no meaning"),
    **dict.fromkeys(range(68001, 68008), "none: raised locally by the mobile SDKs"),
}


def documented():
    """The codes of the contract's tables. A row can have a list or a range: `60215, 60216`,
    `60227 to 60229`."""
    contract = (ringfence.ROOT / "Docs/Contracts/twilio-verify.md").read_text("utf-8")
    codes = set()
    for section in ("13.1", "13.2", "13.3", "13.4"):
        (text,) = re.findall(rf"\n### {re.escape(section)} .*?\n(.*?)\n##", contract, re.S)
        for cell in re.findall(r"^\| ([0-9][0-9a-z, ]*?) \|", text, re.M):
            for part in cell.split(","):
                first, *last = [int(number) for number in part.split(" to ")]
                codes.update(range(first, (last or [first])[0] + 1))
    return codes


def test_every_documented_error_is_in_the_catalogue():
    listed = {int(error["code"]) for error in json.loads(ringfence.command("errors", "twilio", "--json"))["errors"]}
    lookup = (ringfence.ROOT / "Sources/Providers/Twilio/Checks/Lookup.http").read_text("utf-8")
    inside_packages = {int(code) for code in re.findall(r"\b606\d\d\b", lookup)}

    assert documented() - listed - inside_packages == set(EXCEPTIONS)
