"""Pushes to handsets with Google's official client, signed in by application default credentials."""

import firebase_admin
from firebase_admin import messaging

firebase_admin.initialize_app()
greeting = messaging.Message(token="token-of-a-handset", data={"type": "greeting"})

print(messaging.send(greeting))
print(messaging.send_each([greeting, greeting]).success_count)
