"""Runs the ringfence binary and talks to its control API."""

import itertools
import json
import os
import pathlib
import select
import signal
import subprocess

import requests

import described

ROOT = pathlib.Path(__file__).resolve().parents[2]
READY_WITHIN = 30  # seconds
_names = itertools.count(1)


def binary():
    """RINGFENCE_BINARY, or the newest build."""
    if named := os.environ.get("RINGFENCE_BINARY"):
        return pathlib.Path(named).resolve()
    built = [ROOT / ".build" / kind / "ringfence" for kind in ("debug", "release")]
    built = [path for path in built if path.exists()]
    assert built, "no binary: run `make build`, or set RINGFENCE_BINARY"
    return max(built, key=lambda path: path.stat().st_mtime)


def command(*words, environment=None, expect=0):
    """Standard output of `ringfence <words>`; standard error if it is expected to fail."""
    done = subprocess.run(
        [str(binary()), *map(str, words)], capture_output=True, text=True, timeout=30, check=False,
        env={**os.environ, **(environment or {})})
    assert (done.returncode == 0) == (expect == 0), done.stderr
    return done.stdout if expect == 0 else done.stderr


class Server:
    """A running `ringfence serve`, listening on a free port of the loopback."""

    def __init__(self, *flags, prefix=(), environment=None, log=None, program=None,
                 listeners=("--http", "127.0.0.1:0", "--https", "off", "--gateway", "127.0.0.1:0")):
        command = [*prefix, str(program or binary()), "serve", *listeners, "--ready", "json", *map(str, flags)]
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("RINGFENCE_")}
        with open(log or os.devnull, "wb") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, env={**inherited, **(environment or {})})
        self.ready = self._read_ready_line()
        self.http = self.ready["http"]
        self.https = self.ready.get("https")
        self.gateway = self.ready.get("gateway")
        self.address = (self.http.split("//")[1].split(":")[0], int(self.http.rsplit(":", 1)[1]))

    def _read_ready_line(self):
        out = self.process.stdout
        readable, _, _ = select.select([out], [], [], READY_WITHIN)
        line = out.readline() if readable else b""
        if not line:
            self.kill()
            raise AssertionError(f"no ready line; the process ended with {self.process.returncode}")
        return json.loads(line)

    def stop(self, within=15):
        """Sends SIGTERM and returns the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"still running {within} s after SIGTERM")
        self.process.stdout.close()
        return status

    def kill(self):
        """Ends it at once with SIGKILL, as a crash would."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def is_alive(self):
        return self.process.poll() is None and requests.get(f"{self.http}/livez", timeout=10).ok

    def resident_kib(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    def processor_seconds(self):
        """The processor's time that the server has used; in hundredths of a second."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def loop_seconds(self):
        """The processor's time that the event loop, which is the main thread, has used."""
        nanoseconds = pathlib.Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]
        return int(nanoseconds) / 1e9

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()

    def sandbox_described(self, name):
        return requests.get(f"{self.http}/control/sandboxes/{name}", timeout=10).json()

    def sandbox(self, clock="2026-01-05T10:20:30Z", seed=1, name=None):
        """Creates a sandbox with a frozen clock."""
        body = {"name": name or f"test-{os.getpid()}-{next(_names)}", "entropySeed": seed, "clock": clock,
                "seeds": ["default"]}
        answer = requests.post(f"{self.http}/control/sandboxes", json=body, timeout=30)
        assert answer.status_code in (200, 201), f"{answer.status_code} {answer.text}"
        return Sandbox(answer.json())


class Sandbox:
    """A sandbox and its control API.

    `before_journal_is_lost` is called with the sandbox before a reset and before its deletion.
    """

    before_journal_is_lost = None

    def __init__(self, described):
        self.name = described["name"]
        self.base = described["urls"]["prefixed"]
        self.origin = described["urls"]["base"]
        self.credentials = described["credentials"]
        self.session = requests.Session()

    def control(self, method, path, expect=(200, 201, 204), timeout=40, **named):
        """The response to `<method> /control/<path>` of this sandbox, which must match the OpenAPI
        document."""
        if path in ("reset", "journal") and method in ("POST", "DELETE"):
            self._announce_loss()
        answer = self.session.request(method, f"{self.base}/control/{path}", timeout=timeout, **named)
        assert answer.status_code in expect, f"{method} {path}: {answer.status_code} {answer.text}"
        described.check(self.origin, answer)
        return answer

    def advance(self, duration):
        """Moves the clock. All due work is done when this returns."""
        return self.control("POST", "clock?wait=60", json={"advance": duration}).json()

    def code(self, number):
        """The code that was last sent to this number."""
        return self.control("GET", f"inbox/{number}/latest/code").text.strip()

    def twilio(self, path="Verifications", headers=None, **form):
        """The answer of the sandbox's Verify Service to a form."""
        own = self.credentials["twilio"]
        return self.session.post(
            f"{self.base}/v2/Services/{own['serviceSid']}/{path}", data=form, headers=headers, timeout=10,
            auth=(own["accountSid"], own["authToken"]))

    def seed(self, **parts):
        self.control("POST", "seed", json=parts)

    def faults(self, *faults):
        self.control("PUT", "faults", json={"faults": list(faults)})

    def journal(self, **filters):
        """The journal of this sandbox, oldest first."""
        return self.entries("journal", **filters)

    def entries(self, path, **query):
        """All entries of a list of the control API, page by page."""
        found, query = [], {"limit": 1000, **query}
        while True:
            page = self.control("GET", path, params=query).json()
            (name,) = set(page) - {"cursor", "hasMore"}
            found += page[name]
            if not page["hasMore"]:
                return found
            query["after"] = page["cursor"]

    def _announce_loss(self):
        if Sandbox.before_journal_is_lost:
            Sandbox.before_journal_is_lost(self)

    def delete(self):
        self._announce_loss()
        self.session.delete(f"{self.origin}/control/sandboxes/{self.name}", timeout=10)
        self.session.close()


def different(code):
    """Another code of the same length."""
    return ("1" if code[0] != "1" else "2") + code[1:]
