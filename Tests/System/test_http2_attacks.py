"""Clients that abuse HTTP/2. Each attack ends its own connection, or costs no more than other clients may."""

import socket

import pytest
import requests

import ringfence
from http2_wire import (
    CONTINUATION, DATA, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM, HEADERS, NO_ERROR, PING, PRIORITY, PROTOCOL_ERROR,
    Http2Wire, block, data, fields, frame, request, reset, settings, text, window_update)

KIB = 1024
INBOX = "/control/inbox?wait=30"


@pytest.fixture(scope="module")
def victim():
    """A server of its own, so that memory and processor time are those of the attacks."""
    with ringfence.Server() as server:
        requests.get(f"{server.http}/livez", timeout=10)
        yield server
        assert server.is_alive()


def streams(count, start=1):
    return range(start, start + 2 * count, 2)


def rapid_reset(total=20_000):
    for stream in streams(total):
        yield request(stream) + reset(stream)


def rapid_reset_of_waiting_requests(total=20_000):
    for stream in streams(total):
        yield request(stream, path=INBOX) + reset(stream)


def made_you_reset(total=20_000):
    """The server resets, because each request is made invalid after its head (CVE-2025-8671)."""
    for stream in streams(total):
        yield request(stream, ends=False, method="POST") + data(stream, b"") + window_update(stream, 0x7FFFFFFF)


def invalid_requests(total=20_000):
    for stream in streams(total):
        yield request(stream, pairs=[*fields(), ("x-A", "capital")])


def continuation_flood(total=20_000):
    yield frame(HEADERS, END_STREAM, 1, block(fields()))
    for _ in range(total):
        yield frame(CONTINUATION, 0, 1, block([("x-filling", "x" * 100)]))


def empty_continuation_flood(total=100_000):
    yield frame(HEADERS, END_STREAM, 1, block(fields()))
    for _ in range(total):
        yield frame(CONTINUATION, 0, 1)


def empty_data_flood(total=100_000):
    yield request(1, ends=False, method="POST")
    for _ in range(total):
        yield data(1)


def ping_flood(total=100_000):
    for _ in range(total):
        yield frame(PING, payload=bytes(8))


def settings_flood(total=100_000):
    for _ in range(total):
        yield settings((4, 65_535))


def priority_flood(total=100_000):
    for stream in range(1, total):
        yield frame(PRIORITY, 0, stream * 2 + 1, bytes(4) + b"\x10")


def window_update_flood(total=100_000):
    for _ in range(total):
        yield window_update(0, 1)


def header_bomb(_=0):
    """A field of 4 KB in the dynamic table, and one byte for each copy of it."""
    yield frame(HEADERS, END_STREAM, 1, block(fields()) + b"\x40" + text("x-big") + text("x" * 4_000))
    for _ in range(7):
        yield frame(CONTINUATION, 0, 1, b"\xbe" * 16_000)
    yield frame(CONTINUATION, END_HEADERS, 1, b"")


FLOODS = [
    rapid_reset, rapid_reset_of_waiting_requests, made_you_reset, invalid_requests, continuation_flood,
    empty_continuation_flood, empty_data_flood, ping_flood, settings_flood, priority_flood, window_update_flood,
    header_bomb]


def batches(pieces, size=256 * KIB):
    """The pieces, joined to larger ones."""
    batch = []
    for piece in pieces:
        batch.append(piece)
        if sum(map(len, batch[-1:])) and len(batch) >= size // max(1, len(piece)):
            yield b"".join(batch)
            batch = []
    yield b"".join(batch)


@pytest.mark.parametrize("flood", FLOODS, ids=lambda flood: flood.__name__)
def test_a_flood_ends_its_own_connection_and_costs_little(victim, flood):
    with Http2Wire(victim.address) as other:
        assert other.ping()
        memory, time = victim.resident_kib(), victim.processor_seconds()
        with Http2Wire(victim.address, timeout=30) as client:
            for batch in batches(flood()):
                client.send(batch)
            code = client.goaway()
            assert client.is_closed or client.closed()
        used = victim.processor_seconds() - time
        grown = victim.resident_kib() - memory

        other.send(request(1))
        assert other.answer(1).body == b"ok\n", "other connections go on"
    # Without a code: the server closed while the client was still sending.
    assert code in (ENHANCE_YOUR_CALM, PROTOCOL_ERROR, None)
    assert used < 2, f"{used} s of the processor (debug build)"
    assert grown < 8 * KIB, f"{grown} KiB"


def test_a_short_burst_of_resets_is_allowed(victim):
    """As by a client whose user leaves a page with a hundred open requests."""
    with Http2Wire(victim.address) as client:
        for stream in streams(100):
            client.send(request(stream, path=INBOX))
        client.send(*(reset(stream) for stream in streams(100)))
        client.send(request(301))

        assert client.answer(301).body == b"ok\n"


def test_resets_are_allowed_again_after_requests_that_finish(victim):
    with Http2Wire(victim.address) as client:
        stream = 1
        for _ in range(20):
            for _ in range(12):
                client.send(request(stream, path=INBOX) + reset(stream))
                stream += 2
            for _ in range(31):
                client.send(request(stream))
                assert client.answer(stream).status == 200
                stream += 2


