"""django-two-factor-auth: a user signs in with a password and the code of a text.

Through: Twilio Messages
From: jazzband/django-two-factor-auth
Set: `TWO_FACTOR_SMS_GATEWAY`, `TWILIO_ACCOUNT_SID`, `TWILIO_AUTH_TOKEN`, `TWILIO_CALLER_ID`
"""

import django_app
import inbox
from django_app import answered

browser = django_app.client(
    "django_otp", "django_otp.plugins.otp_static", "django_otp.plugins.otp_totp", "two_factor",
    "two_factor.plugins.phonenumber", middleware=["django_otp.middleware.OTPMiddleware"],
    LOGIN_URL="two_factor:login", LOGIN_REDIRECT_URL="/account/two_factor/",
    TWO_FACTOR_SMS_GATEWAY="two_factor.gateways.twilio.gateway.Twilio", TWILIO_ACCOUNT_SID=django_app.ACCOUNT,
    TWILIO_AUTH_TOKEN=django_app.TOKEN, TWILIO_CALLER_ID=django_app.SENDER)

from django.contrib.auth.models import User
from django.urls import include, path
from two_factor.plugins.phonenumber.models import PhoneDevice
from two_factor.urls import urlpatterns as two_factor

urlpatterns = [path("", include(two_factor))]
user = User.objects.create_user("ada", password="of ada")
PhoneDevice.objects.create(user=user, name="default", number=inbox.NUMBER, method="sms", key="0a" * 20)
login, step = "/account/login/", "login_view-current_step"

answered(browser.post(login, {step: "auth", "auth-username": "ada", "auth-password": "of ada"}))
done = browser.post(login, {step: "token", "token-otp_token": inbox.code()})

assert answered(done, 302).headers["Location"] == "/account/two_factor/"
