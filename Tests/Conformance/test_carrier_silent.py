"""Conformance checks C13, C18 and C19 of the carrier contract, section 7, and `ringfence open`: what needs
sockets, a proxy or the program. The official Twilio client starts a verification; the test follows the
redirects as a phone's SDK does. Others: `Sources/Control/Checks/Gateway.http`."""

import http.client
import socket
import subprocess
import urllib.parse

import pytest
import requests

import ringfence
import wire

CLAIMED = "+12025550100"
SUCCESS = "ErrorCode=0&ErrorDescription=Success"


class Phone:
    """Follows redirects by itself. Names its handset in a header, or by the address that its socket is bound
    to."""

    def __init__(self, handset=None, source=None):
        self.headers = {"X-Sandbox-Handset": handset} if handset else {}
        self.source = source
        self.urls = []

    def get(self, url):
        """Status, headers and body of one hop."""
        self.urls.append(url)
        parts = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(
            parts.hostname, parts.port, timeout=10, source_address=(self.source, 0) if self.source else None)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request("GET", target, headers={"Connection": "close", **self.headers})
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        return answer.status, answer.headers, body

    def walk(self, url):
        """Status and body of the last hop."""
        while True:
            status, headers, body = self.get(url)
            if status != 302:
                return status, body
            url = headers["Location"]


@pytest.fixture
def begin(service):
    """Starts a silent verification of a number and returns the URL for its phone."""
    return lambda number=CLAIMED: service.verifications.create(to=number, channel="sna").sna["url"]


@pytest.fixture
def verdict(service):
    """Status and last error code of the back end's check."""

    def verdict(number=CLAIMED):
        check = service.verification_checks.create(to=number)
        codes = [entry["code"] for entry in check.sna_attempts_error_codes]
        return check.status, codes[-1] if codes else None

    return verdict


def strict(sandbox):
    sandbox.control("PUT", "gateway", json={"mode": "strict"})


def test_carrier_c13_the_gateway_has_a_listener_of_its_own(server, begin):
    phone = Phone(handset=CLAIMED)
    phone.walk(begin())

    own, gateway, back = (urllib.parse.urlsplit(url).netloc for url in phone.urls)
    assert f"http://{gateway}" == server.gateway
    assert own == back and f"http://{own}" == server.http and own != gateway


def test_carrier_c18_the_address_a_socket_is_bound_to_is_the_handset(sandbox, begin, verdict):
    strict(sandbox)

    status, body = Phone(source="127.10.1.1").walk(begin())
    assert status == 200 and body.startswith(SUCCESS)
    assert verdict() == ("approved", None)

    _, body = Phone(source="127.0.0.1").walk(begin())
    assert body.startswith("ErrorCode=-31&")
    assert verdict() == ("pending", 60531)


def test_carrier_c19_the_gateways_bytes(server, sandbox, begin):
    """One write of fewer than 4096 bytes, with an absolute Location and a length, without chunks. Then the
    connection ends."""
    hop = Phone().get(begin())[1]["Location"]
    parts = urllib.parse.urlsplit(hop)
    assert f"http://{parts.netloc}" == server.gateway
    found = []
    for target in (f"{parts.path}?{parts.query}", "/carrier/v1/authorize?session=nobody", "/handset/nowhere"):
        raw = one_read(server.gateway, target)
        head, _, body = raw.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines[1:])
        assert len(raw) < 4096
        assert fields["Content-Length"] == str(len(body))
        assert "Transfer-Encoding" not in fields and "Content-Encoding" not in fields
        assert fields["Connection"] == "close"
        found.append((lines[0].split(" ")[1], fields))
    assert [status for status, _ in found] == ["302", "404", "404"]
    redirect = found[0][1]
    assert redirect["Location"].startswith(server.http + "/")
    assert redirect["Cache-Control"] == "no-store"
    assert redirect["Access-Control-Allow-Origin"] == "*"


