"""What all clients of a soak share: one server, the requests that were counted, and the writes that it
acknowledged."""

import collections
import contextlib
import dataclasses
import http.client
import itertools
import json
import os
import random
import re
import socket
import threading
import time
import traceback
import urllib.parse

from receiver import Receiver

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
TIMEOUT = 90  # seconds; a workshop of 500 takes several


def fixed_port():
    """A free port below those that systems choose, so that no other program gets it during a restart."""
    while True:
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


class Interrupted(Exception):
    """The server was killed, its disk was full, or its answer was wrong. The flow ends, and the next one
    begins."""


@dataclasses.dataclass
class Write:
    """An acknowledged write: a request that shows it, and its expected answer."""

    path: str
    headers: dict
    status: int
    contains: str = ""

    def difference(self, session):
        """What the server answers instead; nothing if it has the write."""
        reply = session.send("GET", self.path, headers=self.headers)
        return "" if reply.status == self.status and self.contains in reply.text else f"{reply.status} {reply.text}"


class World:
    """Ports stay the same over restarts. `may_interrupt` is set while servers are killed."""

    def __init__(self, webhooks, may_interrupt):
        self.webhooks = webhooks
        self.ports = [fixed_port() for _ in range(3)]  # of HTTP, HTTPS and the gateway
        self.may_interrupt = may_interrupt
        self.disk_is_full = False
        self.over = threading.Event()
        self.requests = collections.Counter()
        self.interrupted = 0
        self.problems = []
        self.writes = {}  # key: what was written last
        self.acknowledged = 0
        self.unchecked = set()
        self.lock = threading.Lock()
        self.serial = itertools.count(1)

    @property
    def listeners(self):
        names = ("--http", "--https", "--gateway")
        return [word for name, port in zip(names, self.ports) for word in (name, f"127.0.0.1:{port}")]

    def acknowledge(self, key, write):
        with self.lock:
            self.acknowledged += 1
            self.writes[key] = write
            self.unchecked.add(key)

    def withdraw(self, key):
        """Before a request that changes the write: until its answer is here, both states are right."""
        with self.lock:
            self.writes.pop(key, None)

    def lost(self, everything=False):
        """The acknowledged writes since the last call, or all, that the server does not have."""
        with self.lock:
            keys = list(self.writes) if everything else list(self.unchecked)
            self.unchecked.clear()
        session, lost = Session(self), []
        for key in keys:
            write = self.writes.get(key)
            # A client may have changed it meanwhile.
            if write and (difference := write.difference(session)) and self.writes.get(key) is write:
                lost.append(f"{key} {write}: {difference}")
        session.close()
        return lost

    def problem(self, text):
        with self.lock:
            self.problems.append(text)


class Webhooks:
    """A receiver of webhooks. Each verification that names its URL must send at least one."""

    def __init__(self):
        self.receiver = Receiver()
        self.url = self.receiver.url
        self.count = 0
        self.expected, self.arrived = set(), set()

    def expect(self, verification):
        self.expected.add(verification)

    def missing(self):
        """Reads what has arrived since the last call."""
        for _, _, body in self.receiver.all():
            self.count += 1
            self.arrived |= set(re.findall(r"vrf_\w{26}", body.decode()))
        return self.expected - self.arrived

    def __enter__(self):
        self.receiver.__enter__()
        return self

    def __exit__(self, *_):
        self.receiver.__exit__()


@dataclasses.dataclass
class Reply:
    status: int
    headers: http.client.HTTPMessage
    text: str

    @property
    def json(self):
        return json.loads(self.text)


class Session:
    """One connection to the server, opened again after an error."""

    def __init__(self, world, port=None):
        self.world = world
        self.port = port or world.ports[0]
        self.connection = None

    def send(self, method, path, body=None, headers=None):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            self.connection.request(method, path, body, headers or {})
            answer = self.connection.getresponse()
            return Reply(answer.status, answer.headers, answer.read().decode(errors="replace"))
        except BaseException:
            self.close()
            raise

    def ask(self, kind, method, path, body=None, headers=None, expect=(200, 201, 204)):
        """Counts the request. A body that is a dictionary is sent as JSON."""
        headers = dict(headers or {})
        if isinstance(body, dict):
            headers["Content-Type"], body = JSON, json.dumps(body)
        elif body is not None:
            headers.setdefault("Content-Type", FORM)
        disk_was_full = self.world.disk_is_full
        try:
            reply = self.send(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            if not self.world.may_interrupt:
                self.world.problem(f"{method} {path}: {error!r}")
            raise Interrupted from error
        with self.world.lock:
            self.world.requests[kind] += 1
        if reply.status in expect:
            return reply
        if reply.status < 500 or not (disk_was_full or self.world.disk_is_full):
            self.world.problem(f"{method} {path}: {reply.status} {reply.text[:300]}")
        raise Interrupted

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Client(threading.Thread):
    """Repeats a flow at a fixed rate until the soak is over."""

    # Flows per second: enough to fill the journal of a sandbox in the first minute, so that memory is flat
    # afterwards.
    rate = 1

    def __init__(self, world):
        super().__init__(daemon=True)
        self.world = world
        self.serial = next(world.serial)
        self.session = Session(world)
        self.ask = self.session.ask

    def prepare(self):
        """Before the first flow; also repeated until it succeeds."""

    def flow(self, count):
        raise NotImplementedError

    def run(self):
        os.nice(10)  # of this thread, on Linux
        step, count = self.prepare, 0
        due = time.monotonic()
        while not self.world.over.wait(max(0, due - time.monotonic())):
            # No burst after an outage.
            due = max(due + 1 / self.rate, time.monotonic() - 1)
            try:
                step()
                count += 1
                step = lambda: self.flow(count)  # noqa: E731
            except Interrupted:
                self.world.interrupted += 1
                count += 1
            except Exception:
                self.world.problem(traceback.format_exc())
        self.finish()
        self.session.close()

    def finish(self):
        """After the last flow."""


class SandboxClient(Client):
    """A client with its own sandbox, on the real clock."""

    clock = "real"

    def prepare(self):
        self.name = f"{type(self).__name__.lower()}-{self.serial}"
        self.take(self.create_sandbox(self.name))

    def create_sandbox(self, name):
        body = {"name": name, "entropySeed": self.serial, "seeds": ["default"]}
        if self.clock != "real":
            body["clock"] = self.clock
        reply = self.ask("sandbox: create", "POST", "/control/sandboxes", body, expect=(201, 409))
        # 409: the server was killed after the commit of an earlier try, before its answer.
        described = (reply if reply.status == 201 else self.ask("sandbox: fetch", "GET", f"/control/sandboxes/{name}")).json
        self.world.acknowledge(f"sandbox {name}", Write(f"/control/sandboxes/{name}", {}, 200, f'"{name}"'))
        return described

    def take(self, described):
        self.base = urllib.parse.urlsplit(described["urls"]["prefixed"]).path
        self.credentials = described["credentials"]

    def code(self, number):
        return self.ask("inbox: code", "GET", f"{self.base}/control/inbox/{number}/latest/code").text.strip()

    def acknowledge(self, key, path, contains="", headers=None, status=200):
        self.world.acknowledge((self.base, key), Write(self.base + path, headers or {}, status, contains))

    def withdraw(self, key):
        self.world.withdraw((self.base, key))
