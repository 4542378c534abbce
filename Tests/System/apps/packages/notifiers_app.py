"""notifiers: a notice as a text of Twilio, and its errors.

Through: Twilio Messages
From: liiight/notifiers
Set: `NOTIFIERS_TWILIO_ACCOUNT_SID`, `NOTIFIERS_TWILIO_AUTH_TOKEN`, `NOTIFIERS_TWILIO_FROM`
"""

import os

import inbox
import notifiers

for name, value in (
        ("ACCOUNT_SID", os.environ["TWILIO_ACCOUNT_SID"]), ("AUTH_TOKEN", os.environ["TWILIO_AUTH_TOKEN"]),
        ("FROM", "+12025550199")):
    os.environ[f"NOTIFIERS_TWILIO_{name}"] = value

sent = notifiers.notify("twilio", to=inbox.NUMBER, message="Your code is 271828")
assert sent.ok, sent
assert sent.response.json()["sid"].startswith("SM"), sent.response.text
assert inbox.code() == "271828"
refused = notifiers.notify("twilio", to="+12", message="Your code is 271828")
assert (refused.ok, refused.errors) == (False, ["Invalid 'To' Phone Number: XXXX"]), refused
