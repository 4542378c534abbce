"""apprise: a notice as a text of Twilio and Telesign, and as a push of FCM.

Through: Twilio Messages, Telesign, FCM
From: caronc/apprise
Set: `twilio://ACCOUNT:TOKEN@FROM/TO`, `telesign://CUSTOMER:KEY@/TO`, `fcm://PROJECT/TOKEN/?keyfile=FILE`
"""

import json
import os
from urllib.parse import quote

import apprise
import inbox

account = os.environ["GOOGLE_APPLICATION_CREDENTIALS"]
with open(account, encoding="utf-8") as file:
    project = json.load(file)["project_id"]
telesign = f"telesign://{os.environ['TELESIGN_CUSTOMER_ID']}:{quote(os.environ['TELESIGN_API_KEY'], safe='')}@"
twilio = f"twilio://{os.environ['TWILIO_ACCOUNT_SID']}:{os.environ['TWILIO_AUTH_TOKEN']}@12025550199"


def notify(url):
    notifier = apprise.Apprise()
    assert notifier.add(url), url
    return notifier.notify(title="Acme", body="Your code is 271828")


assert notify(f"{twilio}/12025550100")
assert inbox.code() == "271828"
assert notify(f"{telesign}/12025550100")
assert inbox.sandbox.message(inbox.NUMBER)["provider"] == "telesign"
assert notify(f"fcm://{project}/{'a' * 40}/?keyfile={account}")
assert not notify(f"fcm://{project}/sbx-b-gone/?keyfile={account}")
assert [one["notification"]["body"] for one in inbox.pushes()] == ["Your code is 271828"]
