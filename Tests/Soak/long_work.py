"""Clients whose requests take long: snapshots with many rows, and workshops of 500. Kills happen in the
middle of them."""

import base64
import json
from urllib.parse import urlencode

from large_snapshot import with_messages
from world import JSON, Client, SandboxClient, Write


class SnapshotMover(SandboxClient):
    """Restores, saves, resets and deletes a sandbox with 20,000 messages, and lets 90 days pass in it."""

    rate = 0.1
    clock = "2026-01-05T10:20:30Z"
    messages = 20_000

    def prepare(self):
        super().prepare()
        saved = self.ask("snapshot: save", "GET", f"/control/sandboxes/{self.name}/snapshot").json
        self.document = json.dumps(with_messages(saved, self.messages))

    def flow(self, count):
        name = f"{self.name}-copy"
        path = f"/control/sandboxes/{name}"
        inbox = f"/s/{name}/control/inbox?limit=1&order=newest"
        self.world.withdraw(name)
        self.ask("snapshot: restore", "PUT", f"{path}/snapshot", self.document, {"Content-Type": "application/json"})
        self.world.acknowledge(name, Write(inbox, {}, 200, f'"+1202{self.messages:07}"'))

        again = self.ask("snapshot: save", "GET", f"{path}/snapshot").json
        if len(again["tables"]["messages"]["rows"]) != self.messages:
            self.world.problem(f"{len(again['tables']['messages']['rows'])} messages of {self.messages} in the snapshot")
        self.ask("clock: jump", "POST", f"/s/{name}/control/clock", {"advance": "90d"})

        self.world.withdraw(name)
        if count % 2:
            self.ask("sandbox: reset", "POST", f"/s/{name}/control/reset", {})
            self.world.acknowledge(name, Write(inbox, {}, 200, '"messages":[]'))
        else:
            self.ask("sandbox: delete", "DELETE", path, expect=(204, 404))
            self.world.acknowledge(name, Write(path, {}, 404))


class Trainer(Client):
    """Creates a workshop of 500, breaks and repairs the participants' sandboxes, moves their clocks, resets
    and ends it."""

    rate = 0.05
    participants = 500

    def flow(self, count):
        name = f"class{self.serial}"
        path = f"/control/workshops/{name}"
        # A flow that a kill has interrupted may have left it.
        self.world.withdraw(name)
        self.ask("workshop: delete", "DELETE", path, expect=(204, 404))
        new = {"name": name, "story": "first-sign-in", "participants": self.participants}
        self.ask("workshop: create", "POST", "/control/workshops", new)
        self.world.acknowledge(name, Write(path, {}, 200, f'"{name}-{self.participants}"'))

        for action, change in [("break", {"faults": [{"status": 500}]}), ("clock", {"advance": "11m"}), ("fix", {}),
                               ("clock", {"set": "2031-12-31T23:59:59Z"}), ("reset", {})]:
            answer = self.ask(f"workshop: {action}", "POST", f"{path}/{action}", change).json
            if answer.get("failed"):
                self.world.problem(f"{action} of {name}: {answer['failed'][:3]}")

        self.world.withdraw(name)
        self.ask("workshop: delete", "DELETE", path, expect=(204, 404))
        self.world.acknowledge(name, Write(path, {}, 404))


class Reader(SandboxClient):
    """Asks for the largest answers: batches of an agent, searches, bodies of 0.9 MB, snapshots, by gzip."""

    rate = 0.5
    tools = ["list_requests", "list_messages", "list_verifications", "explain_request", "show_sandbox"]
    pages = ["/console/search?q=zz", "/console/timeline?view=requests", "/control/journal?limit=1000",
             "/control/errors", "/control/messages?limit=1000", "/control/journal/latest"]

    def flow(self, count):
        own = self.credentials["twilio"]
        login = base64.b64encode(f"{own['accountSid']}:{own['authToken']}".encode()).decode()
        large = urlencode({"To": f"+8613888{count % 10**6:06}", "Channel": "sms", "Tags": "x" * 900_000})
        self.ask("Twilio: large create", "POST", f"{self.base}/v2/Services/{own['serviceSid']}/Verifications", large,
                 {"Authorization": f"Basic {login}"}, expect=(201, 400))
        calls = [{"jsonrpc": "2.0", "id": number, "method": "tools/call",
                  "params": {"name": self.tools[number % len(self.tools)], "arguments": {}}} for number in range(50)]
        self.ask("MCP: batch", "POST", f"{self.base}/mcp", json.dumps(calls),
                 {"Content-Type": JSON, "MCP-Protocol-Version": "2025-03-26"})
        gzip = {"Accept-Encoding": "gzip"}
        for page in self.pages:
            self.ask("large answer", "GET", self.base + page, headers=gzip)
        self.ask("snapshot: save with gzip", "GET", f"/control/sandboxes/{self.name}/snapshot", headers=gzip)
