"""The rules of RFC 9113 and RFC 7541 for servers, one frame sequence each. The sections are those of
h2spec."""

import socket

import pytest

from http2_wire import (
    CONTINUATION, COMPRESSION_ERROR, DATA, END_HEADERS, END_STREAM, FLOW_CONTROL_ERROR, FRAME_SIZE_ERROR, GOAWAY, HEADERS,
    NO_ERROR, PADDED, PING, PRIORITY, PROTOCOL_ERROR, PUSH_PROMISE, REFUSED_STREAM, RST_STREAM, SETTINGS,
    STREAM_CLOSED, WINDOW_UPDATE, WITH_PRIORITY, ACK, Http2Wire, block, data, fields, frame, number, request, reset,
    settings, text, window_update)

GET = block(fields())
ENDS = END_HEADERS | END_STREAM


def headers(payload, flags=ENDS, stream=1):
    return frame(HEADERS, flags, stream, payload)


def without(name):
    return [pair for pair in fields() if pair[0] != name]


def with_field(name, value):
    return request(1, pairs=[*fields(), (name, value)])


# What the connection ends with: GOAWAY with one of these codes.
CONNECTION_ERRORS = {
    "3.4: another first frame than SETTINGS": (None, [PROTOCOL_ERROR]),
    "4.2: HEADERS larger than SETTINGS_MAX_FRAME_SIZE": (headers(GET + b"\x00" * 17_000), [FRAME_SIZE_ERROR]),
    "4.2: SETTINGS larger than SETTINGS_MAX_FRAME_SIZE": (
        frame(SETTINGS, payload=bytes(6) * 3_000), [FRAME_SIZE_ERROR]),
    "4.3: a header block that cannot be decompressed": (headers(b"\xff\xff\xff\xff\xff\xff\xff\xff"), [COMPRESSION_ERROR]),
    "4.3: PRIORITY inside a header block": (
        headers(GET, END_STREAM) + frame(PRIORITY, 0, 1, bytes(5)), [PROTOCOL_ERROR]),
    "4.3: HEADERS of another stream inside a header block": (
        headers(GET, END_STREAM) + headers(GET, stream=3), [PROTOCOL_ERROR]),
    "5.1: DATA on an idle stream": (data(1, b"x"), [PROTOCOL_ERROR]),
    "5.1: RST_STREAM on an idle stream": (reset(1), [PROTOCOL_ERROR]),
    "5.1: WINDOW_UPDATE on an idle stream": (window_update(1, 1), [PROTOCOL_ERROR]),
    "5.1: CONTINUATION on an idle stream": (frame(CONTINUATION, END_HEADERS, 1, GET), [PROTOCOL_ERROR]),
    "5.1: CONTINUATION on a half-closed stream": (
        request(1) + frame(CONTINUATION, END_HEADERS, 1, GET), [STREAM_CLOSED, PROTOCOL_ERROR]),
    "5.1: CONTINUATION on a closed stream": (
        request(1) + reset(1) + frame(CONTINUATION, END_HEADERS, 1, GET), [STREAM_CLOSED, PROTOCOL_ERROR]),
    "5.1.1: an even stream": (request(2), [PROTOCOL_ERROR]),
    "5.3.1 of RFC 7540: HEADERS that depend on themselves": (
        headers(b"\x00\x00\x00\x01\x10" + GET, ENDS | WITH_PRIORITY), [PROTOCOL_ERROR]),
    "5.5: an unknown frame inside a header block": (
        headers(GET, END_STREAM) + frame(0x16, 0, 1, bytes(8)), [PROTOCOL_ERROR]),
    "6.1: DATA on stream 0": (data(0, b"x"), [PROTOCOL_ERROR]),
    "6.1: padding as long as the payload": (
        request(1, ends=False, method="POST") + frame(DATA, PADDED | END_STREAM, 1, b"\x05test"), [PROTOCOL_ERROR]),
    "6.2: DATA inside a header block": (headers(GET, 0) + data(1, b"x"), [PROTOCOL_ERROR]),
    "6.2: HEADERS on stream 0": (headers(GET, stream=0), [PROTOCOL_ERROR]),
    "6.2: padding as long as the payload": (
        headers(bytes([len(GET) + 1]) + GET, ENDS | PADDED), [PROTOCOL_ERROR]),
    "6.3: PRIORITY on stream 0": (frame(PRIORITY, 0, 0, bytes(5)), [PROTOCOL_ERROR]),
    "6.4: RST_STREAM on stream 0": (reset(0), [PROTOCOL_ERROR]),
    "6.4: RST_STREAM with 3 bytes": (
        request(1, ends=False, method="POST") + frame(RST_STREAM, 0, 1, bytes(3)), [FRAME_SIZE_ERROR]),
    "6.5: SETTINGS with ACK and a payload": (frame(SETTINGS, ACK, 0, bytes(6)), [FRAME_SIZE_ERROR]),
    "6.5: SETTINGS on a stream": (frame(SETTINGS, 0, 1, bytes(6)), [PROTOCOL_ERROR]),
    "6.5: SETTINGS with 3 bytes": (frame(SETTINGS, payload=bytes(3)), [FRAME_SIZE_ERROR]),
    "6.5.2: SETTINGS_ENABLE_PUSH of 2": (settings((2, 2)), [PROTOCOL_ERROR]),
    "6.5.2: SETTINGS_INITIAL_WINDOW_SIZE of 2^31": (settings((4, 1 << 31)), [FLOW_CONTROL_ERROR]),
    "6.5.2: SETTINGS_MAX_FRAME_SIZE of 16,383": (settings((5, 16_383)), [PROTOCOL_ERROR]),
    "6.5.2: SETTINGS_MAX_FRAME_SIZE of 2^24": (settings((5, 1 << 24)), [PROTOCOL_ERROR]),
    "6.6: PUSH_PROMISE": (
        request(1, ends=False, method="POST") + frame(PUSH_PROMISE, END_HEADERS, 1, b"\x00\x00\x00\x02" + GET),
        [PROTOCOL_ERROR]),
    "6.7: PING on a stream": (frame(PING, 0, 1, bytes(8)), [PROTOCOL_ERROR]),
    "6.7: PING with 6 bytes": (frame(PING, payload=bytes(6)), [FRAME_SIZE_ERROR]),
    "6.8: GOAWAY on a stream": (frame(GOAWAY, 0, 1, bytes(8)), [PROTOCOL_ERROR]),
    "6.9: WINDOW_UPDATE of 0": (window_update(0, 0), [PROTOCOL_ERROR]),
    "6.9: WINDOW_UPDATE of 0 on a stream": (  # 5.4.2 allows an error of the connection for each of a stream
        request(1, ends=False, method="POST") + window_update(1, 0), [PROTOCOL_ERROR]),
    "6.9: WINDOW_UPDATE with 3 bytes": (frame(WINDOW_UPDATE, payload=bytes(3)), [FRAME_SIZE_ERROR]),
    "6.9.1: a window of the connection over 2^31-1": (
        window_update(0, (1 << 31) - 1) * 2, [FLOW_CONTROL_ERROR]),
    "6.10: CONTINUATION after END_HEADERS": (
        request(1, ends=False) + frame(CONTINUATION, END_HEADERS, 1, GET), [PROTOCOL_ERROR]),
    "6.10: CONTINUATION on stream 0": (
        headers(GET, END_STREAM) + frame(CONTINUATION, END_HEADERS, 0, GET), [PROTOCOL_ERROR]),
    "6.10: CONTINUATION after CONTINUATION with END_HEADERS": (
        headers(GET, END_STREAM) + frame(CONTINUATION, END_HEADERS, 1, b"") + frame(CONTINUATION, END_HEADERS, 1, b""),
        [PROTOCOL_ERROR]),
    "6.10: CONTINUATION after DATA": (
        request(1, ends=False, method="POST") + data(1, b"x") + frame(CONTINUATION, END_HEADERS, 1, GET),
        [PROTOCOL_ERROR]),
    "HPACK 2.3.3: an index beyond the table": (headers(GET + number(70, 7, 0x80)), [COMPRESSION_ERROR]),
    "HPACK 4.2: a new table size after a field": (headers(GET + number(0, 5, 0x20)), [COMPRESSION_ERROR]),
    "HPACK 5.2: Huffman padding of more than 7 bits": (
        headers(GET + b"\x00\x85\xf2\xb2\x4a\x84\xff\x84\x49\x50\x9f\xff"), [COMPRESSION_ERROR]),
    "HPACK 5.2: Huffman padding that is not ones": (
        headers(GET + b"\x00\x85\xf2\xb2\x4a\x87\xff\x84\x83\x49\x50\x90"), [COMPRESSION_ERROR]),
    "HPACK 5.2: the EOS symbol in a text": (
        headers(GET + b"\x00\x85\xf2\xb2\x4a\x87\xff\x88\xff\xff\xff\xff\xff\xff\xff\xff"), [COMPRESSION_ERROR]),
    "HPACK 6.1: index 0": (headers(GET + b"\x80"), [COMPRESSION_ERROR]),
    "HPACK 6.3: a table size over the limit": (headers(number(4_097, 5, 0x20) + GET), [COMPRESSION_ERROR]),
}

