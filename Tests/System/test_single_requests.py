"""Single requests with extreme values get an answer, and the server keeps working.

Each group begins with the request that once crashed the server; variations follow.
"""

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

    def prelude_create(self, number, options, expect=range(200, 500)):
        body = {"target": {"type": "phone_number", "value": number}, "options": options}
        return self.send("POST", "/v2/verification", expect, json=body, headers=self.prelude)

    def telesign_create(self, policy=None, expect=range(200, 500), number=NUMBER):
        body = {"recipient": {"phone_number": number.lstrip("+")}}
        if policy is not None:
            body["verification_policy"] = policy
        return self.send("POST", "/verification", expect, json=body, auth=self.telesign)

    def twilio_create(self, expect=range(200, 500)):
        form = {"To": NUMBER, "Channel": "sms"}
        return self.send("POST", f"/v2/Services/{self.service}/Verifications", expect, data=form, auth=self.twilio)

    def create_everywhere(self, expect=range(200, 300)):
        self.twilio_create(expect)
        self.prelude_create("+33612345678", {}, expect)
        return self.telesign_create(expect=expect)

    def read_every_list(self):
        for name in ("verifications", "messages", "events", "webhooks", "journal", "clock", "subscribers",
                     f"inbox/{NUMBER}", f"subscribers/{NUMBER}"):
            self.control("GET", name)


@pytest.fixture
def caller(server):
    """Of a new sandbox, so that no test sees the clock of another."""
    sandbox = server.sandbox()
    yield Caller(server, sandbox.name)
    assert server.is_alive()
    sandbox.delete()


# 1: lists that must not be empty

CHALLENGED = "+33639980050"


@pytest.mark.parametrize("options", [
    {"channels": []},
    {"channels": [], "force_challenge": True},
    {"channels": [], "method": "voice"},
    {"channels": [], "max_auto_fallbacks": LARGEST},
    {"channels": ["sms"] * 500},
    {"channels": ["sms"], "max_auto_fallbacks": LARGEST, "code_size": LARGEST},
    {"max_auto_fallbacks": LARGEST},
    {"code_size": SMALLEST},
])
@pytest.mark.parametrize("number", [CHALLENGED, "+33639980099", "+33612345678"])
def test_a_verification_without_channels_is_rejected_or_sent(caller, number, options):
    for _ in range(3):
        answer = caller.prelude_create(number, options)
        assert (answer.status_code == 400) == (options.get("channels") is not None and len(options["channels"]) in (0, 500)
                                               or "code_size" in options), answer.text


def test_the_error_names_the_empty_list(caller):
    answer = caller.prelude_create(CHALLENGED, {"channels": []}, [400]).json()
    assert "options.channels" in str(answer) and "1 to 6" in str(answer), answer


# 2: times that add up to too much

@pytest.mark.parametrize("times", [
    (LARGEST, LARGEST), (LARGEST, 30), (LARGEST, None), (SMALLEST, LARGEST), (2**62, 2**62), (9.2e18, 9.2e18),
    (1e300, 30), (LARGEST,), (SMALLEST,), (271, 30),
])
def test_fallback_times_beyond_the_limit_are_rejected(caller, times):
    policy = [{"method": method} | ({} if time is None else {"fallback_time": time})
              for method, time in zip(("sms", "voice"), times)]

    caller.telesign_create(policy, [400])


# 3: times that no calendar shows

OUTSIDE = ["1960-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
           "9999-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"]
INSIDE = ["1970-01-01T00:00:00Z", "2038-01-19T03:14:08Z", "9998-12-31T23:59:59.999Z"]


@pytest.mark.parametrize("time", OUTSIDE)
@pytest.mark.parametrize("mode", [{}, {"mode": "frozen"}, {"mode": "real"}])
def test_a_clock_outside_its_range_is_rejected(caller, time, mode):
    before = caller.control("GET", "clock").json()
    answer = caller.control("POST", "clock", {**mode, "set": time}, [400])
    after = caller.control("GET", "clock").json()

    assert "from 1970-01-01T00:00:00Z to 9998-12-31T23:59:59.999Z" in answer.text
    assert after == before, "a rejected change changes nothing"
    caller.create_everywhere()


