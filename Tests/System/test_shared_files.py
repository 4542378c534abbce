"""A verification as one file for other people: it opens from disk without a script, has no secrets, and
makes a sandbox on another server. Source: issue 50, D 3."""

import base64
import gzip
import json
import re
import subprocess

import pytest
import requests
from playwright.sync_api import expect

import chromium
import ringfence
from chromium import NUMBER
from provider_tokens import Keys

pytestmark = chromium.MARKS

HTML = {"Content-Type": "text/html"}

# Links and addresses of phones, which people have to see.
SHOWN = ("twilio_silent_url", "telesign_silent_url", "vonage_silent_url", "sinch_target", "push_token",
         "apns_token", "prove_session")
# Keys by name, but ids of accounts.
IDS = ("vonage apiKey", "sinch applicationKey")
STATE = re.compile(r'<template id="ringfence-state">([^<]*)</template>')


def share(sandbox, ordinal):
    answer = requests.get(f"{sandbox.base}/control/verifications/{ordinal}/share", timeout=20)
    assert answer.status_code == 200 and len(answer.content) < 500_000, answer.text[:300]
    assert answer.headers["Content-Disposition"] == f'attachment; filename="verification-{ordinal}.html"'
    return answer.text


def state_of(html):
    return gzip.decompress(base64.b64decode(STATE.search(html)[1])).decode()


@pytest.fixture
def failed(sandbox, twilio):
    """A locked verification, and its file."""
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    sandbox.advance("1s")
    for digit in range(6):
        twilio.send("POST", f"{twilio.service}/VerificationCheck", {"To": NUMBER, "Code": f"00000{digit}"})
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": "+12025550101", "Channel": "sms"})
    one = next(each for each in sandbox.control("GET", "verifications").json()["verifications"] if each["to"] == NUMBER)
    return one, share(sandbox, one["id"])


def test_the_file_needs_no_script_and_no_server(failed, browser, tmp_path):
    _, html = failed
    path = tmp_path / "failure.html"
    path.write_text(html)
    asked = []
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.on("request", lambda sent: asked.append(sent.url))
        page.goto(path.as_uri())

        expect(page.locator("h1")).to_have_text("+1 202 555 0100")
        expect(page.locator(".reason-box")).to_be_visible()
        expect(page.locator(".sequence .code .words")).to_be_visible()
        for text in ("curl ", "Request", "Answer"):
            expect(page.locator(".reported[open]")).to_contain_text(text)
        expect(page.locator(".facts").last).to_contain_text("Ringfence")
        assert "+12025550101" not in html and "<script" not in html
    assert asked == [path.as_uri()]


def test_another_server_goes_on_from_it(failed, tmp_path, sandbox):
    one, html = failed
    path = tmp_path / "failure.html"
    path.write_text(html)
    with ringfence.Server() as other:
        run = subprocess.run([ringfence.binary(), "open", str(path), "--url", other.http],
                             capture_output=True, text=True, timeout=30, check=False)
        assert run.returncode == 0, run.stderr
        place = run.stdout.strip()
        name = re.fullmatch(rf"{other.http}/s/([^/]+)/console/verifications/{one['id']}", place)[1]
        opened = ringfence.Sandbox(other.sandbox_described(name))
        clock = opened.control("GET", "clock").json()
        [again] = opened.control("GET", "verifications").json()["verifications"]

        assert [again[key] for key in ("to", "state", "createdAt")] == [one[key] for key in ("to", "state", "createdAt")]
        assert (clock["mode"], clock["now"]) == ("frozen", sandbox.control("GET", "clock").json()["now"])
        assert opened.credentials["twilio"] != sandbox.credentials["twilio"]
        assert "000005" in requests.get(place, timeout=10).text
        # Its app goes on with the credentials that it has here.
        own = opened.credentials["twilio"]
        answer = requests.post(
            f"{opened.base}/v2/Services/{own['serviceSid']}/VerificationCheck", timeout=10,
            auth=(own["accountSid"], own["authToken"]), data={"To": NUMBER, "Code": "123456"})
        assert answer.status_code == 429, answer.text
        # A second time: another sandbox.
        assert requests.post(f"{other.http}/control/shared-files", data=html.encode(), headers=HTML, timeout=20).status_code == 201


