"""Telesign's signatures made by hand, and requests with exact headers (`telesign.md` 2).

Nothing is taken from an SDK: an integrator who signs requests without one writes the same."""

import base64
import dataclasses
import datetime
import email.utils
import hashlib
import hmac
import http.client
import itertools
import json
import urllib.parse

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
HASHES = {"HMAC-SHA256": hashlib.sha256, "HMAC-SHA1": hashlib.sha1, None: hashlib.sha1}
_nonces = itertools.count(1)


def decoded(api_key):
    """The bytes of a key in strict base64."""
    return base64.b64decode(api_key, validate=True)


def without_foreign(api_key):
    """The bytes as Python, Ruby, PHP and Java decode a key with dashes: they drop the dashes."""
    return base64.b64decode(api_key.replace("-", ""), validate=False)


def url_safe(api_key):
    """The bytes as Node decodes a key with dashes: it reads them as plus signs."""
    return base64.b64decode(api_key.replace("-", "+").replace("_", "/"))


def nonce():
    return f"nonce-{next(_nonces):08d}"


def rfc1123(moment):
    return email.utils.format_datetime(moment, usegmt=True)


def string_to_sign(method, resource, *, content_type="", date="", stamps=None, body="", end="\n"):
    """The lines of contract 2.3. An empty body has no line."""
    lines = [method, content_type, date]
    lines += [f"{name.lower()}:{value}" for name, value in sorted((stamps or {}).items())]
    return end.join([*lines, *([body] if body else []), resource])


def signature(key, text, method="HMAC-SHA256"):
    return base64.b64encode(hmac.new(key, text.encode(), HASHES[method]).digest()).decode()


@dataclasses.dataclass
class Answer:
    status_code: int
    headers: http.client.HTTPMessage
    text: str

    @property
    def json(self):
        return json.loads(self.text)


def send(method, url, headers=(), body=b"", tail=""):
    """One request on a new connection, with only these headers, Host and Content-Length.

    `tail` is appended to the path unchanged: a query in any spelling, or a bare `?`."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    connection.putrequest(
        method, parts.path + tail, skip_host="Host" in dict(headers), skip_accept_encoding=True)
    for name, value in dict(headers).items():
        connection.putheader(name, value)
    body = body.encode() if isinstance(body, str) else body
    if body or method in ("POST", "PUT", "PATCH"):
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body or None)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return Answer(answer.status, answer.headers, text)


class Caller:
    """Signs requests of a customer with a key at a time of the sandbox's clock."""

    def __init__(self, url, customer, key, moment):
        self.url, self.customer, self.key, self.moment = url, customer, key, moment

    def headers(self, method, resource, *, content_type="", body="", date=None, stamps=None, sent=None, key=None,
                hash="HMAC-SHA256", end="\n", rewrite=None):
        """Headers of a signed request.

        `content_type` and `body` are what is signed; `sent` is a content type that differs on the wire;
        `stamps` replaces the method and nonce that current SDKs send; `rewrite` changes the string that is
        signed."""
        date = rfc1123(self.moment) if date is None else date
        if stamps is None:
            stamps = {"x-ts-auth-method": hash, "x-ts-nonce": nonce()}
        text = string_to_sign(
            method, resource, content_type=content_type, date=date, stamps=stamps, body=body, end=end)
        text = rewrite(text) if rewrite else text
        headers = {"Authorization": f"TSA {self.customer}:{signature(key or self.key, text, hash)}"}
        if date:
            headers["Date"] = date
        typed = content_type if sent is None else sent
        return {**headers, "Content-Type": typed, **stamps}

    def send(self, method, resource, headers, body="", tail=""):
        return send(method, self.url + resource, headers, body, tail)

    def post(self, resource, body, content_type=FORM, **named):
        """Signs and posts."""
        headers = self.headers("POST", resource, content_type=content_type, body=body, **named)
        return self.send("POST", resource, headers, body)

    def basic(self, api_key):
        """The header of Basic authentication. The password is the key's base64 text."""
        pair = base64.b64encode(f"{self.customer}:{api_key}".encode()).decode()
        return {"Authorization": f"Basic {pair}"}


def instant(text):
    """Parses a time of the sandbox's clock."""
    return datetime.datetime.fromisoformat(text)