# What stream 1 ends with: RST_STREAM with one of these codes. The connection goes on.
STREAM_ERRORS = {
    "6.9.1: a window of a stream over 2^31-1": (
        request(1, ends=False, method="POST") + window_update(1, (1 << 31) - 1) * 2, [FLOW_CONTROL_ERROR]),
    "8.1: second HEADERS without END_STREAM": (
        request(1, ends=False, method="POST") + headers(block([("x-test", "ok")]), END_HEADERS), [PROTOCOL_ERROR]),
    "8.1.1: content-length with another sum of DATA": (
        request(1, ends=False, method="POST", content_length="1") + data(1, b"test", ends=True), [PROTOCOL_ERROR]),
    "8.1.1: content-length with another sum of several DATA": (
        request(1, ends=False, method="POST", content_length="1") + data(1, b"te") + data(1, b"st", ends=True),
        [PROTOCOL_ERROR]),
    "8.2.1: a name with a capital": (with_field("X-TEST", "ok"), [PROTOCOL_ERROR]),
    "8.2.1: a name with a space": (with_field("x test", "ok"), [PROTOCOL_ERROR]),
    "8.2.1: a value with NUL": (with_field("x-test", b"o\x00k"), [PROTOCOL_ERROR]),
    "8.2.1: a value with a line end": (with_field("x-test", b"ok\r\nx-other: 1"), [PROTOCOL_ERROR]),
    "8.2.1: a value that begins with a space": (with_field("x-test", " ok"), [PROTOCOL_ERROR]),
    "8.2.2: connection": (with_field("connection", "keep-alive"), [PROTOCOL_ERROR]),
    "8.2.2: transfer-encoding": (with_field("transfer-encoding", "chunked"), [PROTOCOL_ERROR]),
    "8.2.2: te other than trailers": (with_field("te", "trailers, deflate"), [PROTOCOL_ERROR]),
    "8.3: an unknown pseudo-header": (
        request(1, pairs=[*fields(), (":test", "ok")]), [PROTOCOL_ERROR]),
    "8.3: a pseudo-header of responses": (
        request(1, pairs=[*fields(), (":status", "200")]), [PROTOCOL_ERROR]),
    "8.3: a pseudo-header in trailers": (
        request(1, ends=False, method="POST") + headers(block([(":method", "POST")])), [PROTOCOL_ERROR]),
    "8.3: a pseudo-header after a field": (
        request(1, pairs=[*without(":path"), ("x-test", "ok"), (":path", "/livez")]), [PROTOCOL_ERROR]),
    "8.3.1: an empty :path": (request(1, path=""), [PROTOCOL_ERROR]),
    "8.3.1: no :method": (request(1, pairs=without(":method")), [PROTOCOL_ERROR]),
    "8.3.1: no :scheme": (request(1, pairs=without(":scheme")), [PROTOCOL_ERROR]),
    "8.3.1: no :path": (request(1, pairs=without(":path")), [PROTOCOL_ERROR]),
    "8.3.1: two :method": (request(1, pairs=[(":method", "GET"), *fields()]), [PROTOCOL_ERROR]),
    "8.3.1: two :scheme": (request(1, pairs=[(":scheme", "http"), *fields()]), [PROTOCOL_ERROR]),
    "8.3.1: two :path": (request(1, pairs=[(":path", "/"), *fields()]), [PROTOCOL_ERROR]),
    "8.3.1: an empty :authority": (request(1, pairs=[*without(":authority"), (":authority", "")]), [PROTOCOL_ERROR]),
    "8.3.1: neither :authority nor host": (request(1, pairs=without(":authority")), [PROTOCOL_ERROR]),
}

