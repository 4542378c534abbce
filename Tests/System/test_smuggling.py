"""Heads and bodies that readers could understand differently are rejected, and cannot hide a second
request."""

import pytest

import wire

HOST = b"Host: localhost\r\n"
HIDDEN = b"GET /livez HTTP/1.1\r\n" + HOST + b"\r\n"
JSON = b"Content-Type: application/json\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"


def post(*fields, body=b""):
    return b"POST /control/clock HTTP/1.1\r\n" + HOST + b"".join(fields) + b"\r\n" + body


def get(*fields, line=b"GET /livez HTTP/1.1", host=HOST):
    return line + b"\r\n" + host + b"".join(fields) + b"\r\n"


REFUSED = {
    # ambiguous length
    "length and chunked": post(b"Content-Length: 4\r\n", CHUNKED, body=b"0\r\n\r\n"),
    "chunked and length": post(CHUNKED, b"Content-Length: 4\r\n", body=b"0\r\n\r\n"),
    "two lengths": post(b"Content-Length: 0\r\nContent-Length: 6\r\n"),
    "two equal lengths": post(b"Content-Length: 0\r\nContent-Length: 0\r\n"),
    "list of lengths": post(b"Content-Length: 0, 0\r\n"),
    "signed length": post(b"Content-Length: +0\r\n"),
    "negative length": post(b"Content-Length: -1\r\n"),
    "hexadecimal length": post(b"Content-Length: 0x0\r\n"),
    "empty length": post(b"Content-Length: \r\n"),
    "length beyond any integer": post(b"Content-Length: 99999999999999999999\r\n"),
    "length with a space inside": post(b"Content-Length: 1 0\r\n"),
    # ambiguous encoding
    "identity, chunked": post(b"Transfer-Encoding: identity, chunked\r\n", body=b"0\r\n\r\n"),
    "chunked, identity": post(b"Transfer-Encoding: chunked, identity\r\n", body=b"0\r\n\r\n"),
    "gzip, chunked": post(b"Transfer-Encoding: gzip, chunked\r\n", body=b"0\r\n\r\n"),
    "xchunked": post(b"Transfer-Encoding: xchunked\r\n", body=b"0\r\n\r\n"),
    "chunked in quotes": post(b'Transfer-Encoding: "chunked"\r\n', body=b"0\r\n\r\n"),
    "two encodings": post(CHUNKED, CHUNKED, body=b"0\r\n\r\n"),
    "space before the colon": post(b"Transfer-Encoding : chunked\r\n", body=b"0\r\n\r\n"),
    "encoding behind a fold": post(b"Transfer-Encoding:\r\n chunked\r\n", body=b"0\r\n\r\n"),
    "vertical tab before chunked": post(b"Transfer-Encoding: \x0bchunked\r\n", body=b"0\r\n\r\n"),
    # ambiguous line ends
    "folded field": get(b"X-A: 1\r\n 2\r\n"),
    "folded by a tab": get(b"X-A: 1\r\n\t2\r\n"),
    "bare line feeds": b"GET /livez HTTP/1.1\nHost: localhost\n\n",
    "one bare line feed": get(b"X-A: 1\nX-B: 2\r\n"),
    "head ends in CRLF LF": b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\n",
    "bare carriage return": get(b"X-A: 1\rX-B: 2\r\n"),
    "NUL in a value": get(b"X-A: 1\x002\r\n"),
    "NUL in a name": get(b"X\x00A: 1\r\n"),
    # invalid fields
    "no colon": get(b"nonsense\r\n"),
    "empty name": get(b": 1\r\n"),
    "space in a name": get(b"X A: 1\r\n"),
    "space before the first field": b"GET /livez HTTP/1.1\r\n " + HOST + b"\r\n",
    # ambiguous host
    "no Host": get(host=b""),
    "two Hosts": get(host=HOST + HOST),
    "two different Hosts": get(host=HOST + b"Host: other.test\r\n"),
    "space before Host's colon": get(host=b"Host : localhost\r\n"),
    # invalid request lines
    "no version": get(line=b"GET /livez"),
    "version 0.9": get(line=b"GET /livez HTTP/0.9"),
    "version 2.0": get(line=b"GET /livez HTTP/2.0"),
    "version in small letters": get(line=b"GET /livez http/1.1"),
    "another protocol": get(line=b"GET /livez ICE/1.0"),
    "two spaces": get(line=b"GET  /livez HTTP/1.1"),
    "a tab": get(line=b"GET\t/livez HTTP/1.1"),
    "small method": get(line=b"get /livez HTTP/1.1"),
    "unknown method": get(line=b"FOO /livez HTTP/1.1"),
    "no target": get(line=b"GET HTTP/1.1"),
    "target without slash": get(line=b"GET livez HTTP/1.1"),
    "space in the target": get(line=b"GET /li vez HTTP/1.1"),
    "NUL in the target": get(line=b"GET /li\x00vez HTTP/1.1"),
    "TLS on the plain port": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64,
    "noise": bytes(range(256)),
    # chunks
    "chunk size of letters": post(CHUNKED, body=b"xyz\r\n\r\n"),
    "chunk size with 0x": post(CHUNKED, body=b"0x1\r\na\r\n0\r\n\r\n"),
    "negative chunk size": post(CHUNKED, body=b"-1\r\n\r\n"),
    "chunk size beyond any integer": post(CHUNKED, body=b"ffffffffffffffffff\r\n"),
    "chunk longer than its size": post(CHUNKED, body=b"1\r\nab\r\n0\r\n\r\n"),
    "bare line feed behind a chunk size": post(CHUNKED, body=b"1\na\r\n0\r\n\r\n"),
    "empty chunk size": post(CHUNKED, body=b"\r\n0\r\n\r\n"),
}

