"""Event streams of 200 pages, and 2,000 messages a minute: what they add to the server's work for an SDK. A
part of `make bench`.

Two runs with the same requests at the same rates, once without and once with streams. The figure is the
processor's time of the server for one request. In `spread`, each stream follows another sandbox; in `one`,
all follow the same. In `workshop`, the sandboxes are those of participants, and a trainer's page follows the
board: it is fetched after each change, as its script does.
"""

import base64
import contextlib
import selectors
import statistics
import threading
import time

import requests

import load
from handsets import Line

STREAMS = 200
MESSAGES_PER_MINUTE = 2_000
REQUESTS_PER_SECOND = 400
SECONDS = 12
KINDS = ("spread", "one", "workshop")


class Client(Line):
    """Twilio's requests of one sandbox."""

    def __init__(self, server, sandbox):
        super().__init__(server, sandbox.base.removeprefix(server.http))
        own = sandbox.credentials["twilio"]
        self.service = f"/v2/Services/{own['serviceSid']}"
        pair = base64.b64encode(f"{own['accountSid']}:{own['authToken']}".encode()).decode()
        self.sign_in = {"Authorization": f"Basic {pair}"}

    def fetch(self):
        self.send("GET", self.service, **self.sign_in)
        self.receive()

    def message(self, number):
        self.send("POST", f"{self.service}/Verifications", f"To=%2B1202555{number:04}&Channel=sms", **self.sign_in,
                  Content_Type="application/x-www-form-urlencoded")
        self.receive(201)


class Readers:
    """Event streams, one for each sandbox, whose bytes are read and counted."""

    def __init__(self, server, sandboxes):
        self.streams = selectors.DefaultSelector()
        self.bytes = {}
        for sandbox in sandboxes:
            line = Line(server, sandbox.base.removeprefix(server.http))
            line.send("GET", "/control/events/stream")
            self.streams.register(line.socket, selectors.EVENT_READ)
            self.bytes[line.socket] = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while self.bytes:
            for key, _ in self.streams.select():
                data = key.fileobj.recv(65536)
                self.bytes[key.fileobj] += len(data)
                if not data:
                    self.streams.unregister(key.fileobj)


class Board(threading.Thread):
    """A page with the board: fetched after each change, with the pause that its script makes."""

    PAUSE = 0.8  # seconds, as in BoardPage.swift

    def __init__(self, url):
        super().__init__(daemon=True)
        self.url, self.page, self.lags = url, None, []

    def run(self):
        session, self.page = requests.Session(), ""
        cursor = session.get(self.url).json()["cursor"]
        with contextlib.suppress(requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
            for _ in requests.get(f"{self.url}/stream?after={cursor}", stream=True).iter_content(None):
                self.page = session.get(self.url.replace("/control/", "/console/")).text
                threading.Event().wait(self.PAUSE)

    def change(self, n):
        """Sends a note. If the page is open, waits until it shows it."""
        began, text = time.monotonic(), f"note {n}."
        requests.post(f"{self.url}/note", json={"note": text, "participants": ["1"]}).raise_for_status()
        if self.page is not None:
            while text not in self.page:
                threading.Event().wait(0.005)
            self.lags.append(time.monotonic() - began)


def at_rate(per_second, seconds, action):
    """Calls `action(n)` at even distances."""
    began = time.monotonic()
    for n in range(int(per_second * seconds)):
        if (ahead := began + n / per_second - time.monotonic()) > 0:
            threading.Event().wait(ahead)
        action(n)


def sandboxes_for(server, kind):
    """The address of the board, if there is one, and the sandboxes."""
    if kind == "workshop":
        body = {"name": "bench", "story": "first-sign-in", "flavour": "twilio", "participants": STREAMS}
        made = requests.post(f"{server.http}/control/workshops", json=body).json()
        return f"{server.http}/control/workshops/bench", [
            load.ringfence.Sandbox(server.sandbox_described(one["sandbox"])) for one in made["participants"]]
    return None, [server.sandbox() for _ in range(STREAMS if kind == "spread" else 1)]


def microseconds_per_request(streams, kind):
    """With the times from a note to the page that shows it, if there is a board."""
    with load.ringfence.Server() as server:
        url, sandboxes = sandboxes_for(server, kind)
        senders = [Client(server, sandbox) for sandbox in sandboxes]
        sdk = Client(server, server.sandbox())
        readers = Readers(server, [sandboxes[n % len(sandboxes)] for n in range(streams)])
        messages = threading.Thread(target=at_rate, args=(
            MESSAGES_PER_MINUTE / 60, SECONDS,
            lambda n: senders[n % len(senders)].message(n % 100 + (n // len(senders) % 100) * 100)))
        sdk.fetch()
        board = Board(url)
        if url and streams:
            board.start()
        notes = threading.Thread(target=at_rate, args=(1, SECONDS if url else 0, board.change))
        before = server.processor_seconds()
        messages.start()
        notes.start()
        at_rate(REQUESTS_PER_SECOND, SECONDS, lambda _: sdk.fetch())
        messages.join()
        notes.join()
        used = server.processor_seconds() - before
        assert all(count > 500 for count in readers.bytes.values()), "a stream got nothing"
        return used * 1e6 / (REQUESTS_PER_SECOND * SECONDS), board.lags


def measure(kind, rounds=3):
    """Medians of microseconds: without streams, with streams. And the longest time from a note to the board
    that shows it."""
    runs = [[microseconds_per_request(streams, kind) for streams in (0, STREAMS)] for _ in range(rounds)]
    lags = [lag for run in runs for _, some in run for lag in some]
    return [statistics.median(used for used, _ in column) for column in zip(*runs)], max(lags, default=None)


def say(name, figures):
    (without, with_streams), lag = figures
    print(f"{STREAMS} event streams ({name}), {MESSAGES_PER_MINUTE} messages a minute: {with_streams:.0f} µs of processor "
          f"per SDK request, without streams {without:.0f} µs: {with_streams / without:.2f}"
          + (f"; a change is on the board within {lag * 1000:.0f} ms" if lag else ""), flush=True)


if __name__ == "__main__":
    for name in KINDS:
        say(name, measure(name))
