"""HTTP/2 over TLS, by the host that a client names. Contract push-gateway P38."""

import socket
import ssl

import pytest

import ringfence

WITH_TLS = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")


@pytest.fixture(scope="module")
def tls_server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("state")
    with ringfence.Server("--data", folder, listeners=WITH_TLS) as server:
        yield server, folder


@pytest.mark.parametrize("name, protocol", [
    ("verify.twilio.com", "http/1.1"), ("verify.dublin.ie1.twilio.com", "http/1.1"), ("rest-ww.telesign.com", "http/1.1"),
    ("api.prelude.dev", "http/1.1"), ("fcm.googleapis.com", "h2"), ("api.push.apple.com", "h2"), ("localhost", "h2"),
    ("127.0.0.1", "h2")])
def test_push_38_http2_is_offered_on_hosts_of_providers_that_speak_it(tls_server, name, protocol):
    server, folder = tls_server

    assert chosen(server, folder, name, ["h2", "http/1.1"]) == protocol
    assert chosen(server, folder, name, ["http/1.1"]) == "http/1.1"


def chosen(server, folder, name, protocols):
    """The protocol that TLS chooses for a host."""
    context = ssl.create_default_context(cafile=folder / "authority.pem")
    context.set_alpn_protocols(protocols)
    host, port = server.https.split("//")[1].split(":")
    with socket.create_connection((host, int(port)), timeout=10) as line:
        with context.wrap_socket(line, server_hostname=name) as session:
            return session.selected_alpn_protocol()
