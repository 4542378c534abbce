"""The WebSocket of Prove's device API survives its clients. Source: prove.md 6.2; RFC 6455."""

import pytest

import ringfence
from prove_client import GO, Device
from websocket_client import TEXT

SANDBOXES, SOCKETS = 10, 100


@pytest.fixture
def device(sandbox):
    """A desktop that waits for the click on a link."""
    return waiting(GO.client(sandbox))


def waiting(client):
    device = Device(features=["instantLink"], role="secondary")
    device.authenticate(client.unify(
        possessionType="desktop", phoneNumber="2001004014", finalTargetUrl="https://app.example.com/done"))
    device.link_start()
    return device


def watch(device):
    opened = device.watch()
    assert opened.receive()["event"] == "waiting"
    return opened


def test_a_bad_frame_closes_its_socket_only(device):
    """Each mistake: Tests/ServerTests/WebSocket/WebSocketClosingTests.swift."""
    opened = watch(device)
    opened.socket.sendall(bytes([0x80 | TEXT, 2]) + b"{}")  # without a mask
    assert opened.receive() == 1002
    watch(device).close()


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "{}", '{"action":"unknown"}', '{"action":1}'])
def test_other_messages_are_ignored(device, text):
    opened = watch(device)
    opened.send_frame(TEXT, text.encode())
    opened.send({"action": "ping"})
    assert opened.receive() == {"event": "pong"}
    opened.close()


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_thousand_sockets_wait_at_once():
    """`pytest -s` prints the memory that they take."""
    with ringfence.Server() as server:
        clients = [GO.client(server.sandbox()) for _ in range(SANDBOXES)]
        devices = [waiting(client) for client in clients for _ in range(SOCKETS)]
        before = server.resident_kib()
        opened = [watch(device) for device in devices]
        print(f"{len(opened)} sockets take {server.resident_kib() - before} KiB")

        for one in opened:
            one.send({"action": "ping"})

        assert [one.receive() for one in opened] == [{"event": "pong"}] * len(opened)
        for one in opened:
            one.close()
        assert server.is_alive()