# A request that is answered all the same, and what it is sent with.
ACCEPTED = {
    "4.1: an unknown frame": frame(0x16, 0, 0, bytes(8)) + request(1),
    "4.1: unknown flags": frame(PING, 0x16, 0, bytes(8)) + request(1),
    "4.1: the reserved bit": frame(PING, 0, 1 << 31, bytes(8)) + request(1),
    "4.2: DATA of SETTINGS_MAX_FRAME_SIZE": (
        request(1, ends=False, method="POST") + data(1, bytes(16_384), ends=True)),
    "5.1: PRIORITY on an idle stream": frame(PRIORITY, 0, 3, bytes(4) + b"\x10") + request(1),
    "5.5: an unknown setting": settings((0xF000, 1)) + request(1),
    "6.1: DATA with padding": (
        request(1, ends=False, method="POST") + frame(DATA, PADDED | END_STREAM, 1, b"\x06test" + bytes(6))),
    "6.2: HEADERS with padding": headers(b"\x06" + GET + bytes(6), ENDS | PADDED),
    "6.2: HEADERS with priority": headers(b"\x00\x00\x00\x00\x10" + GET, ENDS | WITH_PRIORITY),
    "6.3: PRIORITY": request(1) + frame(PRIORITY, 0, 1, bytes(4) + b"\x10"),
    "6.4: RST_STREAM of another stream with an unknown code": request(1) + request(3) + reset(3, 0xFF),
    "6.5.3: a setting twice": settings((4, 100), (4, 65_535)) + request(1),
    "6.10: many CONTINUATION": (
        headers(GET[:4], END_STREAM) + frame(CONTINUATION, 0, 1, GET[4:20]) + frame(CONTINUATION, END_HEADERS, 1, GET[20:])),
    "8.1: trailers": (
        request(1, ends=False, method="POST") + data(1, b"x") + headers(block([("x-test", "ok")]))),
    "8.2.2: te: trailers": with_field("te", "trailers"),
    "8.3.1: host without :authority": request(1, pairs=[*without(":authority"), ("host", "localhost")]),
    "HPACK 2.3.3: an index of the static table": headers(b"\x82\x86\x84" + b"\x41" + text("localhost")),
    "HPACK 4.2: a new table size before the first field": headers(number(0, 5, 0x20) + GET),
    "HPACK 6.2: literals with all kinds of indexing": headers(
        GET + b"\x40" + text("x-a") + text("1") + b"\x10" + text("x-b") + text("2") + b"\xbe"),
}


