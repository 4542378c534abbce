"""No request keeps the server busy for long: each route gets the largest requests that it allows, and none
takes over 40 ms of the processor in one turn of the loop. Source: issues 12 and 45, B5.

The server's log has each such turn. A release build (RINGFENCE_BINARY) is judged by it; a debug build is
up to ten times slower, so it gets smaller bodies and more time.
"""

import base64
import contextlib
import http.client
import json
import urllib.parse

import pytest

import largest_requests as largest
import loop_turns
import receiver
import ringfence

JSON = "application/json"
NUMBER = "+33639980000"
FROZEN = "2026-01-05T10:20:30Z"  # the time in the goldens
IS_RELEASE = "release" in str(ringfence.binary())
LIMIT = 40 if IS_RELEASE else 400  # ms
SHARE = 1 if IS_RELEASE else 32  # a debug build gets this part of the largest body
LARGEST_ANSWER = 8 << 20  # bytes: a request in the journal with both bodies, escaped
# Routes that answer when something has happened, and others that are no single request.
SKIPPED = {("control", "setClock")}


def wide(count, item):
    """An object with many members, as text."""
    return "{" + ",".join(f'"n{index:05}":{item}' for index in range(count)) + "}"


class Sender:
    """Sends requests over one connection, and finds the long turns of the server's loop."""

    def __init__(self, server, sandbox, log):
        self.server, self.sandbox = server, sandbox
        self.connection = http.client.HTTPConnection(*server.address, timeout=60)
        self.log = open(log, errors="replace")
        self.labels = ["", ""]
        self.long_turns = []

    def headers(self, owner):
        def basic(name, secret):
            return {"Authorization": "Basic " + base64.b64encode(f"{name}:{secret}".encode()).decode()}

        own = self.sandbox.credentials
        if owner == "twilio":
            return basic(own["twilio"]["accountSid"], own["twilio"]["authToken"])
        if owner == "telesign":
            return basic(own["telesign"]["customerId"], own["telesign"]["apiKey"])
        if owner == "sinch":
            return {"Authorization": f"Bearer {own['sinch']['apiToken']}"}
        if owner == "prelude":
            return {"Authorization": f"Bearer {own['prelude']['apiToken']}"}
        return {}

    def send(self, owner, method, path, label, body=None, kind=JSON):
        headers = self.headers(owner)
        if body is not None:
            headers["Content-Type"] = kind
        return self.exchange(f"{method} {path.split('?')[0]}: {label}", method, f"/s/{self.sandbox.name}{path}", body, headers)[0]

    def exchange(self, label, method, target, body, headers):
        self.connection.request(method, target, body.encode() if isinstance(body, str) else body, headers)
        answer = self.connection.getresponse()
        status, text = answer.status, answer.read()
        if status == 101:
            self.connection.close()
        # The line of a turn can come after its answer.
        self.labels = [self.labels[1], label]
        self.long_turns += [(turn.worked, self.labels) for turn in self.new_turns() if turn.worked > LIMIT]
        assert status != 500, label
        assert len(text) <= LARGEST_ANSWER, f"{label}: {len(text)} bytes"
        return status, text

    def new_turns(self):
        return loop_turns.in_text(self.log.read())

    def check(self):
        self.connection.close()
        assert self.server.stop() == 0
        self.long_turns += [(turn.worked, self.labels) for turn in self.new_turns() if turn.worked > LIMIT]
        assert not self.long_turns, "\n".join(
            f"{worked:.0f} ms: {last}, or before it {earlier}" for worked, (earlier, last) in self.long_turns)


@pytest.fixture
def sender(tmp_path):
    log = tmp_path / "log"
    with ringfence.Server(*loop_turns.LOGGED, log=log) as server:
        yield Sender(server, server.sandbox(), log)


class Goldens(Sender):
    """Sends requests of goldens to the default sandbox of a server, with the ids that this server has
    given."""

    def __init__(self, server, log):
        super().__init__(server, server.sandbox(seed=2), log)
        self.host = f"{server.address[0]}:{server.address[1]}"
        self.ids = {}

    def learn(self, expected, found):
        """Maps the ids in the answer of a golden to those in this server's answer."""
        if isinstance(expected, dict) and isinstance(found, dict):
            for name in expected.keys() & found.keys():
                self.learn(expected[name], found[name])
        elif isinstance(expected, list) and isinstance(found, list):
            for one, other in zip(expected, found):
                self.learn(one, other)
        elif isinstance(expected, str) and isinstance(found, str) and len(expected) >= 8 and expected != found:
            self.ids[expected] = found

    def mapped(self, text):
        for expected, found in self.ids.items():
            text = text.replace(expected, found)
        return text

    def ask(self, request, label, body=None, kind=None, target=None):
        headers = {header["name"]: self.mapped(header["value"]) for header in request["headers"]}
        if headers.get("Host", "127.0.0.1:5550") == "127.0.0.1:5550":
            headers["Host"] = self.host
        if body is not None:
            headers["Content-Type"] = kind
        elif request["body"]:
            body = self.mapped(request["body"])
        label = f"{request['group']} {request['route']}: {label}"
        # An event stream has no end.
        method = "HEAD" if request["route"] in ("streamEvents", "streamBoard") else request["method"]
        return self.exchange(label, method, self.mapped(target or request["target"]), body, headers)

    def prepare(self, requests):
        """Sends the requests as they are, so that those with ids find something."""
        for request in requests:
            if request["status"] < 300 and not largest.is_late(request):
                status, text = self.ask(request, "as it is")
                if status < 300 and request["answer"] and text[:1] in (b"{", b"["):
                    self.learn(request["answer"], json.loads(text))
        self.new_turns()


