"""nexmo 2.5.2: Verify legacy and Number Insight, with the client's newer and older names."""

import os
import warnings

import inbox
import nexmo

warnings.simplefilter("ignore", DeprecationWarning)
client = nexmo.Client(key=os.environ["VONAGE_API_KEY"], secret=os.environ["VONAGE_API_SECRET"])
verify, number = nexmo.Verify(client), inbox.NUMBER[1:]

started = verify.start_verification(number=number, brand="Acme")
assert started["status"] == "0", started
wrong = verify.check(started["request_id"], code="000000")
assert wrong["status"] == "16", wrong
right = verify.check(started["request_id"], code=inbox.code())
assert (right["status"], right["currency"]) == ("0", "EUR"), right
assert verify.search(started["request_id"])["status"] == "SUCCESS"

again = client.start_verification(number=number, brand="Acme", code_length=6)
assert client.trigger_next_verification_event(again["request_id"])["status"] == "0"
assert client.check_verification(again["request_id"], code=inbox.code())["status"] == "0"
assert client.get_basic_number_insight(number=number)["country_code"] == "US"
assert client.get_standard_number_insight(number=number)["current_carrier"]["network_type"] == "mobile"
assert client.get_advanced_number_insight(number=number)["reachable"] == "reachable"
