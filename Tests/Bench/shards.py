"""Three servers behind HAProxy beside one server, with 300 sandboxes and a mixed load: processor's time per
request, of the servers and of HAProxy, and how many testers one core serves. Then one server is killed.

    .venv/bin/python Tests/Bench/shards.py --binary .build/release/ringfence
"""

import argparse
import collections
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import threading
import time

import requests

import kinds
import load

EXAMPLE = load.ringfence.ROOT / "Docs/Examples/shards"
NAMES = ("ab", "cd", "ef")
SANDBOXES = 300
# Of one tester, who reads the answers.
REQUESTS_PER_SECOND = 5


def start(folder, name, port=0):
    shard = ("--shard", name) if name in NAMES else ()
    listeners = ("--http", f"127.0.0.1:{port}", "--https", "off", "--gateway", "off")
    return load.ringfence.Server("--data", f"{folder}/{name}", *shard, listeners=listeners)


class Target:
    """An address, and the processes that serve it."""

    def __init__(self, url, servers, balancer=None):
        self.http, self.servers, self.balancer = url, servers, balancer
        # Path, Service and Authorization of each sandbox.
        self.testers = [self.tester(number) for number in range(SANDBOXES)]

    def tester(self, number):
        made = self.post("/control/sandboxes", json={"name": f"bench-{number}"}).json()
        own, prefix = made["credentials"]["twilio"], f"/s/{made['name']}"
        authorization = load.Subject.basic(own["accountSid"], own["authToken"])
        service = self.post(f"{prefix}/v2/Services", data="FriendlyName=Bench&CustomCodeEnabled=true", headers={
            "Authorization": authorization, "Content-Type": kinds.FORM}).json()
        return prefix, f"/v2/Services/{service['sid']}", authorization

    def post(self, path, **named):
        answer = requests.post(self.http + path, timeout=30, **named)
        answer.raise_for_status()
        return answer

    def used(self):
        """The CPU seconds of each server, and of the load balancer."""
        return [load.cpu_seconds(process.pid) if process else 0
                for process in (*(server.process for server in self.servers), self.balancer)]

    def measure(self, seconds, run):
        """Requests a second, and microseconds per request of each server and of the load balancer."""
        self.pid = self.servers[0].process.pid
        request = kinds.Request("", {}, "\n".join(map(" ".join, self.testers)))
        before = self.used()
        result = load.wrk(self, "mixed.lua", request, seconds, run=run)
        assert result["failed"] == 0, result
        return result["rate"], result["p99"], [
            (now - then) * 1e6 / result["requests"] for now, then in zip(self.used(), before)]


def balanced(servers, folder):
    """HAProxy with the configuration of the documents, in front of these servers."""
    for name in ("haproxy.cfg", "shards.map", "moved.map"):
        shutil.copy(EXAMPLE / name, folder)
    port = load.free_port()
    environment = {"RINGFENCE_ADDRESS": f"127.0.0.1:{port}", **{
        f"SHARD_{name.upper()}": f"127.0.0.1:{server.address[1]}" for name, server in zip(NAMES, servers)}}
    haproxy = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    balancer = subprocess.Popen([haproxy, "-db", "-f", "haproxy.cfg"], cwd=folder, env=environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    load.wait_until_open(("127.0.0.1", port))
    return balancer, f"http://127.0.0.1:{port}"


def compare(one, three, repetitions, seconds):
    results = {"one server": [], "three behind HAProxy": []}
    for repetition in range(repetitions):
        for target, name in ((one, "one server"), (three, "three behind HAProxy")):
            results[name].append(target.measure(seconds, 100 + repetition))
    for name, runs in results.items():
        rate, p99 = (statistics.median(run[place] for run in runs) for place in (0, 1))
        *servers, balancer = (statistics.median(times) for times in zip(*(run[2] for run in runs)))
        testers = 1e6 / sum(servers) / REQUESTS_PER_SECOND
        print(f"{name:22} {rate:6.0f} requests/s  p99 {p99 / 1000:5.1f} ms  processor's time for a request: servers "
              f"{' + '.join(f'{time:.1f}' for time in servers)} µs, HAProxy {balancer:.1f} µs  "
              f"{testers:.0f} testers for each core of servers", flush=True)


class Tester(threading.Thread):
    """Creates a verification and fetches it, again and again."""

    def __init__(self, url, path, service, authorization, end):
        super().__init__()
        self.shard, self.base, self.end = path[3:5], url + path + service, end
        self.headers = {"Authorization": authorization, "Content-Type": kinds.FORM}
        self.answers, self.created, self.refused = collections.Counter(), [], []

    def run(self):
        while time.monotonic() < self.end:
            to = f"To=%2B{kinds.number(len(self.created) + 1)}&Channel=sms"
            if made := self.ask("POST", "/Verifications", to):
                self.created.append(made.json()["sid"])
                self.ask("GET", f"/Verifications/{self.created[-1]}")
            time.sleep(1 / REQUESTS_PER_SECOND)

    def ask(self, method, path, body=None):
        try:
            answer = requests.request(method, self.base + path, data=body, headers=self.headers, timeout=30)
        except requests.ConnectionError:
            answer = None
        self.answers[answer.status_code if answer is not None else "no answer"] += 1
        if answer is not None and answer.ok:
            return answer
        self.refused.append(time.monotonic())


def kill_one(three, folder):
    """One server is killed after two seconds, and started again after two more."""
    end = time.monotonic() + 8
    testers = [Tester(three.http, *tester, end) for tester in three.testers[:60]]
    for tester in testers:
        tester.start()
    time.sleep(2)
    victim, address = three.servers[1], three.servers[1].address
    victim.kill()
    time.sleep(2)
    began = time.monotonic()
    three.servers[1] = start(folder, NAMES[1], address[1])
    for tester in testers:
        tester.join()
    for shard in NAMES:
        answers = sum((tester.answers for tester in testers if tester.shard == shard), collections.Counter())
        print(f"{shard}, {'killed' if shard == NAMES[1] else 'left alone'}: answers {dict(answers)}")
    last = max((time for tester in testers for time in tester.refused), default=began)
    kept = [tester.ask("GET", f"/Verifications/{sid}") for tester in testers for sid in tester.created]
    print(f"last refusal {1000 * (last - began):.0f} ms after the start of the new one; "
          f"{len(kept)} verifications were answered, {kept.count(None)} of them lost", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    options = parser.parse_args()
    os.environ["RINGFENCE_BINARY"] = str(pathlib.Path(options.binary).resolve())
    with tempfile.TemporaryDirectory() as folder:
        servers = [start(folder, name) for name in NAMES]
        balancer, url = balanced(servers, folder)
        one, three = Target((alone := start(folder, "alone")).http, [alone]), Target(url, servers, balancer)
        compare(one, three, options.repetitions, options.seconds)
        kill_one(three, folder)
        balancer.terminate()
        balancer.wait()
        for server in [*three.servers, alone]:
            server.stop()


if __name__ == "__main__":
    main()
