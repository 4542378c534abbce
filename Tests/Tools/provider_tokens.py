"""Signs in to every provider of a sandbox, and presents what it gets to that sandbox or to another one."""

import base64
import json
from urllib.parse import urlsplit

import jwt
import requests

import apns_client
import camara_client
import hyphen_client
import prove_client
import sinch_client
import vonage_client

NUMBER = "+12025550100"
IDENTITY = "user-00000001"
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"


class Keys:
    """What the clients of one sandbox hold. Each member is made once; `MADE` lists those that somebody can
    steal."""

    def __init__(self, sandbox):
        self.sandbox, self.own = sandbox, sandbox.credentials
        prove, twilio = self.own["prove"], self.own["twilio"]
        self.prove_access_token = self.token("prove/token", grant_type="client_credentials",
                                             client_id=prove["clientId"], client_secret=prove["clientSecret"])
        self.used_auth_token = self.unify()
        self.prove_session = self.prove_device("authenticate", self.used_auth_token).json()["authId"]
        self.prove_auth_token = self.unify()
        self.twilio_oauth_token = self.token(
            "oauth/v2/token", grant_type="client_credentials", client_id=twilio["oauthClientId"],
            client_secret=twilio["oauthClientSecret"])
        self.twilio_factor_token = self.twilio(
            "AccessTokens", Identity=IDENTITY, FactorType="push")["token"]
        self.twilio_silent_url = self.twilio("Verifications", To=NUMBER, Channel="sna")["sna"]["url"]
        self.telesign_app_token = self.telesign(
            "verification", {"recipient": {"phone_number": "15558675309"}, "push_registration": True,
                             "verification_policy": [{"method": "push", "fallback_time": 60}, {"method": "sms"}]})["mobile_app_token"]
        self.telesign_silent_url = self.telesign("silent/initiate", {"phone_number": "15558675309"})["verification_url"]
        self.phone = hyphen_client.Phone(sandbox, "phone", email="mara@example.test").sign_up()
        self.hyphen_access_token = self.phone.credentials["accessToken"]
        self.hyphen_refresh_token = self.phone.credentials["refreshToken"]
        self.fcm_access_token = self.token("fcm/token", grant_type=GRANT, assertion=self.assertion())
        self.fcm_assertion = self.assertion()
        gateway = apns_client.Gateway(sandbox)
        self.apns_provider_token = gateway.provider_token()
        self.prelude_api_token, self.prelude_sdk_key = self.own["prelude"]["apiToken"], self.own["prelude"]["sdkKey"]
        self.telesign_key = basic(self.own["telesign"]["customerId"], self.own["telesign"]["apiKey"])
        self.sinch_key = basic(self.own["sinch"]["applicationKey"], self.own["sinch"]["applicationSecret"])
        self.sinch_target = sinch_client.Plain(sandbox).start("seamless", NUMBER).json()["seamless"]["targetUri"]
        sinch = self.own["sinch"]
        self.sinch_api_token = sinch["apiToken"]
        self.sinch_access_token = requests.post(
            f"{sandbox.base}/sinch/oauth2/token", data={"grant_type": "client_credentials"}, timeout=20,
            auth=(sinch["keyId"], sinch["keySecret"])).json()["access_token"]
        vonage = self.own["vonage"]
        self.vonage_key = basic(vonage["apiKey"], vonage["apiSecret"])
        self.vonage_token = vonage_client.Clients(sandbox).token()
        self.vonage_silent_url = self.post("v2/verify", {"brand": "Acme", "workflow": [
            {"channel": "silent_auth", "to": NUMBER[1:]}]}, self.vonage_token).json()["check_url"]
        self.camara = camara_client.Plain(sandbox)
        self.camara_key = basic(self.own["camara"]["clientId"], self.own["camara"]["clientSecret"])
        self.camara_access_token = self.camara.token("sim-swap")
        code = self.camara.sign_in(NUMBER, scope="sim-swap offline_access")["code"]
        self.camara_refresh_token = self.camara.exchange(code).json()["refresh_token"]
        self.twilio_auth_token = basic(twilio["accountSid"], twilio["authToken"])
        self.twilio_api_key = basic(twilio["apiKeySid"], twilio["apiKeySecret"])
        device = sandbox.session.post(f"{sandbox.base}/control/devices", timeout=20, json={
            "provider": "apns", "platform": "ios", "app": apns_client.TOPIC, "number": NUMBER}).json()
        self.push_token, self.apns_token = device["pushToken"], device["apnsToken"]
        assert gateway.post(token=self.apns_token).status_code == 200

    MADE = ("prove_access_token", "prove_session", "prove_auth_token", "twilio_oauth_token", "twilio_factor_token",
            "twilio_silent_url", "telesign_app_token", "telesign_silent_url", "hyphen_access_token", "hyphen_refresh_token",
            "fcm_access_token", "fcm_assertion", "apns_provider_token", "prelude_api_token", "prelude_sdk_key", "telesign_key",
            "vonage_key", "vonage_token", "vonage_silent_url", "sinch_key", "sinch_target",
            "sinch_api_token", "sinch_access_token", "camara_key",
            "camara_access_token", "camara_refresh_token", "twilio_auth_token", "twilio_api_key", "push_token", "apns_token")

    def present(self, name, to):
        """True if the sandbox of other keys accepts one of these, with everything else that a client of it
        knows."""
        return PRESENTATIONS[name](getattr(self, name), to)

    # How clients sign in

    def token(self, path, **form):
        answer = requests.post(f"{self.sandbox.base}/{path}", data=form, timeout=20)
        assert answer.status_code == 200, answer.text
        return answer.json()["access_token"]

    def unify(self):
        body = {"phoneNumber": "2001004014", "possessionType": "mobile"}
        return self.post("v3/unify", body, self.prove_access_token).json()["authToken"]

    def prove_device(self, path, token):
        return self.post(f"handset/prove/v1/{path}", {"platform": "web", "role": "primary", "features": ["otp"]}, token)

    def twilio(self, resource, **form):
        own = self.own["twilio"]
        answer = requests.post(f"{self.sandbox.base}/v2/Services/{own['serviceSid']}/{resource}", data=form, timeout=20,
                               auth=(own["accountSid"], own["authToken"]))
        assert answer.status_code == 201, answer.text
        return answer.json()

    def telesign(self, path, body):
        own = self.own["telesign"]
        answer = requests.post(
            f"{self.sandbox.base}/telesign/{path}", json=body, auth=(own["customerId"], own["apiKey"]), timeout=20)
        assert answer.ok, answer.text
        return answer.json()

    def assertion(self, **claims):
        account = json.loads(self.own["fcm"]["serviceAccount"])
        whole = {"iss": account["client_email"], "aud": account["token_uri"], "iat": apns_client.START,
                 "exp": apns_client.START + 3600, "scope": "https://www.googleapis.com/auth/firebase.messaging", **claims}
        return jwt.encode(whole, account["private_key"], "RS256")

    def post(self, path, body, token):
        return requests.post(f"{self.sandbox.base}/{path}", json=body, headers=bearer(token), timeout=20)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def basic(name, password):
    return {"Authorization": "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()}


def moved(url, to):
    """The URL with the prefix of another sandbox."""
    return to.sandbox.base + "/" + urlsplit(url).path.split("/", 3)[3]


def accepts_factor_token(token, to):
    header, rest = token.split(".", 1)
    claims = json.loads(base64.urlsafe_b64decode(header + "=="))
    claims["kid"] = to.own["twilio"]["accountSid"]
    renamed = base64.urlsafe_b64encode(json.dumps(claims, separators=(",", ":")).encode()).decode().rstrip("=")
    key = hyphen_client.ec.generate_private_key(hyphen_client.ec.SECP256R1()).public_key()
    form = {"FriendlyName": "Phone", "FactorType": "push", "Binding.PublicKey": public(key), "Binding.Alg": "ES256",
            "Config.AppId": "com.example.app", "Config.NotificationPlatform": "none", "Config.SdkVersion": "3.0.2"}
    url = f"{to.sandbox.base}/v2/Services/{to.own['twilio']['serviceSid']}/Entities/{IDENTITY}/Factors"
    return requests.post(url, data=form, headers=basic("token", f"{renamed}.{rest}"), timeout=20).ok


def public(key):
    from cryptography.hazmat.primitives import serialization

    return base64.b64encode(key.public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)).decode()


