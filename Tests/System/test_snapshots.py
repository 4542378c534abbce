"""A snapshot has the whole state of a sandbox: another server continues from it with the same bytes."""

import base64
import copy
import json
import re
import stat
from urllib.parse import urlencode

import pytest
import requests

import ringfence
import wire
from ringfence import command

FROZEN = "2026-01-05T10:20:30Z"
NUMBERS = [f"+1202555010{digit}" for digit in range(4)]
PRELUDE_NUMBER = "+33639980050"
CLOSED_PORT = "http://127.0.0.1:9/hook"


class Conversation:
    """Requests to the sandbox `twin` over one connection. Keeps every answer."""

    def __init__(self, server):
        self.line = wire.Wire(server.address)
        self.answers = []

    def say(self, method, target, body=None, **headers):
        self.line.send(wire.request(method, f"/s/twin{target}", body, "localhost:5550", **headers))
        reply = self.line.receive()
        assert reply is not None, f"no answer to {method} {target}"
        self.answers.append((f"{method} {target}", comparable(reply.joined)))
        return reply

    def control(self, method, path, body=None):
        body = None if body is None else json.dumps(body)
        reply = self.say(method, f"/control/{path}", body, content_type="application/json")
        assert reply.status < 300, reply.body
        return reply.body

    def twilio(self, own, path, **form):
        pair = base64.b64encode(f"{own['accountSid']}:{own['authToken']}".encode()).decode()
        return self.say("POST", f"/v2/Services/{own['serviceSid']}/{path}", urlencode(form),
                        authorization=f"Basic {pair}", content_type="application/x-www-form-urlencoded")

    def prelude(self, own, path, **body):
        return self.say("POST", f"/v2/{path}", json.dumps(body), authorization=f"Bearer {own['apiToken']}",
                        content_type="application/json")

    def telesign(self, own, **body):
        pair = base64.b64encode(f"{own['customerId']}:{own['apiKey']}".encode()).decode()
        return self.say("POST", "/verification", json.dumps(body), authorization=f"Basic {pair}",
                        content_type="application/json")


def comparable(data):
    """Without the servers' own ports, and without signatures of a randomised scheme."""
    data = re.sub(rb"127\.0\.0\.1:[0-9]+", b"127.0.0.1:PORT", data)
    return re.sub(rb"rsassa-pss-sha256=[A-Za-z0-9+/_=-]+", b"SIGNATURE", data)


