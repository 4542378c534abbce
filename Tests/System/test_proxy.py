"""The proxy on the main port: it serves the providers' hosts itself and reaches no other host."""

import os
import socket
import ssl
import urllib.parse

import pytest
import requests

import ringfence
import wire
from proxy_client import (ESTABLISHED, LIVE, PROVIDER, basic, connect, curl, journal, has_no_connection, receive, rest,
                     through, tunnel)

LISTENERS = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "127.0.0.1:0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def proxy(folder):
    with ringfence.Server("--data", folder, "--allow-host", PROVIDER, listeners=LISTENERS) as server:
        yield server


@pytest.fixture(scope="module")
def authority(folder, proxy):
    return folder / "authority.pem"


@pytest.fixture
def trust(authority):
    return ssl.create_default_context(cafile=authority)


@pytest.fixture
def world(proxy):
    sandbox = proxy.sandbox()
    yield sandbox
    sandbox.delete()


# Hosts that the sandbox serves

@pytest.mark.parametrize("url", [
    f"https://{PROVIDER}/livez", f"http://{PROVIDER}/livez", "https://rest-ww.telesign.com/livez",
    f"https://{PROVIDER}:4443/livez", "https://Api.Prelude.Dev/livez", "https://localhost:{https}/livez",
    "http://127.0.0.1:{http}/livez", "http://localhost:{gateway}/livez",
])
def test_provider_hosts_and_our_own_are_served_locally(proxy, authority, url):
    ports = {name: urllib.parse.urlsplit(proxy.ready[name]).port for name in ("http", "https", "gateway")}
    url = url.format(**ports)

    assert requests.get(url, proxies=through(proxy), verify=authority, timeout=10).text == "ok\n"
    assert curl("--proxy", proxy.http, "--proxytunnel", "--cacert", authority, url) == "ok\n"


def test_many_requests_go_through_one_tunnel(proxy, authority):
    with requests.Session() as session:
        session.proxies = through(proxy)
        for _ in range(50):
            assert session.get(f"https://{PROVIDER}/livez", verify=authority, timeout=10).text == "ok\n"
        told = session.get(f"https://{PROVIDER}/v2/Nonsense", verify=authority, timeout=10)
        assert told.json()["code"] == 20003

    counted = curl("--proxy", proxy.http, "--cacert", authority, "-w", "%{num_connects}",
                   *[f"https://{PROVIDER}/livez"] * 3)
    assert counted == "ok\n1ok\n0ok\n0"


def test_client_hello_in_the_same_packet_as_connect(proxy, trust):
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = trust.wrap_bio(incoming, outgoing, server_hostname=PROVIDER)
    with pytest.raises(ssl.SSLWantReadError):
        session.do_handshake()
    with socket.create_connection(proxy.address, timeout=10) as plain:
        plain.sendall(connect(PROVIDER.encode() + b":443") + outgoing.read())
        assert receive(plain, len(ESTABLISHED)) == ESTABLISHED
        while True:
            incoming.write(plain.recv(65536))
            try:
                session.do_handshake()
                break
            except ssl.SSLWantReadError:
                plain.sendall(outgoing.read())
        session.write(LIVE)
        plain.sendall(outgoing.read())
        while True:
            incoming.write(plain.recv(65536))
            try:
                assert session.read().endswith(b"ok\n")
                break
            except ssl.SSLWantReadError:
                pass


def test_a_tunnel_may_come_byte_by_byte(proxy, trust):
    with socket.create_connection(proxy.address, timeout=10) as plain:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in connect(PROVIDER.encode() + b":80") + LIVE:
            plain.sendall(bytes([byte]))
        assert receive(plain, len(ESTABLISHED)) == ESTABLISHED
        assert plain.recv(65536).endswith(b"ok\n")


def test_http_1_0_connect(proxy, trust):
    with socket.create_connection(proxy.address, timeout=10) as plain:
        plain.sendall(b"CONNECT %b:443 HTTP/1.0\r\n\r\n" % PROVIDER.encode())
        assert receive(plain, len(ESTABLISHED)) == ESTABLISHED
        with trust.wrap_socket(plain, server_hostname=PROVIDER) as secure:
            secure.sendall(LIVE)
            assert secure.recv(65536).endswith(b"ok\n")


