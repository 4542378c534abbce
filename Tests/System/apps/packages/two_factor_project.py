"""A project with django-two-factor-auth, also as a plugin of pytest for the tests in Docs/Frameworks.md."""

import itertools
import os

import pytest

# Of a developer: no sandbox has it.
os.environ.setdefault("TWILIO_ACCOUNT_SID", "AC" + 32 * "a")
os.environ.setdefault("TWILIO_AUTH_TOKEN", 32 * "b")

import django_app

browser = django_app.client(
    "django_otp", "django_otp.plugins.otp_static", "django_otp.plugins.otp_totp", "two_factor",
    "two_factor.plugins.phonenumber", urls=__name__,
    middleware=["django_otp.middleware.OTPMiddleware", "two_factor.middleware.threadlocals.ThreadLocals"],
    LOGIN_URL="two_factor:login", LOGIN_REDIRECT_URL="/account/two_factor/",
    TWO_FACTOR_SMS_GATEWAY="two_factor.gateways.twilio.gateway.Twilio",
    TWO_FACTOR_CALL_GATEWAY="two_factor.gateways.twilio.gateway.Twilio", TWILIO_ACCOUNT_SID=django_app.ACCOUNT,
    TWILIO_AUTH_TOKEN=django_app.TOKEN, TWILIO_CALLER_ID=django_app.SENDER)

from django.contrib.auth.models import User
from django.urls import include, path
from django_otp.oath import totp
from two_factor.gateways.twilio.urls import urlpatterns as calls
from two_factor.plugins.phonenumber.models import PhoneDevice
from two_factor.urls import urlpatterns as two_factor

urlpatterns = [path("", include(two_factor)), path("", include(calls))]
# Its codes have no zero in front: a call would not say it.
key = next(key for key in (f"{number:040x}" for number in itertools.count(1)) if totp(bytes.fromhex(key)) > 99999)
for name, method in (("ada", "sms"), ("bob", "call")):
    user = User.objects.create_user(name, password=f"of {name}")
    PhoneDevice.objects.create(user=user, name="default", number="+12025550100", method=method, key=key)


@pytest.fixture
def client():
    return browser