@pytest.mark.parametrize("case", CONNECTION_ERRORS)
def test_connection_error(server, case):
    sent, codes = CONNECTION_ERRORS[case]
    first = settings() + sent if sent else frame(PING, payload=bytes(8))

    with Http2Wire(server.address, first=first) as client:
        assert client.goaway() in codes
        assert client.closed()  # 5.4.1


@pytest.mark.parametrize("case", STREAM_ERRORS)
def test_stream_error(server, case):
    sent, codes = STREAM_ERRORS[case]

    with Http2Wire(server.address) as client:
        client.send(sent)
        assert client.answer(1).reset in codes
        client.send(request(3))
        assert client.answer(3).status == 200


@pytest.mark.parametrize("case", ACCEPTED)
def test_accepted(server, case):
    with Http2Wire(server.address) as client:
        client.send(ACCEPTED[case])

        assert client.answer(1).status in (200, 404, 415)
        assert client.ping()


def test_3_4_the_preface_may_come_byte_by_byte(server):
    with Http2Wire(server.address, preface=b"", first=b"") as client:
        for byte in b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings() + request(1):
            client.send(bytes([byte]))
        assert client.answer(1).body == b"ok\n"


def test_6_10_continuation_may_come_byte_by_byte(server):
    """Found by Tests/Fuzz/Targets/HTTP2: nghttp2 counted each piece of a CONTINUATION's first bytes."""
    with Http2Wire(server.address) as client:
        for byte in ACCEPTED["6.10: many CONTINUATION"]:
            client.send(bytes([byte]))
            assert client.socket.getsockopt(6, 1), "TCP_NODELAY: each byte is a packet of its own"
        assert client.answer(1).status == 200


