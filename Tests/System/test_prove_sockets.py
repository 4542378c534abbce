"""The WebSocket of Prove's device API survives its clients. Source: prove.md 6.2; RFC 6455."""

import pytest

import ringfence
from prove_client import GO, Device
from websocket_client import CLOSE, PING, PONG, TEXT

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


def is_served(device):
    """True if a new socket of the device gets its first event."""
    watch(device).close()
    return True


def test_a_ping_frame_is_answered(device):
    opened = watch(device)
    opened.send_frame(PING, b"are you there?")
    assert opened._receive_frame() == (PONG, b"are you there?")
    opened.close()


def test_a_client_can_close(device):
    opened = watch(device)
    opened.send_frame(CLOSE, (1000).to_bytes(2, "big"))
    assert opened._receive_frame() == (CLOSE, (1000).to_bytes(2, "big"))
    assert is_served(device)


def test_a_client_can_vanish(device):
    watch(device).socket.close()
    assert is_served(device)


@pytest.mark.parametrize(("frame", "code"), [
    pytest.param(bytes([0x80 | TEXT, 2]) + b"{}", 1002, id="without a mask"),
    pytest.param(bytes([0x83, 0x80, 0, 0, 0, 0]), 1002, id="an unknown kind"),
    pytest.param(bytes([0xC1, 0x80, 0, 0, 0, 0]), 1002, id="a reserved bit"),
    pytest.param(bytes([0x09, 0x80, 0, 0, 0, 0]), 1002, id="a ping in pieces"),
    pytest.param(bytes([0x81, 0x82, 0, 0, 0, 0]) + b"\xff\xfe", 1007, id="not UTF-8"),
    pytest.param(bytes([0x82, 0x81, 0, 0, 0, 0]) + b"x", 1003, id="binary"),
    pytest.param(bytes([0x81, 0xFE]) + (5000).to_bytes(2, "big") + bytes(5004), 1009, id="5,000 bytes"),
    pytest.param(bytes([0x81, 0xFF]) + (1 << 40).to_bytes(8, "big") + bytes(64), 1009, id="2^40 bytes"),
])
def test_a_bad_frame_closes_its_socket_only(device, frame, code):
    opened = watch(device)
    opened.socket.sendall(frame)
    assert opened.receive() == code
    assert is_served(device)


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
