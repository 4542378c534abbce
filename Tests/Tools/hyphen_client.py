"""Hyphen's SDKs for iOS and Android, as far as a server sees them (`hyphen.md` 1, 2 and 4). Written from the
contract only."""

import dataclasses
import hashlib
import http.client
import json
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

TIMEOUT = 20  # seconds
STATUSES = ("pending", "approved", "denied")
TX_ID = "a1" * 32


class DecodeError(Exception):
    """An answer that the SDK cannot read."""


@dataclasses.dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    text: str

    def json(self):
        return json.loads(self.text)

    def __getitem__(self, name):
        return self.json()[name]

    @property
    def error(self):
        """Status and code of an error."""
        return self.status, self["code"]


class Refused(Exception):
    def __init__(self, answer):
        super().__init__(f"{answer.status} {answer.text}")
        self.answer = answer


def send(base, method, path, body=None, **headers):
    """One request on a new connection. In names of headers, `_` stands for `-`."""
    parts = urlsplit(base)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT)
    given = {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
    if body is not None:
        given.setdefault("Content-Type", "application/json")
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    connection.request(method, parts.path + path, data, given)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return Answer(answer.status, answer.headers, text)


class KeyPair:
    """The key of a device. It always has the same number for the same name."""

    def __init__(self, name):
        number = int.from_bytes(hashlib.sha256(name.encode()).digest(), "big") >> 1
        self.private = ec.derive_private_key(number, ec.SECP256R1())
        point = self.private.public_key().public_numbers()
        self.padded = f"{point.x:064x}{point.y:064x}"
        self.unpadded = f"{point.x:x}{point.y:x}"

    def sign(self, text):
        """r and s in hex, of the text's UTF-8 bytes."""
        r, s = utils.decode_dss_signature(self.private.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{r:064x}{s:064x}"


def verifies(public_key, signature, message):
    """True if a key of 128 hex digits has made a signature of 128 hex digits."""
    x, y = int(public_key[:64], 16), int(public_key[64:], 16)
    r, s = int(signature[:64], 16), int(signature[64:], 16)
    key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    try:
        key.verify(utils.encode_dss_signature(r, s), message, ec.ECDSA(hashes.SHA256()))
        return True
    except Exception:
        return False


class Phone:
    """An app with one of the SDKs on one device."""

    def __init__(self, sandbox, name, platform="Android", **about):
        self.sandbox, self.platform = sandbox, platform
        self.secret = sandbox.credentials["hyphen"]["appSecret"]
        self.key = KeyPair(name)
        # One SDK joins the numbers without zeros before them.
        self.public_key = self.key.padded if platform == "iOS" else self.key.unpadded
        self.token = about.pop("push_token", f"sbx-fcm-{name}")
        self.email = about.pop("email", None)
        self.device = {
            "publicKey": self.public_key, "pushToken": self.token, "name": name, "osName": platform, "osVersion": "14",
            "deviceManufacturer": "Nord", "deviceModel": "FJ3", "lang": "fr-FR", "type": "mobile", **about}
        self.credentials = None
        self.ephemeral = None
        self.request_id = None

    @property
    def user_key(self):
        return {"type": "device", "publicKey": self.public_key, "device": self.device}

    def identity(self, **more):
        return {"method": "firebase", "token": f"sbx-user:{self.email}", **more}

    def send(self, method, path, body=None, **headers):
        """One request with the SDK's headers. Attaches a token as the SDK does."""
        token = self.credentials and self.credentials["accessToken"]
        if self.ephemeral and not self.credentials:
            token = self.ephemeral
            if self.platform == "Android":
                self.ephemeral = None
        given = {"X_Hyphen_App_Secret": self.secret, "X_Hyphen_SDK_Platform": self.platform,
                 "X_Hyphen_SDK_Version": "0.1.0", "Authorization": token and f"Bearer {token}", **headers}
        if self.platform == "iOS":
            given = {("Content_type" if name == "Content_Type" else name): value for name, value in given.items()}
        answer = send(self.sandbox.base, method, path, body, **given)
        if self.platform == "iOS":
            answer.json()  # it parses each answer, whatever its status
        return answer

    def call(self, method, path, body=None, **headers):
        """The decoded answer of a success."""
        answer = self.send(method, path, body, **headers)
        if answer.status >= 300:
            raise Refused(answer)
        return answer.json() if answer.text else None

    # Signing in

    def sign_up(self):
        self.keep(self.call("POST", "/auth/v1/signup", {**self.identity(chainName="flow-testnet"),
                                                        "userKey": self.user_key}))
        return self

    def challenge(self, kind="deviceKey", public_key=None):
        return self.send("POST", "/auth/v1/signin/challenge", {
            "challengeType": kind, "request": self.identity(), "publicKey": public_key or self.public_key})

    def respond(self, data, signature=None):
        return self.send("POST", "/auth/v1/signin/challenge/respond", {
            "challengeType": "deviceKey", "challengeData": data,
            "deviceKey": {"signature": signature or self.key.sign(data)}})

    def sign_in_with_key(self):
        challenge = self.challenge()
        if challenge.status >= 300:
            raise Refused(challenge)
        answer = self.respond(challenge["challengeData"])
        if answer.status >= 300:
            raise Refused(answer)
        self.keep(answer.json())

    def ask(self):
        """POST /auth/v1/signin/2fa"""
        return self.send("POST", "/auth/v1/signin/2fa", {"request": self.identity(chainName="flow-testnet"),
                                                         "userKey": self.user_key})

    def request_approval(self):
        """Asks for approval and keeps the ephemeral token; the decoded request."""
        answer = self.ask()
        if answer.status >= 300:
            raise Refused(answer)
        self.ephemeral = answer.json().get("ephemeralAccessToken")
        request = two_factor_auth(answer["twoFactorAuth"])
        self.request_id = request["request"]["id"]
        return request

    def sign_in(self):
        """What the SDK does: the key first, then a request for approval, then an account. Returns what it
        did."""
        try:
            self.sign_in_with_key()
            return "key"
        except Refused:
            pass
        try:
            self.request_approval()
            return "2fa"
        except Refused as refused:
            if "please sign up" not in refused.answer.text:
                raise
        self.sign_up()
        return "sign-up"

    def finish(self, request_id=None):
        return self.send("POST", "/auth/v1/signin/2fa/finish", {"twoFactorAuthRequestId": request_id or self.request_id})

    def keep(self, answer):
        account(answer["account"])
        credentials(answer["credentials"])
        self.credentials, self.ephemeral = answer["credentials"], None
        return answer

    # Answering

    def approve(self, request_id, tx_id=TX_ID):
        return self.send("POST", f"/device/v1/2fa/{request_id}/approve", {"txId": tx_id})

    def fetch(self, request_id=None, **headers):
        return self.send("GET", f"/device/v1/2fa/{request_id or self.request_id}", **headers)

    def devices(self):
        return [device(found) for found in self.call("GET", "/device/v1/devices")["devices"]]

    def keys(self):
        return [key(found) for found in self.call("GET", "/key/v1/keys")["keys"]]

    def pushes(self):
        """What the app has received, oldest first."""
        return self.sandbox.control("GET", f"pushes?token={self.token}").json()["pushes"]


# Decoders, as strict as those of the SDKs.


def members(value, required, optional=()):
    """An object whose members have these types; others are ignored."""
    if not isinstance(value, dict):
        raise DecodeError(f"not an object: {value}")
    for name, kind in required.items():
        if name not in value or not isinstance(value[name], kind):
            raise DecodeError(f"{name}: expected {kind.__name__}, found {value.get(name)!r}")
    for name, kind in dict(optional).items():
        if value.get(name) is not None and not isinstance(value[name], kind):
            raise DecodeError(f"{name}: expected {kind.__name__}, found {value[name]!r}")
    return value


def one_of(value, *words):
    if value not in words:
        raise DecodeError(f"expected one of {words}, found {value!r}")


def device(value):
    names = ("publicKey", "pushToken", "name", "osName", "osVersion", "deviceManufacturer", "deviceModel", "lang", "type")
    members(value, dict.fromkeys(names, str), {"id": str, "sdkVersion": str})
    one_of(value["osName"], "iOS", "iPadOS", "Android")
    one_of(value["type"], "mobile", "tablet")
    return value


def two_factor_auth(value):
    members(value, {"id": str, "accountId": str, "status": str, "expiresAt": str, "request": dict}, {"result": dict})
    one_of(value["status"], *STATUSES)
    request = members(value["request"], {"id": str, "app": dict, "userOpInfo": dict, "message": str, "srcDevice": dict,
                                         "destDevice": dict, "requestedAt": str})
    members(request["app"], {"appId": str, "appName": str})
    operation = members(request["userOpInfo"], {"type": str, "signIn": dict})
    one_of(operation["type"], "sign-in")
    members(operation["signIn"], {"email": str, "ip": str, "location": str})
    device(request["srcDevice"])
    device(request["destDevice"])
    if "result" in value:
        members(value["result"], {"txId": str})
    return value


def key(value):
    members(value, {"publicKey": str, "type": str, "name": str, "keyIndex": int, "lastUsedAt": str},
            {"userKey": dict, "recoverKey": dict, "accountId": str, "appId": str})
    one_of(value["type"], "user-key", "recover-key", "server-key")
    if value.get("userKey"):
        user_key = members(value["userKey"], {"type": str}, {"publicKey": str, "device": dict, "wallet": dict})
        one_of(user_key["type"], "device", "passkey", "wallet")
        if user_key.get("device"):
            device(user_key["device"])
        if user_key.get("wallet"):
            members(user_key["wallet"], {"name": str, "kind": str})
    return value


def account(value):
    members(value, {"id": str, "addresses": list, "parent": list, "createdAt": str})
    for address in value["addresses"]:
        members(address, {"chainName": str, "chainType": str, "address": str}, {"chainId": int})
        one_of(address["chainName"], "flow-testnet", "flow-mainnet")
        one_of(address["chainType"], "evm", "cadence", "sealevel", "movevm")
    return value


def credentials(value):
    return members(value, {"accessToken": str, "refreshToken": str})
