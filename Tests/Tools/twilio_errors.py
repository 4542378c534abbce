"""Expects the errors that Twilio's official client raises."""

import contextlib
import json
import re

from twilio.base.exceptions import TwilioException, TwilioRestException


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
