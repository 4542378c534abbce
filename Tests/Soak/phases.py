"""The two halves of a soak: without and with kills."""

import contextlib
import dataclasses
import itertools
import json
import os
import pathlib
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import requests

import measure
import ringfence
from disturbers import AbandonedTLS, ClockJumper, SandboxChurn, SlowReader
from long_work import Reader, SnapshotMover, Trainer
import loop_turns
from measure import wait
from processes import wait_for_child
from providers import FCMClient, PreludeClient, SilentClient, TelesignClient, TwilioClient
from small_disk import SmallDisk
from world import Webhooks, World

CLIENTS = [TwilioClient, TwilioClient, SilentClient, TelesignClient, TelesignClient, PreludeClient, PreludeClient,
           FCMClient, SandboxChurn, SandboxChurn, ClockJumper, ClockJumper, SlowReader, AbandonedTLS,
           SnapshotMover, Trainer, Reader]
CREATES = 40  # timed creates per second
DISK = "512m"


@dataclasses.dataclass
class Steady:
    """Figures of the half without kills. Memory is in MiB, latencies in ms."""

    requests: dict
    problems: list
    webhooks: int
    resident: list
    descriptors: tuple  # at the start and at the end
    creates: list
    slow_turns: list
    processor: float  # microseconds per request


@dataclasses.dataclass
class Killed:
    """Figures of the half with kills and full disks."""

    requests: dict
    problems: list
    disturbances: dict
    acknowledged: int
    lost: list
    interrupted: int
    webhooks: int


@contextlib.contextmanager
def clients(world):
    running = [kind(world) for kind in CLIENTS]
    for client in running:
        client.start()
    try:
        yield
    finally:
        world.over.set()
        for client in running:
            client.join(60)


def run_steady(folder, seconds):
    log = folder / "steady.log"
    with Webhooks() as webhooks:
        world = World(webhooks, may_interrupt=False)
        with ringfence.Server(
                "--data", folder / "steady", *loop_turns.LOGGED, listeners=world.listeners, log=log) as server:
            gauge = measure.Gauge(server)
            assert server.is_alive()
            before = gauge.descriptors()
            with clients(world), timed_creates(server, world) as creates:
                wait(seconds)
            gauge.stop()
            wait_for_webhooks(webhooks, world)
            return Steady(
                requests=world.requests, problems=world.problems, webhooks=webhooks.count,
                resident=gauge.resident(), descriptors=(before, gauge.descriptors_after(before)), creates=creates,
                slow_turns=loop_turns.in_log(log),
                processor=gauge.processor_seconds() * 1e6 / measure.answered(server))


