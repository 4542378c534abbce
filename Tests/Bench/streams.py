"""Event streams of 200 pages, and 2,000 messages a minute: what they add to the server's work for an SDK. A
part of `make bench`.

Two runs with the same requests at the same rates, once without and once with streams. The figure is the
processor's time of the server for one request. In `spread`, each stream follows another sandbox; in `one`,
all follow the same. In `workshop`, the sandboxes are those of participants, and a trainer's page follows the
board: the rows that change, as its script does. In `board`, that page is the only stream.
"""

import base64
import contextlib
import json
import re
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
KINDS = ("spread", "one", "workshop", "board")
WITH_BOARD = ("workshop", "board")


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
    """A page with the board, which follows its stream as its script does."""

    def __init__(self, server, name):
        super().__init__(daemon=True)
        self.server, self.page = server, f"{server}/console/workshops/{name}"
        self.control, self.is_open = f"{server}/control/workshops/{name}", False
        self.notes, self.lags, self.bytes = set(), [], 0

    def run(self):
        with contextlib.suppress(requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
            page = self.fetch()
            self.show(page)
            url, position = re.search('data-stream="([^"]+)" data-position="([^"]+)"', page).groups()
            stream = requests.get(f"{self.server}{url}?after={position}", stream=True)
            name = ""
            for line in stream.iter_lines(chunk_size=None):
                self.bytes += len(line) + 1
                field, _, value = line.decode().partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    self.show(json.loads(value) if name == "parts" else self.fetch())

    def fetch(self):
        page = requests.get(self.page)
        self.bytes += len(page.content)
        return page.text

    def show(self, html):
        self.notes.update(re.findall(r"note \d+\.", html))

    def open(self):
        self.is_open = True
        self.start()

    def change(self, n):
        """Sends a note. If the page is open, waits until it shows it."""
        began, text = time.monotonic(), f"note {n}."
        requests.post(f"{self.control}/note", json={"note": text, "participants": ["1"]}).raise_for_status()
        if self.is_open:
            while text not in self.notes:
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
    if kind in WITH_BOARD:
        body = {"name": "bench", "story": "first-sign-in", "flavour": "twilio", "participants": STREAMS}
        made = requests.post(f"{server.http}/control/workshops", json=body).json()
        return [load.ringfence.Sandbox(server.sandbox_described(one["sandbox"])) for one in made["participants"]]
    return [server.sandbox() for _ in range(STREAMS if kind == "spread" else 1)]


def microseconds_per_request(is_open, kind):
    """With the board, which has its bytes and the times from a note to the page that shows it."""
    with load.ringfence.Server() as server:
        sandboxes = sandboxes_for(server, kind)
        senders = [Client(server, sandbox) for sandbox in sandboxes]
        sdk = Client(server, server.sandbox())
        streams = STREAMS if is_open and kind != "board" else 0
        readers = Readers(server, [sandboxes[n % len(sandboxes)] for n in range(streams)])
        messages = threading.Thread(target=at_rate, args=(
            MESSAGES_PER_MINUTE / 60, SECONDS,
            lambda n: senders[n % len(senders)].message(n % 100 + (n // len(senders) % 100) * 100)))
        sdk.fetch()
        board = Board(server.http, "bench")
        if is_open and kind in WITH_BOARD:
            board.open()
        notes = threading.Thread(target=at_rate, args=(1, SECONDS if kind in WITH_BOARD else 0, board.change))
        before = server.processor_seconds()
        messages.start()
        notes.start()
        at_rate(REQUESTS_PER_SECOND, SECONDS, lambda _: sdk.fetch())
        messages.join()
        notes.join()
        used = server.processor_seconds() - before
        assert all(count > 500 for count in readers.bytes.values()), "a stream got nothing"
        return used * 1e6 / (REQUESTS_PER_SECOND * SECONDS), board


def measure(kind, rounds=3):
    """Medians of microseconds: without streams, with streams. And the boards that were open."""
    runs = [[microseconds_per_request(is_open, kind) for is_open in (False, True)] for _ in range(rounds)]
    boards = [board for _, (_, board) in runs if board.is_open]
    return [statistics.median(used for used, _ in column) for column in zip(*runs)], boards


def say(name, figures):
    (without, with_streams), boards = figures
    streams = "An open board" if name == "board" else f"{STREAMS} event streams ({name})"
    print(f"{streams}, {MESSAGES_PER_MINUTE} messages a minute: {with_streams:.0f} µs of processor per SDK request, "
          f"without {without:.0f} µs: {with_streams / without:.2f}", flush=True)
    if boards:
        lag = max(lag for board in boards for lag in board.lags)
        sent = statistics.median(board.bytes for board in boards) / SECONDS / 1000
        print(f"a change is on the board within {lag * 1000:.0f} ms; the board gets {sent:.0f} KB a second", flush=True)


if __name__ == "__main__":
    for name in KINDS:
        say(name, measure(name))
