"""Answers about much data are made in pieces, between which others are answered. Source: issue 45, B3 and B4.

The server's log has each turn of its loop that took over 40 ms of the processor. A release build
(RINGFENCE_BINARY) may have none. A debug build is up to ten times slower, so it gets less data and more time;
`Tests/ControlTests/PiecesTests.swift` and its namesakes count the pieces instead.
"""

import base64
import gzip
import http.client
import json
import re

import pytest
import requests

import loop_turns
import ringfence
from large_snapshot import with_messages

IS_RELEASE = "release" in str(ringfence.binary())
LIMIT = 40 if IS_RELEASE else 400  # ms
MESSAGES, PARTICIPANTS, BODY = (100_000, 500, 900_000) if IS_RELEASE else (20_000, 50, 90_000)
JSON = {"Content-Type": "application/json"}
GZIP = {"Accept-Encoding": "gzip"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
MCP = {**JSON, "MCP-Protocol-Version": "2025-03-26"}

LISTS = [f"/control/{path}" for path in (
    "journal?limit=1000", "journal?limit=1000&contains=zz", "messages?limit=1000", "inbox?limit=1000", "events?limit=1000",
    "messages?limit=1000&order=newest", "verifications?limit=1000", "webhooks?limit=1000", "subscribers?limit=1000",
    "devices?limit=1000", "pushes?limit=1000", "records/twilio?limit=1000", "errors", "openapi.json", "faults/options",
    "failures", "journal/req_1", "sandboxes/big/export", "sandboxes/big/report", "sandboxes/big/snapshot")]
PAGES = ["/", "/console/timeline", "/console/timeline?view=requests", "/console/timeline?view=requests&filter=zz",
         "/console/requests/1", "/console/requests/2?compare=1", "/console/requests/1?bodies=raw", "/console/search?q=zz",
         "/console/search?q=2025", "/console/connect", "/console/break", "/console/settings"]
ROOM = ["/control/sandboxes?limit=1000", "/control/workshops/class", "/control/workshops/class/results.csv",
        "/console/sandboxes", "/console/workshops/class", "/console/workshops/class?view=table",
        "/console/workshops/class/cards"]
TOOLS = [("list_requests", {"limit": 100}), ("list_messages", {"limit": 100}), ("list_verifications", {"limit": 100}),
         ("list_sandboxes", {}), ("show_sandbox", {}), ("explain_request", {"request": "req_1"})]


class Filled:
    """A server with much data, and its log."""

    def __init__(self, server, log):
        self.server = server
        self.connection = http.client.HTTPConnection(*server.address, timeout=120)
        big = server.sandbox(name="big")
        self.fill(big)
        self.send("POST", "/control/workshops", JSON, json.dumps(
            {"name": "class", "story": "first-sign-in", "participants": PARTICIPANTS}))
        self.log = open(log, errors="replace")
        self.log.read()  # what filling took is not the subject

    def fill(self, sandbox):
        saved = json.loads(self.send("GET", "/control/sandboxes/big/snapshot")[1])
        credentials = saved["tables"]["credentials"]
        large = with_messages(saved, MESSAGES)
        large["tables"]["credentials"] = credentials
        self.send("PUT", "/control/sandboxes/big/snapshot", JSON, json.dumps(large))
        own = sandbox.credentials["twilio"]
        login = base64.b64encode(f"{own['accountSid']}:{own['authToken']}".encode()).decode()
        path = f"/s/big/v2/Services/{own['serviceSid']}/Verifications"
        bodies = [f"To=%2B12025550100&Channel=sms&Tags={'x' * BODY}{number}" for number in range(10)]
        for body in bodies + ["To=%2B12025550100&Channel=sms"] * 990:
            self.send("POST", path, {"Authorization": f"Basic {login}", **FORM}, body)

    def send(self, method, path, headers=None, body=None):
        self.connection.request(method, path, body, headers or {})
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def get(self, path, headers=None):
        status, body = self.send("GET", path, headers)
        assert status == 200, f"{path}: {status} {body[:200]}"
        return gzip.decompress(body) if headers and body[:2] == b"\x1f\x8b" else body

    def long_turns(self):
        return [turn.line for turn in loop_turns.in_text(self.log.read()) if turn.worked > LIMIT]


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    log = tmp_path_factory.mktemp("large") / "log"
    with ringfence.Server(
            "--clock", "2026-01-05T10:20:30Z", "--max-sandboxes", "2000", *loop_turns.LOGGED, log=log) as server:
        yield Filled(server, log)


@pytest.mark.timeout(300)
def steady(answer):
    """Without what each request changes: the time, and how much a sandbox has used so far."""
    return re.sub(rb'"used":\d+|"now":"[^"]*"', b"", answer)


@pytest.mark.parametrize("path", [f"/s/big{path}" for path in LISTS + PAGES] + ROOM)
def test_an_answer_is_the_same_in_pieces_and_compressed_and_takes_no_long_turn(filled, path):
    whole = filled.get(path)
    assert steady(filled.get(path, GZIP)) == steady(whole)
    with requests.Session() as old:
        old.headers["Connection"] = "close"
        plain = old.get(f"{filled.server.http}{path}", timeout=120, headers={"Accept-Encoding": "identity"}).content
        assert steady(plain) == steady(whole)
    assert not filled.long_turns()


@pytest.mark.parametrize("name,arguments", TOOLS)
def test_a_batch_of_agents_takes_no_long_turn_and_each_answer_is_bounded(filled, name, arguments):
    calls = [{"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
             for number in range(50)]
    status, body = filled.send("POST", "/s/big/mcp", MCP, json.dumps(calls))
    answers = json.loads(body)
    assert status == 200 and [answer["id"] for answer in answers] == list(range(50))
    for answer in answers:
        assert not answer["result"]["isError"] and len(json.dumps(answer)) < 200_000
    assert not filled.long_turns()


def test_a_large_inbox_is_emptied_without_a_long_turn(filled):
    assert filled.send("DELETE", "/s/big/control/inbox")[0] == 204
    assert json.loads(filled.get("/s/big/control/inbox?limit=1"))["messages"] == []
    assert not filled.long_turns()
