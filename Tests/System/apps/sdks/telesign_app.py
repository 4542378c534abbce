"""Verifies a number with Telesign's official clients: by SMS Verify, then by the Verify API.

The client of the Verify API has no endpoint setting: `createVerificationProcess` always calls
verify.telesign.com.
"""

import os
import urllib.request

from telesign.messaging import MessagingClient
from telesignenterprise.verify import VerifyClient

NUMBER = "+12025550100"


def code():
    inbox = f"{os.environ['RINGFENCE_URL']}/control/inbox/{NUMBER}/latest/code"
    return urllib.request.urlopen(inbox).read().decode()


account = os.environ["TELESIGN_CUSTOMER_ID"], os.environ["TELESIGN_API_KEY"]

sent = MessagingClient(*account).message(NUMBER, "Hello!", "ARN")
print(sent.json["status"]["description"])

client = VerifyClient(*account)
texted = client.sms(NUMBER)
print(client.status(texted.json["reference_id"], verify_code=code()).json["verify"]["code_state"])

process = client.createVerificationProcess(NUMBER)
finished = client.omniverify.updateVerificationProcess(
    process.json["reference_id"], {"action": "finalize", "security_factor": code()})
print(finished.json["status"]["description"])
