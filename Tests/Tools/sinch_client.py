"""Sinch's official client of a sandbox, and plain requests."""

import base64
import hashlib
import hmac

import requests
from sinch import SinchClient

BASE = "/verification/v1/verifications"


class Refused:
    """Expects the client's exception of this kind with this status and code; `member` has the code."""

    def __init__(self, exception, member, status, code):
        self.exception, self.member, self.status, self.code = exception, member, status, code

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        assert isinstance(error, self.exception), f"expected a refusal, got {error!r}"
        assert (error.http_response.status_code, error.http_response.body[self.member]) == (self.status, self.code)
        assert str(error)
        return True


def connect(sandbox, key=None, secret=None):
    own = sandbox.credentials["sinch"]
    client = SinchClient(
        application_key=key or own["applicationKey"], application_secret=secret or own["applicationSecret"])
    client.configuration.verification_origin = sandbox.base.partition("://")[2]
    client.configuration.disable_https = True
    return client


def connect_sms(sandbox, kind, secret=None):
    """With the access key of the project, or with the API token of the service plan. The client looks for
    some operations of a plan at the host of projects."""
    own = sandbox.credentials["sinch"]
    plan = {"service_plan_id": own["servicePlanId"], "sms_api_token": own["apiToken"]} if kind == "plan" else {}
    client = SinchClient(
        project_id=own["projectId"], key_id=own["keyId"], key_secret=secret or own["keySecret"], **plan)
    origin = sandbox.base.partition("://")[2] + "/sinch"
    client.configuration.auth_origin = client.configuration.sms_domain = origin
    client.configuration.sms_domain_with_service_plan_id = origin
    client.configuration.disable_https = True
    return client


def identity(number):
    return {"type": "number", "endpoint": number}


class Plain:
    """Requests with Basic authorization, for what the client does not have."""

    def __init__(self, sandbox):
        own = sandbox.credentials["sinch"]
        self.base, self.pair = sandbox.base + BASE, (own["applicationKey"], own["applicationSecret"])

    def __call__(self, method, path="", **named):
        return requests.request(method, self.base + path, auth=self.pair, timeout=20, **named)

    def start(self, method, number, **more):
        return self("POST", json={"identity": identity(number), "method": method, **more})

    def report(self, method, proof, number):
        member, name = ("flashCall", "cli") if method == "flashcall" else (method, "code")
        return self("PUT", f"/number/{number}", json={"method": method, member: {name: proof}})

    def status(self, method, number):
        return self("GET", f"/{method}/number/{number}")


def is_signed(sandbox, path, headers, body):
    """True if a callback has the application's signature (`sinch-verification.md` 1 and 7)."""
    own = sandbox.credentials["sinch"]
    headers = {name.lower(): value for name, value in headers.items()}
    digest = base64.b64encode(hashlib.md5(body).digest()).decode()
    text = "\n".join(
        ["POST", digest, headers.get("content-type", ""), f"x-timestamp:{headers.get('x-timestamp', '')}", path])
    key = base64.b64decode(own["applicationSecret"])
    signature = base64.b64encode(hmac.new(key, text.encode(), hashlib.sha256).digest()).decode()
    return headers.get("authorization") == f"Application {own['applicationKey']}:{signature}"
