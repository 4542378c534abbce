"""Conformance checks 27 to 29 of the Prove contract, section 11: links, and the device API around them."""

import re

import prove_client
from prove_client import Device

LORANT = "2001004014"
TARGET = "https://app.example.com/done"


def waiting(go, possession="desktop", **about):
    """A device that waits for the click on its link, and the correlation id."""
    unified = go.unify(possessionType=possession, phoneNumber=LORANT, finalTargetUrl=TARGET)
    device = Device(**{"features": ["instantLink"], **about})
    assert device.authenticate(unified)["step"] == "instant_link_start"
    assert device.link_start()["step"] == "instant_link_wait"
    return device, unified["correlationId"]


def link(sandbox):
    text = sandbox.control("GET", f"inbox/+1{LORANT}/latest").json()["text"]
    return re.search(r"http\S+", text)[0]


def test_prove_27_desktop_link(go, sandbox):
    device, session = waiting(go, role="secondary")
    socket = device.watch()
    assert socket.receive() == {"event": "waiting", "secondsLeft": 180}
    socket.send({"action": "ping"})
    assert socket.receive() == {"event": "pong"}

    answer = prove_client.send("GET", link(sandbox))

    assert answer.status == 302
    assert answer.headers["Location"] == f"{TARGET}?asc=true&authId={device.step['authId']}"
    assert [socket.receive() for _ in range(3)] == [
        {"event": "link_clicked", "asc": "true"}, {"event": "auth_finish"}, 1000]
    status = go.status(session)
    assert status["success"] == "true"
    assert "deviceId" not in status.json()


def test_prove_28_desktop_timeout(go, sandbox):
    device, session = waiting(go, role="secondary")
    socket = device.watch()
    socket.receive()

    sandbox.advance("181s")

    assert [socket.receive() for _ in range(2)] == [{"event": "timeout"}, 4408]
    status = go.status(session)
    assert status["success"] == "false"
    assert list(status["evaluation"]["authentication"]["failureReasons"]) == ["9100"]
    sandbox.advance("120s")
    assert prove_client.send("GET", link(sandbox)).status == 410


def test_a_second_socket_replaces_the_first(go):
    device, _ = waiting(go)
    first = device.watch()
    first.receive()

    second = device.watch()

    assert first.receive() == 4409
    assert second.receive()["event"] == "waiting"
    second.close()


def test_prove_29_finish_instant_link(go, sandbox):
    device, session = waiting(go, "mobile", platform="ios")
    auth_id = device.step["authId"]

    def finish(query):
        return device.try_to("finish-instant-link", {"redirectUrl": f"{TARGET}?{query}"})

    for query in (f"asc=maybe&authId={auth_id}", "asc=true&authId=0d9e0c1c-6f43-4b44-9a52-6c6b6b0b9d10", "asc=true"):
        refused = finish(query)
        assert (refused.status, refused["code"]) == (400, 8001)
    genuine = prove_client.send("GET", link(sandbox)).headers["Location"]
    assert device.finish_link(genuine)["step"] == "auth_finish"
    assert go.status(session)["success"] == "true"


def test_browsers_may_call_the_device_api(sandbox):
    preflight = prove_client.send(
        "OPTIONS", f"{sandbox.base}/handset/prove/v1/authenticate",
        {"Origin": "https://app.example.com", "Access-Control-Request-Method": "POST",
         "Access-Control-Request-Headers": "authorization,content-type"})

    assert preflight.status == 204
    assert preflight.headers["Access-Control-Allow-Origin"] == "*"
    assert preflight.headers["Access-Control-Allow-Headers"] == "Authorization, Content-Type"
