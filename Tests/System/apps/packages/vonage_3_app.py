"""vonage 3.18: Verify legacy with PSD2, Verify v2 by a signed token, Number Insight."""

import os
import warnings

warnings.simplefilter("ignore", DeprecationWarning)

import inbox
import vonage

client = vonage.Client(
    key=os.environ["VONAGE_API_KEY"], secret=os.environ["VONAGE_API_SECRET"],
    application_id=os.environ["VONAGE_APPLICATION_ID"], private_key=os.environ["VONAGE_PRIVATE_KEY"])
number = inbox.NUMBER[1:]

payment = client.verify.psd2(number=number, payee="Acme", amount="99.99")
assert client.verify.check(payment["request_id"], code=inbox.code())["status"] == "0"
assert client.verify.search(payment["request_id"])["status"] == "SUCCESS"

started = client.verify2.new_request({
    "brand": "Acme", "code_length": 6, "workflow": [{"channel": "sms", "to": number}]})
try:
    client.verify2.check_code(started["request_id"], "000000")
except vonage.errors.ClientError as error:
    assert "Invalid Code" in str(error), error
else:
    raise AssertionError("no error for a wrong code")
assert client.verify2.check_code(started["request_id"], inbox.code())["status"] == "completed"
assert client.number_insight.get_advanced_number_insight(number=number)["reachable"] == "reachable"
