"""Bytes that are no request of a client get the documented error or a clear 4xx, and the server keeps
working. What clients can send: `Malformed.http` and `Refusals.http` in `Sources/Control/Checks`."""

import json

import pytest

import wire

MIB = 1 << 20


@pytest.fixture(autouse=True)
def still_alive(server):
    yield
    assert server.is_alive()


@pytest.mark.parametrize("size", [MIB + 1, 2 * MIB])
def test_a_body_over_the_limit_is_413(twilio, size):
    answer = twilio.send("POST", twilio.service + "/Verifications", b"To=" + b"x" * size)

    assert answer is not None and answer.status == 413


@pytest.mark.parametrize("length", [None, 2 * MIB], ids=["chunked", "with length"])
def test_a_body_over_the_limit_is_413_in_the_format_of_the_control_api(server, sandbox, length):
    with wire.Wire(server.address) as line:
        path = f"/s/{sandbox.name}/control/clock"
        if length:
            line.send(wire.request("POST", path, content_length=length))
        else:
            line.send(wire.request("POST", path, transfer_encoding="chunked") + b"200000\r\n" + b"x" * MIB)
        answer = line.receive()

    assert (answer.status, answer.headers["content-type"]) == (413, "application/json; charset=utf-8")
    assert json.loads(answer.body) == {"error": "body: expected at most 1048576 bytes"}


@pytest.mark.parametrize("method, path, form, more, status, code", [
    ("POST", "/Verifications", b"To=\xff\xfe&Channel=sms", {}, 400, 60200),
    ("GET", "/Verifications/%ZZ", None, {}, 400, 60200),
    ("GET", "", None, {"authorization": "\xff"}, 401, 20003),
])
def test_twilio_rejects_what_is_no_text(twilio, method, path, form, more, status, code):
    assert_twilio_error(twilio.send(method, twilio.service + path, form, **more), status, code)


@pytest.mark.parametrize("value", [b'"\xff"', b'"\x00"', b"[" * 5000 + b"]" * 5000], ids=["UTF-8", "NUL", "deep"])
def test_control_rejects_what_is_no_json(sandbox, value):
    answer = sandbox.session.post(
        f"{sandbox.base}/control/clock", data=b'{"advance":' + value + b"}",
        headers={"Content-Type": "application/json"}, timeout=10)

    assert answer.status_code == 400 and answer.json()["field"] == "$"


@pytest.mark.parametrize("path, host, status, code", [
    # Sign-in comes first (`twilio-verify.md` 20); these requests have none.
    ("/twilio/v2/Nonsense", "any.test", 401, 20003), ("/verify/v2/Services//Verifications", "any.test", 401, 20003),
    ("/v2/Nonsense", "verify.twilio.com", 401, 20003), ("/", "verify.twilio.com:443", 404, 20404),
])
def test_twilio_rejects_an_unknown_path_under_its_prefix(server, path, host, status, code):
    with wire.Wire(server.address) as line:
        line.send(wire.request("GET", path, host=host))

        assert_twilio_error(line.receive(), status, code)


def assert_twilio_error(answer, status, code):
    assert answer is not None, "closed without an answer"
    body = json.loads(answer.body)
    assert body["status"] == answer.status
    assert body["more_info"] == f"https://www.twilio.com/docs/errors/{body['code']}"
    assert body["message"]
    assert (answer.status, body["code"]) == (status, code), answer.raw


def test_wire_helper_writes_plain_requests():
    assert wire.request("GET", "/", x_a="1") == b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: 1\r\n\r\n"