def snapshot(server, name="twin"):
    answer = requests.get(f"{server.http}/control/sandboxes/{name}/snapshot", timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.content


def restore(server, document, name="twin"):
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return requests.put(
        f"{server.http}/control/sandboxes/{name}/snapshot", data=body, timeout=30,
        headers={"Content-Type": "application/json"})


def begin(server):
    """Leaves pending verifications and webhooks, faults that are used in part, an app and messages."""
    world = {"name": "twin", "entropySeed": 7, "clock": FROZEN, "seeds": ["default"]}
    own = requests.post(f"{server.http}/control/sandboxes", json=world, timeout=10).json()["credentials"]
    talk = Conversation(server)
    talk.control("PUT", "faults", {"faults": [{"provider": "twilio", "number": NUMBERS[3], "status": 503, "times": 2}]})
    talk.control("PUT", "webhooks/faults", {"webhookFaults": [
        {"provider": "prelude", "kind": "verify.attempt", "delayMs": 60_000, "signature": "wrong"},
        {"provider": "prelude", "nth": 2, "delivery": "reorder", "delayMs": 70_000}]})
    talk.control("PUT", "scenarios", {"scenarios": [{"match": {"number": NUMBERS[2]}, "outcome": "slow",
                                                     "afterMs": 90_000}]})
    talk.control("POST", "devices", {"number": NUMBERS[0], "provider": "telesign", "app": "com.acme.app:1",
                                     "pushToken": "push-1"})
    for number in NUMBERS:
        talk.twilio(own["twilio"], "Verifications", To=number, Channel="sms")
    talk.twilio(own["twilio"], "VerificationCheck", To=NUMBERS[0], Code="000000")
    talk.prelude(own["prelude"], "verification", target={"type": "phone_number", "value": PRELUDE_NUMBER},
                 options={"callback_url": CLOSED_PORT})
    talk.telesign(own["telesign"], recipient={"phone_number": NUMBERS[1][1:]},
                  verification_policy=[{"method": "sms", "fallback_time": 60}, {"method": "voice"}])
    talk.control("POST", "clock", {"advance": "20s"})
    assert json.loads(talk.control("GET", "webhooks?state=pending"))["webhooks"], "a webhook waits for its retry"
    return own


def go_on(server, own):
    """Requests whose answers depend on everything that happened before."""
    talk = Conversation(server)
    number = NUMBERS[1]
    code = talk.control("GET", f"inbox/{number}/latest/code?provider=twilio").decode().strip()
    talk.twilio(own["twilio"], "VerificationCheck", To=number, Code=code)
    for _ in range(3):
        talk.twilio(own["twilio"], "Verifications", To=NUMBERS[3], Channel="sms")
    talk.prelude(own["prelude"], "verification", target={"type": "phone_number", "value": PRELUDE_NUMBER})
    talk.control("POST", "clock", {"advance": "70s"})
    talk.control("GET", "inbox")
    talk.twilio(own["twilio"], "Verifications", To=NUMBERS[0], Channel="call")
    talk.control("POST", "clock", {"advance": "15m"})
    for path in ("clock", "verifications", "messages", "webhooks", "webhooks/faults", "faults", "devices", "events", "journal",
                 "inbox", "sandboxes/twin/export"):
        talk.control("GET", path)
    talk.twilio(own["twilio"], "VerificationCheck", To=NUMBERS[0], Code="000000")
    talk.control("PUT", "faults", {"faults": []})
    talk.twilio(own["twilio"], "Verifications", To="+12025550109", Channel="sms")
    return talk.answers


@pytest.fixture(scope="module")
def servers():
    frozen = ("--clock", FROZEN)
    with ringfence.Server(*frozen) as first, ringfence.Server(*frozen) as second:
        yield first, second


def test_another_server_continues_with_the_same_bytes(servers):
    first, second = servers
    own = begin(first)
    saved = snapshot(first)

    answer = restore(second, saved)

    assert answer.status_code == 201, answer.text
    assert answer.json()["credentials"] == own
    assert snapshot(second) == saved
    for (asked, one), (_, other) in zip(go_on(first, own), go_on(second, own), strict=True):
        assert one == other, asked
    assert comparable(snapshot(first)) == comparable(snapshot(second))
    assert restore(second, saved).status_code == 200
    assert snapshot(second) == saved


def test_a_restored_sandbox_survives_a_restart(servers, tmp_path):
    begin_if_missing(servers[0])
    saved = snapshot(servers[0])
    with ringfence.Server("--data", tmp_path / "data") as server:
        assert restore(server, saved).status_code == 201
        assert snapshot(server) == saved
    with ringfence.Server("--data", tmp_path / "data") as server:
        again = json.loads(snapshot(server))
    before = json.loads(saved)
    assert again["tables"] == before["tables"]
    assert again["sandbox"] == before["sandbox"] | {"starts": before["sandbox"]["starts"] + 1}


def begin_if_missing(server):
    if requests.get(f"{server.http}/control/sandboxes/twin", timeout=10).status_code == 404:
        begin(server)


def test_the_command_saves_and_loads(tmp_path):
    file = tmp_path / "twin.json"
    with ringfence.Server() as first, ringfence.Server() as second:
        begin(first)

        said = command("snapshot", "save", file, "--sandbox", "twin", "--url", first.http)
        assert said == f"saved sandbox twin to {file} ({file.stat().st_size} bytes)\n"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        said = command("snapshot", "load", file, "--sandbox", "twin", "--url", second.http)
        assert said == f"loaded sandbox twin from {file}\n"
        assert snapshot(second) == file.read_bytes()
        file.write_text('{"format": "zip"}')
        said = command("snapshot", "load", file, "--sandbox", "twin", "--url", second.http, expect=1)
        assert '$.format: expected "ringfence-snapshot"; found "zip"' in said


def test_the_default_sandbox_can_be_restored():
    with ringfence.Server() as first, ringfence.Server() as second:
        requests.put(f"{first.http}/control/subscribers/+12025550177", json={"code": "4711"}, timeout=10)
        saved = snapshot(first, "default")
        assert restore(second, saved, "default").status_code == 200
        code = requests.get(f"{second.http}/control/subscribers/+12025550177", timeout=10).json()["code"]
        assert code == "4711"


@pytest.fixture(scope="module")
def saved(servers):
    begin_if_missing(servers[0])
    return json.loads(snapshot(servers[0]))


def changed(document, *path, to):
    """A copy with another value at this path; deleted if the value is None."""
    document = copy.deepcopy(document)
    place = document
    for key in path[:-1]:
        place = place[key]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return document


def test_a_damaged_snapshot_is_refused_and_changes_nothing(servers, saved):
    server = servers[0]
    before = snapshot(server)
    tables = saved["tables"]
    row = copy.deepcopy(tables["verifications"]["rows"][0])
    place = {name: index for index, name in enumerate(tables["verifications"]["columns"])}
    kind = tables["agenda"]["columns"].index("kind")
    verifications = ("tables", "verifications", "rows")

    cases = [
        (changed(saved, "format", to="zip"), '$.format: expected "ringfence-snapshot"; found "zip"'),
        (changed(saved, "format", to=None), "$.format: missing"),
        (changed(saved, "version", to=saved["version"] - 1), f"$.version: expected {saved['version']}, the one of"),
        (changed(saved, "version", to="8"), '$.version: expected an integer; found "8"'),
        (changed(saved, "tables", to=[]), "$.tables: expected an object"),
        (changed(saved, "tables", "pigeons", to={}), "$.tables.pigeons: unknown field"),
        (changed(saved, "sandbox", "clock", to="slow"), "$.sandbox: expected a row that the table accepts"),
        (changed(saved, "sandbox", "clock", to=None), "$.sandbox.clock: missing"),
        (changed(saved, "sandbox", "name", to="x"), "$.sandbox.name: unknown field"),
        (changed(saved, "sandbox", "last_ordinal", to=1), "expected at most 1, as in $.sandbox.last_ordinal"),
        (changed(saved, "sandbox", "last_ordinal", to=2 ** 40),
         "$.sandbox.last_ordinal: expected an integer from 0 to 549755813887; found 1099511627776"),
        (changed(saved, *verifications, 0, place["ordinal"], to=0), "a row that the table accepts; found the ordinal is not from 1 to"),
        (changed(saved, "sandbox", "clock_value", to=2 ** 62), "$.sandbox.clock_value: expected an integer from"),
        (changed(saved, "memory", "requests", to=-1), "$.memory.requests: expected an integer from 0"),
        (changed(saved, "tables", "verifications", "columns", to=["ordinal"]),
         "$.tables.verifications.columns: expected the columns ordinal, provider"),
        (changed(saved, *verifications, 0, to={}),
         "$.tables.verifications.rows[0]: expected an array of 14 values"),
        (changed(saved, *verifications, 0, to=row[:-1]),
         "$.tables.verifications.rows[0]: expected an array of 14 values"),
        (changed(saved, *verifications, 0, place["series"], to=9223372036854775807),
         f"$.tables.verifications.rows[0][{place['series']}]: expected an integer from"),
        (changed(saved, *verifications, 0, place["series"], to="x"), "expected an integer from"),
        (changed(saved, *verifications, 0, place["code"], to=7),
         f"$.tables.verifications.rows[0][{place['code']}]: expected a string; found 7"),
        (changed(saved, *verifications, 0, place["code"], to={"hex": "ff"}), "expected a string; found an object"),
        (changed(saved, *verifications, 0, place["state"], to="lost"),
         "$.tables.verifications.rows[0]: expected a row that the table accepts; found CHECK"),
        (changed(saved, *verifications, 0, place["channel"], to="pigeon"),
         '$.tables.verifications: expected rows that this server wrote; found damaged row: expected a channel'),
        (changed(saved, *verifications, 1, to=row), "$.tables.verifications.rows[1]: expected a row that"),
        (changed(saved, "tables", "agenda", "rows", 0, kind, to="pigeon"), "$.tables.agenda: expected rows that"),
        (changed(saved, "tables", "rules", "rows", 0, 2, to="[]"), "$.tables.rules: expected rows that"),
        (changed(saved, "tables", "subscribers", "rows", 0, 0, to="nobody"), "$.tables.subscribers: expected rows"),
        (changed(saved, "tables", "webhook_attempts", "rows", 0, 0, to=1),
         "$.tables.webhook_attempts.rows[0]: expected a row that the table accepts; found FOREIGN KEY"),
        (changed(saved, "journal", "rows", 1, 0, to=9), "$.journal.rows[1][0]: expected 2; found 9"),
        (changed(saved, "journal", "rows", 0, 12, to="x"), "$.journal.rows[0][12]: expected an array of strings"),
    ]
    for document, message in cases:
        answer = restore(server, document)
        assert (answer.status_code, message in answer.json()["error"]) == (400, True), (message, answer.text)
        assert snapshot(server) == before, message
    assert restore(server, b"[1]").json()["error"] == "$: expected an object; found an array"
    assert restore(server, saved, "a b").status_code == 400


def test_credentials_of_another_sandbox_are_refused(servers, saved):
    answer = restore(servers[0], saved, "copy")

    assert answer.status_code == 400
    assert re.search(r"\$\.tables\.credentials\.rows\[0\]: expected a credential that no other sandbox has; delete that "
                     r"sandbox, or restore under its name; found \w+ \w+", answer.json()["error"])
    assert requests.get(f"{servers[0].http}/control/sandboxes/copy", timeout=10).status_code == 404


def test_a_snapshot_that_is_too_large_is_not_read(servers):
    answer = restore(servers[0], b" " * (32 * 1024 * 1024 + 1))

    assert answer.status_code == 413


def test_due_work_on_damaged_rows_does_not_keep_the_server_busy(tmp_path):
    """Only a provider can read the details of a verification, so restoring does not check them."""
    log = tmp_path / "log"
    with ringfence.Server("--clock", FROZEN) as first, ringfence.Server(log=log) as second:
        begin(first)
        document = json.loads(snapshot(first))
        document["sandbox"] |= {"clock": "real", "clock_value": 0}
        verifications = document["tables"]["verifications"]
        for row in verifications["rows"]:
            row[verifications["columns"].index("details")] = "x"
        assert restore(second, document).status_code == 201
        while (failures := log.read_text().count("due work failed")) < 2:
            assert second.is_alive()
        assert failures < 4
        assert requests.delete(f"{second.http}/control/sandboxes/twin", timeout=10).status_code == 204
