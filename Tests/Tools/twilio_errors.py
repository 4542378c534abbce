"""Expects the errors that Twilio's official client raises."""

import contextlib
import json
import re

from twilio.base.exceptions import TwilioException, TwilioRestException

# Codes of the contract that no request can get, with the reason. Source: twilio-verify.md 13.
EXCEPTIONS = {
    20001: "a warning of the provider's log, never an error",
    20500: "an error inside the provider's service; only a fault can stand for it",
    **dict.fromkeys([60215, 60216], "unused: mailers and their keys are retired"),
    60225: "unused: templates are written in the provider's console",
    **dict.fromkeys([60230, 60233, 60234, 60236, 60237, 60239], "unused: texts are not documented"),
    **dict.fromkeys([60231, 60232, 60235], "unused: senders are registered in the provider's console"),
    **dict.fromkeys([60240, 60241], "warnings of the provider's log, never an error"),
    **dict.fromkeys(range(60401, 60408), "raised locally by the mobile SDKs"),
    60302: "no operation creates a factor type",
    60303: "unused: no operation deletes a batch",
    60304: "the same as 60301, which is used",
    **dict.fromkeys([60325, 60327, *range(60331, 60336)], "warnings of the provider's log, never an error"),
    60328: "the provider's limit is not documented",
    60330: "logged by the provider, never returned",
    60361: "the account comes from the sign-in, which has 20003",
    60363: "the Service is in the path, which has 20404 and 60200",
    **dict.fromkeys([60365, 60366], "no operation takes the SID of an entity"),
    60368: "challenges of passkeys have no details",
    60409: "a warning of the provider's log, never an error",
    **dict.fromkeys(range(60420, 60442), "unused: errors between the provider's own services"),
    **dict.fromkeys([60609, 60610, 60613, 60614, 60615, 60619, 60624, 60625], "the contract gives them no meaning"),
    **dict.fromkeys(range(68001, 68008), "none: raised locally by the mobile SDKs"),
}


@contextlib.contextmanager
def refused(status, code, message=""):
    """Expects the SDK's exception with this status and code, and a text in its message.

    Lists raise an exception without these members, only with the answer.
    """
    try:
        yield
    except TwilioRestException as error:
        assert (error.status, error.code) == (status, code), str(error)
        assert re.search(message, error.msg), error.msg
    except TwilioException as error:
        answer = error.args[1]
        body = json.loads(answer.text)
        assert (answer.status_code, body["code"]) == (status, code), answer.text
        assert re.search(message, body["message"]), answer.text
    else:
        raise AssertionError(f"expected a refusal {status}/{code}, got none")
