"""Requests that the server cannot read, on the hosts and paths of providers. Source: issue 22, B9."""

import json

import httpx
import pytest

import ringfence
import wire

# The provider's host, one of its paths, and the members that all its errors have.
PROVIDERS = {
    "twilio": ("verify.twilio.com", "/v2/Services", {"code", "message", "status", "more_info"}),
    "telesign": ("rest-ww.telesign.com", "/v1/messaging", {"status"}),
    "prelude": ("api.prelude.dev", "/v2/verification", {"code", "message"}),
    "prove": ("platform.uat.proveapis.com", "/v3/start", {"code", "message"}),
    "sinch": ("verification.api.sinch.com", "/verification/v1/verifications", {"errorCode", "message"}),
    "vonage": ("api.nexmo.com", "/v2/verify", {"type", "title"}),
    "camara": ("sandbox.opengateway.telefonica.com", "/sim-swap/v2/check", {"status", "code", "message"}),
    "hyphen": (None, "/hyphen/api/sms", set()),
    "fcm": ("fcm.googleapis.com", "/v1/projects/x/messages:send", {"error"}),
    "apns": ("api.push.apple.com", "/3/device/" + "ab" * 32, {"reason"}),
}
LONG = "a" * 9_000


def broken(kind, path, host):
    """Bytes that are answered with this status."""
    if kind == 400:
        return wire.request("POST", path, host=host).replace(b"\r\n\r\n", b"\r\nno colon\r\n\r\n")
    if kind == 413:
        return f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999\r\n\r\n".encode()
    if kind == 414:
        return wire.request("POST", f"{path}/{LONG}", host=host)
    return wire.request("POST", path, host=host).replace(b"\r\n\r\n", f"\r\nX-Long: {LONG}{LONG}\r\n\r\n".encode())


@pytest.fixture(scope="module")
def server():
    with ringfence.Server() as running:
        yield running


@pytest.mark.parametrize("kind", [400, 413, 414, 431])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_request_that_cannot_be_read_gets_the_providers_form(server, provider, kind):
    host, path, members = PROVIDERS[provider]
    # A target that is too long has no host yet: the path alone tells the provider. Some only have a host.
    hosts = [host] if provider in ("fcm", "apns") else ["localhost"]
    for name in hosts:
        for pieces in (1, 700):
            data = broken(kind, path, name)
            with wire.Wire(server.address) as line:
                for start in range(0, len(data), max(1, len(data) // pieces)):
                    line.send(data[start:start + max(1, len(data) // pieces)])
                answer = line.receive()
            if kind == 414 and provider in ("fcm", "apns"):
                assert answer.status == 414  # Nothing but the host, which never arrived, would tell whose path it is.
                continue
            assert answer.status == kind, answer
            assert members <= json.loads(answer.body).keys(), answer.body


@pytest.mark.parametrize("kind", [400, 413, 431])
def test_the_host_alone_tells_the_provider(server, kind):
    with wire.Wire(server.address) as line:
        line.send(broken(kind, "/unknown", "verify.twilio.com"))
        answer = line.receive()

    assert answer.status == kind and json.loads(answer.body)["status"] == kind, answer


@pytest.mark.parametrize("kind, said", [(400, "A header line is not"), (413, "The body is too large"),
                                        (414, "The request target is too long"), (431, "The head of the request")])
def test_elsewhere_it_is_plain_text_and_of_the_control_api_in_its_form(server, kind, said):
    for path, is_json in (("/nowhere", False), ("/control/seed", True)):
        with wire.Wire(server.address) as line:
            line.send(broken(kind, path, "localhost"))
            answer = line.receive()
        assert answer.status == kind and ("json" in answer.headers["content-type"]) == is_json
        if kind != 413 or not is_json:
            assert said in answer.body.decode()


def test_by_http2_too(server):
    with httpx.Client(http1=False, http2=True, timeout=20) as client:
        for path, headers, kind in ((f"/v2/Services/{LONG}", {}, 414), ("/v2/Services", {"x-long": LONG + LONG}, 431)):
            answer = client.get(f"{server.http}{path}", headers=headers)
            assert (answer.status_code, answer.json()["status"]) == (kind, kind)


def test_the_helper_writes_plain_requests():
    assert wire.request("GET", "/", x_a="1") == b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: 1\r\n\r\n"
