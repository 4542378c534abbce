"""Conformance checks C9, C11 and C45 of the carrier contract, section 7: options of the server, real time and
sockets. C2: test_equal_processes.py. C13 to C19: test_carrier_silent.py. Others: `Sources/Control/Checks`."""

import pathlib
import socket
import time

import pytest
import requests

import ringfence
from ringfence import different

FIRST, STRANGER = "+12025550100", "+14155551234"


def inbox(sandbox, number, **query):
    return sandbox.control("GET", f"inbox/{number}", params=query).json()["messages"]


def submitted(sandbox, number):
    """The given fields of every message to a number that was submitted to the carrier."""
    return sandbox.control("GET", "messages", params={"number": number}).json()["messages"]


@pytest.mark.parametrize("provider, code", [("twilio", 60200), ("prelude", "invalid_phone_number")])
def test_carrier_09_unsafe_numbers(tmp_path, provider, code):
    def started(policy):
        log = tmp_path / policy
        with ringfence.Server("--numbers", policy, log=log) as server:
            sandbox = server.sandbox()
            answers = [create(sandbox, provider, number) for number in (STRANGER, STRANGER, FIRST)]
            assert answers.pop().ok
            return answers, submitted(sandbox, STRANGER), log.read_text()

    refusals, messages, log = started("safe-only")
    assert [(answer.status_code, answer.json()["code"]) for answer in refusals] == [(400, code)] * 2
    assert messages == [] and STRANGER[5:] not in log

    answers, messages, log = started("open")
    assert all(answer.ok for answer in answers) and len(messages) == 2
    (warning,) = [line for line in log.splitlines() if "may be a real phone number" in line]
    assert "+141******34" in warning and STRANGER not in log


def create(sandbox, provider, number):
    """Sends a code."""
    own = sandbox.credentials[provider]
    if provider == "twilio":
        return requests.post(
            f"{sandbox.base}/v2/Services/{own['serviceSid']}/Verifications", data={"To": number, "Channel": "sms"},
            auth=(own["accountSid"], own["authToken"]), timeout=10)
    return requests.post(
        f"{sandbox.base}/v2/verification", json={"target": {"type": "phone_number", "value": number}},
        headers={"Authorization": f"Bearer {own['apiToken']}"}, timeout=10)


def test_carrier_11_a_waiting_client_gets_the_new_message(sandbox):
    sandbox.control("POST", "clock", json={"mode": "real"})
    sandbox.control("PUT", "scenarios", json={"scenarios": [{"outcome": "slow", "afterMs": 2000}]})
    begun = time.monotonic()
    create(sandbox, "twilio", FIRST)
    assert inbox(sandbox, FIRST) == []

    answer = sandbox.control("GET", f"inbox/{FIRST}?wait=10").json()

    assert 1.9 < time.monotonic() - begun < 9
    assert len(answer["messages"]) == 1
    assert inbox(sandbox, FIRST, after=answer["cursor"]) == []


def test_carrier_45_only_the_loopback_is_used(connect):
    said = " ".join(ringfence.command("serve", "--help").split())
    defaults = ["127.0.0.1:5550.", "127.0.0.1, the port after", "127.0.0.1, the second port after"]
    assert all(f"Default: {address}" in said.replace("Default ", "Default: ") for address in defaults)

    listeners = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "127.0.0.1:0")
    with ringfence.Server(listeners=listeners) as server:
        sandbox = server.sandbox()
        service = connect(sandbox).verify.v2.services(sandbox.credentials["twilio"]["serviceSid"])
        service.verifications.create(to=STRANGER, channel="sms")
        service.verification_checks.create(to=STRANGER, code=different(sandbox.code(STRANGER)))

        ends = list(sockets(server.process.pid))
        assert server.address in [local for local, _ in ends]
        assert [end for end in ends if not is_local(*end)] == []


def sockets(pid):
    """Local and remote address of every TCP and UDP socket of a process. A listener has no remote address."""
    inodes = {link.readlink().name for link in pathlib.Path(f"/proc/{pid}/fd").iterdir()}
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in pathlib.Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            words = line.split()
            if f"socket:[{words[9]}]" in inodes:
                yield tuple(address(word) for word in words[1:3])


def address(word):
    """Parses an address of the kernel's tables: groups of four bytes, each in reverse order."""
    host, port = word.split(":")
    groups = [bytes.fromhex(host[start:start + 8])[::-1] for start in range(0, len(host), 8)]
    family = socket.AF_INET if len(groups) == 1 else socket.AF_INET6
    return socket.inet_ntop(family, b"".join(groups)), int(port, 16)


def is_local(own, other):
    """True if a socket listens on the loopback, or connects two loopback addresses."""
    inside = [host.startswith("127.") or host == "::1" for host, _ in (own, other)]
    return inside[0] and (inside[1] or other[1] == 0)
