"""A project with django-two-factor-auth, also as a plugin of pytest for the tests in Docs/Frameworks.md."""

import os

import pytest

# Of a developer: no sandbox has it.
os.environ.setdefault("TWILIO_ACCOUNT_SID", "AC" + 32 * "a")
os.environ.setdefault("TWILIO_AUTH_TOKEN", 32 * "b")

import django_app

browser = django_app.client(
    "django_otp", "django_otp.plugins.otp_static", "django_otp.plugins.otp_totp", "two_factor",
    "two_factor.plugins.phonenumber", urls=__name__, middleware=["django_otp.middleware.OTPMiddleware"],
    LOGIN_URL="two_factor:login", LOGIN_REDIRECT_URL="/account/two_factor/",
    TWO_FACTOR_SMS_GATEWAY="two_factor.gateways.twilio.gateway.Twilio", TWILIO_ACCOUNT_SID=django_app.ACCOUNT,
    TWILIO_AUTH_TOKEN=django_app.TOKEN, TWILIO_CALLER_ID=django_app.SENDER)

from django.contrib.auth.models import User
from django.urls import include, path
from two_factor.plugins.phonenumber.models import PhoneDevice
from two_factor.urls import urlpatterns as two_factor

urlpatterns = [path("", include(two_factor))]
ada = User.objects.create_user("ada", password="of ada")
PhoneDevice.objects.create(user=ada, name="default", number="+12025550100", method="sms", key="0a" * 20)


@pytest.fixture
def client():
    return browser
