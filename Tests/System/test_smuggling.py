"""Heads and bodies that readers could understand differently are rejected, and cannot hide a second
request."""

import pytest

import wire

HOST = b"Host: localhost\r\n"
HIDDEN = b"GET /livez HTTP/1.1\r\n" + HOST + b"\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"


def post(*fields, body=b""):
    return b"POST /control/clock HTTP/1.1\r\n" + HOST + b"".join(fields) + b"\r\n" + body


def get(*fields, line=b"GET /livez HTTP/1.1", host=HOST):
    return line + b"\r\n" + host + b"".join(fields) + b"\r\n"


# One of each kind, with its status; all are in Tests/HTTPTests/MalformedRequestTests.swift.
REFUSED = {
    "length and chunked": (400, post(b"Content-Length: 4\r\n", CHUNKED, body=b"0\r\n\r\n")),
    "two equal lengths": (400, post(b"Content-Length: 0\r\nContent-Length: 0\r\n")),
    "length beyond any integer": (400, post(b"Content-Length: 99999999999999999999\r\n")),
    "gzip, chunked": (501, post(b"Transfer-Encoding: gzip, chunked\r\n", body=b"0\r\n\r\n")),
    "encoding behind a fold": (400, post(b"Transfer-Encoding:\r\n chunked\r\n", body=b"0\r\n\r\n")),
    "bare line feeds": (400, b"GET /livez HTTP/1.1\nHost: localhost\n\n"),
    "no colon": (400, get(b"nonsense\r\n")),
    "two different Hosts": (400, get(host=HOST + b"Host: other.test\r\n")),
    "no target": (400, get(line=b"GET HTTP/1.1")),
    "no version": (400, get(line=b"GET /livez")),
    "version 2.0": (505, get(line=b"GET /livez HTTP/2.0")),
    "TLS on the plain port": (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64),
    "noise": (400, bytes(range(256))),
    "chunk longer than its size": (400, post(CHUNKED, body=b"1\r\nab\r\n0\r\n\r\n")),
    "bare line feed behind a chunk size": (400, post(CHUNKED, body=b"1\na\r\n0\r\n\r\n")),
}


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_ambiguous_requests_are_rejected_and_hide_nothing(server, case):
    status, sent = REFUSED[case]
    with wire.Wire(server.address) as line:
        line.send(sent + HIDDEN)
        answer = line.receive()

        assert answer is not None, "closed without an answer"
        assert answer.status == status, answer.raw
        assert answer.headers.get("connection", "").lower() == "close"
        assert line.closed(), "the hidden request was answered"
    assert server.is_alive()
