"""An authenticator with passkeys, and the browser's calls on it (WebAuthn, level 2). Written from the
standard only."""

import dataclasses
import hashlib
import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from twilio_verify_push import decode, encode

USER_PRESENT, USER_VERIFIED, HAS_CREDENTIAL = 0x01, 0x04, 0x40


def cbor(item):
    """Integers below 24, byte strings, texts and maps (RFC 8949)."""
    if isinstance(item, int):
        return bytes([item if item >= 0 else 0x20 + -1 - item])
    if isinstance(item, dict):
        return bytes([0xA0 + len(item)]) + b"".join(cbor(name) + cbor(value) for name, value in item.items())
    kind, data = (0x40, item) if isinstance(item, bytes) else (0x60, item.encode())
    if len(data) < 24:
        return bytes([kind + len(data)]) + data
    return bytes([kind + 25]) + len(data).to_bytes(2, "big") + data


@dataclasses.dataclass
class Authenticator:
    """One passkey. `origin` is what the browser shows in its address bar."""

    origin: str = "https://example.com"
    domain: str = "example.com"
    flags: int = USER_PRESENT | USER_VERIFIED
    credential: bytes = hashlib.sha256(b"passkey").digest()
    sign_count: int = 0
    # ES256.
    algorithm: int = -7

    def __post_init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.user = None

    def client_data(self, ceremony, options):
        return json.dumps({"type": f"webauthn.{ceremony}", "challenge": options["challenge"], "origin": self.origin,
                           "crossOrigin": False}, separators=(",", ":")).encode()

    def data(self, flags):
        return hashlib.sha256(self.domain.encode()).digest() + bytes([flags]) + self.sign_count.to_bytes(4, "big")

    def create(self, options):
        """`navigator.credentials.create()`, as JSON."""
        point = self.key.public_key().public_numbers()
        key = {1: 2, 3: self.algorithm, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        data = self.data(self.flags | HAS_CREDENTIAL) + bytes(16)
        data += len(self.credential).to_bytes(2, "big") + self.credential + cbor(key)
        self.user = options["user"]["id"]
        return self.answer({
            "clientDataJSON": encode(self.client_data("create", options)),
            "attestationObject": encode(cbor({"fmt": "none", "attStmt": {}, "authData": data})),
            "transports": ["internal"]})

    def get(self, options):
        """`navigator.credentials.get()`, as JSON."""
        client = self.client_data("get", options)
        data = self.data(self.flags)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self.answer({
            "clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature),
            "userHandle": self.user})

    def answer(self, response):
        return {"id": encode(self.credential), "rawId": self.credential.hex(), "type": "public-key",
                "authenticatorAttachment": "platform", "response": response}


def text(base64url):
    return decode(base64url).decode()
