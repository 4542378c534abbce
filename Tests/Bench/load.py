"""Starts and drives nginx, Ringfence and wrk for the bench. Uses the loopback only, with time
limits."""

import base64
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "Tools"))

import ringfence  # noqa: E402  (it lives beside the other tools of the tests)

LISTENERS = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "127.0.0.1:0")
TICKS = os.sysconf("SC_CLK_TCK")
# With several cores, all threads of the server run on one and the client on another.
SERVER_CORE, CLIENT_CORE = (0, 1) if os.cpu_count() > 1 else (0, 0)


def pinned(core):
    """The beginning of a command that runs on this core only."""
    return "taskset", "-c", str(core)


def cpu_seconds(pid):
    """User and system time that a process has used."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Nginx:
    """One worker that answers a constant."""

    def __init__(self, body, folder):
        port, secure = free_port(), free_port()
        make_certificate(pathlib.Path(folder) / "nginx.pem")
        text = (HERE / "nginx.conf.template").read_text()
        for name, value in {"folder": folder, "port": port, "secure": secure, "body": body}.items():
            text = text.replace("{" + name + "}", str(value))
        config = pathlib.Path(folder) / "nginx.conf"
        config.write_text(text)
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        self.process = subprocess.Popen(
            [*pinned(SERVER_CORE), nginx, "-c", str(config), "-p", str(folder)], stderr=subprocess.DEVNULL)
        self.http, self.https = f"http://127.0.0.1:{port}", f"https://127.0.0.1:{secure}"
        wait_until_open(("127.0.0.1", port))
        self.pid = self._worker()

    def _worker(self):
        """The worker's pid. The master starts it shortly after it listens."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        for _ in range(20_000):
            if pids := children.read_text().split():
                return int(pids[0])
        raise AssertionError("nginx has no worker")

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def make_certificate(path):
    """A self-signed certificate on P-256, with its key."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-keyout", path, "-out", path.with_suffix(".cert")],
        capture_output=True, check=True)
    path.write_text(path.read_text() + path.with_suffix(".cert").read_text())


def wait_until_open(address, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(ConnectionRefusedError):
            return socket.create_connection(address).close()
    raise AssertionError(f"nothing listens on {address}")


class Subject:
    """A Ringfence under load, with a frozen clock and a Service that accepts custom codes."""

    def __init__(self, *flags, binary=None, prefix=None):
        self.server = ringfence.Server(
            *flags, listeners=LISTENERS, prefix=prefix or pinned(SERVER_CORE), program=binary)
        self.https = self.server.https
        self.http, self.pid = self.server.http, self.server.process.pid
        self.own = self.server.sandbox_described("default")["credentials"]
        twilio = self.own["twilio"]
        self.authorization = self.basic(twilio["accountSid"], twilio["authToken"])
        self.ask("POST", "/control/clock", json.dumps({"mode": "frozen"}), "application/json")
        # Prove's numbers are those of its test users, unless a setting accepts others.
        seed = {"prove": {"settings": {"unknownNumbers": "accept"}}}
        self.ask("POST", "/control/seed", json.dumps(seed), "application/json")
        made = self.ask("POST", "/v2/Services", "FriendlyName=Bench&CustomCodeEnabled=true")
        self.service = f"/v2/Services/{json.loads(made)['sid']}"

    @staticmethod
    def basic(name, password):
        return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()

    def prove_token(self):
        own = self.own["prove"]
        form = f"grant_type=client_credentials&client_id={own['clientId']}&client_secret={own['clientSecret']}"
        return "Bearer " + json.loads(self.ask("POST", "/token", form))["access_token"]

    def camara_token(self):
        own = self.own["camara"]
        form = "grant_type=client_credentials&scope=one-time-password-sms:send-validate"
        pair = self.basic(own["clientId"], own["clientSecret"])
        return "Bearer " + json.loads(self.ask("POST", "/oauth2/token", form, authorization=pair))["access_token"]

    def ask(self, method, path, body=None, kind="application/x-www-form-urlencoded", authorization=None):
        host, port = self.server.address
        connection = http.client.HTTPConnection(host, port, timeout=30)
        connection.request(method, path, body, {
            "Authorization": authorization or self.authorization, "Content-Type": kind})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        assert answer.status < 300, f"{method} {path}: {answer.status} {text}"
        return text

    def expect_approvals(self):
        """Checks one response after a run, because the load reads no bodies."""
        checks = json.loads(self.ask("GET", "/control/journal?limit=1000&route=checkVerification"))["requests"]
        approved = sum('"approved"' in check["response"]["body"] for check in checks)
        assert checks and approved == len(checks), f"{approved} of {len(checks)} checks were approved"

    def stop(self):
        self.server.stop()


def stored_verifications(folder):
    """The number of rows, counted while the server runs."""
    total = 0
    for path in pathlib.Path(folder).iterdir():
        if path.is_file() and path.open("rb").read(15) == b"SQLite format 3":
            with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
                total += database.execute("SELECT count(*) FROM verifications").fetchone()[0]
    return total


def wrk(target, script, request, seconds, run=100, connections=64, url=None, closes=False):
    """Requests per second, latencies, and CPU time of the target per request. `closes` opens a connection for
    each request."""
    headers = "\n".join(f"{name}: {value}" for name, value in request.headers.items())
    environment = {
        **os.environ, "BENCH_FOLDER": str(HERE), "BENCH_PATH": request.path, "BENCH_HEADERS": headers,
        "BENCH_BODY": request.body or "", "BENCH_RUN": str(run), **({"BENCH_CLOSES": "1"} if closes else {}),
    }
    before = cpu_seconds(target.pid)
    out = subprocess.run(
        [*pinned(CLIENT_CORE), "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(HERE / script),
         url or target.http],
        env=environment, capture_output=True, text=True, timeout=seconds + 30, check=True).stdout
    found = re.search(r"BENCH (\{.*\})", out)
    assert found, out
    result = json.loads(found[1])
    used = cpu_seconds(target.pid) - before
    assert result["requests"] > 0, out
    result["rate"] = result["requests"] / (result["microseconds"] / 1e6)
    result["cpu"] = used * 1e6 / result["requests"]
    wait_until_idle(target)
    return result


def wait_until_idle(target):
    """After a load, a server on disk moves its log, and the kernel writes: both would slow the next run."""
    os.sync()
    used = None
    while (now := cpu_seconds(target.pid)) != used:
        used = now
        time.sleep(0.1)


def h2load(target, url, seconds, connections=64, streams=10):
    """Requests per second by HTTP/2 over TLS, and CPU time of the target per request."""
    before = cpu_seconds(target.pid)
    out = subprocess.run(
        [*pinned(CLIENT_CORE), "h2load", f"-c{connections}", f"-m{streams}", "-t1", f"-D{seconds}", url], capture_output=True, text=True,
        timeout=seconds + 30, check=True).stdout
    used = cpu_seconds(target.pid) - before
    rate = float(re.search(r"([\d.]+) req/s", out)[1])
    done, failed = (int(re.search(rf"(\d+) {word}\b", out)[1]) for word in ("succeeded", "failed"))
    assert done > 0 and "Application protocol: h2" in out, out
    mean = re.search(r"time for request:\s+\S+\s+(\S+)\s+(\S+)", out)
    return {"rate": rate, "cpu": used * 1e6 / done, "failed": failed, "mean": mean[2]}
