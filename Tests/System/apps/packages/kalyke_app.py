"""kalyke-apns, whose tokens have their date as text.

Through: APNs
From: nnsnodnb/kalyke
Set: key file, key ID, team ID of `ApnsClient`
"""

import asyncio
import os

import inbox
from kalyke import ApnsClient, ApnsConfig, Payload, PayloadAlert

client = ApnsClient(
    use_sandbox=True, team_id=os.environ["APNS_TEAM_ID"], auth_key_id=os.environ["APNS_KEY_ID"],
    auth_key_filepath=os.environ["APNS_KEY_FILE"])

payload = Payload(alert=PayloadAlert(title="Acme", body="Sign in?"))

sent = asyncio.run(client.send_message("0a" * 32, payload, ApnsConfig(topic="com.example.app")))

assert len(sent) == 36, sent
assert [one["via"] for one in inbox.pushes()] == ["apns"]
