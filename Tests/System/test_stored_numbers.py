"""No number in a snapshot ends the process: a record that was restored is read like any other input. Source:
issue 45, A2.

Each number of a sandbox in which every provider has records is replaced by extreme ones; then everything is
read, and every provider goes on. An error is a fine answer.
"""

import copy
import json

import pytest
import requests

import ringfence
from provider_tokens import Keys

EXTREMES = (0, 10_000_000, 1 << 40, 253_402_300_799_999, -(2**63), 2**63 - 1, -62_135_596_800_000, -1)
# Those that ended the process, and one that is added to.
SAMPLE = ("verifications series", "verifications details codeSize", "calls record repeats", "records twilio hits hits")
NUMBERS = [f"+1202555010{ending}" for ending in range(8)]
PAGES = ("control/verifications", "control/messages", "control/inbox", "control/webhooks", "control/events", "control/journal",
         "control/devices", "control/pushes", "control/faults", "control/clock", "control/sandboxes/{name}",
         "control/sandboxes/{name}/export", "control/sandboxes/{name}/snapshot", "control/sandboxes/{name}/report",
         "console/timeline", "console/phones", "console/break", "console/search?q=1202", "console/settings")


class Providers:
    """Requests to the providers of a sandbox, with its first credentials: a restored one keeps them."""

    def __init__(self, sandbox):
        own = sandbox.credentials
        self.twilio = (own["twilio"]["accountSid"], own["twilio"]["authToken"])
        self.service = f"/v2/Services/{own['twilio']['serviceSid']}"
        self.telesign = (own["telesign"]["customerId"], own["telesign"]["apiKey"])
        self.sinch = (own["sinch"]["applicationKey"], own["sinch"]["applicationSecret"])
        self.vonage = (own["vonage"]["apiKey"], own["vonage"]["apiSecret"])
        self.prelude = {"Authorization": f"Bearer {own['prelude']['apiToken']}"}
        self.requests = []  # at Vonage, of the first use

    def use(self, base):
        """Starts and checks verifications, also such as an earlier call has left."""
        def post(path, **named):
            return requests.post(base + path, timeout=30, **named)

        for place, number in enumerate(NUMBERS):
            form = {"To": number, "Channel": "call" if place == 0 else "sms", "RateLimits": '{"ip":"1"}'}
            post(f"{self.service}/Verifications", data=form, auth=self.twilio)
            post(f"{self.service}/VerificationCheck", data={"To": number, "Code": "000000"}, auth=self.twilio)
        for number in ("+33639980050", "+33612345678"):
            target = {"target": {"type": "phone_number", "value": number}}
            post("/v2/verification", json={**target, "options": {"callback_url": "http://127.0.0.1:9/"}}, headers=self.prelude)
            post("/v2/verification/check", json={**target, "code": "000000"}, headers=self.prelude)
        policy = [{"method": "sms", "fallback_time": 60}, {"method": "voice"}]
        post("/verification", json={"recipient": {"phone_number": NUMBERS[3][1:]}, "verification_policy": policy},
             auth=self.telesign)
        for method in ("sms", "flashcall", "callout"):
            identity = {"type": "number", "endpoint": NUMBERS[5]}
            post("/verification/v1/verifications", json={"identity": identity, "method": method}, auth=self.sinch)
        workflow = [{"channel": channel, "to": NUMBERS[6][1:]} for channel in ("sms", "voice")]
        key = {"api_key": self.vonage[0], "api_secret": self.vonage[1]}
        for started in self.requests:
            post(f"/v2/verify/{started}/next-workflow", auth=self.vonage)
            post("/vonage/verify/control/json", data={**key, "request_id": started, "cmd": "trigger_next_event"})
        newest = [post("/v2/verify", json={"brand": "Acme", "workflow": workflow}, auth=self.vonage),
                  post("/vonage/verify/json", data={**key, "number": NUMBERS[7][1:], "brand": "Acme"})]
        self.requests = self.requests or [answer.json()["request_id"] for answer in newest]
        for found in requests.get(f"{base}/control/verifications?limit=100", timeout=30).json().get("verifications", []):
            requests.get(f"{base}/console/verifications/{found['id']}", timeout=30)


