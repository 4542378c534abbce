"""Sends notifications through a sandbox's APNs: plain requests, with provider tokens like those of Apple's clients."""

import calendar
import time

import jwt
import requests

TOKEN = "0a" * 32
TOPIC = "com.example.app"
START = calendar.timegm(time.strptime("2026-01-05T10:20:30", "%Y-%m-%dT%H:%M:%S"))


class Gateway:
    """Posts to the sandbox's address over HTTP/1.1, with Apple's host name unless another is given."""

    def __init__(self, sandbox):
        self.sandbox = sandbox
        self.key = sandbox.credentials["apns"]

    def provider_token(self, age=0, team=None, key_id=None, key=None):
        """Signed by the sandbox's clock, or so many seconds ago."""
        claims = {"iss": team or self.key["teamId"], "iat": START - age}
        return jwt.encode(claims, key or self.key["authKey"], "ES256", {"kid": key_id or self.key["keyId"]})

    def post(self, payload, token=TOKEN, provider_token=None, host="api.push.apple.com", **headers):
        """`apns_push_type="voip"` is the header apns-push-type; None leaves a header out."""
        signed = self.provider_token() if provider_token is None else provider_token
        fields = {"apns_topic": TOPIC, "authorization": f"bearer {signed}", **headers}
        fields = {name.replace("_", "-"): value for name, value in fields.items() if value is not None}
        return requests.post(
            f"{self.sandbox.base}/apns/3/device/{token}", json=payload, timeout=20, headers={"Host": host, **fields})

    def pushes(self, **query):
        return self.sandbox.control("GET", "pushes", params=query).json()["pushes"]

    def attempts(self, **query):
        return self.sandbox.control("GET", "pushes/attempts", params=query).json()["attempts"]

    def settings(self, **settings):
        self.sandbox.seed(apns={"settings": settings})

    def device(self, **members):
        return self.sandbox.control("POST", "devices", json={
            "provider": "apns", "platform": "ios", "app": TOPIC, **members}).json()


def alert(text="Sign in?", **more):
    return {"aps": {"alert": text}, **more}


def refused(answer, status, reason):
    """The error of a response with this status and reason."""
    assert (answer.status_code, answer.json()["reason"]) == (status, reason), answer.text
    return answer.json()
