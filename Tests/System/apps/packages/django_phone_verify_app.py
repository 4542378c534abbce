"""django-phone-verify: a number is verified with a code that the app made and sent as a text.

Through: Twilio Messages
From: CuriousLearner/django-phone-verify
Set: `PHONE_VERIFICATION`: `BACKEND`, `OPTIONS`
"""

import django_app
import inbox
from django_app import answered

browser = django_app.client("rest_framework", "phone_verify", PHONE_VERIFICATION={
    "BACKEND": "phone_verify.backends.twilio.TwilioBackend", "TOKEN_LENGTH": 6, "APP_NAME": "Acme",
    "OPTIONS": {"SID": django_app.ACCOUNT, "SECRET": django_app.TOKEN, "FROM": django_app.SENDER},
    "MESSAGE": "Your code for {app} is {security_code}.", "SECURITY_CODE_EXPIRATION_TIME": 3600,
    "VERIFY_SECURITY_CODE_ONLY_ONCE": True})

from phone_verify.api import VerificationViewSet
from rest_framework.routers import SimpleRouter

router = SimpleRouter()
router.register("phone", VerificationViewSet, basename="phone")
urlpatterns = router.urls

number = {"phone_number": inbox.NUMBER}
session = answered(browser.post("/phone/register/", number)).json()
right = {**number, **session, "security_code": inbox.code()}
answered(browser.post("/phone/verify/", {**right, "security_code": "wrong"}), 400)
answered(browser.post("/phone/verify/", right))
