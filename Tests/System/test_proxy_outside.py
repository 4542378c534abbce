"""The proxy and outside hosts that are allowed by name. Source: issue 5, part 3."""

import hashlib
import socket
import threading

import pytest
import requests

import receiver
import ringfence
import wire
from proxy_client import ESTABLISHED, PROVIDER, answer_of, connect, curl, journal, has_no_connection, receive, rest, through, tunnel


class Host(threading.Thread):
    """A server on this machine that accepts one connection and runs a function with it."""

    def __init__(self, serve):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.serve, self.result = serve, None

    def run(self):
        connection, _ = self.listener.accept()
        connection.settimeout(20)
        with connection:
            self.result = self.serve(connection)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.join(20)
        assert not self.is_alive()


@pytest.fixture(scope="module")
def gated():
    with ringfence.Server("--proxy-tunnel", "localhost, *.localhost") as server:
        yield server


def test_a_tunnel_reaches_an_allowed_host(gated):
    def echo(connection):
        while data := connection.recv(65536):
            connection.sendall(data.upper())

    with Host(echo) as host, socket.create_connection(gated.address, timeout=10) as plain:
        place = b"localhost:%d" % host.port
        plain.sendall(connect(place) + b"right behind")
        assert receive(plain, len(ESTABLISHED) + 12) == ESTABLISHED + b"RIGHT BEHIND"
        for text in (b"one", b"two"):
            plain.sendall(text)
            assert receive(plain, 3) == text.upper()
        plain.shutdown(socket.SHUT_WR)
        assert rest(plain) == b""

    (entry,) = journal(gated, method="CONNECT", target=place.decode())
    assert entry["response"]["status"] == 200
    assert entry["why"] == f"forwarded to {place.decode()}; allowed by --proxy-tunnel"


BLOCK = bytes(range(256)) * 4096
BLOCKS = 64


def digest(connection):
    """The hash of all bytes up to the end of the stream."""
    seen = hashlib.sha256()
    while data := connection.recv(1 << 20):
        seen.update(data)
    return seen.hexdigest()


def test_a_slow_client_does_not_fill_the_memory(gated):
    sent = []

    def pour(connection):
        for _ in range(BLOCKS):
            connection.sendall(BLOCK)
            sent.append(BLOCK)

    before = gated.resident_kib()
    with Host(pour) as host, tunnel(gated, b"localhost:%d" % host.port) as plain:
        wait_until_it_stalls(gated, lambda: len(sent))
        assert len(sent) < BLOCKS and gated.resident_kib() - before < 4096
        assert digest(plain) == hashlib.sha256(BLOCK * BLOCKS).hexdigest()


def test_a_slow_host_does_not_fill_the_memory(gated):
    go = threading.Event()

    def swallow(connection):
        go.wait(20)
        return digest(connection)

    before = gated.resident_kib()
    with Host(swallow) as host, tunnel(gated, b"localhost:%d" % host.port) as plain:
        plain.settimeout(0.5)
        sent = 0
        with pytest.raises(TimeoutError):
            while sent < BLOCKS * len(BLOCK):
                sent += plain.send(BLOCK[sent % len(BLOCK):])
        assert gated.resident_kib() - before < 4096
        go.set()
        plain.settimeout(20)
        while sent < BLOCKS * len(BLOCK):
            sent += plain.send(BLOCK[sent % len(BLOCK):])
        plain.shutdown(socket.SHUT_WR)
        assert rest(plain) == b""
    assert host.result == hashlib.sha256(BLOCK * BLOCKS).hexdigest()


def wait_until_it_stalls(server, count):
    """Waits until no bytes move during several requests to the server."""
    before, still = -1, 0
    while still < 20:
        requests.get(f"{server.http}/livez", timeout=10)
        still = still + 1 if 0 < count() == before else 0
        before = count()