@pytest.mark.timeout(900)
@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.slow)])
def test_every_route_answers_its_largest_requests_in_time(every, tmp_path):
    log = tmp_path / "log"
    with ringfence.Server("--clock", FROZEN, *loop_turns.LOGGED, log=log) as server:
        goldens = Goldens(server, log)
        found = largest.goldens()
        goldens.prepare(found)
        for request in sorted(largest.base_requests(found), key=largest.is_late)[::every]:
            for label, target in largest.enlarged_targets(request):
                goldens.ask(request, label, target=target)
            if request["method"] not in ("POST", "PUT", "PATCH") or (request["group"], request["route"]) in SKIPPED:
                continue
            room = (largest.SEED if request["route"] == "seed" else largest.BODY) // SHARE
            texts = largest.TEXTS if every == 1 else largest.USUAL_TEXT
            for label, kind, body in largest.enlarged_bodies(request, room, texts):
                goldens.ask(request, label, body=body, kind=kind)
        goldens.check()


def test_no_route_is_left_out(server):
    connection = http.client.HTTPConnection(*server.address, timeout=60)
    connection.request("GET", "/control/openapi.json")
    openapi = json.loads(connection.getresponse().read())
    known = {(request["group"], request["route"]) for request in largest.base_requests(largest.goldens())}

    assert set(largest.mounted_routes(openapi)) - known == set()
    assert len(known) > 200


def test_valid_requests_with_full_lists(sender):
    """The largest requests that are accepted."""
    variables = wide(9_000, '"x"')
    faults = [{"provider": "prelude", "number": f"+1202555{index:04}", "status": 500} for index in range(100)]
    scenarios = [{"match": {"number": f"+1202555{index:04}"}, "outcome": "undeliverable"} for index in range(100)]
    consent = {f"Purpose{index}": "denied" for index in range(100)}
    notify = f'{{"template_id":"any","to":"{NUMBER}","variables":{variables}}}'
    addons = f'{{"addons":{wide(100, "{}")}}}'
    too_many = f'{{"addons":{wide(9_000, "{}")}}}'

    assert sender.send("prelude", "POST", "/v2/notify", "9,000 variables", notify) == 200
    assert sender.send("telesign", "POST", "/v1/phoneid/33639980000", "100 add-ons", addons) == 200
    assert sender.send("telesign", "POST", "/v1/phoneid/33639980000", "9,000 add-ons", too_many) == 400
    assert sender.send("control", "PUT", "/control/faults", "100 faults", json.dumps({"faults": faults})) == 200
    assert sender.send("prelude", "POST", "/v2/notify", "9,000 variables, 100 faults", notify) == 200
    body = json.dumps({"scenarios": scenarios})
    assert sender.send("control", "PUT", "/control/scenarios", "100 scenarios", body) == 200
    subscriber = f"/control/subscribers/{NUMBER}"
    assert sender.send("control", "PUT", subscriber, "100 consents", json.dumps({"consent": consent})) == 200
    batches = f"/xms/v1/{sender.sandbox.credentials['sinch']['servicePlanId']}/batches"
    numbers = [f"1{area}5550{ending}" for area in (201, 202, 203, 205, 206, 207, 208, 209, 210, 212) for ending in range(100, 200)]
    text = ("Read me before noon. " * 100)[:1_600]
    many = {"to": numbers, "from": "Shop", "body": text}
    own = {"parameters": {f"p{each}": {number: "x" * 150 for number in numbers} for each in range(5)},
           "body": "".join("${p%d}" % each for each in range(5))}
    assert sender.send("sinch", "POST", batches, "1,000 numbers", json.dumps(many)) == 201
    assert sender.send("sinch", "POST", batches, "5,000 parameters", json.dumps({**many, **own})) == 201
    assert sender.send("sinch", "POST", f"{batches}/dry_run?per_recipient=true", "5,000 parameters", json.dumps({**many, **own})) == 200
    assert sender.send("sinch", "GET", f"{batches}?page_size=100", "long batches") == 200
    form = urllib.parse.urlencode({"recipients": ",".join(f"{number}:{'x' * 24}" for number in numbers), "template": text})
    assert sender.send("telesign", "POST", "/v1/verify/bulk_sms", "1,000 numbers", form, "application/x-www-form-urlencoded") == 200
    seed = {"subscribers": [{"number": f"+1202555{index:04}"} for index in range(1_900)]}
    assert sender.send("control", "POST", "/control/seed", "1,900 subscribers", json.dumps(seed)) == 200
    seed = {"prelude": {"allowList": [f"+1202556{index:04}" for index in range(2_000)]}}
    assert sender.send("control", "POST", "/control/seed", "an allow list of 2,000 numbers", json.dumps(seed)) == 200
    sender.check()


