"""Webhooks of the server to receivers that are down, slow, on other machines, or have wrong certificates."""

import datetime
import json
import pathlib
import socket
import subprocess
import time

import pytest
import requests

import receiver
import ringfence

START = "2026-01-05T10:20:30Z"
NUMBER = "+33639980050"
CERTIFICATES = pathlib.Path(__file__).resolve().parents[1] / "CryptoTests" / "Certificates"


def tell(server, url, number=NUMBER):
    """Starts a verification in the default sandbox with a callback URL."""
    token = server.sandbox_described("default")["credentials"]["prelude"]["apiToken"]
    answer = requests.post(
        f"{server.http}/v2/verification", headers={"Authorization": f"Bearer {token}"}, timeout=10,
        json={"target": {"type": "phone_number", "value": number}, "options": {"callback_url": url}})
    assert answer.status_code == 200, answer.text


def control(server, method, path, expect=200, **named):
    answer = requests.request(method, f"{server.http}/control/{path}", timeout=60, **named)
    assert answer.status_code == expect, answer.text
    return answer.json()


def advance(server, span):
    return control(server, "POST", "clock", json={"advance": span})["now"]


def webhooks(server, **filters):
    return control(server, "GET", "webhooks", params=filters)["webhooks"]


def settled(server, state):
    """Waits until every webhook has this state, and returns them."""
    for _ in range(100):
        found = webhooks(server)
        if found and all(each["state"] == state and not each["underWay"] for each in found):
            return found
        control(server, "GET", "events", params={"after": 10**9, "wait": 1})
    raise AssertionError(f"not {state}: {found}")


def minutes(webhook):
    """The time of each attempt, in minutes after the first."""
    times = [datetime.datetime.fromisoformat(attempt["at"]) for attempt in webhook["attempts"]]
    return [(each - times[0]).total_seconds() / 60 for each in times]


@pytest.mark.quick
def test_the_same_flow_is_received_in_the_same_order():
    """To one receiver, in two runs with the same clock and seed."""

    def received():
        with ringfence.Server("--clock", START) as server, receiver.Receiver() as up:
            for last in range(50, 58):
                tell(server, f"{up.url}/{last}", f"+336399800{last}")
            advance(server, "10m")
            order = [webhook["id"] for webhook in settled(server, "delivered")]
            # Ids count attempts too, so they depend on how fast the receiver answers.
            arrived = [(path, json.loads(body)["type"]) for path, _, body in up.all()]
            assert len(arrived) == len(order) >= 24
            return arrived

    assert received() == received()


def test_a_receiver_that_is_down_for_an_hour_gets_every_event_once(tmp_path):
    """With the documented pauses, and a kill -9 in between. Source: issue 3, prelude.md 12.1."""
    port = receiver.free_port()
    flags = ("--data", tmp_path / "data", "--clock", START)
    with ringfence.Server(*flags) as server:
        for last in (50, 51, 52):
            tell(server, f"http://127.0.0.1:{port}/hook", f"+336399800{last}")
        advance(server, "5s")
        before = webhooks(server)
        assert len(before) >= 9 and {each["state"] for each in before} == {"pending"}
        assert advance(server, "30m") == "2026-01-05T10:50:35Z"
        server.kill()
    with ringfence.Server(*flags) as server:
        assert advance(server, "30m") == "2026-01-05T11:20:35Z"
        still = webhooks(server)
        assert [each["id"] for each in still] == [each["id"] for each in before]
        assert all(minutes(each) == [0, 1, 3, 7, 15, 31] for each in still)
        assert all("ECONNREFUSED" in attempt["error"] for each in still for attempt in each["attempts"])
        with receiver.Receiver(port) as up:
            advance(server, "10m")
            arrived = [json.loads(body)["id"] for _, _, body in up.all()]
            advance(server, "2d")
            assert up.all() == []
        found = settled(server, "delivered")
    assert all(minutes(each) == [0, 1, 3, 7, 15, 31, 63] for each in found)
    assert sorted(arrived) == sorted(json.loads(each["request"]["body"])["id"] for each in found)
    assert len(set(arrived)) == len(arrived) == len(before)


def test_an_interrupted_attempt_is_repeated_with_the_same_bytes(tmp_path):
    flags = ("--data", tmp_path / "data", "--clock", START)
    with receiver.Receiver(answers=[None]) as silent:
        with ringfence.Server(*flags) as server:
            tell(server, silent.url)
            _, headers, body = silent.next()
            server.kill()
        port = silent.port
    with receiver.Receiver(port) as up, ringfence.Server(*flags) as server:
        again = {}
        while json.loads(body)["id"] not in again:
            _, later, text = up.next()
            again[json.loads(text)["id"]] = (later, text)
        later, text = again[json.loads(body)["id"]]
        assert text == body
        assert later["X-Webhook-Signature"] == headers["X-Webhook-Signature"]