def test_server_name_selects_the_certificate(proxy, trust):
    with tunnel(proxy, PROVIDER.encode() + b":443") as plain:
        with trust.wrap_socket(plain, server_hostname="rest-ww.telesign.com") as secure:
            assert ("DNS", "rest-ww.telesign.com") in secure.getpeercert()["subjectAltName"]

    with tunnel(proxy, PROVIDER.encode() + b":443") as plain, pytest.raises(ssl.SSLError, match="UNRECOGNIZED_NAME"):
        trust.wrap_socket(plain, server_hostname="example.com")
    assert "unknown server name" in journal(proxy, method="TLS", target="example.com")[-1]["why"]


def test_an_untrusting_client_is_in_its_sandboxs_journal(proxy, world):
    with tunnel(proxy, PROVIDER.encode() + b":443", basic(f"{world.name}:")) as plain:
        with pytest.raises(ssl.SSLError):
            ssl.create_default_context().wrap_socket(plain, server_hostname=PROVIDER)

    told = world.control("GET", "journal/wait", params={"method": "TLS", "wait": 10}).json()["requests"]
    assert [(entry["request"]["target"], "unknown ca" in entry["why"]) for entry in told] == [(PROVIDER, True)]


def test_a_close_notify_ends_a_tunnel(proxy, trust):
    with tunnel(proxy, PROVIDER.encode() + b":443") as plain:
        secure = trust.wrap_socket(plain, server_hostname=PROVIDER, suppress_ragged_eofs=False)
        secure.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert rest(secure).endswith(b"ok\n")


@pytest.mark.parametrize("garbage", [b"\x00\x01", b"\x80" * 64, b"SSH-2.0-x\r\n", os.urandom(512) + b"\r\n"])
def test_garbage_in_a_tunnel_ends_it(proxy, garbage):
    with tunnel(proxy, PROVIDER.encode() + b":443") as plain:
        plain.sendall(garbage)
        plain.shutdown(socket.SHUT_WR)
        assert b" 200 " not in rest(plain)
    assert proxy.is_alive()


def test_large_bodies_go_both_ways_through_a_tunnel(proxy, authority):
    body = b"{" + b" " * 700_000 + b"}"

    told = requests.post("https://localhost:%d/control/seed" % urllib.parse.urlsplit(proxy.https).port, data=body,
                         headers={"Content-Type": "application/json"}, proxies=through(proxy), verify=authority, timeout=20)
    whole = requests.get(f"https://{PROVIDER}/control/openapi.json", proxies=through(proxy), verify=authority, timeout=20)

    assert told.status_code == 200
    assert len(whole.content) > 32_768 and whole.json()


def test_tunnels_speak_tls_without_an_https_port(tmp_path):
    with ringfence.Server("--data", tmp_path) as server:
        assert not (tmp_path / "authority.pem").exists()
        requests.get(f"http://{PROVIDER}/livez", proxies=through(server), timeout=10)
        with tunnel(server, PROVIDER.encode() + b":443") as plain:
            plain.sendall(b"\x16")
            with pytest.raises(requests.exceptions.SSLError):
                requests.get(f"https://{PROVIDER}/livez", proxies=through(server), timeout=10)
        assert requests.get(f"https://{PROVIDER}/livez", proxies=through(server), verify=tmp_path / "authority.pem",
                            timeout=10).text == "ok\n"


# Other hosts

