"""The HTTPS listener: names, sessions, and clients that do not use TLS correctly. Source: issue 5."""

import os
import socket
import ssl
import stat
import urllib.request

import pytest
import requests

import ringfence

LISTENERS = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")
PROVIDER = "verify.twilio.com"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def secure(folder):
    with ringfence.Server("--data", folder, listeners=LISTENERS) as server:
        yield server


@pytest.fixture
def trust(folder, secure):
    return ssl.create_default_context(cafile=folder / "authority.pem")


def port(server):
    return int(server.https.rsplit(":", 1)[1])


def connect(server, context, name=PROVIDER, session=None):
    plain = socket.create_connection(("127.0.0.1", port(server)), timeout=10)
    return context.wrap_socket(plain, server_hostname=name, session=session)


def ask(connection, line=b"GET /livez HTTP/1.1", host=PROVIDER.encode()):
    connection.sendall(line + b"\r\nHost: " + host + b"\r\n\r\n")
    answer = b""
    while b"\r\n\r\n" not in answer or not answer.endswith(b"ok\n"):
        piece = connection.recv(65536)
        if not piece:
            break
        answer += piece
    return answer


def test_each_name_gets_its_own_certificate(secure, trust):
    for name in (PROVIDER, "rest-ww.telesign.com", "api.prelude.dev", "localhost"):
        with connect(secure, trust, name) as connection:
            names = [value for kind, value in connection.getpeercert()["subjectAltName"] if kind == "DNS"]
            assert names[0] == name


def test_without_a_name_the_certificate_is_for_the_loopback(secure, folder):
    answer = requests.get(f"https://127.0.0.1:{port(secure)}/livez", verify=folder / "authority.pem", timeout=10)

    assert answer.text == "ok\n"


@pytest.mark.quick
@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_both_versions_agree_on_http_2(secure, trust, version):
    trust.minimum_version = trust.maximum_version = version
    trust.set_alpn_protocols(["http/1.1", "h2"])

    with connect(secure, trust, "fcm.googleapis.com") as connection:
        assert connection.selected_alpn_protocol() == "h2"
        assert connection.recv(9)[3:5] == b"\x04\x00", "the server's first frame is SETTINGS"


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_client_that_offers_only_http_1_1_gets_it(secure, trust, version):
    trust.minimum_version = trust.maximum_version = version
    trust.set_alpn_protocols(["http/1.1"])

    with connect(secure, trust) as connection:
        assert connection.selected_alpn_protocol() == "http/1.1"
        assert ask(connection).startswith(b"HTTP/1.1 200 OK")


def test_a_client_that_offers_other_protocols_is_answered_in_http_1_1(secure, trust):
    trust.set_alpn_protocols(["h3", "spdy/3"])

    with connect(secure, trust) as connection:
        assert connection.selected_alpn_protocol() is None
        assert ask(connection).startswith(b"HTTP/1.1 200 OK")


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_session_is_resumed(secure, trust, version):
    trust.minimum_version = trust.maximum_version = version
    with connect(secure, trust) as connection:
        ask(connection)
        session = connection.session

    with connect(secure, trust, session=session) as connection:
        assert connection.session_reused
        assert ask(connection).endswith(b"ok\n")


def test_a_close_notify_ends_a_connection(secure, trust):
    """suppress_ragged_eofs is off, so an end without a close-notify would raise."""
    plain = socket.create_connection(("127.0.0.1", port(secure)), timeout=10)
    connection = trust.wrap_socket(plain, server_hostname=PROVIDER, suppress_ragged_eofs=False)
    connection.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")

    answer = b""
    while piece := connection.recv(65536):
        answer += piece

    assert answer.endswith(b"ok\n")


def test_an_unknown_name_gets_an_alert_and_a_line_in_the_journal(secure, trust):
    with pytest.raises(ssl.SSLError, match="UNRECOGNIZED_NAME"):
        connect(secure, trust, "example.com")

    requests_ = requests.get(f"{secure.http}/control/journal?limit=1000", timeout=10).json()["requests"]
    line = [entry for entry in requests_ if entry["request"]["target"] == "example.com"][-1]
    assert line["request"]["method"] == "TLS"
    assert line["why"] == (
        "the TLS handshake with a client failed: unknown server name")


def test_plain_http_on_the_https_port_is_explained(secure):
    answer = requests.get(f"http://127.0.0.1:{port(secure)}/livez", timeout=10)

    assert (answer.status_code, answer.text) == (400, "This is the HTTPS port, and the request came without TLS.\n")


@pytest.mark.parametrize("bytes_", [b"\x00" * 64, b"garbage\r\n\r\n", b"\x16\x03\x01\xff\xff" + b"\x01" * 200, os.urandom(4096)])
def test_garbage_ends_its_connection_and_no_other(secure, trust, bytes_):
    with connect(secure, trust) as good, socket.create_connection(("127.0.0.1", port(secure)), timeout=10) as bad:
        bad.sendall(bytes_)
        bad.shutdown(socket.SHUT_WR)
        while bad.recv(65536):
            pass
        assert ask(good).endswith(b"ok\n")


def test_a_corrupted_record_ends_the_connection(secure, trust):
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = trust.wrap_bio(incoming, outgoing, server_hostname=PROVIDER)
    with socket.create_connection(("127.0.0.1", port(secure)), timeout=10) as plain:
        while True:
            try:
                session.do_handshake()
                break
            except ssl.SSLWantReadError:
                plain.sendall(outgoing.read())
                incoming.write(plain.recv(65536))
        plain.sendall(outgoing.read())
        session.write(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        record = bytearray(outgoing.read())
        record[-1] ^= 1
        plain.sendall(record)
        received = b""
        while piece := plain.recv(65536):
            received += piece
        incoming.write(received)
        with pytest.raises(ssl.SSLError, match="BAD_RECORD_MAC"):
            session.read()


def test_half_open_handshakes_do_not_hinder_others(secure, trust):
    half_open = []
    try:
        for _ in range(1000):
            one = socket.create_connection(("127.0.0.1", port(secure)), timeout=10)
            one.sendall(b"\x16\x03\x01\x02\x00\x01")
            half_open.append(one)
        with connect(secure, trust) as connection:
            assert ask(connection).endswith(b"ok\n")
    finally:
        for one in half_open:
            one.close()


def test_large_bodies_go_both_ways(secure, trust):
    with connect(secure, trust) as connection:
        body = b"{" + b" " * 700_000 + b"}"
        connection.sendall(
            b"POST /control/seed HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            % len(body) + body)
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")
    whole = urllib.request.urlopen(
        f"https://localhost:{port(secure)}/control/openapi.json", context=trust, timeout=10).read()
    assert len(whole) > 32_768 and whole.endswith(b"}")


def test_the_authoritys_key_is_readable_by_its_owner_only(secure, folder):
    before = (folder / "authority.pem").read_bytes()

    said = ringfence.command("ca", "--data", folder)

    assert said.encode() == before
    assert stat.S_IMODE((folder / "authority-key.pem").stat().st_mode) == 0o600
    assert ringfence.command("ca", "--data", folder, "--path").strip() == str(folder / "authority.pem")


def test_an_unwritable_home_does_not_prevent_serving(tmp_path):
    (tmp_path / "file").write_text("no folder")
    log = tmp_path / "log"

    with ringfence.Server(
            listeners=LISTENERS, log=log, environment={"XDG_DATA_HOME": str(tmp_path / "file")}) as server:
        with pytest.raises(requests.exceptions.SSLError):
            requests.get(f"{server.https}/livez", timeout=10)

    assert "cannot store the certificate authority" in log.read_text()
