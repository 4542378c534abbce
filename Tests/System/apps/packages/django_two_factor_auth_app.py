"""django-two-factor-auth: a user signs in with a password and the code of a text.

Through: Twilio Messages
From: jazzband/django-two-factor-auth
Set: `TWO_FACTOR_SMS_GATEWAY`, `TWILIO_ACCOUNT_SID`, `TWILIO_AUTH_TOKEN`, `TWILIO_CALLER_ID`
"""

import inbox
from django_app import answered
from two_factor_project import browser

login, step = "/account/login/", "login_view-current_step"

answered(browser.post(login, {step: "auth", "auth-username": "ada", "auth-password": "of ada"}))
done = browser.post(login, {step: "token", "token-otp_token": inbox.code()})

assert answered(done, 302).headers["Location"] == "/account/two_factor/"
