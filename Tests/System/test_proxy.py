"""The proxy on the main port: vendors' hosts end here, nobody else's are reached. Source: issue 5, part 3."""

import base64
import hashlib
import os
import socket
import ssl
import struct
import subprocess
import threading
import urllib.parse

import pytest
import requests

import receiver
import ringfence
import wire

VENDOR = "verify.twilio.com"
ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
LISTENERS = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "127.0.0.1:0")
LIVE = b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def proxy(folder):
    with ringfence.Server("--data", folder, listeners=LISTENERS) as server:
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


def through(server, user=""):
    """What a client is given as its proxy."""
    url = server.http.replace("//", f"//{user}@") if user else server.http
    return {"http": url, "https": url}


def basic(user):
    return b"Proxy-Authorization: Basic " + base64.b64encode(user.encode()) + b"\r\n"


def connect(place, *fields, version=b"HTTP/1.1"):
    return b"CONNECT %b %b\r\nHost: %b\r\n" % (place, version, place) + b"".join(fields) + b"\r\n"


def tunnel(server, place, *fields):
    """A plain socket at whose other end the tunnel begins."""
    plain = socket.create_connection(server.address, timeout=10)
    plain.sendall(connect(place, *fields))
    assert receive(plain, len(ESTABLISHED)) == ESTABLISHED
    return plain


def receive(plain, count):
    data = b""
    while len(data) < count and (piece := plain.recv(count - len(data))):
        data += piece
    return data


def rest(plain):
    data = b""
    while piece := plain.recv(65536):
        data += piece
    return data


def journal(server, sandbox="default", **wanted):
    found = requests.get(f"{server.http}/s/{sandbox}/control/journal", timeout=10).json()["requests"]
    return [entry for entry in found if all(entry["request"][name] == value for name, value in wanted.items())]


def curl(*words):
    done = subprocess.run(["curl", "-sS", "--max-time", "20", *map(str, words)],
                          capture_output=True, text=True, timeout=30, check=False)
    return done.stdout + done.stderr


# Hosts that end here

@pytest.mark.parametrize("url", [
    f"https://{VENDOR}/livez", f"http://{VENDOR}/livez", "https://rest-ww.telesign.com/livez",
    f"https://{VENDOR}:4443/livez", "https://Api.Prelude.Dev/livez", "https://localhost:{https}/livez",
    "http://127.0.0.1:{http}/livez", "http://localhost:{gateway}/livez",
])
def test_a_vendors_host_and_our_own_end_here(proxy, authority, url):
    ports = {name: urllib.parse.urlsplit(proxy.ready[name]).port for name in ("http", "https", "gateway")}
    url = url.format(**ports)

    assert requests.get(url, proxies=through(proxy), verify=authority, timeout=10).text == "ok\n"
    assert curl("--proxy", proxy.http, "--proxytunnel", "--cacert", authority, url) == "ok\n"


def test_many_requests_go_through_one_tunnel(proxy, authority):
    with requests.Session() as session:
        session.proxies = through(proxy)
        for _ in range(50):
            assert session.get(f"https://{VENDOR}/livez", verify=authority, timeout=10).text == "ok\n"
        told = session.get(f"https://{VENDOR}/v2/Nonsense", verify=authority, timeout=10)
        assert told.json()["code"] == 20404

    counted = curl("--proxy", proxy.http, "--cacert", authority, "-w", "%{num_connects}",
                   *[f"https://{VENDOR}/livez"] * 3)
    assert counted == "ok\n1ok\n0ok\n0"


def test_the_client_hello_may_come_right_behind_connect(proxy, trust):
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = trust.wrap_bio(incoming, outgoing, server_hostname=VENDOR)
    with pytest.raises(ssl.SSLWantReadError):
        session.do_handshake()
    with socket.create_connection(proxy.address, timeout=10) as plain:
        plain.sendall(connect(VENDOR.encode() + b":443") + outgoing.read())
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
        for byte in connect(VENDOR.encode() + b":80") + LIVE:
            plain.sendall(bytes([byte]))
        assert receive(plain, len(ESTABLISHED)) == ESTABLISHED
        assert plain.recv(65536).endswith(b"ok\n")


