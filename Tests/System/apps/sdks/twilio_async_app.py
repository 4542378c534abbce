"""Verifies a number with Twilio's official client, asynchronously."""

import asyncio
import os
import urllib.request

from twilio.http.async_http_client import AsyncTwilioHttpClient
from twilio.rest import Client

NUMBER = "+12025550100"


async def main():
    async with AsyncTwilioHttpClient() as http:
        service = Client(http_client=http).verify.v2.services(os.environ["TWILIO_VERIFY_SERVICE_SID"])
        await service.verifications.create_async(to=NUMBER, channel="sms")

        inbox = f"{os.environ['RINGFENCE_URL']}/control/inbox/{NUMBER}/latest/code"
        code = urllib.request.urlopen(inbox).read().decode()

        print((await service.verification_checks.create_async(to=NUMBER, code=code)).status)


asyncio.run(main())
