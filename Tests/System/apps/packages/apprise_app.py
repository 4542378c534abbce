"""apprise: a notice as a text of Twilio and Telesign, and as a push of FCM."""

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
assert inbox.digits() == "271828"
assert notify(f"{telesign}/12025550100")
assert inbox.control("inbox/%2B12025550100/latest")["provider"] == "telesign"
assert notify(f"fcm://{project}/{'a' * 40}/?keyfile={account}")
assert not notify(f"fcm://{project}/sbx-b-gone/?keyfile={account}")
assert [one["notification"]["body"] for one in inbox.control("pushes")["pushes"]] == ["Your code is 271828"]
