"""Sends notifications through a sandbox's APNs: plain requests, with provider tokens like those of Apple's
clients."""

import calendar
import http.client
import json
import ssl
import time

import jwt
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

import authorities

TOKEN = "0a" * 32
TOPIC = "com.example.app"
START = calendar.timegm(time.strptime("2026-01-05T10:20:30", "%Y-%m-%dT%H:%M:%S"))


class Gateway:
    """Posts to the sandbox's address over HTTP/1.1, with Apple's host name unless another is given.

    Each request has a connection of its own, unless `http` is a session.
    """

    def __init__(self, sandbox):
        self.sandbox = sandbox
        self.http = requests
        self.key = sandbox.credentials["apns"]
        self.signed = {}

    def provider_token(self, age=0, team=None, key_id=None, key=None):
        """Signed by the sandbox's clock, or so many seconds ago. The same token each time, as Apple wants."""
        claims = {"iss": team or self.key["teamId"], "iat": START - age}
        wanted = (age, team, key_id, key)
        if wanted not in self.signed:
            self.signed[wanted] = jwt.encode(
                claims, key or self.key["authKey"], "ES256", {"kid": key_id or self.key["keyId"]})
        return self.signed[wanted]

    def post(self, payload=None, token=TOKEN, provider_token=None, host="api.push.apple.com", **headers):
        """`apns_push_type="voip"` is the header apns-push-type; None leaves a header out."""
        signed = self.provider_token() if provider_token is None else provider_token
        fields = {"apns_topic": TOPIC, "authorization": f"bearer {signed}", **headers}
        fields = {name.replace("_", "-"): value for name, value in fields.items() if value is not None}
        body = alert() if payload is None else payload
        return self.http.post(
            f"{self.sandbox.base}/apns/3/device/{token}", json=body, timeout=20, headers={"Host": host, **fields})

    def attempts(self, **query):
        return self.sandbox.control("GET", "pushes/attempts", params=query).json()["attempts"]


def alert(text="Sign in?", **more):
    return {"aps": {"alert": text}, **more}


def refused(answer, status, reason):
    """The error of a response with this status and reason."""
    assert (answer.status_code, answer.json()["reason"]) == (status, reason), answer.text
    return answer.json()


class SecureLine:
    """One TLS connection to one of Apple's hosts at a server, over HTTP/1.1, perhaps with a client's
    certificate."""

    def __init__(self, server, authority, certificate=None, host="api.push.apple.com"):
        context = ssl.create_default_context(cafile=authority)
        if certificate:
            context.load_cert_chain(certificate)
        self.host = host
        self.connection = http.client.HTTPConnection("127.0.0.1", int(server.https.rsplit(":", 1)[1]), timeout=20)
        self.connection.connect()
        self.connection.sock = context.wrap_socket(self.connection.sock, server_hostname=host)

    def post(self, payload, token=TOKEN, **headers):
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        self.connection.request(
            "POST", f"/3/device/{token}", json.dumps(payload), {"Host": self.host, **fields})
        return Answer(self.connection.getresponse())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()


class Answer:
    """A response of http.client, with the members that one of requests has."""

    def __init__(self, response):
        self.status_code, self.headers, self.text = response.status, response.headers, response.read().decode()

    def json(self):
        return json.loads(self.text)


def key_pair():
    """A key of P-256: private and public part in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    return secret(key), key.public_key().public_bytes(
        authorities.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


def secret(key):
    return key.private_bytes(
        authorities.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


def push_certificate(bundle, environments=("development", "production")):
    """A self-signed certificate in the form of Apple's, with its key, in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    names = [x509.NameAttribute(NameOID.COMMON_NAME, f"Apple Push Services: {bundle}")]
    if bundle:
        names.append(x509.NameAttribute(NameOID.USER_ID, bundle))
    subject = x509.Name(names)
    builder = authorities.builder_for(subject, subject, key, 30)
    for environment in environments:
        number = {"development": "1.2.840.113635.100.6.3.1", "production": "1.2.840.113635.100.6.3.2"}[environment]
        builder = builder.add_extension(
            x509.UnrecognizedExtension(x509.ObjectIdentifier(number), b"\x05\x00"), False)
    certificate = builder.sign(key, hashes.SHA256()).public_bytes(authorities.PEM)
    return certificate.decode(), secret(key)
