"""The error codes inside Lookup's packages, section 13.4 of the Twilio Verify contract, each produced without
a fault. Part of the table in test_twilio_errors.py."""

import pytest

NUMBER = "+12025550100"
SETTING = "the provider's own quota, contract or data; the setting lookupErrors stands for it"

CAUSES = {  # code: (package, the line, the query)
    60600: ("sim_swap", {"deactivatedAt": "-2h"}, {}),
    60607: ("caller_name", {"number": "+447700900123"}, {}),
    60608: ("sim_swap", {"consent": {"*": "denied"}}, {}),
    60612: ("line_status", {"lineType": "landline"}, {}),
    60617: ("identity_match", {}, {}),
    60618: ("identity_match", {}, {"first_name": "Ada", "date_of_birth": "soon"}),
    60620: ("sim_swap", {"number": "+12345678916"}, {}),
    60623: ("pre_fill", {}, {"verification_sid": f"VE{'0' * 32}"}),
    60606: SETTING, 60611: SETTING, 60616: SETTING, 60621: SETTING, 60622: SETTING, 60626: SETTING,
}


@pytest.mark.parametrize("code", sorted(CAUSES))
def test_twilio_errors_inside_a_package(client, sandbox, code):
    client.lookups.base_url = sandbox.base
    if CAUSES[code] is SETTING:
        package, line, query = "sim_swap", {}, {}
        sandbox.seed(twilio={"settings": {"lookupErrors": [{"package": package, "code": code}]}})
    else:
        package, line, query = CAUSES[code]
    number = line.get("number", NUMBER)
    if set(line) - {"number"}:
        sandbox.seed(subscribers=[{"number": number, **line}])

    found = client.lookups.v2.phone_numbers(number).fetch(fields=package, **query)

    assert getattr(found, package)["error_code"] == code
