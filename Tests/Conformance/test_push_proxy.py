"""The proxy that stands before the push services. Contract: push-gateway.md 1.5."""

import socket

import pytest

import tunnels


@pytest.mark.parametrize("place", ["iamcredentials.googleapis.com:443", "example.com:443", "localhost:{port}"])
def test_push_p17_connect_to_a_host_outside_the_list_is_403(server, place):
    """No connection is made: the port of this machine sees nobody."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = place.format(port=listener.getsockname()[1])

        answer = tunnels.answer_of(server, tunnels.connect(place.encode()))

        assert answer.status == 403
        assert tunnels.nobody_came(listener)
    assert tunnels.journal(server, method="CONNECT", target=place)[-1]["why"].startswith(
        f"{place.split(':')[0]}: not a sandbox host")
