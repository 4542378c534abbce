"""A person's browser on a handset, which the CAMARA authorization server sends to the client's URL."""

import urllib.parse

import requests

REDIRECT = "http://127.0.0.1:8080/callback"
SCOPES = "number-verification:verify number-verification:device-phone-number:read"


def returned(url, handset):
    """The query with which the browser reaches the client's URL."""
    for _ in range(10):
        answer = requests.get(url, headers={"X-Sandbox-Handset": handset}, allow_redirects=False, timeout=10)
        url = answer.headers["Location"]
        if url.startswith(REDIRECT):
            return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    raise AssertionError(f"the chain does not end at {REDIRECT}: {url}")


def code(base, client, handset):
    """A code for Number Verification, which a client exchanges."""
    query = urllib.parse.urlencode({
        "client_id": client, "redirect_uri": REDIRECT, "response_type": "code", "state": "s", "nonce": "n",
        "scope": f"openid dpv:FraudPreventionAndDetection {SCOPES}"})
    return returned(f"{base}/camara/oauth2/authorize?{query}", handset)["code"]
