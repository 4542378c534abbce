"""Clients that ask for much and read nothing. Source: issue 12."""

import socket
import time

import requests

import ringfence
import wire

READERS = 200
KIB = 1024


def stalled_readers(server, target, count=READERS, requests_each=100):
    """Connections that pipeline requests and never read."""
    lines = []
    for _ in range(count):
        line = wire.Wire.__new__(wire.Wire)
        line.socket = socket.socket()
        line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.socket.connect(server.address)
        line.socket.setblocking(False)
        try:
            line.socket.send(wire.request("GET", target) * requests_each)
        except BlockingIOError:
            pass
        lines.append(line)
    return lines


def settle(server, rounds=50):
    """Other clients are answered meanwhile."""
    statuses = {requests.get(f"{server.http}/livez", timeout=30).status_code for _ in range(rounds)}
    assert statuses == {200}


def test_two_hundred_clients_that_never_read_cost_little_memory():
    with ringfence.Server() as server:
        settle(server, 5)
        before = server.resident_kib()
        lines = stalled_readers(server, "/control/subscribers")
        settle(server)
        grown = server.resident_kib() - before
        for line in lines:
            line.close()
        settle(server)

        assert grown <= 40 * KIB, f"{grown} KiB for {READERS} clients that do not read"
        assert server.resident_kib() - before <= 24 * KIB


def test_large_answers_that_nobody_reads_are_bounded_and_their_memory_is_returned():
    with ringfence.Server() as server:
        settle(server, 5)
        size = len(requests.get(f"{server.http}/control/openapi.json", timeout=10).content)
        before = server.resident_kib()
        # Few, because a debug build writes this description slowly.
        lines = stalled_readers(server, "/control/openapi.json", count=30)
        settle(server)
        grown = server.resident_kib() - before
        for line in lines:
            line.close()
        settle(server)
        after = server.resident_kib() - before

    assert size > 64 * KIB
    assert grown * KIB <= 30 * (size + 256 * KIB) + 16 * KIB * KIB, f"{grown} KiB for 30 clients that do not read"
    assert after <= 24 * KIB, f"{after} KiB left after they were closed"


def test_a_name_with_many_combining_marks_is_refused_at_once():
    marks = "\u0301\u0316" * 100_000
    with ringfence.Server() as server:
        server.is_alive()
        start = time.monotonic()
        for body in (f'{{"e{marks}":1}}', f'{{"mode":"frozen{marks}"}}', f'{{"mode":"frozen","mode{marks}":1}}'):
            answer = requests.post(
                f"{server.http}/control/clock", data=body.encode(),
                headers={"Content-Type": "application/json"}, timeout=30)
            assert answer.status_code == 400, answer.text

        # Comparing such a text once would take ten seconds.
        assert time.monotonic() - start < 5


def test_the_longest_turn_of_the_loop_is_a_metric():
    with ringfence.Server() as server:
        lines = requests.get(f"{server.http}/metrics", timeout=10).text.splitlines()

        longest = [float(line.split()[1]) for line in lines if line.startswith("ringfence_longest_turn_seconds ")]
        assert len(longest) == 1
        assert longest[0] >= 0
