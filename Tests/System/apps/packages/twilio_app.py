"""twilio 6 to 9, with a client of the package `ringfence` in a sandbox of its own."""

import sys

import twilio
from ringfence import Ringfence
from twilio.base.exceptions import TwilioRestException

NUMBER = "+12025550100"

with Ringfence() as server, server.sandbox() as sandbox:
    client = sandbox.twilio()
    service = client.verify.v2.services(sandbox.credentials["twilio"]["serviceSid"])
    assert service.verifications.create(to=NUMBER, channel="sms").status == "pending"
    assert service.verification_checks.create(to=NUMBER, code=sandbox.code(NUMBER)).status == "approved"
    text = client.messages.create(to=NUMBER, from_="+12025550199", body="Hello")
    sandbox.advance("1m")
    assert client.messages(text.sid).fetch().status == "delivered"
    found = client.lookups.phone_numbers(NUMBER).fetch(type=["carrier"])
    assert (found.phone_number, found.carrier["type"], found.caller_name) == (NUMBER, "mobile", None)
    try:
        service.verifications.create(to="12", channel="sms")
    except TwilioRestException as error:
        assert (error.status, error.code) == (400, 60200)
    else:
        raise AssertionError("no error for a number that cannot exist")

print(twilio.__version__)
