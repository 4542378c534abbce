"""django-twilio: its client sends a text, and its view checks the signature of the receipts.

Through: Twilio Messages, webhooks
From: rdegges/django-twilio
Set: `TWILIO_ACCOUNT_SID`, `TWILIO_AUTH_TOKEN`
"""

import queue

import django_app
import inbox
from django_app import answered

browser = django_app.client("django_twilio")

from django.urls import path
from django_twilio.client import twilio_client
from django_twilio.decorators import twilio_view
from twilio.twiml.messaging_response import MessagingResponse

receipts = queue.Queue()


@twilio_view
def status(request):
    receipts.put(request.POST.dict())
    return MessagingResponse()


urlpatterns = [path("status", status)]
with django_app.served() as host:
    sent = twilio_client.messages.create(
        to=inbox.NUMBER, from_=django_app.SENDER, body="Hello", status_callback=f"http://{host}/status")
    while (receipt := receipts.get(timeout=20))["MessageStatus"] != "delivered":
        assert receipt["MessageSid"] == sent.sid

answered(browser.post("/status", {"MessageSid": sent.sid}, headers={"X-Twilio-Signature": "wrong"}), 403)
