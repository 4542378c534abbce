"""Conformance checks C1 to C12, C42 and C45 of the carrier contract, section 7, with the official clients:
one test for each number. test_carrier_silent.py has the checks of the gateway."""

import pathlib
import socket
import time

import pytest
from prelude_python_sdk import BadRequestError, Prelude
from twilio.base.exceptions import TwilioRestException

import ringfence
from ringfence import different

FIRST, THROTTLED, SILENT_RECEIPT = "+12025550100", "+12025550133", "+12025550131"
LANDLINE, UNKNOWN, VOICEMAIL, OFF = "+12025550112", "+12025550130", "+12025550136", "+12025550152"
STRANGER = "+14155551234"


@pytest.fixture
def send(service):
    """Sends a code and returns the provider's answer."""
    def send(number, channel="sms", **more):
        return service.verifications.create(to=number, channel=channel, **more)

    return send


def by_twilio(request):
    service = request.getfixturevalue("service")

    def send(number):
        service.verifications.create(to=number, channel="sms")
        return lambda code: service.verification_checks.create(to=number, code=code).status == "approved"

    return send


def by_prelude(request):
    verification = request.getfixturevalue("prelude").verification

    def send(number):
        target = {"type": "phone_number", "value": number}
        assert verification.create(target=target).status == "success"
        return lambda code: verification.check(target=target, code=code).status == "success"

    return send


@pytest.fixture(params=[by_twilio, by_prelude], ids=["twilio", "prelude"])
def through(request):
    """Sends a code through one provider. Returns a function that checks a code."""
    return request.param(request)


def inbox(sandbox, number, **query):
    return sandbox.control("GET", f"inbox/{number}", params=query).json()["messages"]


def submitted(sandbox, number):
    """The given fields of every message to a number that was submitted to the carrier."""
    return sandbox.control("GET", "messages", params={"number": number}).json()["messages"]


def receipts(message):
    return [(receipt["state"], receipt["atMs"], receipt.get("err", 0)) for receipt in message["receipts"]]


def switch(sandbox, number, event):
    sandbox.control("POST", f"subscribers/{number}/events", json={"event": event})


def test_carrier_01_code_arrives_and_is_acknowledged(server, sandbox, through):
    is_right = through(FIRST)
    sandbox.advance("200ms")

    (message,) = inbox(sandbox, FIRST)
    assert receipts(message) == [("ENROUTE", 50, 0), ("DELIVRD", 200, 0)]
    assert message["state"] == "DELIVRD"
    assert is_right(message["code"])


def test_carrier_01_the_code_can_be_computed_offline(sandbox, send):
    send(FIRST)

    assert sandbox.code(FIRST) == ringfence.command("code", FIRST, "--provider", "twilio").strip()


def test_carrier_02_two_fresh_starts_are_equal(connect):
    seen = []
    for _ in range(2):
        with ringfence.Server() as server:
            sandbox = server.sandbox(name="twin")
            service = connect(sandbox).verify.v2.services(sandbox.credentials["twilio"]["serviceSid"])
            sid = service.verifications.create(to=FIRST, channel="sms").sid
            seen.append((sid, inbox(sandbox, FIRST), submitted(sandbox, FIRST)))

    assert seen[0] == seen[1]
    assert seen[0][1][0]["code"].isdigit()


def test_carrier_03_switched_off_handset_gets_nothing(sandbox, send):
    send(OFF)
    sandbox.advance("301s")

    (message,) = submitted(sandbox, OFF)
    assert receipts(message) == [("ENROUTE", 50, 0), ("EXPIRED", 300_000, 60)]
    assert inbox(sandbox, OFF) == []

    switch(sandbox, OFF, "attach")
    assert inbox(sandbox, OFF) == []
    assert submitted(sandbox, OFF) == [message]


