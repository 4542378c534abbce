"""Clients that run complete flows of each provider."""

import base64
import datetime
import json
import time
import urllib.parse

from google.auth import crypt, jwt

import telesign_signing
from ringfence import different
from world import FORM, Interrupted, SandboxClient, Session


def basic(user, password):
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


def form(**fields):
    return urllib.parse.urlencode(fields)


class TwilioClient(SandboxClient):
    """Creates, fetches, checks with a wrong and the right code. Every third verification stays pending."""

    rate = 8

    def take(self, described):
        super().take(described)
        own = self.credentials["twilio"]
        self.headers = basic(own["accountSid"], own["authToken"])
        self.service = f"/v2/Services/{own['serviceSid']}"

    def request(self, kind, method, path, body=None, **named):
        return self.ask(f"Twilio: {kind}", method, f"{self.base}{self.service}/{path}", body, self.headers, **named)

    def create(self, number, channel="sms"):
        made = self.request("create", "POST", "Verifications", form(To=number, Channel=channel)).json
        self.acknowledge(made["sid"], f"{self.service}/Verifications/{made['sid']}", '"pending"', self.headers)
        return made

    def check(self, made, status, **fields):
        """The verification is no longer found once it is approved."""
        if status == "approved":
            self.withdraw(made["sid"])
        found = self.request("check", "POST", "VerificationCheck", form(To=made["to"], **fields)).json
        if found["status"] != status:
            self.world.problem(f"expected {status}: {found}")
        if status == "approved":
            self.acknowledge(
                made["sid"], f"{self.service}/Verifications/{made['sid']}", headers=self.headers, status=404)

    def flow(self, count):
        number = f"+8613{self.serial:03}{count:06}"
        made = self.create(number)
        self.request("fetch", "GET", f"Verifications/{made['sid']}")
        if count % 3:
            code = self.code(number)
            self.check(made, "pending", Code=different(code))
            self.check(made, "approved", Code=code)


class SilentClient(TwilioClient):
    """Silent verification: follows the redirects from the handset to the operator and back."""

    rate = 5

    def flow(self, count):
        # Fictional numbers of many area codes, because repeated sends to one number are limited. 800 is no
        # mobile number.
        number = f"+1{200 + count % 600}5550100"
        made = self.create(number, "sna")
        url = made["sna"]["url"]
        for _ in range(5):
            url, text = self.hop(url, number)
            if url is None:
                break
        if not text.startswith("ErrorCode=0&"):
            self.world.problem(f"silent verification of {number}: {text}")
            raise Interrupted
        self.check(made, "approved")

    def hop(self, url, number):
        """The next URL, and the text of the answer. The gateway has a port of its own."""
        parts = urllib.parse.urlsplit(url)
        session = Session(self.world, parts.port)
        try:
            answer = session.ask(
                "silent verification: hop", "GET", f"{parts.path}?{parts.query}", expect=(200, 302),
                headers={"X-Sandbox-Handset": number})
        finally:
            session.close()
        return answer.headers["Location"], answer.text


class TelesignClient(SandboxClient):
    """Verification processes, and signed SMS verifications with callbacks."""

    rate = 8

    def take(self, described):
        super().take(described)
        own = self.credentials["telesign"]
        self.headers = basic(own["customerId"], own["apiKey"])
        key = telesign_signing.without_foreign(own["apiKey"])
        self.caller = telesign_signing.Caller("", own["customerId"], key, None)
        settings = {"account.callback_url": self.world.webhooks.url}
        self.ask("seed", "POST", f"{self.base}/control/seed", {"telesign": {"settings": settings}})

    def flow(self, count):
        # Telesign's numbers whose last four digits begin with 0 have behaviours of their own.
        number = f"8613{self.serial:03}{count // 1000:02}5{count % 1000:03}"
        if count % 2:
            self.signed_sms(number)
        else:
            self.process(number)

    def process(self, number):
        made = self.ask("Telesign: create", "POST", f"{self.base}/telesign/verification",
                        {"recipient": {"phone_number": number}}, self.headers).json
        reference = made["reference_id"]
        path = f"/telesign/verification/{reference}"
        # Not its state: it expires after five minutes, which may be over when it is read again.
        self.acknowledge(reference, path, reference, self.headers)
        code = self.code(f"+{number}")
        for given, expected in ((different(code), 3909), (code, 3900)):
            self.withdraw(reference)
            answer = self.ask("Telesign: check", "PATCH", f"{self.base}{path}/state",
                              {"action": "finalize", "security_factor": given}, self.headers).json
            if answer["status"]["code"] != expected:
                self.world.problem(f"expected {expected}: {answer}")
        self.acknowledge(reference, path, '"VERIFIED"', self.headers)
        self.ask("Telesign: fetch", "GET", self.base + path, headers=self.headers)

    def signed_sms(self, number):
        body = form(phone_number=number)
        self.caller.moment = datetime.datetime.now(datetime.timezone.utc)
        signed = self.caller.headers(
            "POST", "/v1/verify/sms", content_type=FORM, body=body,
            stamps={"x-ts-auth-method": "HMAC-SHA256", "x-ts-nonce": f"{self.serial}-{time.monotonic_ns()}"})
        made = self.ask("Telesign: SMS", "POST", f"{self.base}/telesign/v1/verify/sms", body, signed).json
        reference = made["reference_id"]
        path = f"/telesign/v1/verify/{reference}"
        self.acknowledge(reference, path, reference, self.headers)
        code = self.code(f"+{number}")
        found = self.ask("Telesign: status", "GET", f"{self.base}{path}?verify_code={code}", headers=self.headers).json
        if found["verify"]["code_state"] != "VALID":
            self.world.problem(f"expected VALID: {found}")
        self.acknowledge(reference, path, '"VALID"', self.headers)