def test_http_1_0_asks_for_a_tunnel_too(proxy, trust):
    with socket.create_connection(proxy.address, timeout=10) as plain:
        plain.sendall(b"CONNECT %b:443 HTTP/1.0\r\n\r\n" % VENDOR.encode())
        assert receive(plain, len(ESTABLISHED)) == ESTABLISHED
        with trust.wrap_socket(plain, server_hostname=VENDOR) as secure:
            secure.sendall(LIVE)
            assert secure.recv(65536).endswith(b"ok\n")


def test_the_name_that_tls_asks_for_decides_about_the_certificate(proxy, trust):
    with tunnel(proxy, VENDOR.encode() + b":443") as plain:
        with trust.wrap_socket(plain, server_hostname="rest-ww.telesign.com") as secure:
            assert ("DNS", "rest-ww.telesign.com") in secure.getpeercert()["subjectAltName"]

    with tunnel(proxy, VENDOR.encode() + b":443") as plain, pytest.raises(ssl.SSLError, match="UNRECOGNIZED_NAME"):
        trust.wrap_socket(plain, server_hostname="example.com")
    assert "the client asked for example.com" in journal(proxy, method="TLS", target="example.com")[-1]["why"]


def test_the_end_inside_is_said(proxy, trust):
    with tunnel(proxy, VENDOR.encode() + b":443") as plain:
        secure = trust.wrap_socket(plain, server_hostname=VENDOR, suppress_ragged_eofs=False)
        secure.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert rest(secure).endswith(b"ok\n")


@pytest.mark.parametrize("garbage", [b"\x00\x01", b"\x80" * 64, b"SSH-2.0-x\r\n", os.urandom(512) + b"\r\n"])
def test_garbage_in_a_tunnel_ends_it(proxy, garbage):
    with tunnel(proxy, VENDOR.encode() + b":443") as plain:
        plain.sendall(garbage)
        plain.shutdown(socket.SHUT_WR)
        assert b" 200 " not in rest(plain)
    assert proxy.is_alive()


def test_large_bodies_go_both_ways_through_a_tunnel(proxy, authority):
    body = b"{" + b" " * 700_000 + b"}"

    told = requests.post("https://localhost:%d/control/seed" % urllib.parse.urlsplit(proxy.https).port, data=body,
                         proxies=through(proxy), verify=authority, timeout=20)
    whole = requests.get(f"https://{VENDOR}/control/openapi.json", proxies=through(proxy), verify=authority, timeout=20)

    assert told.status_code == 200
    assert len(whole.content) > 32_768 and whole.json()


def test_without_an_https_port_tls_is_spoken_in_tunnels_all_the_same(tmp_path):
    with ringfence.Server("--data", tmp_path) as server:
        assert not (tmp_path / "authority.pem").exists()
        requests.get(f"http://{VENDOR}/livez", proxies=through(server), timeout=10)
        with tunnel(server, VENDOR.encode() + b":443") as plain:
            plain.sendall(b"\x16")
            with pytest.raises(requests.exceptions.SSLError):
                requests.get(f"https://{VENDOR}/livez", proxies=through(server), timeout=10)
        assert requests.get(f"https://{VENDOR}/livez", proxies=through(server), verify=tmp_path / "authority.pem",
                            timeout=10).text == "ok\n"


# Hosts that do not