@pytest.mark.parametrize("how", ["attach", "PUT"])
def test_carrier_04_handset_switched_on_in_time_gets_it_then(sandbox, service, send, how):
    send(OFF)
    sandbox.advance("100s")
    assert inbox(sandbox, OFF) == []

    if how == "attach":
        switch(sandbox, OFF, "attach")
    else:
        sandbox.control("PUT", f"subscribers/{OFF}", json={"reach": {"sms": True}})

    (message,) = inbox(sandbox, OFF)
    assert receipts(message) == [("ENROUTE", 50, 0), ("DELIVRD", 100_000, 0)]
    sandbox.advance("300s")
    assert inbox(sandbox, OFF) == [message]
    assert service.verification_checks.create(to=OFF, code=message["code"]).status == "approved"


def test_carrier_05_unknown_number_is_undeliverable(sandbox, through):
    # The providers answer before the delivery is known, so the creation succeeds, as on the live services.
    through(UNKNOWN)
    sandbox.advance("1s")

    (message,) = submitted(sandbox, UNKNOWN)
    assert receipts(message) == [("UNDELIV", 500, 1)]
    assert inbox(sandbox, UNKNOWN) == []


def test_carrier_06_landline_takes_a_call_and_no_text(sandbox, client, service, send):
    send(LANDLINE)
    send(LANDLINE, "call")
    sandbox.advance("5s")

    text, call = submitted(sandbox, LANDLINE)
    assert receipts(text) == [("REJECTD", 0, 11)]
    assert inbox(sandbox, LANDLINE) == [call]
    heard = [line["text"] for line in call["call"]["transcript"] if line["who"] == "caller"]
    assert call["code"] in heard[-1]

    # With lookup and the option on, the provider itself rejects the text.
    strict = client.verify.v2.services.create(
        friendly_name="Strict", lookup_enabled=True, skip_sms_to_landlines=True)
    with pytest.raises(TwilioRestException) as refusal:
        client.verify.v2.services(strict.sid).verifications.create(to=LANDLINE, channel="sms")
    assert (refusal.value.status, refusal.value.code) == (403, 60205)


def test_carrier_07_first_submission_is_throttled(sandbox, service, send):
    first = send(THROTTLED)
    (refused,) = submitted(sandbox, THROTTLED)
    assert (refused["state"], receipts(refused)) == ("REFUSED", [("REFUSED", 0, 0x58)])
    assert inbox(sandbox, THROTTLED) == []

    second = send(THROTTLED)

    assert second.sid == first.sid
    (message,) = inbox(sandbox, THROTTLED)
    assert service.verification_checks.create(to=THROTTLED, code=message["code"]).status == "approved"


def test_carrier_08_a_message_without_receipt_stays_accepted(sandbox, through):
    through(SILENT_RECEIPT)
    sandbox.advance("1h")

    (message,) = inbox(sandbox, SILENT_RECEIPT)
    assert message["code"]
    assert (message["state"], message["receipts"]) == ("ACCEPTD", [])


@pytest.mark.parametrize("provider", ["twilio", "prelude"])
def test_carrier_09_unsafe_numbers(connect, tmp_path, provider):
    def started(policy):
        log = tmp_path / policy
        with ringfence.Server("--numbers", policy, log=log) as server:
            sandbox = server.sandbox()
            create = creation(provider, sandbox, connect)
            refusals = [create(STRANGER), create(STRANGER)]
            assert create(FIRST) is None
            return refusals, submitted(sandbox, STRANGER), log.read_text()

    refusals, messages, log = started("safe-only")
    assert refusals == [{"twilio": 60200, "prelude": "invalid_phone_number"}[provider]] * 2
    assert messages == [] and STRANGER[5:] not in log

    refusals, messages, log = started("open")
    assert refusals == [None, None] and len(messages) == 2
    (warning,) = [line for line in log.splitlines() if "may be a real phone number" in line]
    assert "+141******34" in warning and STRANGER not in log


def creation(provider, sandbox, connect):
    """Sends a code. Returns the error if the request was rejected."""
    def twilio(number):
        service = connect(sandbox).verify.v2.services(sandbox.credentials["twilio"]["serviceSid"])
        try:
            service.verifications.create(to=number, channel="sms")
        except TwilioRestException as error:
            assert error.status == 400
            return error.code

    def prelude(number):
        client = Prelude(api_token=sandbox.credentials["prelude"]["apiToken"], base_url=sandbox.base)
        try:
            client.verification.create(target={"type": "phone_number", "value": number})
        except BadRequestError as error:
            return error.body["code"]

    return {"twilio": twilio, "prelude": prelude}[provider]


