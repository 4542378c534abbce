"""django-two-factor-auth: users sign in with a password and the code of a text, or that of a call.

Through: Twilio Messages, Twilio Calls
From: jazzband/django-two-factor-auth
Set: `TWO_FACTOR_SMS_GATEWAY`, `TWO_FACTOR_CALL_GATEWAY`, `TWILIO_ACCOUNT_SID`, `TWILIO_AUTH_TOKEN`, \
`TWILIO_CALLER_ID`
"""

import django_app
import inbox
from django_app import answered
from two_factor_project import browser

login, step = "/account/login/", "login_view-current_step"

with django_app.served() as host:
    for name, channel in (("ada", "sms"), ("bob", "call")):
        password = {step: "auth", "auth-username": name, "auth-password": f"of {name}"}
        answered(browser.post(login, password, headers={"host": host}))
        token = {step: "token", "token-otp_token": inbox.code(channel=channel)}
        done = browser.post(login, token, headers={"host": host})
        assert answered(done, 302).headers["Location"] == "/account/two_factor/"
        browser.logout()