def one_read(url, target):
    """The result of a single read. Checks that the server then closes the connection, although the client
    asked for keep-alive."""
    parts = urllib.parse.urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as line:
        line.sendall(f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: keep-alive\r\n\r\n".encode())
        raw = line.recv(65536)
        assert line.recv(65536) == b"", "more than one write, or no end"
        return raw


def test_carrier_c19_the_first_and_last_hop_end_their_connections_too(server, begin):
    """They are on the main listener, where other responses keep the connection open."""
    url = begin()
    last = Phone().get(Phone().get(url)[1]["Location"])[1]["Location"]
    for hop in (url, last):
        with wire.Wire(server.address) as line:
            line.send(wire.request("GET", hop.removeprefix(server.http)))
            reply = line.receive()
            assert reply.headers["connection"] == "close" and len(reply.raw) < 4096
            assert line.closed()


def test_carrier_a_hanging_gateway_answers_when_the_sandboxs_clock_moves(sandbox, begin):
    hop = Phone().get(begin("+12025550142"))[1]["Location"]
    parts = urllib.parse.urlsplit(hop)
    with socket.create_connection((parts.hostname, parts.port), timeout=0.5) as line:
        line.sendall(f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
        with pytest.raises(TimeoutError):
            line.recv(1)
        line.settimeout(10)
        sandbox.advance("61s")
        assert line.recv(65536).startswith(b"HTTP/1.1 504 ")


def test_carrier_a_proxy_adds_the_operators_header_on_plain_http(server, sandbox, begin):
    strict(sandbox)
    url = begin()
    proxy = urllib.parse.urlsplit(server.http)
    connection = http.client.HTTPConnection(proxy.hostname, proxy.port, timeout=10)
    token = "Basic KzEyMDI1NTUwMTAwOng="  # +12025550100:x
    for _ in range(3):
        connection.request("GET", url, headers={"Proxy-Authorization": token})
        answer = connection.getresponse()
        body, url = answer.read().decode(), answer.headers["Location"]
    assert body.startswith(SUCCESS)


def test_carrier_the_proxy_user_selects_the_sandbox_and_its_password_the_handset(server, sandbox, begin):
    """Over plain HTTP, the URL then needs no sandbox prefix (4.5, order 5)."""
    strict(sandbox)
    proxies = {"http": server.http.replace("//", f"//{sandbox.name}:%2B12025550100@")}

    told = requests.get(begin().replace(f"/s/{sandbox.name}", ""), proxies=proxies, timeout=10)

    assert told.text.startswith(SUCCESS)
    assert "Proxy-Authorization: Basic ********" in sandbox.journal()[-1]["request"]["headers"]


def test_carrier_a_proxy_adds_no_header_in_tunnels(server, sandbox, begin):
    """The operator cannot read a tunnel, so it does not know the handset (4.5, order 5)."""
    strict(sandbox)
    proxy = urllib.parse.urlsplit(server.http)
    url = begin()
    for _ in range(2):
        place = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(proxy.hostname, proxy.port, timeout=10)
        connection.set_tunnel(
            place.hostname, place.port, headers={"Proxy-Authorization": "Basic KzEyMDI1NTUwMTAwOng="})
        connection.request("GET", f"{place.path}?{place.query}")
        url = connection.getresponse().headers["Location"]
    assert "error=not_mobile" in url


@pytest.mark.parametrize("platform", ["ios", "android"])
def test_carrier_ringfence_open_walks_the_chain_over_sockets(begin, verdict, platform):
    text = ringfence.command("open", begin(), "--as", platform, "--handset", CLAIMED)

    assert text.startswith(SUCCESS)
    assert verdict() == ("approved", None)


def test_carrier_ringfence_open_names_the_failure(begin):
    assert "HTTP 503" in ringfence.command("open", begin("+12025550141"), expect=1)
    assert "more than 20 redirects" in ringfence.command("open", begin("+12025550144"), expect=1)
    assert "neither JSON nor plain text" in ringfence.command("open", begin("+12025550143"), expect=1)
    assert "must be absolute" in ringfence.command("open", "/silent", expect=1)
    assert "refused" in ringfence.command("open", "https://127.0.0.1:1/", expect=1)
    assert "--handset" in ringfence.command("open", begin(), "--handset", "12", expect=1)
    assert "refused" in ringfence.command("open", "http://127.0.0.1:1/", expect=1)


def test_carrier_ringfence_open_can_be_bound_to_the_mobile_interface(sandbox, begin):
    strict(sandbox)

    assert ringfence.command("open", begin(), "--from", "127.10.1.1").startswith(SUCCESS)
    assert ringfence.command("open", begin()).startswith("ErrorCode=-31&")


def test_carrier_the_gateway_can_be_off_and_the_public_url_elsewhere():
    with ringfence.Server("--gateway", "off") as server:
        assert server.gateway is None
        described = server.sandbox_described("default")
        assert described["credentials"]["twilio"]
        assert requests_json(f"{server.http}/control/gateway")["url"] == server.http
    with ringfence.Server("--public-url", "http://192.0.2.7:8080") as server:
        assert requests_json(f"{server.http}/control/gateway")["url"] == "http://192.0.2.7:8080"
    for bad in ("192.0.2.7", "http://192.0.2.7/path", "ftp://a"):
        refused = subprocess.run(
            [str(ringfence.binary()), "serve", "--http", "127.0.0.1:0", "--gateway", "off", "--public-url", bad],
            capture_output=True, text=True, timeout=30, check=False)
        assert refused.returncode != 0 and "--public-url" in refused.stderr


def requests_json(url):
    return ringfence.requests.get(url, timeout=10).json()
