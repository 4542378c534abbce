"""Measures three servers behind HAProxy against one server: CPU time per request, of the servers and of
HAProxy.

    .venv/bin/python Tests/Bench/shards.py --binary .build/release/ringfence
"""

import argparse
import base64
import http.client
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

import kinds
import load

EXAMPLE = load.ringfence.ROOT / "Docs/Examples/shards"
NAMES = ("ab", "cd", "ef")


class Target:
    """Addresses of sandboxes, and the processes that serve them."""

    def __init__(self, url, servers, balancer=None):
        self.url, self.servers, self.balancer = url, servers, balancer
        self.sandboxes = []

    def add(self, server, name):
        """Creates a sandbox on this server."""
        connection = http.client.HTTPConnection(*server.address, timeout=30)
        body = json.dumps({"name": name, "clock": "2026-01-05T10:20:30Z"})
        connection.request("POST", "/control/sandboxes", body, {"Content-Type": "application/json"})
        own = json.load(connection.getresponse())["credentials"]["twilio"]
        connection.close()
        pair = base64.b64encode(f"{own['accountSid']}:{own['authToken']}".encode()).decode()
        self.sandboxes.append((name, own["serviceSid"], f"Basic {pair}"))

    def used(self):
        """The CPU seconds of the servers and of the load balancer."""
        return (sum(load.cpu_seconds(server.process.pid) for server in self.servers),
                load.cpu_seconds(self.balancer.pid) if self.balancer else 0)

    def measure(self, script, suffix, seconds, run):
        """Microseconds per request, of the servers and of the load balancer."""
        before, requests = self.used(), 0
        for name, service, authorization in self.sandboxes:
            body = "To=%2B{number}&Channel=sms" if suffix else None
            headers = {"Authorization": authorization, "Content-Type": kinds.FORM}
            request = kinds.Request(f"/v2/Services/{service}{suffix}", headers, body)
            target = _Process(self.servers[0].process.pid, self.url)
            result = load.wrk(target, script, request, seconds, run=run, connections=16)
            assert result["failed"] == 0, result
            requests += result["requests"]
        return [(now - then) * 1e6 / requests for now, then in zip(self.used(), before)]


class _Process:
    def __init__(self, pid, url):
        self.pid, self.http = pid, url


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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=1)
    options = parser.parse_args()
    os.environ["RINGFENCE_BINARY"] = str(pathlib.Path(options.binary).resolve())
    listeners = ("--http", "127.0.0.1:0", "--https", "off", "--gateway", "off")
    with tempfile.TemporaryDirectory() as folder:
        servers = [load.ringfence.Server("--data", f"{folder}/{name}", "--shard", name, listeners=listeners)
                   for name in NAMES]
        alone = load.ringfence.Server("--data", f"{folder}/alone", listeners=listeners)
        balancer, url = balanced(servers, folder)
        one, three = Target(alone.http, [alone]), Target(url, servers, balancer)
        for name, server in zip(NAMES, servers):
            three.add(server, f"{name}.bench")
            one.add(alone, f"{name}.bench")
        for title, script, suffix in (("fetch a Service", "constant.lua", ""),
                                      ("create, durable", "create.lua", "/Verifications")):
            results = {"one server": [], "three behind HAProxy": []}
            for repetition in range(options.repetitions):
                for target, name in ((one, "one server"), (three, "three behind HAProxy")):
                    results[name].append(target.measure(script, suffix, options.seconds, 100 + repetition))
            for name, halves in results.items():
                servers_time, balancer_time = (statistics.median(half) for half in zip(*halves))
                print(f"{title:18} {name:22} servers {servers_time:6.1f} µs, HAProxy {balancer_time:6.1f} µs", flush=True)
        balancer.terminate()
        balancer.wait()
        for server in [*servers, alone]:
            server.stop()


if __name__ == "__main__":
    main()
