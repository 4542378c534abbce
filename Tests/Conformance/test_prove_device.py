"""Checks 27 and 28 of the Prove contract, section 11: the socket of a device that waits for a link."""

import re

import prove_client
from prove_client import Device

LORANT = "2001004014"
TARGET = "https://app.example.com/done"


def waiting(go):
    """A device that waits for the click on its link."""
    unified = go.unify(possessionType="desktop", phoneNumber=LORANT, finalTargetUrl=TARGET)
    device = Device(features=["instantLink"], role="secondary")
    assert device.authenticate(unified)["step"] == "instant_link_start"
    assert device.link_start()["step"] == "instant_link_wait"
    return device


def test_prove_27_desktop_link(go, sandbox):
    device = waiting(go)
    socket = device.watch()
    assert socket.receive() == {"event": "waiting", "secondsLeft": 180}
    socket.send({"action": "ping"})
    assert socket.receive() == {"event": "pong"}

    text = sandbox.control("GET", f"inbox/+1{LORANT}/latest").json()["text"]
    assert prove_client.send("GET", re.search(r"http\S+", text)[0]).status == 302

    assert [socket.receive() for _ in range(3)] == [
        {"event": "link_clicked", "asc": "true"}, {"event": "auth_finish"}, 1000]


def test_prove_28_desktop_timeout(go, sandbox):
    device = waiting(go)
    socket = device.watch()
    socket.receive()

    sandbox.advance("181s")

    assert [socket.receive() for _ in range(2)] == [{"event": "timeout"}, 4408]


def test_a_second_socket_replaces_the_first(go):
    device = waiting(go)
    first = device.watch()
    first.receive()

    second = device.watch()

    assert first.receive() == 4409
    assert second.receive()["event"] == "waiting"
    second.close()
