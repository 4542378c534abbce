"""Signs somebody in by a code, as any app does that uses Twilio Verify: nothing here knows of a sandbox but
the inbox, which stands for the person who reads the text on their phone."""

import os
import urllib.request

from twilio.rest import Client

NUMBER = "+12025550100"


def read_phone():
    """What the person would type in."""
    inbox = f"{os.environ['RINGFENCE_URL']}/control/inbox/{NUMBER}/latest/code"
    return urllib.request.urlopen(inbox).read().decode().strip()


def main():
    client = Client()  # TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN
    service = client.verify.v2.services(os.environ["TWILIO_VERIFY_SERVICE_SID"])

    service.verifications.create(to=NUMBER, channel="sms")
    check = service.verification_checks.create(to=NUMBER, code=read_phone())

    print(check.status)


if __name__ == "__main__":
    main()
