"""pyfcm: a push with the service account's file, and its errors.

Through: FCM
From: olucurious/PyFCM
Set: `service_account_file`, `project_id` of `FCMNotification`
"""

import json
import os

import inbox
from pyfcm import FCMNotification
from pyfcm.errors import FCMNotRegisteredError, InvalidDataError

account = os.environ["GOOGLE_APPLICATION_CREDENTIALS"]
with open(account, encoding="utf-8") as file:
    project = json.load(file)["project_id"]
client = FCMNotification(service_account_file=account, project_id=project)

sent = client.notify(fcm_token="token-of-a-handset", notification_title="Acme", data_payload={"id": "1"})

assert sent["name"].startswith(f"projects/{project}/messages/"), sent
assert [one["data"]["id"] for one in inbox.pushes()] == ["1"]
for token, error in (("sbx-b-gone", FCMNotRegisteredError), ("", InvalidDataError)):
    try:
        client.notify(fcm_token=token, notification_title="Acme")
    except error:
        continue
    raise AssertionError(f"{token or 'no token'}: no {error.__name__}")