@pytest.mark.parametrize("sent", [data(1, b"x"), headers(GET)], ids=["DATA", "HEADERS"])
def test_5_1_frames_on_a_half_closed_stream_are_an_error(server, sent):
    with Http2Wire(server.address) as client:
        client.send(request(1, path="/control/inbox?wait=30") + sent)

        assert client.goaway() == STREAM_CLOSED


def close_stream(client, end):
    """Opens stream 1 and closes it: by a request and its response, or by a reset of the client."""
    if end == "response":
        client.send(request(1))
        assert client.answer(1).status == 200
    else:
        client.send(request(1, ends=False, method="POST") + reset(1))


@pytest.mark.parametrize("end", ["response", "reset"])
def test_6_1_data_on_a_closed_stream_is_ignored_as_nghttp2_decides(server, end):
    with Http2Wire(server.address) as client:
        close_stream(client, end)
        client.send(data(1, b"x") + request(3))

        assert client.answer(3).status == 200


@pytest.mark.parametrize("end", ["response", "reset"])
def test_5_1_headers_on_a_closed_stream_are_an_error_of_the_connection(server, end):
    with Http2Wire(server.address) as client:
        close_stream(client, end)
        client.send(headers(GET) + request(3))

        assert client.goaway() == STREAM_CLOSED
        assert client.closed()


def test_5_1_what_was_on_its_way_when_the_server_ended_the_stream_is_ignored(server):
    with Http2Wire(server.address) as client:
        client.send(request(1, ends=False, method="POST", content_length="99999999"))
        assert client.answer(1).status == 413
        client.send(data(1, b"x") + headers(block([("x-test", "ok")])) + request(3))

        assert client.answer(3).status == 200
        assert not [found for found in client.seen if found.kind == GOAWAY]


def test_5_3_1_a_priority_that_depends_on_itself_is_ignored_like_any_priority(server):
    """The server announces that it uses none (RFC 9218, 2.1), and nghttp2 then reads none."""
    with Http2Wire(server.address) as client:
        client.send(frame(PRIORITY, 0, 1, b"\x00\x00\x00\x01\x10") + request(1))

        assert client.answer(1).status == 200


@pytest.mark.parametrize("preface", [b"PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\rx",
                                     b"PRI * HTTP/2.0\r\nHost: x\r\n\r\n"])
def test_3_4_a_wrong_end_of_the_preface_ends_the_connection(server, preface):
    with Http2Wire(server.address, preface=preface) as client:
        assert client.goaway() == PROTOCOL_ERROR
        assert client.closed()


@pytest.mark.parametrize("preface, status", [(b"PRI * HTTP/2.1\r\n\r\nSM\r\n\r\n", b"505"),
                                             (b"PRI / HTTP/2.0\r\n\r\nSM\r\n\r\n", b"505"),
                                             (b"INVALID CONNECTION PREFACE\r\n\r\n", b"400")])
