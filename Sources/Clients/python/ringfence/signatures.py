"""The signatures of webhooks, as Docs/Webhooks.md describes them, without the vendors' libraries."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any, Callable, Dict, Tuple
from urllib.parse import parse_qs, parse_qsl, urlsplit

if TYPE_CHECKING:
    from .sandbox import Sandbox
    from .webhooks import ReceivedWebhook

_HEADERS = {"twilio": "x-twilio-signature", "telesign": "x-ts-authorization", "prelude": "x-webhook-signature",
            "sinch": "authorization", "vonage": "authorization"}


def signer(headers: Dict[str, str]) -> str:
    """The provider that signs with one of these headers; empty without one."""
    for provider in ("twilio", "telesign", "prelude"):  # Telesign has its signature in `authorization` too.
        if _HEADERS[provider] in headers:
            return provider
    authorization = headers.get("authorization", "")
    if authorization.startswith("Application "):
        return "sinch"
    # Other bearer tokens sign nothing.
    return "vonage" if _payload_hash(authorization) else ""


def state(sandbox: Sandbox, provider: str, received: ReceivedWebhook) -> str:
    """`valid`, `wrong`, `missing` or `none`."""
    if provider not in _HEADERS:
        return "none"
    signature = received.headers.get(_HEADERS[provider])
    if signature is None:
        return "missing"
    return "valid" if _CHECKS[provider](sandbox, received, signature) else "wrong"


def _twilio(sandbox: Sandbox, received: ReceivedWebhook, signature: str) -> bool:
    signed = received.url
    body_hash = parse_qs(urlsplit(received.url).query).get("bodySHA256")
    if body_hash:
        if body_hash != [hashlib.sha256(received.body).hexdigest()]:
            return False
    else:
        signed += "".join(
            name + value for name, value in sorted(set(parse_qsl(received.body.decode(), keep_blank_values=True))))
    key = sandbox.credentials["twilio"]["authToken"].encode()
    made = base64.b64encode(hmac.new(key, signed.encode(), hashlib.sha1).digest())
    return hmac.compare_digest(made, signature.encode())


def _telesign(sandbox: Sandbox, received: ReceivedWebhook, signature: str) -> bool:
    own = sandbox.credentials["telesign"]
    made = base64.b64encode(hmac.new(base64.b64decode(own["apiKey"]), received.body, hashlib.sha256).digest()).decode()
    return hmac.compare_digest(made.encode(), signature.encode()) \
        and received.headers.get("authorization") == f"TSA {own['customerId']}:{signature}"


def _prelude(sandbox: Sandbox, received: ReceivedWebhook, signature: str) -> bool:
    algorithm, _, text = signature.partition("=")
    try:
        raw = base64.b64decode(text.replace("-", "+").replace("_", "/") + "==="[: -len(text) % 4])
    except binascii.Error:
        return False
    return algorithm == "rsassa-pss-sha256" and _pss(sandbox.control("GET", "webhooks/keys"), raw, received.body)


def _sinch(sandbox: Sandbox, received: ReceivedWebhook, signature: str) -> bool:
    own, there = sandbox.credentials["sinch"], urlsplit(received.url)
    digest = base64.b64encode(hashlib.md5(received.body).digest()).decode()
    text = "\n".join([
        "POST", digest, received.headers.get("content-type", ""),
        f"x-timestamp:{received.headers.get('x-timestamp', '')}", there.path + (f"?{there.query}" if there.query else "")])
    made = hmac.new(base64.b64decode(own["applicationSecret"]), text.encode(), hashlib.sha256).digest()
    expected = f"Application {own['applicationKey']}:{base64.b64encode(made).decode()}"
    return hmac.compare_digest(expected.encode(), signature.encode())


def _vonage(sandbox: Sandbox, received: ReceivedWebhook, signature: str) -> bool:
    signed, _, made = signature[len("Bearer "):].rpartition(".")
    key = sandbox.credentials["vonage"]["signatureSecret"].encode()
    expected = base64.urlsafe_b64encode(hmac.new(key, signed.encode(), hashlib.sha256).digest()).rstrip(b"=")
    return hmac.compare_digest(expected, made.encode()) \
        and _payload_hash(signature) == hashlib.sha256(received.body).hexdigest()


def _payload_hash(authorization: str) -> Any:
    """The hash of the body in the claims of a bearer token (RFC 7519), not verified; None of other texts."""
    parts = authorization.split(".")
    if not authorization.startswith("Bearer ") or len(parts) != 3:
        return None
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "==="[: -len(parts[1]) % 4]))
    except ValueError:
        return None
    return claims.get("payload_hash") if isinstance(claims, dict) else None


_CHECKS: Dict[str, Callable[[Sandbox, ReceivedWebhook, str], bool]] = {
    "twilio": _twilio, "telesign": _telesign, "prelude": _prelude, "sinch": _sinch, "vonage": _vonage}


# RSASSA-PSS with SHA-256, MGF1 with SHA-256 and 32 bytes of salt: RFC 8017, 8.1.2 and 9.1.2.

def _pss(pem: str, signature: bytes, message: bytes) -> bool:
    modulus, exponent = _public_key(pem)
    bits = modulus.bit_length() - 1
    length = (bits + 7) // 8
    encoded = pow(int.from_bytes(signature, "big"), exponent, modulus)
    if encoded.bit_length() > 8 * length:
        return False
    block = encoded.to_bytes(length, "big")
    masked, digest, end = block[:-33], block[-33:-1], block[-1]
    mask = b"".join(
        hashlib.sha256(digest + counter.to_bytes(4, "big")).digest() for counter in range(len(masked) // 32 + 1))
    plain = int.from_bytes(masked, "big") ^ int.from_bytes(mask[:len(masked)], "big")
    plain &= (1 << (8 * len(masked) - (8 * length - bits))) - 1
    padded = plain.to_bytes(len(masked), "big")
    zeros, salt = padded[:-33], padded[-32:]
    made = hashlib.sha256(bytes(8) + hashlib.sha256(message).digest() + salt).digest()
    return end == 0xBC and zeros == bytes(len(zeros)) and padded[-33] == 1 and hmac.compare_digest(made, digest)


def _public_key(pem: str) -> Tuple[int, int]:
    """Modulus and exponent of a SubjectPublicKeyInfo."""
    der = base64.b64decode("".join(line for line in pem.splitlines() if not line.startswith("-----")))
    _, outer, _ = _element(der)
    _, _, after_algorithm = _element(outer)
    _, bits, _ = _element(after_algorithm)
    _, key, _ = _element(bits[1:])
    _, modulus, rest = _element(key)
    _, exponent, _ = _element(rest)
    return int.from_bytes(modulus, "big"), int.from_bytes(exponent, "big")


def _element(der: bytes) -> Tuple[int, bytes, bytes]:
    """Tag, content and what follows."""
    length, start = der[1], 2
    if length & 0x80:
        start += length & 0x7F
        length = int.from_bytes(der[2:start], "big")
    return der[0], der[start:start + length], der[start + length:]
