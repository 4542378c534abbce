"""django-phone-verify: a number is verified with a code that the app made and sent as a text.

Through: Twilio Messages, Vonage SMS
From: CuriousLearner/django-phone-verify
Set: `PHONE_VERIFICATION`: `BACKEND`, `OPTIONS`
"""

import os
import warnings

import django_app
import inbox
from django.test import override_settings
from django_app import answered

warnings.simplefilter("ignore", DeprecationWarning)  # of `nexmo`
TWILIO = {"SID": django_app.ACCOUNT, "SECRET": django_app.TOKEN, "FROM": django_app.SENDER}
VONAGE = {"KEY": os.environ["VONAGE_API_KEY"], "SECRET": os.environ["VONAGE_API_SECRET"], "FROM": "Acme"}
settings = {
    "TOKEN_LENGTH": 6, "APP_NAME": "Acme", "MESSAGE": "Your code for {app} is {security_code}.",
    "SECURITY_CODE_EXPIRATION_TIME": 3600, "VERIFY_SECURITY_CODE_ONLY_ONCE": True}
browser = django_app.client("rest_framework", "phone_verify")

number = {"phone_number": inbox.NUMBER}
for provider, backend, options in (("twilio", "twilio.TwilioBackend", TWILIO), ("vonage", "nexmo.NexmoBackend", VONAGE)):
    with override_settings(PHONE_VERIFICATION={
            **settings, "BACKEND": f"phone_verify.backends.{backend}", "OPTIONS": options}):
        from phone_verify.api import VerificationViewSet
        from rest_framework.routers import SimpleRouter

        router = SimpleRouter()
        router.register("phone", VerificationViewSet, basename="phone")
        urlpatterns = router.urls
        session = answered(browser.post("/phone/register/", number)).json()
        right = {**number, **session, "security_code": inbox.code(provider=provider)}
        answered(browser.post("/phone/verify/", {**right, "security_code": "wrong"}), 400)
        answered(browser.post("/phone/verify/", right))
