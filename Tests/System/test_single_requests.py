"""Single requests that once crashed the server get an answer, and it keeps working. Extreme values in a
request: `Sources/Control/Checks`."""

import contextlib
import json
import os
import select
import sqlite3
import sys

import pytest
import requests

import ringfence

LARGEST = 2**63 - 1
SMALLEST = -(2**63)
NUMBER = "+12025550100"


class Caller:
    """Calls the providers of one sandbox with its credentials."""

    def __init__(self, server, sandbox="default"):
        self.server = server
        self.http = server.http
        self.name = sandbox
        own = server.sandbox_described(sandbox)["credentials"]
        self.twilio = (own["twilio"]["accountSid"], own["twilio"]["authToken"])
        self.service = own["twilio"]["serviceSid"]
        self.telesign = (own["telesign"]["customerId"], own["telesign"]["apiKey"])
        self.prelude = {"Authorization": f"Bearer {own['prelude']['apiToken']}"}

    def send(self, method, path, expect=range(200, 500), **named):
        answer = requests.request(method, f"{self.http}/s/{self.name}{path}", timeout=20, **named)
        assert answer.status_code in expect, f"{answer.status_code} {answer.text}"
        return answer

    def control(self, method, path, body=None, expect=range(200, 300)):
        return self.send(method, f"/control/{path}", expect, json=body)

    def create_everywhere(self, expect=range(200, 300)):
        self.send("POST", f"/v2/Services/{self.service}/Verifications", expect, auth=self.twilio,
                  data={"To": NUMBER, "Channel": "sms"})
        self.send("POST", "/v2/verification", expect, headers=self.prelude,
                  json={"target": {"type": "phone_number", "value": "+33612345678"}, "options": {}})
        self.send("POST", "/verification", expect, auth=self.telesign,
                  json={"recipient": {"phone_number": NUMBER[1:]}})

    def read_every_list(self):
        for name in ("verifications", "messages", "events", "webhooks", "journal", "clock", "subscribers",
                     f"inbox/{NUMBER}", f"subscribers/{NUMBER}"):
            self.control("GET", name)


# 1: times that no calendar shows

def test_a_clock_before_1970_leaves_nothing_that_crashes_after_a_restart(tmp_path):
    data = tmp_path / "data"
    with ringfence.Server("--data", data) as server:
        caller = Caller(server)
        caller.control("POST", "clock", {"mode": "frozen", "set": "1960-01-01T00:00:00Z"}, [400])
        caller.control("POST", "clock", {"mode": "frozen", "set": "1970-01-01T00:00:00Z"})
        caller.create_everywhere()
        caller.read_every_list()
    with ringfence.Server("--data", data) as server:
        Caller(server).read_every_list()
        assert server.is_alive()


@pytest.mark.parametrize("time", [SMALLEST, -10**17, -315_619_200_000, -62_167_219_200_001, LARGEST, 10**17])
def test_stored_times_outside_the_calendar_can_be_listed(tmp_path, time):
    """A data folder of an earlier version may hold any time."""
    data = tmp_path / "data"
    with ringfence.Server("--data", data) as server:
        caller = Caller(server)
        caller.control("POST", "clock", {"mode": "frozen", "set": "2026-01-05T10:20:30Z"})
        caller.create_everywhere()
    store_everywhere(data / "ringfence.sqlite", time)
    with ringfence.Server("--data", data) as server:
        caller = Caller(server)
        caller.read_every_list()
        caller.create_everywhere(range(200, 500))
        caller.control("POST", "clock", {"mode": "real"})
        caller.read_every_list()
        caller.create_everywhere(range(200, 500))
        assert server.is_alive()
    with ringfence.Server("--data", data) as server:
        assert server.is_alive()


def store_everywhere(path, time):
    """Replaces every stored time."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for _, column, *_ in database.execute(f"PRAGMA table_info({table})").fetchall():
                if column.endswith("_at") and not column.startswith("due") or column == "clock_value":
                    database.execute(f"UPDATE {table} SET {column} = ? WHERE {column} IS NOT NULL", (time,))
        database.commit()


# 2: a seed that shares credentials with another sandbox

ACCOUNT = "AC" + "5" * 32
KEY = "SK" + "6" * 32


def account(sid, key=None):
    seed = {"accountSid": sid, "authToken": "t" * 32}
    if key:
        seed |= {"apiKeySid": key, "apiKeySecret": "s" * 32}
    return {"twilio": {"account": seed}}


def seeded_server(tmp_path, seed):
    story = tmp_path / "seeds" / "shared"
    story.mkdir(parents=True)
    (story / "seed.json").write_text(json.dumps(seed))
    return ringfence.Server("--seeds", story.parent)


@pytest.mark.parametrize("known", ["account", "key"])
def test_a_seed_of_half_another_sandbox_is_rejected_as_a_whole(tmp_path, known):
    with seeded_server(tmp_path, account(ACCOUNT, KEY)) as server:
        other = {"account": account(ACCOUNT), "key": account("AC" + "7" * 32, KEY)}[known]
        Caller(server).control("POST", "seed", other)
        answer = requests.post(
            f"{server.http}/control/sandboxes", json={"name": "second", "seeds": ["shared"]}, timeout=10)

        assert answer.status_code == 400, answer.text
        assert "twilio.account" in answer.text and "another sandbox" in answer.text
        assert requests.get(f"{server.http}/control/sandboxes/second", timeout=10).status_code == 404
        answer = requests.post(
            f"{server.http}/control/sandboxes", json={"name": "second", "seeds": ["default"]}, timeout=10)
        assert answer.status_code == 201
        Caller(server, "second").create_everywhere()
        assert server.is_alive()


def test_two_sandboxes_may_load_the_same_seed(tmp_path):
    with seeded_server(tmp_path, account(ACCOUNT, KEY)) as server:
        for name in ("first", "second"):
            answer = requests.post(
                f"{server.http}/control/sandboxes", json={"name": name, "seeds": ["shared"]}, timeout=10)
            assert answer.status_code == 201, answer.text
        owns = [server.sandbox_described(name)["credentials"]["twilio"] for name in ("first", "second")]
        assert owns[0]["accountSid"] == ACCOUNT and owns[0]["apiKeySid"] == KEY
        assert owns[1]["accountSid"] != ACCOUNT and owns[1]["apiKeySid"] != KEY


# 3: an encrypted certificate, for which OpenSSL would ask the terminal for a password

ENCRYPTED = """-----BEGIN CERTIFICATE-----
Proc-Type: 4,ENCRYPTED
DEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF

AAECAwQFBgcICQoLDA0ODwABAgMEBQYHCAkKCwwNDg8=
-----END CERTIFICATE-----
"""
IN_TERMINAL = """
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(os.open(sys.argv[1], os.O_RDWR), termios.TIOCSCTTY, 0)
os.execv(sys.argv[2], sys.argv[2:])
"""


def test_nobody_is_asked_for_a_password():
    here, there = os.openpty()
    with ringfence.Server(prefix=(sys.executable, "-c", IN_TERMINAL, os.ttyname(there))) as server:
        seed = {"apns": {"certificates": [{"certificate": ENCRYPTED}]}}

        answer = requests.post(f"{server.http}/control/seed", json=seed, timeout=20)

        assert answer.status_code == 400 and "certificates[0]" in answer.text, answer.text
        assert not select.select([here], [], [], 0)[0], os.read(here, 1000)
    os.close(here)
    os.close(there)