class PreludeClient(SandboxClient):
    """Verifications with webhooks, then a message. Every tenth flow reads the lists of a dashboard."""

    rate = 5

    def take(self, described):
        super().take(described)
        self.headers = {"Authorization": f"Bearer {self.credentials['prelude']['apiToken']}"}
        self.cursors = {}

    def request(self, kind, path, body):
        return self.ask(f"Prelude: {kind}", "POST", f"{self.base}/v2/{path}", body, self.headers).json

    def flow(self, count):
        number = f"+8613{self.serial:03}{count:06}"
        target = {"type": "phone_number", "value": number}
        made = self.request("create", "verification", {
            "target": target, "options": {"callback_url": self.world.webhooks.url}})
        key, path = made["id"], f"/control/verifications?number=%2B{number[1:]}"
        self.world.webhooks.expect(key)
        self.acknowledge(key, path, '"state":"pending"')
        code = self.code(number)
        for given, expected in ((different(code), "failure"), (code, "success")):
            self.withdraw(key)
            answer = self.request("check", "verification/check", {"target": target, "code": given})
            if answer["status"] != expected:
                self.world.problem(f"expected {expected}: {answer}")
        self.acknowledge(key, path, '"state":"approved"')
        sent = self.request("message", "notify", {"template_id": "template_x", "to": number})
        self.acknowledge(sent["id"], f"/control/inbox/{number}?limit=1000", sent["id"])
        if count % 10 == 0:
            self.read_lists()

    def read_lists(self):
        """As a dashboard does: what is new since the last time."""
        for name in ("verifications", "webhooks", "messages", "events"):
            path = f"{self.base}/control/{name}?after={self.cursors.get(name, 0)}"
            self.cursors[name] = self.ask("control: list", "GET", path).json["cursor"]


class FCMClient(SandboxClient):
    """Signs in with the service account, then sends pushes to fifty devices."""

    rate = 20

    def take(self, described):
        super().take(described)
        account = json.loads(self.credentials["fcm"]["serviceAccount"])
        now = int(time.time())
        assertion = jwt.encode(crypt.RSASigner.from_service_account_info(account), {
            "iss": account["client_email"], "scope": "https://www.googleapis.com/auth/firebase.messaging",
            "aud": account["token_uri"], "iat": now, "exp": now + 3600}).decode()
        body = form(grant_type="urn:ietf:params:oauth:grant-type:jwt-bearer", assertion=assertion)
        token = self.ask("FCM: access token", "POST", f"{self.base}/fcm/token", body).json["access_token"]
        self.headers = {"Authorization": f"Bearer {token}"}
        self.path = f"{self.base}/v1/projects/{account['project_id']}/messages:send"

    def flow(self, count):
        token = f"soak-{count % 50}"
        message = {"token": token, "notification": {"title": "Sign in?", "body": f"Request {count}."}}
        name = self.ask("FCM: send", "POST", self.path, {"message": message}, self.headers).json["name"]
        self.acknowledge(name, f"/control/inbox/{token}?limit=1000", f"Request {count}.")
