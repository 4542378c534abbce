"""apns2 (PyAPNs2) 0.7.2, whose tokens have a fraction of a second."""

import collections.abc
import os

# Its HTTP client `hyper` looks for these names where Python had them up to 3.9.
for name in ("Iterable", "Mapping", "MutableMapping", "MutableSet"):
    setattr(collections, name, getattr(collections.abc, name))

import inbox
from apns2.client import APNsClient, Notification
from apns2.credentials import TokenCredentials
from apns2.errors import Unregistered
from apns2.payload import Payload

client = APNsClient(TokenCredentials(
    auth_key_path=os.environ["APNS_KEY_FILE"], auth_key_id=os.environ["APNS_KEY_ID"], team_id=os.environ["APNS_TEAM_ID"]))
topic, payload = "com.example.app", Payload(alert="Sign in?")

client.send_notification("0a" * 32, payload, topic)
assert [one["via"] for one in inbox.pushes()] == ["apns"]
try:
    client.send_notification("sbx-b-gone", payload, topic)
except Unregistered:
    pass
else:
    raise AssertionError("no error for a token that is gone")
batch = [Notification(token=f"{number:064x}", payload=payload) for number in range(1, 21)]
assert set(client.send_notification_batch(batch, topic).values()) == {"Success"}
