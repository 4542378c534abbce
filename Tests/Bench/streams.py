"""Event streams of 200 pages, and 2,000 messages a minute: what they add to the server's work for an SDK. A part of `make bench`.

Two runs with the same requests at the same rates, once without and once with streams. The figure is the processor's time of the
server for one request. In `spread`, each stream follows another sandbox, as in a workshop; in `one`, all follow the same.
"""

import base64
import selectors
import statistics
import threading
import time

import load
from handsets import Line

STREAMS = 200
MESSAGES_PER_MINUTE = 2_000
REQUESTS_PER_SECOND = 400
SECONDS = 12


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


def at_rate(per_second, seconds, action):
    """Calls `action(n)` at even distances."""
    began = time.monotonic()
    for n in range(int(per_second * seconds)):
        if (ahead := began + n / per_second - time.monotonic()) > 0:
            threading.Event().wait(ahead)
        action(n)


def microseconds_per_request(streams, spread):
    with load.ringfence.Server() as server:
        sandboxes = [server.sandbox() for _ in range(STREAMS if spread else 1)]
        senders = [Client(server, sandbox) for sandbox in sandboxes]
        sdk = Client(server, server.sandbox())
        readers = Readers(server, [sandboxes[n % len(sandboxes)] for n in range(streams)])
        messages = threading.Thread(target=at_rate, args=(
            MESSAGES_PER_MINUTE / 60, SECONDS,
            lambda n: senders[n % len(senders)].message(n % 100 + (n // len(senders) % 100) * 100)))
        sdk.fetch()
        before = server.processor_seconds()
        messages.start()
        at_rate(REQUESTS_PER_SECOND, SECONDS, lambda _: sdk.fetch())
        messages.join()
        used = server.processor_seconds() - before
        assert all(count > 500 for count in readers.bytes.values()), "a stream got nothing"
        return used * 1e6 / (REQUESTS_PER_SECOND * SECONDS)


def measure(spread, rounds=3):
    """Medians of microseconds: without streams, with streams."""
    runs = [(microseconds_per_request(0, spread), microseconds_per_request(STREAMS, spread)) for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*runs)]


def say(name, figures):
    without, with_streams = figures
    print(f"{STREAMS} event streams ({name}), {MESSAGES_PER_MINUTE} messages a minute: {with_streams:.0f} µs of processor "
          f"per SDK request, without streams {without:.0f} µs: {with_streams / without:.2f}", flush=True)


if __name__ == "__main__":
    for name in ("spread", "one"):
        say(name, measure(name == "spread"))