def test_webhook_faults_survive_a_crash(tmp_path):
    """Late, reordered and duplicated webhooks, and the counts of the faults, after kill -9."""
    flags = ("--data", tmp_path / "data", "--clock", START)
    faults = [{"kind": "verify.authentication", "delayMs": 3_600_000, "signature": "missing"},
              {"kind": "verify.attempt", "delivery": "duplicate"}]
    port = receiver.free_port()
    with ringfence.Server(*flags) as server:
        control(server, "PUT", "webhooks/faults", json={"webhookFaults": faults})
        tell(server, f"http://127.0.0.1:{port}/hook")
        control(server, "GET", "events", params={"wait": 1, "after": 10**9})
        before = {each["id"]: each["fault"] for each in webhooks(server) if "fault" in each}
        rules = control(server, "GET", "webhooks/faults")
        server.kill()
    with receiver.Receiver(port) as up, ringfence.Server(*flags) as server:
        assert control(server, "GET", "webhooks/faults") == rules
        assert {each["id"]: each["fault"] for each in webhooks(server) if "fault" in each} == before
        advance(server, "59m")
        early = [(json.loads(body)["type"], "X-Webhook-Signature" in headers) for _, headers, body in up.all()]
        advance(server, "1m")
        (late,) = [(json.loads(body)["type"], "X-Webhook-Signature" in headers) for _, headers, body in up.all()]
    assert len(before) == 2 and [each["applied"] for each in rules["webhookFaults"]] == [1, 1]
    assert early.count(("verify.attempt", True)) == 2 and late == ("verify.authentication", False)
    assert "verify.authentication" not in [kind for kind, _ in early]


def test_retries_during_an_advance_reach_the_receiver():
    with receiver.Receiver(answers=[500, 500, 500, 500, 200]) as moody, ringfence.Server("--clock", START) as server:
        tell(server, moody.url)
        assert advance(server, "1h") == "2026-01-05T11:20:30Z"
        found = settled(server, "delivered")
    assert all(minutes(each) == [0, 1, 3, 7][:len(each["attempts"])] for each in found)
    assert sum(attempt["status"] == 500 for each in found for attempt in each["attempts"]) == 4


def test_a_slow_receiver_blocks_only_the_clock():
    with receiver.Receiver(answers=[None]) as slow, ringfence.Server("--clock", START) as server:
        tell(server, slow.url)
        slow.next()
        began = time.monotonic()
        for last in range(60, 80):
            tell(server, slow.url, f"+336399800{last}")
        assert requests.get(f"{server.http}/livez", timeout=5).ok
        assert time.monotonic() - began < 5
        with pytest.raises(requests.exceptions.ReadTimeout):
            requests.post(f"{server.http}/control/clock", json={"advance": "1m"}, timeout=1)
        assert control(server, "GET", "clock")["towards"] == "2026-01-05T10:21:30Z"


def test_a8_a_long_way_of_the_clock_says_how_far_it_came():
    with receiver.Receiver(answers=[None]) as slow, ringfence.Server("--clock", START) as server:
        tell(server, slow.url)
        slow.next()
        assert control(server, "POST", "clock?wait=0", expect=202, json={"advance": "365242d"}) == {
            "mode": "frozen", "now": START, "towards": "3026-01-05T10:20:30Z"}
        assert control(server, "GET", "clock?wait=1")["towards"] == "3026-01-05T10:20:30Z"

        command = [ringfence.binary(), "clock", "advance", "1h", "--url", server.http]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
            assert running.stderr.readline() == f"{START}, on the way to 3026-01-05T11:20:30Z\n"
            running.kill()


def test_a_webhook_is_replayed_on_demand():
    with receiver.Receiver() as up, ringfence.Server("--clock", START) as server:
        tell(server, up.url)
        advance(server, "10m")
        sent = [body for _, _, body in up.all()]
        latest = control(server, "POST", "webhooks/latest/replay")
        assert up.next()[2] in sent
        assert [attempt["status"] for attempt in latest["attempts"]] == [200, 200]


@pytest.mark.parametrize(
    "certificate, flags, error",
    [
        ("good", (), "the certificate of 127.0.0.1 is not trusted: unable to get local issuer certificate"),
        ("other", ("--webhook-ca", CERTIFICATES / "authority.pem"),
         "the certificate of 127.0.0.1 is not trusted: IP address mismatch"),
        ("selfsigned", ("--webhook-ca", CERTIFICATES / "authority.pem"),
         "the certificate of 127.0.0.1 is not trusted: "),
    ])