def test_carrier_10_emoji_makes_two_parts(sandbox, send):
    name = "\N{FIRE}" + "a" * 19
    send(FIRST, custom_friendly_name=name, app_hash="He42w354ol9")

    (message,) = inbox(sandbox, FIRST)
    assert len(message["text"].encode("utf-16-le")) // 2 == 71
    assert (message["encoding"], message["segments"]) == ("ucs2", 2)


def test_carrier_11_a_waiting_client_gets_the_new_message(sandbox, send):
    sandbox.control("POST", "clock", json={"mode": "real"})
    sandbox.control("PUT", "scenarios", json={"scenarios": [{"outcome": "slow", "afterMs": 2000}]})
    begun = time.monotonic()
    send(FIRST)
    assert inbox(sandbox, FIRST) == []

    answer = sandbox.control("GET", f"inbox/{FIRST}?wait=10").json()

    assert 1.9 < time.monotonic() - begun < 9
    assert len(answer["messages"]) == 1
    assert inbox(sandbox, FIRST, after=answer["cursor"]) == []


def test_carrier_12_an_answering_machine_presses_no_key_and_gets_no_code(sandbox, service, send):
    send(VOICEMAIL, "call")
    sandbox.advance("1m")

    (message,) = inbox(sandbox, VOICEMAIL)
    code = ringfence.command("code", VOICEMAIL, "--provider", "twilio").strip()
    assert message["call"]["result"] == "voicemail"
    assert message["call"]["key"] == "none"
    assert message["code"] is None and code not in str(message)
    assert any(line["who"] == "machine" for line in message["call"]["transcript"])
    assert service.verification_checks.create(to=VOICEMAIL, code=code).status == "approved"


def test_carrier_keys_pressed_during_a_call_let_the_code_be_read(sandbox, service, send):
    sandbox.control("PUT", "scenarios", json={"scenarios": [{"outcome": "answer", "keys": ""}]})
    send(FIRST, "call")
    sandbox.advance("5s")
    (silent,) = inbox(sandbox, FIRST)
    assert silent["code"] is None

    sandbox.control("POST", f"calls/{silent['id']}/keys", json={"keys": "5"})

    code = sandbox.code(FIRST)
    assert service.verification_checks.create(to=FIRST, code=code).status == "approved"
    answer = sandbox.control("POST", f"calls/{silent['id']}/keys", json={"keys": "5"}, expect=(200,))
    assert answer.json()["call"]["keys"] == "55"


def test_carrier_stop_blocks_the_senders_texts(sandbox, send):
    send(FIRST)
    reply = sandbox.control("POST", f"inbox/{FIRST}/reply", json={"text": "Stop"}).json()
    send(FIRST)
    assert len(inbox(sandbox, FIRST)) == 1
    assert receipts(submitted(sandbox, FIRST)[-1]) == [("REJECTD", 0, 13)]

    sandbox.control("POST", f"inbox/{FIRST}/reply", json={"text": "START", "to": reply["to"]})
    send(FIRST)
    assert len(inbox(sandbox, FIRST)) == 2


def test_carrier_42_reset_brings_back_the_seeds(sandbox, send):
    def state():
        return [
            sandbox.control("GET", path).json()
            for path in ("inbox", "messages", "clock", "subscribers", "scenarios", "faults", "events")]

    seeded = state()
    send(FIRST)
    sandbox.advance("1h")
    switch(sandbox, FIRST, "simSwap")
    sandbox.control("PUT", "scenarios", json={"scenarios": [{"outcome": "slow"}]})
    sandbox.faults({"status": 503})
    assert all(before != after for before, after in zip(seeded, state()))

    sandbox.control("POST", "reset")

    assert state() == seeded
    sandbox.control("POST", "reset")
    assert state() == seeded


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
