"""The proxy for push services. Contract: push-gateway.md 1.5."""

import socket

import pytest

import proxy_client


@pytest.mark.parametrize("place", ["iamcredentials.googleapis.com:443", "example.com:443", "localhost:{port}"])
def test_push_17_connect_to_a_host_outside_the_list_is_403(server, place):
    """No connection is opened: the listener on this machine gets none."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = place.format(port=listener.getsockname()[1])

        answer = proxy_client.answer_of(server, proxy_client.connect(place.encode()))

        assert answer.status == 403
        assert proxy_client.has_no_connection(listener)
    assert proxy_client.journal(server, method="CONNECT", target=place)[-1]["why"].startswith(
        f"{place.split(':')[0]}: not a sandbox host")