def test_untrusted_certificates_are_refused(certificate, flags, error):
    with receiver.Receiver(certificate=CERTIFICATES / f"{certificate}.pem") as up:
        with ringfence.Server("--clock", START, *flags) as server:
            tell(server, up.url)
            advance(server, "1s")
            first = webhooks(server)[0]["attempts"][0]
    assert first["status"] is None and first["error"].startswith(error)
    assert up.arrivals.qsize() == 0


def test_a_certificate_of_a_trusted_authority_is_accepted():
    with receiver.Receiver(certificate=CERTIFICATES / "good.pem", keeps=True) as up:
        with ringfence.Server("--clock", START, "--webhook-ca", CERTIFICATES / "authority.pem") as server:
            tell(server, up.url)
            advance(server, "1s")
            first = webhooks(server)[0]["attempts"][0]
    assert first["status"] == 200
    assert up.arrivals.qsize() > 1 and up.connections == 1


def test_an_invalid_ca_file_stops_the_start():
    sentence = ringfence.command(
        "serve", "--http", "127.0.0.1:0", "--https", "off", "--gateway", "off", "--webhook-ca", "/no/such.pem",
        expect=1)
    assert "reading certificates from /no/such.pem failed" in sentence


def test_webhooks_to_other_machines_are_refused():
    with ringfence.Server("--clock", START) as server:
        tell(server, "http://me:secret@192.0.2.1:9/hook")
        advance(server, "10m")
        found = settled(server, "refused")
        noted = control(server, "GET", "journal", params={"contains": "192.0.2.1"})["requests"]
        kinds = [event["kind"] for event in control(server, "GET", "events")["events"]]
        advice = ringfence.command("doctor", "--url", server.http)
    reason = "192.0.2.1 is not a loopback address; to allow it, start with --webhook-allow 192.0.2.1"
    assert {each["why"] for each in found} == {reason}
    assert {each["url"] for each in found} == {"http://********@192.0.2.1:9/hook"}
    assert noted[-1]["why"].endswith(f"was not sent: {reason}")
    assert reason in advice
    assert kinds.count("webhook.refused") == kinds.count("webhook.enqueued") == len(found)


def own_address():
    """A non-loopback address of this machine. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = probe.getsockname()[0]
        return None if address.startswith("127.") else address


@pytest.mark.parametrize("way", ["flag", "environment", "file"])
def test_an_allowed_host_is_reached(way, tmp_path):
    address = own_address()
    if address is None:
        pytest.skip("this machine has no address but the loopback's")
    allowed = f"elsewhere.test,{address}"
    (tmp_path / "config.json").write_text(json.dumps({"webhook-allow": allowed}))
    flags = {"flag": ("--webhook-allow", allowed), "file": ("--config", tmp_path / "config.json")}.get(way, ())
    environment = {"RINGFENCE_WEBHOOK_ALLOW": allowed} if way == "environment" else {}
    with receiver.Receiver(host=address) as up:
        with ringfence.Server("--clock", START, *flags, environment=environment) as server:
            tell(server, f"http://{address}:{up.port}/hook")
            assert up.next()[0] == "/hook"


ADMIN = {"RINGFENCE_ADMIN_TOKEN": "the-admin-token-of-a-test"}
EVERYWHERE = ("--http", "0.0.0.0:0", "--https", "off", "--gateway", "off", "--open-control")
OWN = ("--http", "127.0.0.1:0", "--https", "off", "--gateway", "off")


@pytest.mark.parametrize("listeners, environment, allowed, is_reached", [
    (OWN, ADMIN, "*", False), (OWN, ADMIN, "localhost,127.0.0.1", True), (EVERYWHERE, {}, "elsewhere.test", False)])
def test_a_server_that_others_use_is_no_way_to_the_services_of_its_machine(listeners, environment, allowed, is_reached):
    """Issue 45, C6."""
    with receiver.Receiver() as up:
        with ringfence.Server("--webhook-allow", allowed, listeners=listeners, environment=environment) as server:
            for host in ("127.0.0.1", "localhost"):
                made = requests.post(
                    f"http://127.0.0.1:{server.address[1]}/control/webhooks/forge", timeout=20, json={
                        "provider": "twilio", "url": f"http://{host}:{up.port}/hook", "body": {"MessageSid": "SM1"}},
                    headers={"Authorization": f"Bearer {environment.get('RINGFENCE_ADMIN_TOKEN')}"}).json()
                assert made["state"] == ("delivered" if is_reached else "refused"), made
                assert is_reached or made["why"].endswith(
                    f" is not allowed on a server that others use; to allow it, start with --webhook-allow {host}")
    assert up.arrivals.qsize() == (2 if is_reached else 0)
