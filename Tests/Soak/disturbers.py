"""Clients that strain the server: short-lived sandboxes, clock jumps, slow readers, abandoned connections."""

import contextlib
import socket
import ssl
import struct

import wire
from providers import TwilioClient, basic, form
from world import Client, SandboxClient, Write


class SandboxChurn(TwilioClient):
    """Creates a sandbox, uses, exports and resets it, and deletes it."""

    rate = 1
    clock = "2026-01-05T10:20:30Z"

    def prepare(self):
        """Every flow has its own sandbox."""

    def flow(self, count):
        name = f"churn-{self.serial}-{count}"
        self.take(self.create_sandbox(name))
        number = "+12022000001"
        made = self.create(number)
        self.check(made, "approved", Code=self.code(number))
        self.ask("clock: advance", "POST", f"{self.base}/control/clock", {"advance": "30d"})
        self.withdraw(made["sid"])
        self.ask("sandbox: export", "GET", f"/control/sandboxes/{name}/export")
        if count % 2:
            self.ask("sandbox: reset", "POST", f"{self.base}/control/reset", {})
        self.world.withdraw(f"sandbox {name}")
        self.ask("sandbox: delete", "DELETE", f"/control/sandboxes/{name}")
        self.world.acknowledge(f"sandbox {name}", Write(f"/control/sandboxes/{name}", {}, 404))


class ClockJumper(SandboxClient):
    """Jumps forwards and backwards in a sandbox with pending verifications."""

    rate = 12
    clock = "2026-01-05T10:20:30Z"
    jumps = [{"advance": "11m"}, {"advance": "90d"}, {"set": "2026-01-05T10:20:30Z"}, {"advance": "1s"},
             {"set": "2031-12-31T23:59:59Z"}, {"set": "1999-01-01T00:00:00Z"}]

    def flow(self, count):
        own = self.credentials["twilio"]
        self.ask(
            "Twilio: create", "POST", f"{self.base}/v2/Services/{own['serviceSid']}/Verifications",
            form(To=f"+8613{self.serial:03}{count:06}", Channel="sms"), basic(own["accountSid"], own["authToken"]))
        key = f"clock of {self.name}"
        self.withdraw(key)
        jump = self.jumps[count % len(self.jumps)]
        now = self.ask("clock: jump", "POST", f"{self.base}/control/clock", {"mode": "frozen", **jump}).json["now"]
        self.acknowledge(key, "/control/clock", f'"{now}"')


class SlowReader(Client):
    """Ten connections that request large answers and read nothing, or little. They are replaced in turn."""

    rate = 2
    count = 10
    target = "/control/openapi.json"

    def prepare(self):
        self.lines = []

    def flow(self, count):
        if len(self.lines) == self.count:
            self.lines.pop(0).close()
        # The server may have been killed.
        with contextlib.suppress(OSError):
            line = socket.socket()
            self.lines.append(line)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect(("127.0.0.1", self.world.ports[0]))
            line.setblocking(False)
            line.send(wire.request("GET", self.target) * 20)
            with self.world.lock:
                self.world.requests["large answer that is read slowly or not at all"] += 20
        for line in self.lines[::2]:
            with contextlib.suppress(OSError):
                line.recv(8192)

    def finish(self):
        for line in self.lines:
            line.close()


class AbandonedTLS(Client):
    """TLS connections that end in each stage: before, during and after the handshake, and within a
    request."""

    rate = 8

    def prepare(self):
        self.context = ssl.create_default_context()
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE

    def flow(self, count):
        with contextlib.suppress(OSError):
            with socket.create_connection(("127.0.0.1", self.world.ports[1]), timeout=30) as line:
                self.abandon(line, count % 4)
                with self.world.lock:
                    self.world.requests["TLS connection that is abandoned"] += 1

    def abandon(self, line, stage):
        if stage == 1:
            line.sendall(self.hello()[:100])
        if stage == 2:
            # A reset instead of an orderly end.
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.sendall(self.hello())
        if stage == 3:
            with self.context.wrap_socket(line) as secure:
                secure.sendall(wire.request("POST", "/control/clock", b"{}")[:-20])

    def hello(self):
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        handshake = self.context.wrap_bio(incoming, outgoing)
        with contextlib.suppress(ssl.SSLWantReadError):
            handshake.do_handshake()
        return outgoing.read()
