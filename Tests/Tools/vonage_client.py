"""Vonage's official Python client of a sandbox. It speaks HTTPS only."""

import functools
import time

import jwt
from requests.adapters import HTTPAdapter
from vonage import Auth, HttpClientOptions, Vonage

import ringfence

WITH_TLS = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "127.0.0.1:0")


class WithoutTLS(HTTPAdapter):
    """Sends requests for `https://` to the same address over HTTP, for servers without HTTPS."""

    def send(self, request, **named):
        request.url = request.url.replace("https://", "http://", 1)
        return super().send(request, **named)


class Clients:
    """Clients of one sandbox. A `server` listens on HTTPS too, and requests trusts its authority; without it,
    the clients use HTTP."""

    def __init__(self, sandbox, server=None):
        self.sandbox = sandbox
        self.own = sandbox.credentials["vonage"]
        self.is_secure = server is not None
        origin = server.https if server else sandbox.origin
        self.host = f"{origin.split('//')[1]}/s/{sandbox.name}/vonage"

    def client(self, **auth):
        client = Vonage(Auth(**auth), HttpClientOptions(api_host=self.host, rest_host=self.host, timeout=20))
        if not self.is_secure:
            client.http_client._session.mount("https://", WithoutTLS())
        return client

    @functools.cached_property
    def application(self):
        """Signs tokens for Verify v2 and Identity Insights; has key and secret for the others."""
        return self.client(
            api_key=self.own["apiKey"], api_secret=self.own["apiSecret"], application_id=self.own["applicationId"],
            private_key=self.own["privateKey"])

    @functools.cached_property
    def account(self):
        """Key and secret only."""
        return self.client(api_key=self.own["apiKey"], api_secret=self.own["apiSecret"])

    def token(self, key=None, **claims):
        """A token with other claims than the client's, or another key."""
        now = int(time.time())
        known = {"application_id": self.own["applicationId"], "iat": now, "exp": now + 900, "jti": "1"}
        return jwt.encode({**known, **claims}, key or self.own["privateKey"], algorithm="RS256")

    def settings(self, **values):
        self.sandbox.seed(vonage={"settings": values})

    def receive_at(self, url):
        self.sandbox.seed(vonage={"applications": [{"id": self.own["applicationId"], "statusUrl": url}]})


def serve(folder):
    return ringfence.Server("--data", folder, listeners=WITH_TLS)
