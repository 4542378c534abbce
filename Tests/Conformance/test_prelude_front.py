"""Conformance checks 30 to 41 of the Prelude contract, section 17: webhooks, signals and silent
verification."""

import base64
import json
import socket
import ssl
import urllib.parse
import uuid
import zlib

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


def signals(sandbox, method, dispatch, features=None, body=None, **more):
    headers = {"X-SDK-DispatchID": dispatch, "X-SDK-Key": sandbox.credentials["prelude"]["sdkKey"], **more}
    if features is not None:
        headers["X-SDK-Implemented-Features"] = features
    return requests.request(method, f"{sandbox.base}/v1/signals", headers=headers, data=body, timeout=10)


def raw_deflate(data):
    deflater = zlib.compressobj(wbits=-15)
    return deflater.compress(data) + deflater.flush()


def dispatch_id():
    """A UUID of version 7, as a device generates it."""
    return str(uuid.UUID(bytes=b"\x01\x9c\x00\x00\x00\x00\x70\x00\x80" + uuid.uuid4().bytes[:7]))


@pytest.fixture
def dispatched(sandbox):
    """The id of a dispatch that supports silent verification."""
    name = dispatch_id()
    assert signals(sandbox, "OPTIONS", name, "1").status_code == 204
    return name


def test_prelude_32_signals_of_a_browser(sandbox):
    preflight = requests.options(
        f"{sandbox.base}/v1/signals", timeout=10,
        headers={"Origin": "https://app.example", "Access-Control-Request-Method": "POST",
                 "Access-Control-Request-Headers": "content-encoding,content-type,x-sdk-dispatchid,x-sdk-key"})
    assert preflight.status_code == 204
    assert preflight.headers["Access-Control-Allow-Origin"] in ("*", "https://app.example")
    assert "POST" in preflight.headers["Access-Control-Allow-Methods"]
    assert "x-sdk-dispatchid" in preflight.headers["Access-Control-Allow-Headers"].lower()

    posted = signals(
        sandbox, "POST", dispatch_id(), body=raw_deflate(b"\x0a\x24" + b"x" * 36),
        **{"Content-Type": "application/vnd.prelude.signals", "Content-Encoding": "deflate"})
    assert 200 <= posted.status_code < 300
    assert sandbox.journal()[-1]["response"]["status"] == posted.status_code


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


def silent(prelude, dispatch, number=COVERED, **more):
    return prelude.verification.create(target=target(number), dispatch_id=dispatch, **more)


def test_prelude_34_silent_verification_is_offered(prelude, dispatched):
    answer = silent(prelude, dispatched)

    assert answer.method == "silent"
    assert urllib.parse.urlsplit(answer.silent.request_url).netloc
    assert answer.channels[0] == "silent"


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


def test_prelude_36_hops_can_be_repeated(prelude, dispatched):
    url = silent(prelude, dispatched).silent.request_url
    first, again = hop(url), hop(url)
    grant = hop(first[1]["Location"])[1]["Location"]
    code, same = hop(grant), hop(grant)

    assert (first[0], first[1]["Location"]) == (again[0], again[1]["Location"])
    assert code[2] == same[2] and json.loads(code[2])["code"]


def test_prelude_37_no_code_before_the_chain_was_followed(prelude, dispatched):
    silent(prelude, dispatched)

    assert prelude.verification.check(target=target(COVERED), code="123456").status == "failure"


def test_prelude_38_retry_after_silent_is_a_message(prelude, dispatched):
    first = silent(prelude, dispatched)
    second = silent(prelude, dispatched)

    assert (second.id, second.status, second.method) == (first.id, "retry", "message")
    assert second.silent is None


@pytest.mark.parametrize("case", ["no features", "no dispatch", "asks for a message"])
def test_prelude_39_not_silent(prelude, sandbox, case):
    name = dispatch_id()
    signals(sandbox, "OPTIONS", name, "0" if case == "no features" else "1")
    more = {} if case == "no dispatch" else {"dispatch_id": name}
    if case == "asks for a message":
        more["options"] = {"method": "message"}

    answer = prelude.verification.create(target=target(COVERED), **more)

    assert answer.method == "message"


def test_prelude_40_mismatch_has_no_code(prelude, sandbox, dispatched):
    opened = silent(prelude, dispatched, "+33639980040")

    status, _, body = walk(opened.silent.request_url)[-1]

    assert status == 200
    answer = json.loads(body)
    assert (answer["status"], answer["reason"]) == ("failure", "phone_number_mismatch")
    assert "code" not in answer


def test_prelude_41_expired_token(prelude, sandbox, dispatched):
    opened = silent(prelude, dispatched)
    sandbox.advance("121s")

    answer = json.loads(walk(opened.silent.request_url)[-1][2])

    assert answer == {"status": "failure", "reason": "expired"}
