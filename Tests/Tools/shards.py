"""Three servers behind HAProxy, with the configuration of the documents."""

import os
import shutil
import socket
import subprocess
import time

import requests

import ringfence

HAPROXY = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
EXAMPLE = ringfence.ROOT / "Docs/Examples/shards"
NAMES = ("ab", "cd", "ef")
TOKEN = "admin-token-of-these-tests"
ADMIN = {"Authorization": f"Bearer {TOKEN}"}

def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]

def keep_key(data, key):
    """Makes a data folder with the key of all tokens, private as the server requires."""
    data.mkdir(mode=0o700, exist_ok=True)
    (data / "sandbox-token-key").write_text(key)
    (data / "sandbox-token-key").chmod(0o600)


class Cluster:
    """The servers and the load balancer."""

    # How long the load balancer lets requests to a server that is down wait, in seconds.
    patience = "0"

    def __init__(self, folder):
        self.folder = folder
        self.key = "5" * 64
        self.ports = {name: free_port() for name in NAMES}
        self.servers = {name: self.start(name) for name in NAMES}
        self.url = f"http://127.0.0.1:{free_port()}"
        self.balance()

    def start(self, name):
        data = self.folder / name
        keep_key(data, self.key)
        return ringfence.Server(
            "--shard", name, "--data", data, environment={"RINGFENCE_ADMIN_TOKEN": TOKEN},
            listeners=("--http", f"127.0.0.1:{self.ports[name]}", "--https", "off", "--gateway", "off"))

    def balance(self, moved=()):
        """Starts HAProxy. `moved`: lines of moved.map."""
        for name in ("haproxy.cfg", "shards.map"):
            shutil.copy(EXAMPLE / name, self.folder)
        (self.folder / "moved.map").write_text("".join(f"{line}\n" for line in moved))
        environment = {"RINGFENCE_ADDRESS": self.url.split("//")[1], "SHARD_PATIENCE": self.patience,
                       **{f"SHARD_{name.upper()}": f"127.0.0.1:{port}" for name, port in self.ports.items()}}
        self.balancer = subprocess.Popen([HAPROXY, "-db", "-f", "haproxy.cfg"], cwd=self.folder, env=environment,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait("/livez", 200)

    def rebalance(self, moved):
        self.balancer.terminate()
        self.balancer.wait()
        self.balance(moved)

    def wait(self, path, status):
        """Asks until the answer has this status."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            try:
                if requests.get(self.url + path, headers=ADMIN, timeout=5).status_code == status:
                    return
            except requests.ConnectionError:
                pass
        raise AssertionError(f"{path} never answered {status}")

    def create(self, **members):
        answer = requests.post(f"{self.url}/control/sandboxes", json=members, headers=ADMIN, timeout=10)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def on_each(self):
        """A sandbox on each server, by the server's name."""
        found = {}
        for name in NAMES:
            answer = requests.post(f"{self.servers[name].http}/control/sandboxes", json={"name": f"{name}.own"},
                                   headers=ADMIN, timeout=10)
            found[name] = answer.json() if answer.status_code == 201 else self.get(f"/control/sandboxes/{name}.own").json()
        return found

    def get(self, path, **headers):
        return requests.get(self.url + path, headers={**ADMIN, **headers}, timeout=10)

    def stop(self):
        self.balancer.kill()
        self.balancer.wait()
        for server in self.servers.values():
            if server.process.poll() is None:
                server.kill()