@pytest.fixture
def outside():
    """A port of this machine where nobody may come."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def nobody_came(listener):
    listener.setblocking(False)
    with pytest.raises(BlockingIOError):
        listener.accept()
    return True


def test_another_host_is_refused_and_the_journal_says_why(proxy, outside):
    port = outside.getsockname()[1]
    with wire.Wire(proxy.address) as line:
        line.send(connect(b"localhost:%d" % port) + b"\x16\x03\x01 and more")
        answer = line.receive()
        assert line.closed()

    assert (answer.status, answer.headers["connection"]) == (403, "close")
    assert answer.body.decode() == (
        "localhost is no host of this sandbox, and nothing leaves it but to hosts that were allowed by name.\n"
        "To allow this one: ringfence serve --proxy-tunnel localhost\n")
    entry = journal(proxy, method="CONNECT", target=f"localhost:{port}")[-1]
    assert entry["response"]["status"] == 403
    assert entry["why"].startswith("localhost is no host of this sandbox")
    assert nobody_came(outside)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_url_of_another_host_is_refused_and_the_journal_says_why(proxy, outside, scheme):
    place = f"127.0.0.1:{outside.getsockname()[1]}"
    with wire.Wire(proxy.address) as line:
        line.send(wire.request("POST", f"{scheme}://{place}/a?b=c", "body", host=place) + LIVE)
        refused, next_ = line.receive(), line.receive()

    assert (refused.status, next_.status) == (403, 200)
    (entry,) = journal(proxy, method="POST", target=f"{scheme}://{place}/a?b=c")
    assert entry["request"]["body"] == "body"
    assert nobody_came(outside)


@pytest.mark.parametrize("place", [
    b"verify.twilio.com.example.com:443", b"xverify.twilio.com:443", b"twilio.com:443", b"127.0.0.1.example.com:80",
    b"[::1]:1", b"127.0.0.1:1", b"localhost:443", b"iamcredentials.googleapis.com:443", b"verify.twilio.com.:443",
])
def test_a_name_like_ours_is_not_ours(proxy, place):
    with wire.Wire(proxy.address) as line:
        line.send(connect(place))
        assert line.receive().status == 403


@pytest.mark.parametrize("head", [
    b"CONNECT verify.twilio.com HTTP/1.1\r\nHost: x\r\n\r\n", b"CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"CONNECT verify.twilio.com:443 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
    b"CONNECT verify.twilio.com:443 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
])
def test_a_connect_that_means_nothing_is_refused(proxy, head):
    with wire.Wire(proxy.address) as line:
        line.send(head)
        assert line.receive().status == 400
        assert line.closed()


def test_the_other_ports_are_no_proxies(proxy, trust):
    gateway, https = (urllib.parse.urlsplit(proxy.ready[name]).port for name in ("gateway", "https"))
    with socket.create_connection(("127.0.0.1", gateway), timeout=10) as plain:
        plain.sendall(connect(VENDOR.encode() + b":443"))
        assert rest(plain).startswith(b"HTTP/1.1 405 Method Not Allowed\r\n")
    with socket.create_connection(("127.0.0.1", https), timeout=10) as plain:
        with trust.wrap_socket(plain, server_hostname="localhost") as secure:
            secure.sendall(connect(VENDOR.encode() + b":443"))
            assert rest(secure).endswith(b"the proxy is the main HTTP port.\n")


# Hosts outside that were allowed by name

class Host(threading.Thread):
    """A server on this machine that takes one connection and does with it what it is told."""

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


def answer_of(server, head):
    with wire.Wire(server.address) as line:
        line.send(head)
        return line.receive()


def test_a_tunnel_leads_to_a_host_that_was_allowed(gated):
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
    assert entry["why"] == f"it left for {place.decode()}, which --proxy-tunnel allows"


def test_a_client_that_ended_its_half_early_is_answered(gated):
    def whole(connection):
        connection.sendall(b"got " + rest(connection))

    with Host(whole) as host, socket.create_connection(gated.address, timeout=10) as plain:
        plain.sendall(connect(b"localhost:%d" % host.port) + b"all")
        plain.shutdown(socket.SHUT_WR)
        assert rest(plain) == ESTABLISHED + b"got all"


def test_a_host_that_ended_its_half_early_is_told_the_rest(gated):
    def first(connection):
        connection.sendall(b"hello")
        connection.shutdown(socket.SHUT_WR)
        return rest(connection)

    with Host(first) as host:
        with tunnel(gated, b"localhost:%d" % host.port) as plain:
            assert rest(plain) == b"hello"
            plain.sendall(b"and more")
    assert host.result == b"and more"


def test_a_connection_that_broke_off_breaks_off_on_the_other_side(gated):
    def abort(connection):
        connection.recv(1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    with Host(abort) as host, tunnel(gated, b"localhost:%d" % host.port) as plain:
        plain.sendall(b"x")
        with pytest.raises(ConnectionResetError):
            plain.recv(1)


BLOCK = bytes(range(256)) * 4096
BLOCKS = 64


def digest(connection):
    """What is read up to the end, as its hash."""
    seen = hashlib.sha256()
    while data := connection.recv(1 << 20):
        seen.update(data)
    return seen.hexdigest()


def test_a_client_that_reads_late_does_not_fill_the_memory(gated):
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


def test_a_host_that_reads_late_does_not_fill_the_memory(gated):
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
    """Returns when nothing has moved between two answers of the server, a few times in a row."""
    before, still = -1, 0
    while still < 20:
        requests.get(f"{server.http}/livez", timeout=10)
        still = still + 1 if 0 < count() == before else 0
        before = count()


def test_a_host_that_takes_no_connection_is_told_so(gated):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    for head in (connect(b"localhost:%d" % port), wire.request("GET", f"http://localhost:{port}/")):
        answer = answer_of(gated, head)
        assert answer.status == 502
        assert answer.body.startswith(b"localhost:%d cannot be reached: connecting to " % port)
        assert b"ECONNREFUSED" in answer.body
    assert "ECONNREFUSED" in journal(gated, method="CONNECT", target=f"localhost:{port}")[-1]["why"]


def test_a_name_without_an_address_is_told_so(gated):
    answer = answer_of(gated, connect(b"no.such.host.localhost.localhost:1"))
    assert answer.status == 502


def test_a_whole_url_leaves_as_its_host_is_to_read_it(gated):
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
    assert (entry["response"]["status"], entry["why"]) == (0, f"it left for {place}, which --proxy-tunnel allows")


def test_a_usual_client_gets_a_page_from_outside(gated):
    with receiver.Receiver() as host:
        url = host.url.replace("127.0.0.1", "localhost")
        told = requests.post(url, data="x" * 100_000, proxies=through(gated), timeout=10)
        assert told.ok and host.next()[2] == b"x" * 100_000
        assert curl("--proxy", gated.http, "--proxytunnel", "-o", "/dev/null", "-w", "%{http_code}", "-d", "y", url) == "200"


def test_an_https_url_is_told_to_take_a_tunnel(gated, outside):
    answer = answer_of(gated, wire.request("GET", f"https://localhost:{outside.getsockname()[1]}/"))

    assert answer.status == 400
    assert answer.body.startswith(b"an https URL is reached through a tunnel: CONNECT localhost:")
    assert nobody_came(outside)


@pytest.mark.parametrize("place", ["127.0.0.1", "xlocalhost", "localhost.example.com"])
def test_what_was_not_allowed_by_its_name_is_still_refused(gated, outside, place):
    place = f"{place}:{outside.getsockname()[1]}"
    for head in (connect(place.encode()), wire.request("GET", f"http://{place}/")):
        assert answer_of(gated, head).status == 403
    assert nobody_came(outside)


def test_the_other_ports_lead_nobody_out(gated, outside):
    gateway = urllib.parse.urlsplit(gated.gateway)
    with wire.Wire((gateway.hostname, gateway.port)) as line:
        line.send(wire.request("GET", f"http://localhost:{outside.getsockname()[1]}/"))
        assert line.receive().status == 405
    assert nobody_came(outside)


def test_vendors_hosts_end_here_even_where_all_may_be_reached():
    with ringfence.Server(environment={"RINGFENCE_PROXY_TUNNEL": "all"}) as server:
        assert requests.get(f"http://{VENDOR}/livez", proxies=through(server), timeout=10).text == "ok\n"
        with Host(lambda connection: connection.sendall(b"hi")) as host:
            with tunnel(server, b"127.0.0.1:%d" % host.port) as plain:
                assert rest(plain) == b"hi"


def test_a_drain_ends_tunnels_to_the_outside():
    with ringfence.Server("--proxy-tunnel", "localhost") as server:
        with Host(rest) as host, tunnel(server, b"localhost:%d" % host.port) as plain:
            assert server.stop() == 0
            assert plain.recv(1) == b""


def test_tunnels_to_the_outside_count_as_connections():
    with ringfence.Server("--proxy-tunnel", "localhost", "--connections", "1") as server:
        with Host(rest) as host:
            with tunnel(server, b"localhost:%d" % host.port):
                assert answer_of(server, connect(VENDOR.encode() + b":443")).status == 503


@pytest.mark.parametrize("entry", ["http://example.com", "example.com:443", "*", "a b/c", "*.*.com"])
def test_a_host_that_is_none_is_told_at_the_start(entry):
    said = ringfence.command("serve", "--http", "127.0.0.1:0", "--proxy-tunnel", entry, expect=1)

    assert "--proxy-tunnel: expected hosts such as example.com, *.example.com or all; found " in said


# Who uses it

def test_the_user_of_the_proxy_names_the_sandbox_of_every_request_inside(proxy, world, authority):
    for scheme in ("http", "https"):
        told = requests.get(f"{scheme}://{VENDOR}/control/clock", proxies=through(proxy, f"{world.name}:"),
                            verify=authority, timeout=10)
        assert told.json()["now"] == "2026-01-05T10:20:30Z"
    assert "2026-01-05" in curl("-x", through(proxy, f"{world.name}:")["http"], "--cacert", authority,
                                f"https://{VENDOR}/control/clock")


def test_what_a_request_itself_names_comes_first(proxy, world, authority):
    user = through(proxy, f"{world.name}:")
    for path, headers in (("/control/clock", {"X-Sandbox": "default"}), ("/s/default/control/clock", {})):
        told = requests.get(f"https://{VENDOR}{path}", headers=headers, proxies=user, verify=authority, timeout=10)
        assert told.json()["mode"] == "real"


def test_an_unknown_user_is_asked_for_another(proxy):
    for head in (connect(VENDOR.encode() + b":443", basic("nobody:")),
                 wire.request("GET", f"http://{VENDOR}/livez", proxy_authorization="Basic bm9ib2R5Og=="),
                 connect(VENDOR.encode() + b":443", b"Proxy-Authorization: Bearer x\r\n"),
                 connect(VENDOR.encode() + b":443", basic("+1:"))):
        with wire.Wire(proxy.address) as line:
            line.send(head)
            answer = line.receive()
        assert (answer.status, answer.headers["proxy-authenticate"]) == (407, 'Basic realm="ringfence"')
        assert b"a sandbox's name, or a handset's number such as +12025550100" in answer.body


def test_what_signs_in_with_the_proxy_is_masked(proxy, world):
    with wire.Wire(proxy.address) as line:
        line.send(connect(b"secret.example:443", basic(f"{world.name}:+12025550100")))
        assert line.receive().status == 403

    (entry,) = journal(proxy, world.name, method="CONNECT", target="secret.example:443")
    assert "Proxy-Authorization: Basic ********" in entry["request"]["headers"]


# How it ends

def test_a_drain_does_not_wait_for_tunnels_in_which_nothing_is_said(tmp_path):
    with ringfence.Server("--data", tmp_path) as server:
        with tunnel(server, VENDOR.encode() + b":443") as silent:
            assert server.stop() == 0
            assert rest(silent) == b""


def test_tunnels_count_as_connections(tmp_path):
    with ringfence.Server("--connections", "2", "--data", tmp_path) as server:
        with tunnel(server, VENDOR.encode() + b":443"), tunnel(server, VENDOR.encode() + b":443"):
            with wire.Wire(server.address) as third:
                third.send(connect(VENDOR.encode() + b":443"))
                assert third.receive().status == 503