def test_a_file_is_dropped_on_the_page_of_sandboxes(failed, tmp_path, browser):
    one, html = failed
    path = tmp_path / "failure.html"
    path.write_text(html)
    with ringfence.Server() as other, browser.new_context(base_url=other.http) as context:
        page = context.new_page()
        page.goto("/console/sandboxes")
        page.locator("#shared-file").set_input_files(str(tmp_path / "failure.html"))
        page.wait_for_url(f"**/console/verifications/{one['id']}")
        expect(page.locator("#state")).to_have_text("exhausted")
        page.goto("/console/sandboxes")
        data = page.evaluate_handle(
            "(html) => { const data = new DataTransfer(); data.items.add(new File([html], 'x.html')); return data; }",
            "<p>other</p>")
        page.dispatch_event("main", "drop", {"dataTransfer": data})
        expect(page.locator("#toast")).to_contain_text("a file from Share this failure")


def test_no_file_has_a_secret_of_any_provider():
    with ringfence.Server() as server:
        keys = Keys(server.sandbox(name="secrets"))
        sandbox = keys.sandbox
        secrets = {name: getattr(keys, name) for name in keys.MADE}
        secrets = {name: value["Authorization"] if isinstance(value, dict) else value for name, value in secrets.items()}
        for provider, own in sandbox.credentials.items():
            secrets |= {f"{provider} {name}": value for name, value in own.items()
                        if re.search("token|secret|key$", name, re.IGNORECASE)}
        ordinals = [one["id"] for one in sandbox.control("GET", "verifications?limit=500").json()["verifications"]]
        assert ordinals

        shown = {(name, place) for ordinal in ordinals for html in [share(sandbox, ordinal)]
                 for place, text in (("page", STATE.sub("", html)), ("state", state_of(html)))
                 for name, secret in secrets.items() if len(str(secret)) > 7 and str(secret) in text}
        # Every one of them opens.
        for ordinal in ordinals:
            answer = requests.post(f"{server.http}/control/shared-files", data=share(sandbox, ordinal).encode(), headers=HTML, timeout=20)
            assert answer.status_code == 201, answer.text

    assert {each for each in shown if each[0] not in SHOWN + IDS} == set()


def packed(state):
    return f'<template id="ringfence-state">{base64.b64encode(gzip.compress(state)).decode()}</template>'


@pytest.mark.parametrize("file, why", [
    ("<p>hello</p>", "a file from Share this failure"),
    ('<template id="ringfence-state">', "a file from Share this failure"),
    ('<template id="ringfence-state">%%%</template>', "Base64"),
    ('<template id="ringfence-state">aGVsbG8=</template>', "a whole state"),
    (packed(b" " * 30_000_000), "a state of at most"),
    (packed(b"[]"), "object"),
    (packed(b"{}"), "format"),
    (packed(b'{"format":"ringfence-snapshot","version":1}'), "version"),
], ids=["page", "cut", "no-base64", "no-gzip", "bomb", "list", "nothing", "version"])
def test_other_files_are_refused_with_the_reason(server, file, why):
    answer = requests.post(f"{server.http}/control/shared-files", data=file.encode(), headers=HTML, timeout=20)

    assert answer.status_code == 400 and why in answer.json()["error"], answer.text


def test_a_changed_file_takes_nothing_from_other_sandboxes(server, failed):
    _, html = failed
    state = json.loads(state_of(html))

    def answer(**changes):
        body = packed(json.dumps({**state, **changes}).encode())
        return requests.post(f"{server.http}/control/shared-files", data=body.encode(), headers=HTML, timeout=20)

    columns = ["provider", "name", "secret", "account"]
    stolen = {"columns": columns, "rows": [["twilio", "AC" + "0" * 31 + "1", "mine", "AC" + "0" * 31 + "1"]]}
    for changes, path in (
            ({"tables": {**state["tables"], "credentials": stolen}}, "$.tables.credentials"),
            ({"accounts": {"twilio": ["A"]}}, "$.accounts.twilio[0]"),
            ({"accounts": 7}, "$.accounts"), ({"accounts": {"twilio": [7]}}, "$.accounts.twilio"),
            ({"journal": {"columns": [], "rows": []}}, "$.journal")):
        refused = answer(**changes)
        assert refused.status_code == 400 and path in refused.text, refused.text
    large = requests.post(f"{server.http}/control/shared-files", data=b"x" * 600_000, headers=HTML, timeout=20)
    assert large.status_code == 400 and "at most 500000 bytes" in large.json()["error"]
