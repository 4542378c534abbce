"""Invalid TLS gets the same response as from nginx with the same OpenSSL. Source: issue 5."""

import shutil
import socket
import ssl
import subprocess

import pytest

import ringfence

pytestmark = pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")

NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/errors; events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} ssl;
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_certificate {folder}/authority-key.pem;
    ssl_certificate_key {folder}/authority-key.pem;
  }}
}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def ours(folder):
    listeners = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")
    with ringfence.Server("--data", folder, listeners=listeners) as server:
        yield int(server.https.rsplit(":", 1)[1])


@pytest.fixture(scope="module")
def theirs(ours, folder):
    if not shutil.which("nginx"):
        pytest.skip("no nginx here: `Tests/Tools/install-packages bench` installs it")
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port))
    nginx = subprocess.Popen(["nginx", "-e", str(folder / "errors"), "-c", str(folder / "nginx.conf")])
    try:
        await_listener(port, nginx)
        yield port
    finally:
        nginx.terminate()
        nginx.wait(15)


def await_listener(port, process):
    while process.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=10).close()
        except ConnectionRefusedError:
            continue
    raise AssertionError("nginx did not start")


def hello(version):
    """The ClientHello of a client whose newest version is this one."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = version
    output = ssl.MemoryBIO()
    session = context.wrap_bio(ssl.MemoryBIO(), output, server_hostname="verify.twilio.com")
    with pytest.raises(ssl.SSLWantReadError):
        session.do_handshake()
    return output.read()


def as_ssl3(words):
    """A ClientHello with the version SSL 3.0 in the record and in the message."""
    return words[:1] + b"\x03\x00" + words[3:9] + b"\x03\x00" + words[11:]


def as_fallback(words):
    """A ClientHello that signals a version fallback (RFC 7507): one more cipher, and two more bytes in each
    length."""
    def grown(at, size):
        return (int.from_bytes(words[at:at + size], "big") + 2).to_bytes(size, "big")

    ciphers = 44 + words[43]
    return (words[:3] + grown(3, 2) + words[5:6] + grown(6, 3) + words[9:ciphers] + grown(ciphers, 2) + b"\x56\x00"
            + words[ciphers + 2:])


@pytest.fixture(params=[
    "a fallback to TLS 1.2", "TLS 1.1", "TLS 1.0", "SSL 3.0", "SSL 2.0", "a record too long", "a record of nonsense", "half a hello", "high bytes",
    "zeros", "words", "a GET", "a POST"])
def words(request):
    old = hello(ssl.TLSVersion.TLSv1)
    return {
        "a fallback to TLS 1.2": as_fallback(hello(ssl.TLSVersion.TLSv1_2)),
        "TLS 1.1": hello(ssl.TLSVersion.TLSv1_1), "TLS 1.0": old, "SSL 3.0": as_ssl3(old),
        "SSL 2.0": bytes.fromhex("802e0100020015000000100100800200800300800400800500800600400700c0") + bytes(16),
        "a record too long": b"\x16\x03\x01\xff\xff" + b"\x01" * 200,
        "a record of nonsense": b"\x16\x03\x01\x00\x05abcde",
        "half a hello": old[:50], "high bytes": b"\xff" * 100, "zeros": bytes(64), "words": b"garbage\r\n\r\n",
        "a GET": b"GET / HTTP/1.1\r\nHost: verify.twilio.com\r\n\r\n",
        "a POST": b"POST / HTTP/1.1\r\nHost: verify.twilio.com\r\nContent-Length: 3\r\n\r\nabc",
    }[request.param]


def said_to(words, port):
    """The server's response, which must end the connection: an alert, or the first line of plain HTTP."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(words)
        line.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    return answer.split(b"\r\n")[0] if answer.startswith(b"HTTP/") else answer


def test_bad_handshakes_are_answered_as_nginx_does(words, ours, theirs):
    assert said_to(words, ours) == said_to(words, theirs)


def test_an_inappropriate_fallback_is_refused(ours):
    assert said_to(as_fallback(hello(ssl.TLSVersion.TLSv1_2)), ours) == bytes([21, 3, 3, 0, 2, 2, 86])
