"""Verifies a number with Vonage's official client."""

import os
import urllib.request

from vonage import Auth, Vonage
from vonage_verify import SmsChannel, VerifyRequest

NUMBER = "33639980050"

client = Vonage(Auth(
    application_id=os.environ["VONAGE_APPLICATION_ID"], private_key=os.environ["VONAGE_PRIVATE_KEY"]))
started = client.verify.start_verification(VerifyRequest(brand="Acme", workflow=[SmsChannel(to=NUMBER)]))

inbox = f"{os.environ['RINGFENCE_URL']}/control/inbox/+{NUMBER}/latest/code"
code = urllib.request.urlopen(inbox).read().decode()

print(client.verify.check_code(started.request_id, code).status)
