"""Codes of RFC 6238, for tests."""

import base64
import hmac


def code(secret, time, step=30, digits=6, algorithm="sha1"):
    """The code at a time in seconds since 1970; `secret` is Base32."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8), casefold=True)
    digest = hmac.new(key, (int(time) // step).to_bytes(8, "big"), algorithm).digest()
    offset = digest[-1] & 15
    return str(int.from_bytes(digest[offset:offset + 4], "big") & 0x7FFFFFFF)[-digits:].zfill(digits)