class Restored:
    """A snapshot of a sandbox in which every provider has records, and a server to restore it on."""

    def __init__(self):
        self.server = ringfence.Server()
        sandbox = self.server.sandbox(name="stored")
        Keys(sandbox)
        self.providers = Providers(sandbox)
        limit = requests.post(f"{sandbox.base}{self.providers.service}/RateLimits", data={"UniqueName": "ip"},
                              auth=self.providers.twilio, timeout=30).json()
        requests.post(f"{sandbox.base}{self.providers.service}/RateLimits/{limit['sid']}/Buckets",
                      data={"Max": 4, "Interval": 600}, auth=self.providers.twilio, timeout=30)
        self.providers.use(sandbox.base)
        self.saved = sandbox.control("GET", "sandboxes/stored/snapshot").json()

    def survives(self, document):
        """False if the process ended."""
        base = f"{self.server.http}/s/stored"
        try:
            answer = requests.put(f"{self.server.http}/control/sandboxes/stored/snapshot", json=document, timeout=60)
            assert answer.status_code in (200, 201, 400), answer.text
            if answer.ok:
                for page in PAGES:
                    requests.get(f"{base}/{page.format(name='stored')}", timeout=60)
                self.providers.use(base)
                requests.post(f"{base}/control/clock", json={"advance": "20m"}, timeout=60)
            return True
        except requests.ConnectionError:
            self.server.kill()
            self.server = ringfence.Server()
            return False


def rows_by_table(document):
    return {**document["tables"], "journal": document["journal"]}


def numbers(value, path=()):
    """The paths of the numbers in a JSON value, without the indices of lists."""
    if isinstance(value, dict):
        return {found for name, member in value.items() for found in numbers(member, (*path, name))}
    if isinstance(value, list):
        return {found for member in value for found in numbers(member, path)}
    return {path} if type(value) is int else set()


def document_in(cell):
    """The JSON in a text; None for other cells."""
    if isinstance(cell, str) and cell[:1] in ("{", "["):
        try:
            return json.loads(cell)
        except ValueError:
            pass
    return None


def cells(document):
    """Each cell: its row, its index, its place such as `calls record`, and its value or the JSON in it."""
    for table, content in rows_by_table(document).items():
        for row in reversed(content["rows"]):
            for index, column in enumerate(content["columns"]):
                # The records of providers differ by their kinds.
                kind = (table, row[0], row[1]) if table == "records" else (table, column)
                inner = document_in(row[index])
                yield row, index, kind, row[index] if inner is None else inner


def places(document):
    """Such as `verifications details codeSize`: table, column, and what leads to a number in its text."""
    return sorted({" ".join((*kind, *path)) for _, _, kind, value in cells(document) for path in numbers(value)})


def replaced(value, path, number):
    if isinstance(value, list):
        return [replaced(member, path, number) for member in value]
    if isinstance(value, dict) and path:
        return {**value, path[0]: replaced(value.get(path[0]), path[1:], number)} if path[0] in value else value
    return number if not path and type(value) is int else value


def changed(document, place, number, most):
    """The same with this number at a place, in so many rows at most: the last ones."""
    document = copy.deepcopy(document)
    for row, index, kind, value in cells(document):
        for path in numbers(value):
            if " ".join((*kind, *path)) == place and most > 0:
                new = replaced(value, path, number)
                row[index] = json.dumps(new) if isinstance(row[index], str) else new
                most -= 1
    return document


@pytest.fixture(scope="module")
def restored():
    restored = Restored()
    yield restored
    restored.server.kill()


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("some, extremes, rows", [
    (SAMPLE, EXTREMES[-3:], (1000,)), pytest.param(None, EXTREMES, (1, 1000), marks=pytest.mark.slow)])
def test_no_number_in_a_snapshot_ends_the_process(restored, some, extremes, rows):
    known = places(restored.saved)
    assert set(some or ()) <= set(known), known

    ended = [f"{place} = {number}" for place in some or known for number in extremes for most in rows
             if not restored.survives(changed(restored.saved, place, number, most))]

    assert ended == []
