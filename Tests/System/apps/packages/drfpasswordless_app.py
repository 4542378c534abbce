"""drfpasswordless: a user signs in with a code alone, which the app sends as a text.

Through: Twilio Messages
From: aaronn/django-rest-framework-passwordless
Set: `TWILIO_ACCOUNT_SID`, `TWILIO_AUTH_TOKEN`, `PASSWORDLESS_MOBILE_NOREPLY_NUMBER`
"""

import django_app
import inbox
from django_app import answered

browser = django_app.client(
    "rest_framework", "rest_framework.authtoken", "drfpasswordless", "people", AUTH_USER_MODEL="people.User",
    PASSWORDLESS_AUTH={
        "PASSWORDLESS_AUTH_TYPES": ["MOBILE"], "PASSWORDLESS_MOBILE_NOREPLY_NUMBER": django_app.SENDER})

from django.urls import include, path

urlpatterns = [path("", include("drfpasswordless.urls"))]
mobile = {"mobile": inbox.NUMBER}

answered(browser.post("/auth/mobile/", mobile))
code = inbox.code()
answered(browser.post("/auth/token/", {**mobile, "token": "000000" if code != "000000" else "000001"}), 400)
signed_in = browser.post("/auth/token/", {**mobile, "token": code})

assert len(answered(signed_in).json()["token"]) == 40
