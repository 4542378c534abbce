"""apprise: a notice as a text of four providers, as a call, and as a push of FCM.

Through: Twilio Messages, Twilio Calls, Vonage SMS, Sinch SMS, Telesign, FCM
From: caronc/apprise
Set: `twilio://ACCOUNT:TOKEN@FROM/TO` (`?method=call`), `vonage://KEY:SECRET@FROM/TO`, \
`sinch://PLAN:TOKEN@FROM/TO`, `telesign://CUSTOMER:KEY@/TO`, `fcm://PROJECT/TOKEN/?keyfile=FILE`
"""

import json
import os
from urllib.parse import quote

import apprise
import inbox

account = os.environ["GOOGLE_APPLICATION_CREDENTIALS"]
with open(account, encoding="utf-8") as file:
    project = json.load(file)["project_id"]
sinch = inbox.sandbox.credentials["sinch"]
FROM, TO = "12025550199", inbox.NUMBER[1:]
TWILIO = f"twilio://{os.environ['TWILIO_ACCOUNT_SID']}:{os.environ['TWILIO_AUTH_TOKEN']}@{FROM}/{TO}"
VONAGE = f"vonage://{os.environ['VONAGE_API_KEY']}:{os.environ['VONAGE_API_SECRET']}@{FROM}/{TO}"
SINCH = f"sinch://{sinch['servicePlanId']}:{sinch['apiToken']}@{FROM}/{TO}"
TELESIGN = f"telesign://{os.environ['TELESIGN_CUSTOMER_ID']}:{quote(os.environ['TELESIGN_API_KEY'], safe='')}@/{TO}"


def notify(url, code="271828"):
    notifier = apprise.Apprise()
    assert notifier.add(url), url
    return notifier.notify(title="Acme", body=f"Your code is {code}")


for code, (provider, channel, url) in enumerate((
        ("twilio", "sms", TWILIO), ("twilio", "call", f"{TWILIO}?method=call"), ("vonage", "sms", VONAGE),
        ("sinch", "sms", SINCH), ("telesign", "sms", TELESIGN)), 271828):
    assert notify(url, code), url
    assert inbox.code(provider=provider, channel=channel) == str(code), url
assert not notify(f"{TWILIO[:-len(TO)]}12025550"), "a number that cannot exist"
assert notify(f"fcm://{project}/{'a' * 40}/?keyfile={account}")
assert not notify(f"fcm://{project}/sbx-b-gone/?keyfile={account}")
assert [one["notification"]["body"] for one in inbox.pushes()] == ["Your code is 271828"]
