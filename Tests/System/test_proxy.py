"""The proxy on the main port: it serves the providers' hosts itself and reaches no other host."""

import socket
import ssl
import urllib.parse

import pytest
import requests

import ringfence
import wire
from proxy_client import LIVE, PROVIDER, basic, connect, curl, has_no_connection, journal, rest, through, tunnel

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
