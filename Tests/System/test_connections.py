"""Clients that are slow, silent, or many."""

import concurrent.futures
import resource
import socket
import subprocess
import time

import pytest
import requests

import ringfence
import wire

IDLE = 10_000
KIB_PER_CONNECTION = 6


@pytest.fixture
def room_for_many():
    """Raises the limit of file descriptors for both sides, or skips the test."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = IDLE + 500
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"the limit of open files is {hard}, {wanted} are needed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_ten_thousand_idle_connections(room_for_many):
    with ringfence.Server("--connections", IDLE + 100) as server:
        assert server.is_alive()
        before = server.resident_kib()
        idle = [socket.create_connection(server.address) for _ in range(IDLE)]
        try:
            for connection in (idle[0], idle[-1]):
                connection.sendall(wire.request("GET", "/livez"))
                assert b" 200 " in connection.recv(1000)
            assert server.is_alive()
            grown = server.resident_kib() - before
        finally:
            for connection in idle:
                connection.close()
        assert server.is_alive()

    assert grown / IDLE <= KIB_PER_CONNECTION, f"{grown / IDLE:.1f} KiB for each idle connection"


def test_the_limit_of_files_is_raised():
    """Issue 45, C10."""
    with ringfence.Server("--connections", 600, prefix=["prlimit", "--nofile=128:1024"]) as server:
        idle = [socket.create_connection(server.address) for _ in range(500)]
        try:
            assert server.is_alive()
        finally:
            for connection in idle:
                connection.close()


def test_more_connections_than_files_are_refused():
    """Issue 45, C10."""
    done = subprocess.run(
        ["prlimit", "--nofile=128:1024", ringfence.binary(), "serve", "--http", "127.0.0.1:0", "--connections", "10000"],
        capture_output=True, text=True, timeout=30, check=False)

    assert done.returncode == 64
    assert "--connections: expected at most 832, since this process may open 1024 files" in done.stderr


def test_stalled_writers_do_not_block_others(server):
    stalled = [wire.Wire(server.address) for _ in range(200)]
    for number, line in enumerate(stalled):
        line.send(wire.request("POST", "/control/clock", content_length="100")[: 10 + number])
    try:
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda _: requests.get(f"{server.http}/livez", timeout=5).status_code, range(50)))
    finally:
        for line in stalled:
            line.close()

    assert answers == [200] * 50


def test_connections_over_the_limit_get_503(tmp_path):
    with ringfence.Server("--connections", 10, log=tmp_path / "log") as server:
        lines = [wire.Wire(server.address) for _ in range(12)]
        for line in lines:
            line.send(wire.request("GET", "/livez"))
        statuses = [line.receive().status for line in lines]
        for line in lines:
            line.close()

        assert statuses == [200] * 10 + [503] * 2
        # The server may not have noticed the end of those connections yet.
        assert any(server.is_alive() for _ in range(100))
    log = (tmp_path / "log").read_text()
    assert log.count("the server is full") == 1 and "it has 10 connections, and refused 1 with 503" in log


def test_an_idle_server_returns_memory():
    with ringfence.Server() as server:
        started, deadline = server.resident_kib(), time.monotonic() + 30
        while server.resident_kib() > started * 3 / 4:
            assert time.monotonic() < deadline, f"{started} KiB at the start, {server.resident_kib()} now"
        assert requests.get(f"{server.http}/livez", timeout=10).ok