def accepts_silent_url(url, to):
    return requests.get(moved(url, to), allow_redirects=False, timeout=20).status_code == 302


def get(path, headers, to):
    return requests.get(f"{to.sandbox.base}/{path}", headers=headers, timeout=20).ok


def accepts_fcm_token(token, to):
    # Only Google knows whose number this is, so any project's token may name it.
    return to.post("v1/projects/123456789012/messages:send", {"message": {"topic": "news"}}, token).ok


def accepts_push_token(token, to):
    pushes = requests.get(f"{to.sandbox.base}/control/phone/pushes", params={"token": token}, timeout=20).json()["pushes"]
    return len(pushes) > 0


def signals(key, to):
    headers = {"X-SDK-Key": key, "X-SDK-DispatchID": "01234567-89ab-4cde-8f01-23456789abcd"}
    return requests.post(f"{to.sandbox.base}/v1/signals", data=b"signals", headers=headers, timeout=20).ok


PRESENTATIONS = {
    "prove_access_token": lambda token, to: to.post(
        "v3/unify", {"phoneNumber": "2001004014", "possessionType": "mobile"}, token).ok,
    "prove_session": lambda session, to: to.prove_device(f"{session}/cancel", to.used_auth_token).ok
    if session == to.prove_session else requests.post(
        f"{to.sandbox.base}/handset/prove/v1/{session}/cancel", json={}, timeout=20).ok,
    "prove_auth_token": lambda token, to: to.prove_device("authenticate", token).ok,
    "twilio_oauth_token": lambda token, to: get("v2/Services", bearer(token), to),
    "twilio_factor_token": accepts_factor_token,
    "twilio_silent_url": accepts_silent_url,
    "telesign_app_token": lambda token, to: to.post(
        "handset/telesign/v1/registrations", {"phone_number": "15558675309"}, token).status_code not in (401, 404),
    "telesign_silent_url": accepts_silent_url,
    "hyphen_access_token": lambda token, to: get(
        "key/v1/keys", {"X-Hyphen-App-Secret": to.own["hyphen"]["appSecret"], **bearer(token)}, to),
    "hyphen_refresh_token": lambda token, to: to.phone.send("POST", "/auth/v1/refresh", {"refreshToken": token}).status == 200,
    "fcm_access_token": accepts_fcm_token,
    "fcm_assertion": lambda text, to: requests.post(
        f"{to.sandbox.base}/fcm/token", data={"grant_type": GRANT, "assertion": text}, timeout=20).ok,
    "apns_provider_token": lambda token, to: apns_client.Gateway(to.sandbox).post(
        token=to.apns_token, provider_token=token).status_code == 200,
    "prelude_api_token": lambda token, to: get("v2/verification/management/phone-numbers/sandbox", bearer(token), to),
    "prelude_sdk_key": signals,
    "telesign_key": lambda headers, to: requests.post(
        f"{to.sandbox.base}/telesign/verification", json={"recipient": {"phone_number": "15558675309"}},
        headers=headers, timeout=20).ok,
    "sinch_key": lambda headers, to: requests.get(
        f"{to.sandbox.base}{sinch_client.BASE}/id/1234567890", headers=headers, timeout=20).status_code == 404,
    "sinch_target": accepts_silent_url,
    "sinch_api_token": lambda token, to: get(
        f"xms/v1/{to.own['sinch']['servicePlanId']}/batches", bearer(token), to),
    "sinch_access_token": lambda token, to: get(
        f"xms/v1/{to.own['sinch']['projectId']}/batches", bearer(token), to),
    "vonage_key": lambda headers, to: get("v2/verify/templates", headers, to),
    "vonage_token": lambda token, to: get("v2/verify/templates", bearer(token), to),
    "vonage_silent_url": accepts_silent_url,
    "camara_key": lambda headers, to: requests.post(
        f"{to.sandbox.base}/camara/oauth2/token", headers=headers, timeout=20,
        data={"grant_type": "client_credentials", "scope": "sim-swap"}).ok,
    "camara_access_token": lambda token, to: to.camara.post(
        "/sim-swap/v2/check", {"phoneNumber": NUMBER}, token).ok,
    "camara_refresh_token": lambda token, to: to.camara.ask_for_token(
        grant_type="refresh_token", refresh_token=token).ok,
    "twilio_auth_token": lambda headers, to: get("v2/Services", headers, to),
    "twilio_api_key": lambda headers, to: get("v2/Services", headers, to),
    "push_token": accepts_push_token,
    "apns_token": accepts_push_token,
}
