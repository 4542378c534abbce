"""Verifies a number with Twilio's official client."""

import os
import urllib.request

from twilio.rest import Client

NUMBER = "+12025550100"

service = Client().verify.v2.services(os.environ["TWILIO_VERIFY_SERVICE_SID"])
service.verifications.create(to=NUMBER, channel="sms")

inbox = f"{os.environ['RINGFENCE_URL']}/control/inbox/{NUMBER}/latest/code"
code = urllib.request.urlopen(inbox).read().decode()

print(service.verification_checks.create(to=NUMBER, code=code).status)
