"""`GET /control/events/stream`: what a browser's EventSource reads. Source: CONSOLE.md 1."""

import json
import subprocess

import pytest
import requests

import ringfence
import wire

NUMBER = "+12025550100"


class Stream:
    """An open event stream; iterates over its events."""

    def __init__(self, base, after=None, last=None):
        headers = {"Last-Event-ID": last} if last else {}
        query = {"after": after} if after else {}
        self.answer = requests.get(
            f"{base}/control/events/stream", params=query, headers=headers, stream=True, timeout=30)
        self._lines = self.answer.iter_lines(chunk_size=1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.answer.close()

    def next(self):
        event = {}
        for line in self._lines:
            if not line and event:
                return {**event, "data": json.loads(event["data"])}
            name, found, value = line.decode().partition(": ")
            if found and name:
                event[name] = value
        return None

    def until(self, name, **data):
        while event := self.next():
            if event["event"] == name and data.items() <= event["data"].items():
                return event
        raise AssertionError(f"the stream ended before {name}")


def create(sandbox, number=NUMBER):
    assert sandbox.twilio(To=number, Channel="sms").status_code == 201


def test_events_and_requests_arrive_as_they_happen(sandbox):
    with Stream(sandbox.base) as stream:
        create(sandbox)

        started = stream.until("event", kind="verification.started", to=NUMBER)
        request = stream.until("request", route="createVerification", status=201)

    assert started["data"]["provider"] == request["data"]["provider"] == "twilio"
    assert stream.answer.headers["Content-Type"] == "text/event-stream"
    assert tuple(map(int, started["id"].split("."))) < tuple(map(int, request["id"].split(".")))


def test_a_new_connection_continues_after_the_last_event(sandbox):
    create(sandbox)
    with Stream(sandbox.base, after="0.0") as stream:
        first = stream.until("request", status=201)
    create(sandbox, "+12025550101")

    with Stream(sandbox.base, last=first["id"], after="0.0") as stream:
        following = stream.next()

    assert following["event"] == "event" and following["data"]["to"] == "+12025550101"


def test_what_has_no_event_is_a_change(sandbox):
    with Stream(sandbox.base) as stream:
        sandbox.control("POST", "clock", json={"advance": "1s"})
        assert stream.next()["event"] == "change"
        sandbox.control("GET", "clock")
        sandbox.control("PUT", "faults", json={"faults": [{"provider": "twilio", "status": 500}]})
        assert stream.next()["event"] == "change"
        sandbox.control("GET", "faults")
        create_failing = requests.get(f"{sandbox.base}/v2/Services", timeout=10)

        assert stream.next()["data"]["status"] == create_failing.status_code, "reading is no change"
        sandbox.control("DELETE", "journal")
        assert stream.next()["event"] == "change"


def test_changes_while_nobody_listens_are_one_change_of_the_next_stream(sandbox):
    with Stream(sandbox.base) as stream:
        create(sandbox)
        last = stream.until("request", status=201)["id"]
    sandbox.control("POST", "clock", json={"advance": "1s"})
    sandbox.control("PUT", "scenarios", json={"scenarios": [{"outcome": "undeliverable"}]})
    create(sandbox, "+12025550101")

    with Stream(sandbox.base, last=last) as stream:
        found = [stream.next() for _ in range(3)]
        again = found[-1]["id"]

    assert [one["event"] for one in found] == ["change", "event", "event"]
    with Stream(sandbox.base, last=again) as stream:
        assert stream.next()["event"] == "request", "the change is known"


def test_a_change_is_told_with_the_event_that_follows_at_once(sandbox):
    with Stream(sandbox.base) as stream:
        sandbox.control("POST", "clock", json={"advance": "1s"})
        create(sandbox)
        found = [stream.next()["event"]]
        while found[-1] != "request":
            found.append(stream.next()["event"])

    assert found.count("change") == 1


def test_after_a_restart_the_next_stream_begins_with_a_change(tmp_path):
    with ringfence.Server("--data", tmp_path) as server:
        with Stream(server.sandbox(name="kept").base, after="0.0") as stream:
            requests.get(f"{server.http}/s/kept/v2/Services", timeout=10)
            last = stream.until("request")["id"]

    with ringfence.Server("--data", tmp_path) as server:
        with Stream(f"{server.http}/s/kept", last=last) as stream:
            assert stream.next()["event"] == "change"


def test_a_reset_and_a_removal_are_told(server):
    sandbox = server.sandbox()
    create(sandbox)
    with Stream(sandbox.base) as stream:
        sandbox.control("POST", "reset")
        assert stream.next()["event"] == "reset"
        create(sandbox)
        stream.until("request", status=201)
        requests.delete(f"{server.http}/control/sandboxes/{sandbox.name}", timeout=10)

        assert stream.next() is None


@pytest.mark.parametrize("case", [
    {"after": "x"}, {"after": "1"}, {"after": "1.2.3.4"}, {"after": "-1.0"}, {"after": "9" * 19 + ".0"},
    {"after": "1.2."}, {"last": "1,2"}, {"last": "\N{SUPERSCRIPT TWO}.1".encode()},
], ids=str)
def test_another_position_is_refused(sandbox, case):
    with Stream(sandbox.base, **case) as stream:
        field = "after" if "after" in case else "Last-Event-ID"
        assert stream.answer.status_code == 400 and stream.answer.json()["field"] == field


def test_a_position_of_the_future_continues_with_what_comes(sandbox):
    with Stream(sandbox.base, after="999999.999999") as stream:
        create(sandbox)

        assert stream.until("request")["data"]["status"] == 201


def test_many_requests_arrive_in_order(sandbox):
    for _ in range(250):
        requests.get(f"{sandbox.base}/v2/Nothing", timeout=10)
    with Stream(sandbox.base, after="0.0") as stream:
        assert [stream.next()["data"]["id"] for _ in range(250)] == [f"req_{n}" for n in range(1, 251)]


def test_http_2_streams_it_too(sandbox):
    url = f"{sandbox.base}/control/events/stream?after=0.0"
    command = ["curl", "--silent", "--no-buffer", "--http2-prior-knowledge", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as client:
        for _ in range(3):
            create(sandbox)
            while b'"createVerification"' not in (line := client.stdout.readline()):
                assert line, "the stream ended"
        client.terminate()


@pytest.mark.slow
def test_a_client_that_does_not_read_delays_nobody_and_keeps_little_memory(server, sandbox):
    with wire.Wire(server.address) as line:
        line.send(wire.request("GET", f"/s/{sandbox.name}/control/events/stream?after=0.0"))
        before = server.resident_kib()
        for _ in range(1_500):
            assert sandbox.session.get(f"{sandbox.base}/v2/Nothing-{'x' * 1000}", timeout=10).status_code == 404

        assert server.resident_kib() - before < 30_000


def test_after_kill_9_nothing_is_missed(tmp_path):
    with ringfence.Server("--data", tmp_path) as server:
        sandbox = server.sandbox(name="kept")
        with Stream(sandbox.base) as stream:
            create(sandbox)
            last = stream.until("event", kind="verification.started")
            create(sandbox, "+12025550101")
            server.kill()

    with ringfence.Server("--data", tmp_path) as server:
        with Stream(f"{server.http}/s/kept", last=last["id"]) as stream:
            assert stream.until("event", kind="verification.started")["data"]["to"] == "+12025550101"


def test_a_drain_ends_the_stream_at_once():
    with ringfence.Server() as server:
        with Stream(server.http) as stream:
            assert server.stop(within=5) == 0
            assert stream.next() is None


def test_the_console_opens_one_stream():
    scripts = [file.read_text() for file in (ringfence.ROOT / "Sources/Console/Assets/Scripts").glob("*.js")]

    assert "".join(scripts).count("new EventSource(") == 1
