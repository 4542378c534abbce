"""A shard gets a new version under load, and no request fails. Source: issue 27, deliverable 6."""

import concurrent.futures
import os
import pathlib
import shutil
import signal
import threading
import time

import pytest
import requests

import ringfence
from hosting import needs
from processes import wait_for_child
from shards import ADMIN, NAMES, TOKEN, Cluster, keep_key

pytestmark = [needs("haproxy"), pytest.mark.timeout(180)]
CLIENTS = 6


class SupervisedCluster(Cluster):
    """Its servers are supervised, and each has a program of its own."""

    def start(self, name):
        program = self.program(name)
        program.parent.mkdir(exist_ok=True)
        shutil.copy(ringfence.binary(), program)
        keep_key(self.folder / name, self.key)
        return ringfence.Server(
            "--shard", name, "--data", self.folder / name, "--supervise", program=program, log=self.log(name),
            environment={"RINGFENCE_ADMIN_TOKEN": TOKEN},
            listeners=("--http", f"127.0.0.1:{self.ports[name]}", "--https", "off", "--gateway", "off"))

    def program(self, name):
        return self.folder / f"bin-{name}" / "ringfence"

    def log(self, name):
        return self.folder / f"{name}.log"

    def install(self, name, content=None):
        """Puts another file in the program's place, as a package manager does."""
        new = self.program(name).with_suffix(".new")
        shutil.copy(ringfence.binary(), new)
        if content is not None:
            new.write_bytes(content)
        new.rename(self.program(name))

    def hand_over(self, name):
        """Sends SIGUSR2, and waits for the next server. Returns its process id."""
        supervisor = self.servers[name].process.pid
        old = wait_for_child(supervisor)
        os.kill(supervisor, signal.SIGUSR2)
        return wait_for_child(supervisor, other_than=old)


@pytest.fixture
def cluster(tmp_path):
    cluster = SupervisedCluster(tmp_path)
    yield cluster
    cluster.stop()


class Load:
    """Clients that start and check verifications in a sandbox, with the connections that they have."""

    def __init__(self, url, sandbox):
        self.url, self.own = url, sandbox["credentials"]["twilio"]
        self.is_over, self.failed, self.answered, self.slowest = threading.Event(), [], [], 0
        self.pool = concurrent.futures.ThreadPoolExecutor(CLIENTS)
        for client in range(CLIENTS):
            self.pool.submit(self._work, client)

    def _work(self, client):
        service = f"{self.url}/v2/Services/{self.own['serviceSid']}"
        # Half of the clients keep their connections.
        session = requests.Session() if client % 2 else requests
        for count in range(1_000_000):
            if self.is_over.is_set():
                return
            try:
                began = time.monotonic()
                answer = session.post(
                    f"{service}/Verifications", data={"To": f"+8613{client:03}{count:06}", "Channel": "sms"}, timeout=60,
                    auth=(self.own["accountSid"], self.own["authToken"]))
                self.slowest = max(self.slowest, time.monotonic() - began)
                (self.answered if answer.status_code == 201 else self.failed).append(answer.json().get("sid", answer.text))
            except requests.RequestException as error:
                self.failed.append(repr(error))

    def wait_for_more(self, count):
        wanted = len(self.answered) + count
        deadline = time.monotonic() + 60
        while len(self.answered) < wanted:
            assert time.monotonic() < deadline and not self.failed, self.failed[:3]
            self.is_over.wait(0.01)

    def end(self):
        self.is_over.set()
        self.pool.shutdown()


def test_a_shard_is_upgraded_under_load_without_a_failed_request(cluster):
    made = cluster.on_each()["cd"]
    load = Load(cluster.url, made)
    programs = set()
    try:
        for _ in range(3):
            load.wait_for_more(60)
            cluster.install("cd")
            child = cluster.hand_over("cd")
            load.wait_for_more(60)
            programs.add(os.stat(f"/proc/{child}/exe").st_ino)
            assert pathlib.Path(os.readlink(f"/proc/{child}/exe")) == cluster.program("cd")
    finally:
        load.end()

    assert (load.failed, len(programs)) == ([], 3)
    url = f"{cluster.servers['cd'].http}/v2/Services/{load.own['serviceSid']}/Verifications"
    with requests.Session() as session:
        session.auth = (load.own["accountSid"], load.own["authToken"])
        assert [sid for sid in load.answered if session.get(f"{url}/{sid}", timeout=10).status_code != 200] == []
    print(f"3 upgrades, {len(load.answered)} requests, 0 failed; the slowest took {load.slowest * 1000:.0f} ms")


def test_other_shards_notice_nothing(cluster):
    children = {name: wait_for_child(cluster.servers[name].process.pid) for name in NAMES}
    cluster.install("ab")
    after = cluster.hand_over("ab")
    assert after != children["ab"]
    for name in ("cd", "ef"):
        assert wait_for_child(cluster.servers[name].process.pid) == children[name]
    assert requests.get(f"{cluster.servers['ab'].http}/livez", timeout=30).ok
    assert "the installed program takes its place" in cluster.log("ab").read_text()


def test_a_program_that_does_not_start_gives_way_to_the_earlier_one(cluster):
    made = cluster.on_each()["ef"]
    load = Load(cluster.url, made)
    try:
        load.wait_for_more(20)
        cluster.install("ef", b"#!/bin/sh\nexit 3\n")
        cluster.hand_over("ef")
        load.wait_for_more(20)
        # The next program that is installed is used again.
        cluster.install("ef")
        server = cluster.hand_over("ef")
        load.wait_for_more(20)
    finally:
        load.end()
    assert load.failed == []
    assert "before it was ready; the earlier one is started" in cluster.log("ef").read_text()
    assert os.readlink(f"/proc/{server}/exe") == str(cluster.program("ef"))


def test_requests_to_a_shard_that_is_replaced_wait_for_it_if_they_may(cluster):
    cluster.on_each()
    cluster.balancer.terminate()
    cluster.balancer.wait()
    cluster.patience = "60"
    cluster.balance()
    cluster.servers["cd"].stop()
    # Down for the checks of HAProxy, too.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(requests.get, f"{cluster.url}/s/cd.own/control/clock", headers=ADMIN, timeout=60)
                   for _ in range(4)]
        done, _ = concurrent.futures.wait(waiting, timeout=3, return_when=concurrent.futures.FIRST_COMPLETED)
        assert not done, [each.result().text for each in done]
        cluster.servers["cd"] = cluster.start("cd")
        assert [each.result().status_code for each in waiting] == [200] * 4
