"""Webhooks, signals and silent verification of Prelude, as receivers and phones see them."""

import base64
import json
import socket
import ssl
import urllib.parse
import uuid

import pytest
import requests
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from prelude_python_sdk import DefaultHttpxClient, Prelude

import receiver
import ringfence

HAPPY = "+33639980050"
COVERED = "+33639980001"


def target(number):
    return {"type": "phone_number", "value": number}


class Receiver(receiver.Receiver):
    """A webhook receiver. Answers with the given statuses, then with 200, and stores the requests."""

    def __init__(self, *statuses):
        super().__init__(answers=(*statuses, 200))
        self._taken = []

    @property
    def received(self):
        self._taken += [(headers, body) for _, headers, body in self.all()]
        return self._taken

    @property
    def events(self):
        return [json.loads(body) for _, body in self.received]


def verifies(key, headers, body):
    algorithm, _, text = headers["X-Webhook-Signature"].partition("=")
    assert algorithm == "rsassa-pss-sha256"
    try:
        key.verify(
            base64.urlsafe_b64decode(text), body,
            padding.PSS(mgf=padding.MGF1(hashes.SHA256()), salt_length=32), hashes.SHA256())
    except InvalidSignature:
        return False
    return True


def test_prelude_30_webhooks_are_sent_and_signed(prelude, sandbox):
    pem = sandbox.control("GET", "webhooks/keys").text
    key = serialization.load_pem_public_key(pem.encode())
    with Receiver() as up:
        first = prelude.verification.create(
            target=target(HAPPY), options={"callback_url": up.url},
            metadata={"correlation_id": "signup-77"})
        sandbox.advance("1s")

        kinds = [event["type"] for event in up.events]
        assert kinds.count("verify.authentication") == 1
        assert kinds.count("verify.attempt") == 1
        assert "verify.delivery_status" in kinds
        assert {event["payload"]["verification_id"] for event in up.events} == {first.id}
        statuses = [e["payload"]["status"] for e in up.events if e["type"] == "verify.delivery_status"]
        assert statuses[-1] == "delivered"
        for headers, body in up.received:
            assert verifies(key, headers, body)
            assert not verifies(key, headers, bytes([body[0] ^ 1]) + body[1:])


def test_prelude_31_failed_webhook_is_retried(prelude, sandbox):
    with Receiver(500) as up:
        prelude.verification.create(target=target(HAPPY), options={"callback_url": up.url})
        sandbox.advance("1s")
        sent = [event["id"] for event in up.events]
        sandbox.advance("60s")
        again = [event["id"] for event in up.events][len(sent):]

    assert len(set(sent)) == len(sent)
    assert again == [sent[0]]


def dispatch_id():
    """A UUID of version 7, as a device generates it."""
    return str(uuid.UUID(bytes=b"\x01\x9c\x00\x00\x00\x00\x70\x00\x80" + uuid.uuid4().bytes[:7]))


@pytest.fixture
def dispatched(sandbox):
    """The id of a dispatch that supports silent verification."""
    name = dispatch_id()
    headers = {
        "X-SDK-DispatchID": name, "X-SDK-Key": sandbox.credentials["prelude"]["sdkKey"],
        "X-SDK-Implemented-Features": "1"}
    assert requests.options(f"{sandbox.base}/v1/signals", headers=headers, timeout=10).status_code == 204
    return name


def test_prelude_33_signals_of_an_iphone(sandbox, server):
    with socket.create_connection(server.address, timeout=10) as line:
        line.sendall(
            f"OPTIONS /s/{sandbox.name}/v1/signals HTTP/1.1\r\nHost: 127.0.0.1\r\nX-SDK-DispatchID: {dispatch_id()}\r\n"
            f"X-SDK-Key: {sandbox.credentials['prelude']['sdkKey']}\r\nX-SDK-Implemented-Features: 1\r\n"
            "Content-Type: application/vnd.prelude.signals\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while piece := line.recv(4096):
            answer += piece

    assert answer.startswith(b"HTTP/1.1 2")


def silent(prelude, dispatch):
    return prelude.verification.create(target=target(COVERED), dispatch_id=dispatch)


def connect(parts, trust):
    """A plain connection, or a TLS connection that verifies the server's name."""
    line = socket.create_connection((parts.hostname, parts.port), timeout=10)
    return trust.wrap_socket(line, server_hostname=parts.hostname) if parts.scheme == "https" else line


def hop(url, trust=None):
    """One hop as in the iPhone's client: on a new connection, read until the server closes it."""
    parts = urllib.parse.urlsplit(url)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    with connect(parts, trust) as line:
        # Host without its port, as the SDK sends it (contract 14.4).
        line.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {parts.hostname}\r\nConnection: close\r\nAccept: */*\r\n"
            "User-Agent: Prelude/0.5.0 Core/0.1.2 (iOS 18.0)\r\n\r\n".encode())
        answer = b""
        while piece := line.recv(65536):
            answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = dict(field.split(": ", 1) for field in lines[1:])
    assert int(headers["Content-Length"]) == len(body)
    assert "Transfer-Encoding" not in headers and "Content-Encoding" not in headers
    return int(lines[0].split(" ")[1]), headers, body


def walk(url, trust=None):
    """Every response of a chain, including the last."""
    answers = [hop(url, trust)]
    while answers[-1][0] in (301, 302, 303, 307, 308):
        location = answers[-1][1]["Location"]
        assert urllib.parse.urlsplit(location).netloc, f"relative: {location}"
        assert len(answers) <= 20
        answers.append(hop(location, trust))
    return answers


def test_prelude_35_the_chain_ends_in_a_code(prelude, dispatched):
    opened = silent(prelude, dispatched)

    answers = walk(opened.silent.request_url)
    code = json.loads(answers[-1][2])["code"]

    assert answers[0][0] == 302
    assert all(headers["Connection"] == "close" for _, headers, _ in answers)
    assert isinstance(code, str)
    checked = prelude.verification.check(target=target(COVERED), code=code)
    assert (checked.status, checked.id) == ("success", opened.id)


def test_prelude_35_the_chain_over_tls(tmp_path):
    """Hops 0 and 2 use TLS. Hop 1 belongs to the operator and is always plain HTTP."""
    listeners = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "127.0.0.1:0")
    with ringfence.Server("--data", tmp_path, listeners=listeners) as server:
        keys = server.sandbox_described("default")["credentials"]["prelude"]
        trust = ssl.create_default_context(cafile=tmp_path / "authority.pem")
        dispatch = dispatch_id()
        answer = requests.options(
            f"{server.https}/v1/signals", timeout=10, verify=tmp_path / "authority.pem",
            headers={"X-SDK-DispatchID": dispatch, "X-SDK-Key": keys["sdkKey"], "X-SDK-Implemented-Features": "1"})
        assert answer.ok
        with Prelude(
                api_token=keys["apiToken"], base_url=server.https,
                http_client=DefaultHttpxClient(verify=trust)) as client:
            opened = silent(client, dispatch)
            assert opened.silent.request_url.startswith("https://")

            answers = walk(opened.silent.request_url, trust)
            code = json.loads(answers[-1][2])["code"]

            assert [status for status, _, _ in answers] == [302, 302, 200]
            assert answers[0][1]["Location"].startswith(server.gateway)
            assert answers[1][1]["Location"].startswith(server.https)
            assert all(headers["Connection"] == "close" for _, headers, _ in answers)
            assert client.verification.check(target=target(COVERED), code=code).status == "success"
