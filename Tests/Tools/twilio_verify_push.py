"""Twilio's mobile Verify SDKs, as far as a server sees them (`twilio-verify.md` 11). Written from the
contract only."""

import base64
import dataclasses
import email.utils
import http.client
import json
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

AGENTS = {
    "ios": "App; iOS; 1.2; 34; iOS 17.2; iPhone; TwilioVerify; 3.0.2; 1",
    "android": "App; Android; 1.2; 34; Android 14 (34); Pixel 7; VerifySDK; 0.9.0; 9",
}
VERSIONS = {"ios": "3.0.2", "android": "0.9.0"}
PLATFORMS = {"ios": "apn", "android": "fcm"}
REQUIRED = {
    "factor": ("sid", "friendly_name", "account_sid", "status", "date_created"),
    "challenge": ("sid", "factor_sid", "status", "expiration_date", "date_created", "date_updated"),
}


class LocalError(Exception):
    """An error that the SDK raises itself."""


class Refused(Exception):
    """An answer of 300 or above."""

    def __init__(self, answer):
        super().__init__(f"{answer.status} {answer.text}")
        self.status, self.text = answer.status, answer.text
        self.code = json.loads(answer.text)["code"]


@dataclasses.dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    text: str

    def json(self):
        return json.loads(self.text)


