"""An application of CAMARA's operator: plain requests, as no official client calls the standard paths."""

import urllib.parse

import requests

PURPOSE = "dpv:FraudPreventionAndDetection"
REDIRECT = "http://127.0.0.1:8080/callback"
SWAPS = "sim-swap-subscriptions"
SWAPPED = f"org.camaraproject.{SWAPS}.v0.swapped"


class Plain:
    """Requests with bearer tokens of the sandbox's client."""

    def __init__(self, sandbox):
        self.sandbox, self.base = sandbox, sandbox.base
        own = sandbox.credentials["camara"]
        self.client = {"client_id": own["clientId"], "client_secret": own["clientSecret"]}

    def ask_for_token(self, **form):
        return requests.post(f"{self.base}/camara/oauth2/token", data={**self.client, **form}, timeout=20)

    def token(self, scope):
        """A token that names no subscriber."""
        answer = self.ask_for_token(grant_type="client_credentials", scope=scope)
        assert answer.status_code == 200, answer.text
        return answer.json()["access_token"]

    def post(self, path, body, token):
        return requests.post(f"{self.base}{path}", json=body, headers=bearer(token), timeout=20)

    def get(self, path, token):
        return requests.get(f"{self.base}{path}", headers=bearer(token), timeout=20)

    def authorization_url(self, scope="number-verification:verify", **more):
        query = {"client_id": self.client["client_id"], "redirect_uri": REDIRECT, "response_type": "code", "state": "s",
                 "nonce": "n", "scope": f"openid {PURPOSE} {scope}", **more}
        return f"{self.base}/camara/oauth2/authorize?{urllib.parse.urlencode(query)}"

    def sign_in(self, handset, **more):
        """The fields with which a browser on a handset comes back; those of a problem if it does not."""
        url = self.authorization_url(**more)
        for _ in range(20):
            try:
                answer = requests.get(url, headers={"X-Sandbox-Handset": handset}, allow_redirects=False, timeout=5)
            except requests.Timeout:
                return {"problem": "timed out"}
            if "Location" not in answer.headers:
                return {"problem": f"HTTP {answer.status_code} without a redirect"}
            url = answer.headers["Location"]
            if url.startswith(REDIRECT):
                return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        return {"problem": "more than 20 redirects"}

    def exchange(self, code):
        return self.ask_for_token(grant_type="authorization_code", code=code, redirect_uri=REDIRECT)

    def subscribe(self, sink, number, token, receiver_token):
        """To one SIM swap, after which the subscription ends."""
        credential = {"credentialType": "ACCESSTOKEN", "accessToken": receiver_token,
                      "accessTokenExpiresUtc": "2099-01-01T00:00:00Z", "accessTokenType": "bearer"}
        return self.post(f"/{SWAPS}/v0.3/subscriptions", {
            "protocol": "HTTP", "sink": sink, "sinkCredential": credential, "types": [SWAPPED],
            "config": {"subscriptionDetail": {"phoneNumber": number}, "subscriptionMaxEvents": 1}}, token)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}
