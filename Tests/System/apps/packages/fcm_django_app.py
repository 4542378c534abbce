"""fcm-django: a push reaches a device, and a device that is gone is deactivated.

Through: FCM
From: xtrinch/fcm-django
Set: `GOOGLE_APPLICATION_CREDENTIALS`
"""

import django_app
import firebase_admin
import inbox

firebase_admin.initialize_app()
django_app.client("fcm_django", FCM_DJANGO_SETTINGS={"DELETE_INACTIVE_DEVICES": False})

from fcm_django.models import FCMDevice
from firebase_admin.messaging import Message, Notification

message = Message(notification=Notification(title="Acme", body="Sign in?"), data={"id": "1"})
for token in ("token-of-a-handset", "sbx-b-gone"):
    FCMDevice.objects.create(registration_id=token, type="android")

sent = FCMDevice.objects.all().send_message(message)

assert [one.success for one in sent.response.responses] == [True, False], sent
assert sent.deactivated_registration_ids == ["sbx-b-gone"], sent
assert [one["data"]["id"] for one in inbox.pushes()] == ["1"]