@pytest.mark.parametrize("time", OUTSIDE)
def test_a_sandbox_starts_in_the_range_of_the_clock(caller, time):
    answer = caller.control("POST", "sandboxes", {"name": f"early-{time[:4]}", "clock": time}, [400])

    assert "from 1970-01-01T00:00:00Z to 9998-12-31T23:59:59.999Z" in answer.text


@pytest.mark.parametrize("time", INSIDE)
def test_every_provider_works_at_the_ends_of_the_range(caller, time):
    caller.control("POST", "clock", {"mode": "frozen", "set": time})

    caller.create_everywhere()
    caller.read_every_list()


@pytest.mark.parametrize("advance", ["1000d", "365000d", "9999999999999999d", "8000000d9999h"])
def test_a_clock_at_the_end_of_its_range_does_not_advance(caller, advance):
    caller.control("POST", "clock", {"mode": "frozen", "set": "9998-12-31T23:00:00Z"})

    caller.control("POST", "clock", {"advance": advance}, [400])
    caller.create_everywhere()


@pytest.mark.parametrize("body", [
    {"advanceMs": LARGEST}, {"advanceMs": SMALLEST}, {"advanceMs": 1e18}, {"advance": "-1d"}, {"set": "-0001-01-01T00:00:00Z"},
])
def test_steps_of_the_clock_have_a_range(caller, body):
    caller.control("POST", "clock", body, [400])


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


# 4: page numbers

@pytest.mark.parametrize("page", [LARGEST, LARGEST - 1, 2**63, 10**30, SMALLEST, -1, 2**31])
@pytest.mark.parametrize("size", [1, 50, LARGEST, 2**63, 0, SMALLEST])
def test_page_numbers_have_a_range(caller, page, size):
    caller.send("POST", "/v2/Services", [201], data={"FriendlyName": "second"}, auth=caller.twilio)

    answer = caller.send("GET", "/v2/Services", params={"PageSize": size, "Page": page}, auth=caller.twilio)

    assert answer.status_code in (200, 400)


@pytest.mark.parametrize("limit", [LARGEST, 2**63, SMALLEST, 0])
@pytest.mark.parametrize("path", [
    "/v2/verification/management/phone-numbers/allow", "/v2/notify/management/subscriptions"])
def test_limits_of_lists_have_a_range(caller, limit, path):
    caller.send("GET", path, params={"limit": limit}, headers=caller.prelude)


@pytest.mark.parametrize("query", [
    f"after={LARGEST}", f"after={2**63}", f"after={SMALLEST}", f"wait={LARGEST}", f"status={LARGEST}"])
def test_cursors_of_the_control_api_have_a_range(caller, query):
    caller.send("GET", f"/control/journal?{query}", [200, 400])
    caller.send("GET", f"/control/events?{query}", [200, 400])


# 5: a seed that shares credentials with another sandbox

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


def test_a_seed_loaded_into_a_sandbox_that_exists_is_rejected_as_a_whole(server, caller):
    own = server.sandbox_described(caller.name)["credentials"]["twilio"]
    other = server.sandbox()

    answer = Caller(server, other.name).control("POST", "seed", account(own["accountSid"], KEY), [400])

    assert "another sandbox" in answer.text
    after = server.sandbox_described(other.name)["credentials"]["twilio"]
    assert after == other.credentials["twilio"], "a rejected seed changes nothing"
    other.delete()


def test_two_sandboxes_may_load_the_same_seed(tmp_path):
    with seeded_server(tmp_path, account(ACCOUNT, KEY)) as server:
        for name in ("first", "second"):
            answer = requests.post(
                f"{server.http}/control/sandboxes", json={"name": name, "seeds": ["shared"]}, timeout=10)
            assert answer.status_code == 201, answer.text
        owns = [server.sandbox_described(name)["credentials"]["twilio"] for name in ("first", "second")]
        assert owns[0]["accountSid"] == ACCOUNT and owns[0]["apiKeySid"] == KEY
        assert owns[1]["accountSid"] != ACCOUNT and owns[1]["apiKeySid"] != KEY


# 6: an encrypted certificate, for which OpenSSL would ask the terminal for a password

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