def encode(data):
    """base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Key:
    """A key pair of P-256."""

    def __init__(self):
        self.private = ec.generate_private_key(ec.SECP256R1())

    @property
    def public(self):
        """`Binding.PublicKey`."""
        return base64.b64encode(self.private.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)).decode()

    def sign(self, message):
        """DER."""
        return self.private.sign(message.encode(), ec.ECDSA(hashes.SHA256()))

    def token(self, header, payload):
        """A compact JWT: r and s, 32 bytes each."""
        signed = ".".join(encode(json.dumps(part, separators=(",", ":")).encode()) for part in (header, payload))
        r, s = utils.decode_dss_signature(self.sign(signed))
        return f"{signed}.{encode(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def accepts(public, signature, message):
    """True if a public key in DER and base64 accepts a signature: DER, or r and s."""
    if len(signature) == 64:
        signature = utils.encode_dss_signature(*(int.from_bytes(half, "big") for half in (signature[:32], signature[32:])))
    key = serialization.load_der_public_key(base64.b64decode(public))
    try:
        key.verify(signature, message, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


class Phone:
    """An app with the SDK of one system. `clock` returns seconds since 1970, as the phone believes."""

    def __init__(self, base, service, identity, clock, system="ios"):
        self.base, self.service, self.identity, self.system = base, service, identity, system
        self.clock, self.offset = clock, 0
        self.key = Key()
        self.factor = None
        self.statuses = []

    # Factors

    def create_factor(self, token, name="Phone", push_token=None, metadata=None, **changes):
        """Creates a factor with an access token. No retry (11.2)."""
        form = {"FriendlyName": name, "FactorType": "push", "Binding.PublicKey": self.key.public, "Binding.Alg": "ES256",
                **self._config(push_token)}
        if metadata is not None:
            form["Metadata"] = json.dumps(metadata)
        answer = self._send("POST", self._factors, token, form={**form, **changes})
        self.factor = self._parsed("factor", self._successful(answer).json())
        if not self.factor["config"]["credential_sid"]:
            raise LocalError("no credential_sid")
        return self.factor

    def verify_factor(self):
        payload = base64.b64encode(self.key.sign(self.factor["sid"])).decode()
        self.factor["status"] = self._call("POST", self._own_factor, form={"AuthPayload": payload}).json()["status"]
        return self.factor["status"]

    def update_token(self, push_token):
        form = {"FriendlyName": self.factor["friendly_name"], **self._config(push_token)}
        self.factor = self._parsed("factor", self._call("POST", self._own_factor, form=form).json())
        return self.factor

    def delete_factor(self):
        """Success is 204, 404, or a second 401 (11.5)."""
        answer = self._signed("DELETE", self._own_factor)
        if answer.status not in (204, 404, 401):
            raise Refused(answer)
        self.factor = None

    # Challenges

    def challenge(self, sid):
        answer = self._call("GET", f"{self._challenges}/{sid}")
        return self._parsed("challenge", answer.json()), answer.headers.get("Twilio-Verify-Signature-Fields")

    def challenges(self, status=None, size=20, order="asc", token=None):
        """One page, and the token of the next one."""
        query = {"FactorSid": self.factor["sid"], "PageSize": size, "Order": order}
        if status:
            query["Status"] = status
        if token:
            query["pageToken" if self.system == "ios" else "PageToken"] = token
        page = self._call("GET", f"{self._challenges}?{urlencode(query)}").json()
        meta = page["meta"]
        if not isinstance(meta["page"], int) or not isinstance(meta["page_size"], int):
            raise LocalError("meta.page and meta.page_size must be integers")
        following = parse_qs(urlsplit(meta["next_page_url"] or "").query).get("PageToken", [None])[0]
        return [self._parsed("challenge", item) for item in page["challenges"]], following

    def respond(self, sid, status):
        """Approves or denies a challenge, in the four steps of 11.8."""
        challenge, fields = self.challenge(sid)
        if challenge["factor_sid"] != self.factor["sid"]:
            raise LocalError("wrong factor")
        if challenge["status"] == "expired":
            raise LocalError("expired")
        if challenge["status"] != "pending":
            raise LocalError("already updated")
        if not fields:
            raise LocalError("no signature fields")
        payload = self.answer(challenge, status, fields.split(","))
        self._call("POST", f"{self._challenges}/{sid}", form={"AuthPayload": payload})
        if self.challenge(sid)[0]["status"] != status:
            raise LocalError("not updated")

    def answer(self, challenge, status, fields=("sid", "factor_sid"), key=None):
        """The signed token of step 3. A missing field is an error, null is not."""
        payload = {}
        for name in fields:
            if name not in challenge:
                raise LocalError(f"no {name}")
            payload[name] = challenge[name]
        payload["status"] = status
        if self.system == "ios":
            payload = dict(reversed(payload.items()))
        return (key or self.key).token({"typ": "JWT", "alg": "ES256"}, payload)

    def send_answer(self, sid, payload):
        """Step 3 only; returns the answer, whatever its status."""
        return self._signed("POST", f"{self._challenges}/{sid}", form={"AuthPayload": payload})

    def service_resource(self):
        """Part of the API on Android."""
        return self._call("GET", f"{self.base}/v2/Services/{self.service}").json()

    # Requests

    def jwt(self, **changes):
        """The device's password; `changes` are claims."""
        now = self.clock() + self.offset
        header = {"cty": "twilio-pba;v=1", "kid": self.factor["config"]["credential_sid"], "typ": "JWT", "alg": "ES256"}
        claims = {"sub": self.factor["account_sid"], "exp": now + 600, "nbf": now, **changes}
        return self.key.token(header, claims)

    @property
    def _entity(self):
        return f"{self.base}/v2/Services/{self.service}/Entities/{self.identity}"

    @property
    def _factors(self):
        return f"{self._entity}/Factors"

    @property
    def _own_factor(self):
        return f"{self._factors}/{self.factor['sid']}"

    @property
    def _challenges(self):
        return f"{self._entity}/Challenges"

    def _config(self, push_token):
        config = {"Config.SdkVersion": VERSIONS[self.system], "Config.AppId": "com.example.app",
                  "Config.NotificationPlatform": PLATFORMS[self.system] if push_token else "none"}
        return {**config, "Config.NotificationToken": push_token} if push_token else config

    def _call(self, method, url, form=None):
        return self._successful(self._signed(method, url, form))

    def _signed(self, method, url, form=None):
        """On 401, sets the clock by the answer's Date, and tries once more (11.3)."""
        answer = self._send(method, url, self.jwt(), form)
        if answer.status != 401:
            return answer
        if "Date" not in answer.headers:
            raise LocalError("401 without Date")
        server = email.utils.parsedate_to_datetime(answer.headers["Date"]).timestamp()
        self.offset = int(server) - self.clock()
        return self._send(method, url, self.jwt(), form)

    def _successful(self, answer):
        if answer.status >= 300:
            raise Refused(answer)
        return answer

    def _send(self, method, url, password, form=None):
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
        pair = base64.b64encode(f"token:{password}".encode()).decode()
        headers = {
            "Authorization": f"Basic {pair}", "User-Agent": AGENTS[self.system],
            "Accept": "application/x-www-form-urlencoded" if method == "GET" else "application/json",
            "Content-Type": "application/x-www-form-urlencoded"}
        body = None if form is None else self._escaped(form)
        connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), body, headers)
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read().decode())
        connection.close()
        self.statuses.append(answer.status)
        return answer

    def _escaped(self, form):
        """iOS leaves `=`, `/` and others as they are; the order of its parameters is that of a hash table."""
        safe = "=/?:;,!$'()*@" if self.system == "ios" else ""
        pairs = reversed(form.items()) if self.system == "ios" else form.items()
        return "&".join(f"{name}={quote(str(value), safe=safe)}" for name, value in pairs)

    def _parsed(self, kind, resource):
        """What the mobile parsers require (11.7)."""
        for name in REQUIRED[kind]:
            if not isinstance(resource.get(name), str):
                raise LocalError(f"{kind}: no {name}")
        if kind == "factor" and not isinstance(resource["config"].get("credential_sid"), str):
            raise LocalError("factor: no config.credential_sid")
        if kind == "challenge":
            details = resource["details"]
            if not isinstance(details["message"], str):
                raise LocalError("challenge: no details.message")
            for field in details["fields"]:
                if not (isinstance(field["label"], str) and isinstance(field["value"], str)):
                    raise LocalError("challenge: a field is not a text")
            if "date" in details and not isinstance(details["date"], str):
                raise LocalError("challenge: details.date is not a text")
        return resource