def test_the_largest_documents_of_calls(sender):
    """Of the greatest size, with as many verbs as allowed, in a circle, and with keys in a circle."""
    circle = '<Gather numDigits="1" timeout="0"><Say>Press 1</Say></Gather>' + "<Say>4 8 2 9 1 3</Say>" * 600
    verbs = {
        "texts": "<Say>4 8 2 9 1 3</Say>" * 900, "long texts": f'<Say loop="20">{"4 8 2 " * 600}</Say>' * 17,
        "keys": '<Gather timeout="1" input="speech"><Say>Press</Say></Gather>' * 300,
        "redirects": "<Redirect/>", "keys and redirects": f"{circle}<Redirect/>"}
    path = f"/2010-04-01/Accounts/{sender.sandbox.credentials['twilio']['accountSid']}/Calls.json"
    for label, content in verbs.items():
        document = f"<Response>{content}</Response>"
        assert len(document) < 65_536
        with receiver.App(lambda *_: (200, "text/xml", document)) as app:
            form = urllib.parse.urlencode({"To": NUMBER, "From": "+12025550199", "Url": app.url})
            assert sender.send("twilio", "POST", path, label, form, "application/x-www-form-urlencoded") == 201
            for time in "10s", "4h":
                sender.sandbox.advance(time)
            # The apology would be the only text.
            said = sender.sandbox.control("GET", f"inbox/{NUMBER}/latest").json()["text"]
            assert "sorry" not in said or label == "redirects"
    sender.check()


@pytest.mark.slow
def test_lists_of_a_long_history(sender):
    """The webhooks of each verification are looked up, not searched for. The clock is frozen: nothing is
    sent."""
    for index in range(1_000):
        body = {"target": {"type": "phone_number", "value": f"+33613{index:06}"},
                "options": {"callback_url": "http://127.0.0.1:9/hook"}}
        assert sender.send("prelude", "POST", "/v2/verification", "", json.dumps(body)) == 200

    took = {}
    for name, limit in (("verifications", 200), ("webhooks", 1_000)):
        before = sender.server.loop_seconds()
        assert sender.send("control", "GET", f"/control/{name}?limit={limit}", f"{limit} entries") == 200
        took[name] = sender.server.loop_seconds() - before
    listed = sender.sandbox.control("GET", "verifications", params={"number": "+33613000999"}).json()["verifications"]

    assert len(listed) == 1 and len(listed[0]["webhooks"]) >= 1
    # A search through all webhooks for each verification takes much longer than the list of webhooks.
    assert took["verifications"] < 2 * took["webhooks"]
    sender.check()


def test_lists_have_limits(sandbox):
    """Each list has its own error."""
    many = [{"number": f"+1202{index:07}"} for index in range(2_001)]
    cases = [
        ("PUT", "faults", {"faults": [{"status": 500}] * 101}, "$.faults: expected at most 100 faults; found 101"),
        ("PUT", "scenarios", {"scenarios": [{"outcome": "busy"}] * 101},
         "$.scenarios: expected at most 100 scenarios; found 101"),
        ("POST", "seed", {"subscribers": many}, "$.subscribers: expected at most 2000 subscribers; found 2001"),
        ("POST", "seed", {"twilio": {"services": [{}] * 1_001}},
         "$.twilio.services: expected at most 1000 services; found 1001"),
        ("PUT", "subscribers/+12025550100", {"consent": {str(index): "denied" for index in range(101)}},
         "$.consent: expected at most 100 purposes; found 101"),
        ("PUT", "subscribers/+12025550100", {"optOut": ["x"] * 301}, "$.optOut: expected at most 300 items; found 301"),
        ("POST", "clock", {"advance": [0] * 100_000}, "at most 100000 values in the document"),
    ]
    for method, path, body, message in cases:
        answer = sandbox.control(method, path, json=body, expect=(400,))
        assert message in answer.json()["error"]


def test_waiting_requests_cost_other_requests_little(sender):
    """1,000 requests wait for a message; a create in the same sandbox and in another one stays fast."""
    other = sender.server.sandbox()
    with contextlib.ExitStack() as held:
        for index in range(1_000):
            connection = http.client.HTTPConnection(*sender.server.address, timeout=60)
            connection.request("GET", f"/s/{other.name}/control/inbox/+1202555{index:04}/latest/code?wait=60")
            held.callback(connection.close)
        body = json.dumps({"target": {"type": "phone_number", "value": NUMBER}})
        for sandbox in (sender.sandbox, other):
            sender.sandbox = sandbox
            for label in ("first", "second", "third"):
                assert sender.send("prelude", "POST", "/v2/verification", f"1,000 waiting, {label}", body) == 200
        sender.check()