def test_a_header_list_over_the_limit_is_answered_with_431(victim):
    with Http2Wire(victim.address) as client:
        client.send(
            frame(HEADERS, END_STREAM, 1, block([*fields(), ("x-a", "x" * 9_000)])),
            frame(CONTINUATION, END_HEADERS, 1, block([("x-b", "x" * 9_000)])), request(3))

        assert client.answer(1).status == 431
        assert client.answer(3).status == 200, "the connection goes on"


def test_101_fields_are_answered_with_431_and_a_long_target_with_414(victim):
    many = [(f"x-{count}", "1") for count in range(101)]
    with Http2Wire(victim.address) as client:
        client.send(request(1, pairs=[*fields(), *many]), request(3, path="/" + "a" * 9_000))

        assert [client.answer(1).status, client.answer(3).status] == [431, 414]


@pytest.mark.parametrize("length", [{}, {"content_length": str(2 << 20)}], ids=["without length", "with length"])
def test_a_body_over_the_limit_is_answered_with_413_and_then_ignored(victim, length):
    with Http2Wire(victim.address) as client:
        client.send(request(1, ends=False, method="POST", path="/control/clock", **length))
        for _ in range(128):  # 2 MiB, as fast as the server's windows allow or faster
            if any(found.kind == HEADERS for found in client.seen):
                break
            client.send(data(1, bytes(16_000)))
            assert client.ping()
        answer = client.answer(1)
        assert answer.status == 413 and b'{"error":"body: expected at most 1048576 bytes"}' in answer.body
        client.send(request(3))

        assert client.answer(3).status == 200
        assert client.answers[1].reset == NO_ERROR


def test_bodies_that_never_end_are_bounded_together(victim):
    """128 bodies on one connection: after the first MiB, only the oldest is let in."""
    memory = victim.resident_kib()
    with Http2Wire(victim.address) as client:
        open_streams = list(streams(128))
        for stream in open_streams:
            client.send(request(stream, ends=False, method="POST", path="/control/clock"))
        for stream in open_streams:
            client.send(*(data(stream, bytes(16_000)) for _ in range(4)), data(stream, bytes(1_535)))
            assert client.ping()
        updated = {found.stream for found in client.seen if found.kind == 8}
        grown = victim.resident_kib() - memory

        assert len(updated - {0}) < 40, "the windows of the other streams stay closed"
        assert grown < 24 * KIB, f"{grown} KiB"


def test_a_window_of_nothing_blocks_only_its_own_connection(victim):
    with Http2Wire(victim.address, first=settings((4, 0))) as stalled, Http2Wire(victim.address) as other:
        for stream in streams(100):
            stalled.send(request(stream, path="/control/openapi.json"))
        assert stalled.ping()
        other.send(request(1))

        assert other.answer(1).body == b"ok\n"
        assert not [found for found in stalled.seen if found.kind == DATA]


def test_bodies_that_windows_hold_back_are_bounded(victim):
    """The server answers no more requests while a MiB waits."""
    size = len(requests.get(f"{victim.http}/control/openapi.json", timeout=10).content)
    memory = victim.resident_kib()
    with Http2Wire(victim.address, first=settings((4, 0)), timeout=60) as stalled:
        for stream in streams(100):
            stalled.send(request(stream, path="/control/openapi.json"))
        assert stalled.ping() and stalled.ping()
        answered = sum(found.kind == HEADERS for found in stalled.seen)
        grown = victim.resident_kib() - memory

        assert 1 <= answered <= (1 << 20) // size + 2
        assert grown < 16 * KIB, f"{grown} KiB"


def test_a_window_that_drips_ends_with_the_budget(victim):
    with Http2Wire(victim.address, first=settings((4, 1)), timeout=30) as client:
        client.send(request(1, path="/control/openapi.json"))
        for _ in range(100):
            client.send(window_update(1, 1) * 100)
        assert client.goaway() == ENHANCE_YOUR_CALM


def test_the_last_stream_is_not_exceeded(victim):
    last = 0x7FFFFFFF
    with Http2Wire(victim.address) as client:
        client.send(request(last))
        assert client.answer(last).status == 200
        client.send(request(1))
        assert client.goaway() == PROTOCOL_ERROR


def test_a_client_that_reads_nothing_is_not_read_either(victim):
    memory = victim.resident_kib()
    with Http2Wire(victim.address, receive_buffer=4096) as client:
        client.socket.setblocking(False)
        sent = 0
        try:
            for _ in range(10_000):
                sent += client.socket.send(frame(PING, payload=bytes(8)) * 20)
        except (BlockingIOError, ConnectionResetError, BrokenPipeError):
            pass
        grown = victim.resident_kib() - memory

        assert grown < 8 * KIB, f"{grown} KiB"
        assert requests.get(f"{victim.http}/livez", timeout=10).ok


def test_the_preface_alone_keeps_no_connection_for_long(tmp_path):
    """Timeouts are those of HTTP/1; their lengths are tested in Tests/ServerTests/HTTP2Tests.swift."""
    with ringfence.Server() as server, socket.create_connection(server.address, timeout=20) as plain:
        plain.sendall(b"PRI * HTTP/2.0\r\n\r\nSM")  # and never the rest
        assert requests.get(f"{server.http}/livez", timeout=10).ok
        assert server.stop(within=15) == 0, "a drain does not wait for it"
