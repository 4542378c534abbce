"""django-twilio: its client sends a text, and its view checks the signature of the receipts.

Through: Twilio Messages, webhooks
From: rdegges/django-twilio
Set: `TWILIO_ACCOUNT_SID`, `TWILIO_AUTH_TOKEN`
"""

import queue
import threading
import wsgiref.simple_server

import django_app
import inbox
from django_app import answered

browser = django_app.client("django_twilio")

from django.core.wsgi import get_wsgi_application
from django.urls import path
from django_twilio.client import twilio_client
from django_twilio.decorators import twilio_view
from twilio.twiml.messaging_response import MessagingResponse

receipts = queue.Queue()


@twilio_view
def status(request):
    receipts.put(request.POST.dict())
    return MessagingResponse()


class Quiet(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *_):
        pass


urlpatterns = [path("status", status)]
with wsgiref.simple_server.make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sent = twilio_client.messages.create(
        to=inbox.NUMBER, from_=django_app.SENDER, body="Hello", status_callback=f"http://127.0.0.1:{server.server_port}/status")
    while (receipt := receipts.get(timeout=20))["MessageStatus"] != "delivered":
        assert receipt["MessageSid"] == sent.sid
    server.shutdown()

answered(browser.post("/status", {"MessageSid": sent.sid}, headers={"X-Twilio-Signature": "wrong"}), 403)
