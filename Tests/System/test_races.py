"""Simultaneous requests of many clients have one consistent result."""

import collections
import threading

import requests

NUMBER = "+15551234567"


def at_once(count, act):
    """Runs `act` in several threads that start together. Returns the results."""
    barrier, results = threading.Barrier(count), []

    def run():
        barrier.wait()
        results.append(act())

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(results) == count
    return results


def poster(sandbox, path, **form):
    own = sandbox.credentials["twilio"]
    url = f"{sandbox.base}/v2/Services/{own['serviceSid']}/{path}"
    pair = (own["accountSid"], own["authToken"])
    return lambda: requests.post(url, data=form, auth=pair, timeout=30)


def test_fifty_creates_at_once_are_one_verification(sandbox):
    answers = at_once(50, poster(sandbox, "Verifications", To=NUMBER, Channel="sms"))

    kinds = collections.Counter((answer.status_code, answer.json().get("code")) for answer in answers)
    assert kinds == {(201, None): 5, (429, 60203): 45}
    assert len({answer.json()["sid"] for answer in answers if answer.status_code == 201}) == 1


def test_a_code_used_by_twenty_clients_is_approved_once(sandbox):
    poster(sandbox, "Verifications", To=NUMBER, Channel="sms")()
    code = sandbox.code(NUMBER)

    answers = at_once(20, poster(sandbox, "VerificationCheck", To=NUMBER, Code=code))

    kinds = collections.Counter(
        (answer.status_code, answer.json().get("code") or answer.json()["status"]) for answer in answers)
    assert kinds == {(200, "approved"): 1, (404, 20404): 19}


def test_concurrent_sandboxes_are_isolated(server):
    worlds = [server.sandbox(seed=number) for number in range(8)]

    def start(world):
        sid = poster(world, "Verifications", To=NUMBER, Channel="sms")().json()["sid"]
        return world.name, sid, world.code(NUMBER)

    remaining = collections.deque(worlds)
    found = at_once(8, lambda: start(remaining.popleft()))

    assert len({sid for _, sid, _ in found}) == 8
    for world in worlds:
        approved = poster(world, "VerificationCheck", To=NUMBER, Code=world.code(NUMBER))()
        assert approved.json()["status"] == "approved"
        world.delete()