@contextlib.contextmanager
def timed_creates(server, world):
    own = server.sandbox_described("default")["credentials"]["twilio"]
    path = f"/v2/Services/{own['serviceSid']}/Verifications"
    program = pathlib.Path(__file__).parent / "creates.py"
    process = subprocess.Popen(
        [sys.executable, program, str(world.ports[0]), path, own["accountSid"], own["authToken"], str(CREATES)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    spans = []
    try:
        yield spans
    finally:
        out, _ = process.communicate()
        spans += json.loads(out or "[]")
        world.requests["Twilio: create, timed"] += len(spans)


def wait_for_webhooks(webhooks, world, within=90):
    deadline = time.monotonic() + within
    while webhooks.missing() and time.monotonic() < deadline:
        wait(0.2)
    if missing := webhooks.missing():
        world.problem(f"{len(missing)} verifications without a webhook, for example {next(iter(missing))}")


class KillPhase:
    """A supervised server on a small disk, if mounts are allowed. Something happens to it every few
    seconds."""

    def __init__(self, folder, world):
        self.folder, self.world = folder, world
        self.log = folder / "killed.log"
        (folder / "disk").mkdir()
        self.disk = SmallDisk(folder / "disk", DISK)
        self.data = self.disk.folder / "data"
        self.prefix = self.disk.prefix if self.disk.is_mounted else ()
        self.lost = []
        self.counts = dict.fromkeys(map(self.title, self.disturbances()), 0)
        self.start()

    def start(self):
        self.server = ringfence.Server(
            "--supervise", "--data", self.data, listeners=self.world.listeners, log=self.log, prefix=self.prefix)

    def disturbances(self):
        plain = [self.kill_server, self.kill_supervisor]
        return [*plain, self.fill_disk, self.fill_disk_and_kill] if self.disk.is_mounted else plain

    @staticmethod
    def title(disturbance):
        return disturbance.__doc__

    def disturb(self, seconds):
        """Every acknowledged write is checked after each disturbance."""
        over = time.monotonic() + seconds
        pause = min(3, seconds / 8)
        for disturbance in itertools.cycle(self.disturbances()):
            wait(pause)
            if time.monotonic() > over:
                return
            disturbance()
            self.counts[self.title(disturbance)] += 1
            self.wait_until_ready()
            self.lost += self.world.lost()

    def kill_server(self):
        """kill -9 of the server; its supervisor starts it again"""
        with self.until_server_is_gone() as pid:
            os.kill(pid, signal.SIGKILL)

    def kill_supervisor(self):
        """kill -9 of the supervisor, which ends the server too; then a start on the same folder"""
        with self.until_server_is_gone():
            self.server.kill()
        self.start()

    @contextlib.contextmanager
    def until_server_is_gone(self):
        """Waits for the end of the server. A signal or its supervisor's death ends it a moment later:
        until then it has its port, and may answer once more."""
        pid = wait_for_child(self.server.process.pid)
        process = os.pidfd_open(pid)
        try:
            yield pid
            assert select.select([process], [], [], 10)[0], "the server did not end"
        finally:
            os.close(process)

    def fill_disk(self):
        """full disk, then room again"""
        with self.full_disk():
            wait(1)

    def fill_disk_and_kill(self):
        """full disk, kill -9 and a start without room, then room again"""
        with self.full_disk():
            wait(0.5)
            self.kill_server()
            self.wait_until_ready()

    @contextlib.contextmanager
    def full_disk(self):
        self.world.disk_is_full = True
        self.disk.fill()
        yield
        self.disk.free()
        self.world.disk_is_full = False

    def wait_until_ready(self):
        """On a full disk, a commit that fails is an error of all requests in it, of this one too."""
        over = time.monotonic() + 30
        while not requests.get(f"{self.server.http}/livez", timeout=30).ok:
            assert time.monotonic() < over, "the server is not ready"
            wait(0.1)

    def finish(self):
        if self.server.process.poll() is not None:
            self.world.problem(f"the supervisor ended with {self.server.process.returncode}")
        elif status := self.server.stop():
            self.world.problem(f"the exit status after SIGTERM was {status}")
        # A copy, because SQLite cannot follow the link to another namespace.
        original = self.disk.path / "data" if self.disk.is_mounted else self.data
        copy = shutil.copytree(original, self.folder / "copy")
        with contextlib.closing(sqlite3.connect(copy / "ringfence.sqlite")) as database:
            for check in ("integrity_check", "foreign_key_check"):
                found = database.execute(f"PRAGMA {check}").fetchall()
                if found not in ([], [("ok",)]):
                    self.world.problem(f"{check}: {found[:3]}")
        self.disk.close()


def run_with_kills(folder, seconds):
    with Webhooks() as webhooks:
        world = World(webhooks, may_interrupt=True)
        phase = KillPhase(folder, world)
        try:
            with clients(world):
                phase.disturb(seconds)
            phase.wait_until_ready()
            phase.lost += world.lost(everything=True)
            wait_for_webhooks(webhooks, world)
        except Exception:
            print(phase.log.read_text()[-4000:], file=sys.stderr)
            raise
        finally:
            phase.finish()
        return Killed(
            requests=world.requests, problems=world.problems, disturbances=phase.counts,
            acknowledged=world.acknowledged, lost=phase.lost, interrupted=world.interrupted, webhooks=webhooks.count)