def test_a_refused_connection_is_reported(gated):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    for head in (connect(b"localhost:%d" % port), wire.request("GET", f"http://localhost:{port}/")):
        answer = answer_of(gated, head)
        assert answer.status == 502
        assert answer.body.startswith(b"localhost:%d cannot be reached: connecting to " % port)
        assert b"ECONNREFUSED" in answer.body
    assert "ECONNREFUSED" in journal(gated, method="CONNECT", target=f"localhost:{port}")[-1]["why"]


def test_an_absolute_url_is_rewritten_for_its_host(gated):
    def answer(connection):
        seen = b""
        while not seen.endswith(b"body"):
            seen += connection.recv(65536)
        connection.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        return seen

    with Host(answer) as host:
        place = f"localhost:{host.port}"
        with wire.Wire(gated.address) as line:
            line.send(wire.request(
                "POST", f"http://{place}/a/b?c=d", "body", host="other", proxy_authorization="Basic ZGVmYXVsdDo=",
                proxy_connection="keep-alive", connection="X-Mine, keep-alive", x_mine="1", x_kept="2", te="trailers")
                + b"GET http://verify.twilio.com/secret HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = line.receive()
            assert (answer.status, answer.body) == (201, b"hello")
            assert line.closed()
    assert host.result == (
        f"POST /a/b?c=d HTTP/1.1\r\nHost: {place}\r\nX-Kept: 2\r\nContent-Length: 4\r\nVia: 1.1 ringfence\r\n"
        "Connection: close\r\n\r\nbody").encode()
    (entry,) = journal(gated, method="POST", target=f"http://{place}/a/b?c=d")
    assert (entry["response"]["status"], entry["why"]) == (0, f"forwarded to {place}; allowed by --proxy-tunnel")


def test_requests_gets_a_page_from_outside(gated):
    with receiver.Receiver() as host:
        url = host.url.replace("127.0.0.1", "localhost")
        told = requests.post(url, data="x" * 100_000, proxies=through(gated), timeout=10)
        assert told.ok and host.next()[2] == b"x" * 100_000
        assert curl("--proxy", gated.http, "--proxytunnel", "-o", "/dev/null", "-w", "%{http_code}", "-d", "y", url) == "200"


def test_provider_hosts_stay_local_when_all_hosts_are_allowed():
    with ringfence.Server(environment={"RINGFENCE_PROXY_TUNNEL": "all"}) as server:
        assert requests.get(f"http://{PROVIDER}/livez", proxies=through(server), timeout=10).text == "ok\n"
        with Host(lambda connection: connection.sendall(b"hi")) as host:
            with tunnel(server, b"127.0.0.1:%d" % host.port) as plain:
                assert rest(plain) == b"hi"


def test_on_a_server_that_others_use_all_hosts_are_those_of_other_machines(outside):
    """Issue 45, C6."""
    place = "127.0.0.1:%d" % outside.getsockname()[1]
    token = {"RINGFENCE_ADMIN_TOKEN": "the-admin-token-of-a-test"}
    with ringfence.Server("--proxy-tunnel", "all,localhost", environment=token) as server:
        for head in (connect(place.encode()), wire.request("GET", f"http://{place}/")):
            answer = answer_of(server, head)
            assert answer.status == 403 and b"start with --proxy-tunnel 127.0.0.1" in answer.body
        assert has_no_connection(outside)
        with Host(lambda connection: connection.sendall(b"hi")) as host:
            with tunnel(server, b"localhost:%d" % host.port) as plain:
                assert rest(plain) == b"hi"


def test_tunnels_to_the_outside_count_as_connections():
    with ringfence.Server("--proxy-tunnel", "localhost", "--connections", "1") as server:
        with Host(rest) as host:
            with tunnel(server, b"localhost:%d" % host.port):
                assert answer_of(server, connect(PROVIDER.encode() + b":443")).status == 503


@pytest.mark.parametrize("entry", ["http://example.com", "example.com:443", "*", "a b/c", "*.*.com"])
def test_an_invalid_host_pattern_stops_the_start(entry):
    said = ringfence.command("serve", "--http", "127.0.0.1:0", "--proxy-tunnel", entry, expect=1)

    assert "--proxy-tunnel: expected hosts such as example.com, *.example.com or all; found " in said