# Every other request gets 400.
STATUSES = {
    "gzip, chunked": 501, "small method": 501, "unknown method": 501, "version 0.9": 505, "version 2.0": 505}

LIMITS = {
    "head of 17 KiB": (get(b"X-A: " + b"a" * (17 << 10) + b"\r\n"), 431),
    "a field without end": (b"GET /livez HTTP/1.1\r\n" + HOST + b"X-A: " + b"a" * (64 << 10), 431),
    "101 fields": (get(*(b"X-%d: 1\r\n" % number for number in range(101))), 431),
    "target of 9 KiB": (get(line=b"GET /" + b"a" * (9 << 10) + b" HTTP/1.1"), 414),
    "a target without end": (b"GET /" + b"a" * (64 << 10), 414),
    "chunks of 2 MiB": (post(CHUNKED, body=b"10000\r\n" + b"a" * 65536 + b"\r\n") + b"10000\r\n"
                        + (b"a" * 65536 + b"\r\n10000\r\n") * 32, 413),
}


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_ambiguous_requests_are_rejected_and_hide_nothing(server, case):
    with wire.Wire(server.address) as line:
        line.send(REFUSED[case] + HIDDEN)
        answer = line.receive()

        assert answer is not None, "closed without an answer"
        assert answer.status == STATUSES.get(case, 400), answer.raw
        assert answer.headers.get("connection", "").lower() == "close"
        assert line.closed(), "the hidden request was answered"
    assert server.is_alive()


@pytest.mark.parametrize("case", LIMITS, ids=str)
def test_limits_have_their_own_statuses(server, case):
    sent, status = LIMITS[case]
    with wire.Wire(server.address) as line:
        line.send(sent)
        answer = line.receive()

    assert answer is not None, "closed without an answer"
    assert answer.status == status, answer.raw
    assert server.is_alive()


def test_pipelined_requests_are_answered_in_order(server):
    targets = ["/livez", "/control/clock", "/nonsense", "/readyz"] * 25
    with wire.Wire(server.address) as line:
        line.send(b"".join(wire.request("GET", target) for target in targets))
        statuses = [line.receive().status for _ in targets]

    assert statuses == [200, 200, 404, 200] * 25


def test_a_body_in_chunks_is_one_body(server):
    whole = b'{"advance":"0s"}'
    chunks = b"".join(b"1;ext=1\r\n%c\r\n" % byte for byte in whole) + b"0\r\nX-Trailer: 1\r\n\r\n"
    sandbox = server.sandbox()
    head = f"POST /s/{sandbox.name}/control/clock HTTP/1.1\r\n".encode() + HOST + JSON + CHUNKED + b"\r\n"
    with wire.Wire(server.address) as line:
        line.send(head + chunks + HIDDEN)

        assert (line.receive().status, line.receive().status) == (200, 200)
    sandbox.delete()


def test_expect_100_continue_is_answered_before_the_body(server):
    sandbox = server.sandbox()
    body = b'{"advance":"0s"}'
    head = wire.request(
        "POST", f"/s/{sandbox.name}/control/clock", expect="100-continue", content_length=str(len(body)),
        content_type="application/json")
    with wire.Wire(server.address) as line:
        line.send(head)
        assert line.receive().status == 100
        line.send(body)
        assert line.receive().status == 200
    sandbox.delete()


def test_head_has_the_length_and_not_the_body(server):
    with wire.Wire(server.address) as line:
        line.send(wire.request("HEAD", "/livez") + wire.request("GET", "/livez"))
        head, whole = line.receive(head_only=True), line.receive()

    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-length"] == whole.headers["content-length"] == str(len(whole.body))


def test_an_absolute_target_names_the_host(server):
    with wire.Wire(server.address) as line:
        line.send(wire.request("GET", "http://verify.twilio.com/v2/Nonsense", host="ignored.test"))
        answer = line.receive()

    assert answer.status == 401
    assert b'"code":20003' in answer.body


def test_an_upgrade_to_h2c_is_ignored(server):
    with wire.Wire(server.address) as line:
        line.send(wire.request("GET", "/livez", connection="Upgrade, HTTP2-Settings", upgrade="h2c",
                               http2_settings="AAMAAABkAAQAAP__"))

        assert line.receive().status == 200
