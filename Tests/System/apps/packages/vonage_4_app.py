"""vonage 4, led to the sandbox by `ringfence run` alone."""

import os

import inbox
from vonage import Auth, Vonage
from vonage_http_client.errors import HttpRequestError
from vonage_number_insight import StandardInsightRequest
from vonage_verify import SmsChannel, VerifyRequest
from vonage_verify_legacy import VerifyRequest as LegacyRequest

client = Vonage(Auth(
    api_key=os.environ["VONAGE_API_KEY"], api_secret=os.environ["VONAGE_API_SECRET"],
    application_id=os.environ["VONAGE_APPLICATION_ID"], private_key=os.environ["VONAGE_PRIVATE_KEY"]))
number = inbox.NUMBER[1:]

started = client.verify.start_verification(VerifyRequest(brand="Acme", workflow=[SmsChannel(to=number)]))
try:
    client.verify.check_code(started.request_id, "000000")
except HttpRequestError as error:
    assert error.response.status_code == 400, error
else:
    raise AssertionError("no error for a wrong code")
assert client.verify.check_code(started.request_id, inbox.code()).status == "completed"

started = client.verify_legacy.start_verification(LegacyRequest(number=number, brand="Acme"))
assert client.verify_legacy.check_code(started.request_id, inbox.code()).status == "0"
assert client.number_insight.get_standard_info(StandardInsightRequest(number=number)).country_code == "US"