def test_3_4_what_is_no_preface_is_answered_by_http_1_and_the_connection_ends(server, preface, status):
    with socket.create_connection(server.address, timeout=10) as line:
        line.sendall(preface)
        said = b""
        while piece := line.recv(4_096):
            said += piece

    assert said.split()[:2] == [b"HTTP/1.1", status]


def test_5_1_1_a_smaller_stream_than_before_is_an_error(server):
    with Http2Wire(server.address) as client:
        client.send(request(5) + request(3))

        assert client.goaway() == PROTOCOL_ERROR


def test_5_1_2_more_streams_than_allowed_are_refused(server):
    with Http2Wire(server.address) as client:
        assert client.ping()
        limit = allowed_streams(client)
        for stream in range(1, 2 * limit + 3, 2):
            client.send(request(stream, ends=False, method="POST"))

        def is_error(found):
            return found.kind == GOAWAY or found.kind == RST_STREAM

        assert client.receive_until(is_error).code in (PROTOCOL_ERROR, REFUSED_STREAM)


def allowed_streams(client):
    """The server's SETTINGS_MAX_CONCURRENT_STREAMS."""
    payload = next(found.payload for found in client.seen if found.kind == SETTINGS and not found.flags & ACK)
    pairs = [payload[start:start + 6] for start in range(0, len(payload), 6)]
    return next(int.from_bytes(pair[2:], "big") for pair in pairs if pair[:2] == b"\x00\x03")


def test_6_3_priority_with_four_bytes_is_an_error(server):
    with Http2Wire(server.address) as client:
        client.send(request(1, ends=False, method="POST") + frame(PRIORITY, 0, 1, bytes(4)))

        def is_error(found):
            return found.kind == GOAWAY or found.kind == RST_STREAM

        assert client.receive_until(is_error).code == FRAME_SIZE_ERROR


def test_6_5_3_settings_are_confirmed(server):
    with Http2Wire(server.address) as client:
        assert client.receive_until(lambda found: found.kind == SETTINGS and found.flags & ACK).payload == b""


def test_6_7_a_ping_is_answered_with_its_payload_and_an_answer_is_not(server):
    with Http2Wire(server.address) as client:
        client.send(frame(PING, ACK, 0, b"notmine!"))
        assert client.ping(b"thisone!")

        assert [found.payload for found in client.seen if found.kind == PING] == [b"thisone!"]


def test_6_9_1_the_windows_of_stream_and_connection_are_kept(server):
    with Http2Wire(server.address, first=settings((4, 1))) as client:
        client.send(request(1))
        assert client.receive_until(lambda found: found.kind == DATA).payload == b"o"
        assert client.ping() and client.answers[1].body == b"o"
        client.send(window_update(1, 2))
        assert client.answer(1).body == b"ok\n"


def test_6_9_2_a_changed_initial_window_counts_for_open_streams(server):
    with Http2Wire(server.address, first=settings((4, 0))) as client:
        client.send(request(1))
        client.receive_until(lambda found: found.kind == HEADERS)
        client.send(settings((4, 1)))
        assert client.receive_until(lambda found: found.kind == DATA).payload == b"o"
        client.send(settings((4, 0)) + window_update(1, 1))  # the window is now 0: it was -1
        assert client.ping() and client.answers[1].body == b"o"
        client.send(window_update(1, 2))
        assert client.answer(1).body == b"ok\n"


def test_6_8_after_goaway_of_the_client_its_requests_are_answered(server):
    with Http2Wire(server.address) as client:
        client.send(request(1) + frame(GOAWAY, payload=bytes(8)))

        assert client.answer(1).body == b"ok\n"
        assert client.closed()


def test_7_an_unknown_error_code_has_no_effect(server):
    with Http2Wire(server.address) as client:
        client.send(request(1, ends=False, method="POST") + reset(1, 0xFFFF))
        assert client.ping()
        client.send(frame(GOAWAY, payload=bytes(4) + b"\x00\x00\xff\xff"))
        assert client.goaway() in (NO_ERROR, None)