def test_another_host_is_refused_and_the_journal_says_why(proxy, outside):
    port = outside.getsockname()[1]
    with wire.Wire(proxy.address) as line:
        line.send(connect(b"localhost:%d" % port) + b"\x16\x03\x01 and more")
        answer = line.receive()
        assert line.closed()

    assert (answer.status, answer.headers["connection"]) == (403, "close")
    assert answer.body.decode() == (
        "localhost: not a sandbox host, and blocked; allow it by --proxy-tunnel localhost, or download dependencies "
        "before the run.\n")
    entry = journal(proxy, method="CONNECT", target=f"localhost:{port}")[-1]
    assert entry["response"]["status"] == 403
    assert entry["why"].startswith("localhost: not a sandbox host")
    assert has_no_connection(outside)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_url_of_another_host_is_refused_and_the_journal_says_why(proxy, outside, scheme):
    place = f"127.0.0.1:{outside.getsockname()[1]}"
    with wire.Wire(proxy.address) as line:
        line.send(wire.request("POST", f"{scheme}://{place}/a?b=c", "body", host=place) + LIVE)
        refused, next_ = line.receive(), line.receive()

    assert (refused.status, next_.status) == (403, 200)
    (entry,) = journal(proxy, method="POST", target=f"{scheme}://{place}/a?b=c")
    assert entry["request"]["body"] == "body"
    assert has_no_connection(outside)


@pytest.mark.parametrize("head", [
    b"CONNECT verify.twilio.com HTTP/1.1\r\nHost: x\r\n\r\n", b"CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"CONNECT verify.twilio.com:443 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
    b"CONNECT verify.twilio.com:443 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
])
def test_an_invalid_connect_is_refused(proxy, head):
    with wire.Wire(proxy.address) as line:
        line.send(head)
        assert line.receive().status == 400
        assert line.closed()


def test_other_ports_do_not_proxy(proxy, trust):
    gateway, https = (urllib.parse.urlsplit(proxy.ready[name]).port for name in ("gateway", "https"))
    with socket.create_connection(("127.0.0.1", gateway), timeout=10) as plain:
        plain.sendall(connect(PROVIDER.encode() + b":443"))
        assert rest(plain).startswith(b"HTTP/1.1 405 Method Not Allowed\r\n")
    with socket.create_connection(("127.0.0.1", https), timeout=10) as plain:
        with trust.wrap_socket(plain, server_hostname="localhost") as secure:
            secure.sendall(connect(PROVIDER.encode() + b":443"))
            assert rest(secure).endswith(b"the proxy is the main HTTP port.\n")


# The proxy user

def test_the_proxy_user_selects_the_sandbox(proxy, world, authority):
    for scheme in ("http", "https"):
        told = requests.get(f"{scheme}://{PROVIDER}/control/clock", proxies=through(proxy, f"{world.name}:"),
                            verify=authority, timeout=10)
        assert told.json()["now"] == "2026-01-05T10:20:30Z"
    assert "2026-01-05" in curl("-x", through(proxy, f"{world.name}:")["http"], "--cacert", authority,
                                f"https://{PROVIDER}/control/clock")


def test_an_unknown_proxy_user_gets_407(proxy):
    for head in (connect(PROVIDER.encode() + b":443", basic("nobody:")),
                 wire.request("GET", f"http://{PROVIDER}/livez", proxy_authorization="Basic bm9ib2R5Og=="),
                 connect(PROVIDER.encode() + b":443", b"Proxy-Authorization: Bearer x\r\n"),
                 connect(PROVIDER.encode() + b":443", basic("+1:"))):
        with wire.Wire(proxy.address) as line:
            line.send(head)
            answer = line.receive()
        assert (answer.status, answer.headers["proxy-authenticate"]) == (407, 'Basic realm="ringfence"')
        assert b"a sandbox's name, or a handset's number such as +12025550100" in answer.body


# Shutdown

def test_a_drain_closes_idle_tunnels(tmp_path):
    with ringfence.Server("--data", tmp_path) as server:
        with tunnel(server, PROVIDER.encode() + b":443") as silent:
            assert server.stop() == 0
            assert rest(silent) == b""


def test_tunnels_count_as_connections(tmp_path):
    with ringfence.Server("--connections", "2", "--data", tmp_path) as server:
        with tunnel(server, PROVIDER.encode() + b":443"), tunnel(server, PROVIDER.encode() + b":443"):
            with wire.Wire(server.address) as third:
                third.send(connect(PROVIDER.encode() + b":443"))
                assert third.receive().status == 503
