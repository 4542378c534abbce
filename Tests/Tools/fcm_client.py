"""Sends pushes through a sandbox: with the official firebase-admin, and with plain requests."""

import json

import firebase_admin
import requests
from firebase_admin import credentials, messaging

UNREGISTERED = "UNREGISTERED"


class Gateway:
    """A firebase-admin app whose private URL constants point at the sandbox (contract 1.5, b)."""

    def __init__(self, sandbox, monkeypatch):
        self.sandbox = sandbox
        own = sandbox.credentials["fcm"]
        self.project = own["projectId"]
        self.account = {**json.loads(own["serviceAccount"]), "token_uri": f"{sandbox.base}/fcm/token"}
        self.url = f"{sandbox.base}/v1/projects/{self.project}/messages:send"
        monkeypatch.setattr(
            messaging._MessagingService, "FCM_URL", f"{sandbox.base}/v1/projects/{{0}}/messages:send")
        self.app = firebase_admin.initialize_app(credentials.Certificate(self.account), name=sandbox.name)
        own = messaging._get_messaging_service(self.app)
        monkeypatch.setattr(own, "_fcm_topic_url", f"{sandbox.base}/v1/projects/{self.project}/registrations")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        firebase_admin.delete_app(self.app)

    def token(self):
        """An access token that the client requested."""
        return self.app.credential.get_access_token().access_token

    def post(self, message, token=None, url=None, **members):
        """The response to a plain request. An empty `token` sends none."""
        token = self.token() if token is None else token
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        body = {"message": message, **members}
        return requests.post(url or self.url, json=body, headers=headers, timeout=20)

    def send(self, dry_run=False, **members):
        return messaging.send(messaging.Message(**members), dry_run=dry_run, app=self.app)

    def pushes(self, **query):
        return self.sandbox.control("GET", "pushes", params=query).json()["pushes"]

    def attempts(self, **query):
        return self.sandbox.control("GET", "pushes/attempts", params=query).json()["attempts"]

    def settings(self, **settings):
        self.sandbox.seed(fcm={"settings": settings})

    def ios(self, token, **members):
        return self.sandbox.control("POST", "devices", json={
            "provider": "fcm", "platform": "ios", "app": "com.example.app", "pushToken": token, **members}).json()


def error_of(answer, status, word):
    """The error of a response with this HTTP status and status name; `fcm` is from its details."""
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["status"]) == (status, status, word), answer.text
    details = error.get("details", [])
    error["fcm"] = [detail["errorCode"] for detail in details if detail["@type"].endswith("FcmError")]
    return error
