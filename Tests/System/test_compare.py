"""`ringfence compare`: recordings of a provider, which is another sandbox here, against a fresh one."""

import copy
import json
import os
import subprocess

import pytest
import requests
import vcr
from vcr.serializers import yamlserializer
from telesign.messaging import MessagingClient
from twilio.rest import Client

import chromium
import ringfence

pytestmark = chromium.MARKS

NUMBER = "+14158675309"  # a number that may be real: nothing is known about it
SERVICE = "VAfedcba98765432100123456789abcdef"
OTHER_NETWORK = {"number": NUMBER, "operator": "Wren Mobile", "mcc": "310", "mnc": "410", "lineType": "fixed_voip"}


class Provider:
    """A sandbox that plays the real providers, under their host names, and records as vcrpy does."""

    def __init__(self, sandbox, folder):
        self.sandbox, self.folder, self.host = sandbox, folder, None
        self.path = folder / "cassette.json"

    def _real(self, text):
        """With the provider's host, and a Service that no sandbox has."""
        service = self.sandbox.credentials["twilio"]["serviceSid"]
        return text.replace(self.sandbox.base, f"https://{self.host}").replace(service, SERVICE)

    def _shown(self, request):
        if "/control/" in request.uri:
            return None
        request.uri = self._real(request.uri)
        return request

    def _answered(self, response):
        response["body"]["string"] = self._real(response["body"]["string"].decode()).encode()
        return response

    def record(self, host, **options):
        self.host = host
        return vcr.VCR(serializer="json", record_mode="all", before_record_request=self._shown,
                       before_record_response=self._answered, decode_compressed_response=True,
                       **options).use_cassette(str(self.path))


@pytest.fixture
def provider(server, tmp_path):
    sandbox = server.sandbox(clock="2025-03-04T05:06:07Z", seed=77)
    sandbox.seed(subscribers=[OTHER_NETWORK])
    yield Provider(sandbox, tmp_path)
    sandbox.delete()


def compare(path, *flags, status=0):
    """Runs the command; the result is its output."""
    done = subprocess.run([str(ringfence.binary()), "compare", str(path), *map(str, flags)],
                          capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout if status != 2 else done.stdout + done.stderr


def differences(path, status=1):
    found = json.loads(compare(path, "--json", status=status))["differences"]
    return [(one["place"], one["kind"], one["recorded"], one["here"]) for one in found]


def sign_in(provider, **options):
    """A whole sign-in with Twilio's client: wrong code, right code, a code that has expired."""
    own = provider.sandbox.credentials["twilio"]
    client = Client(own["accountSid"], own["authToken"])
    client.verify.base_url = provider.sandbox.base
    service = client.verify.v2.services(own["serviceSid"])
    with provider.record("verify.twilio.com", **options):
        made = service.verifications.create(to=NUMBER, channel="sms")
        code = provider.sandbox.code(NUMBER)
        service.verification_checks.create(to=NUMBER, code=ringfence.different(code))
        provider.sandbox.advance("20s")
        service.verifications(made.sid).fetch()
        assert service.verification_checks.create(verification_sid=made.sid, code=code).status == "approved"
        service.verifications.create(to=NUMBER, channel="call")
        provider.sandbox.advance("11m")
        for refused in ({"to": NUMBER, "code": "1234567"}, {"to": NUMBER}):
            with pytest.raises(Exception):
                service.verification_checks.create(**refused)
        service.fetch()
    return json.loads(provider.path.read_text())


def write(path, cassette):
    path.write_text(json.dumps(cassette))
    return path


def body(interaction):
    return json.loads(interaction["response"]["body"]["string"])


def changed(cassette, index, change):
    """The cassette with one answer changed by a function, which gets its body."""
    cassette = copy.deepcopy(cassette)
    answer = body(cassette["interactions"][index])
    change(answer)
    cassette["interactions"][index]["response"]["body"]["string"] = json.dumps(answer)
    return cassette


def test_a_sign_in_is_the_same(provider):
    cassette = sign_in(provider)
    assert len(cassette["interactions"]) == 8

    assert "No differences in 8 requests." in compare(provider.path)


def test_recordings_without_credentials_are_the_same(provider):
    sign_in(provider, filter_headers=["authorization"])

    text = compare(provider.path)

    assert "no valid credentials for twilio" in text.replace("\n", " ")


def test_a_refusal_for_wrong_credentials_is_the_same(provider):
    own = provider.sandbox.credentials["twilio"]
    with provider.record("verify.twilio.com"):
        answer = requests.post(
            f"{provider.sandbox.base}/v2/Services/{own['serviceSid']}/Verifications",
            data={"To": NUMBER, "Channel": "sms"}, auth=(own["accountSid"], "wrong"), timeout=10)
        assert answer.status_code == 401

    assert "No differences in 1 request." in compare(provider.path)


def test_signed_requests_and_codes_in_queries(provider):
    own = provider.sandbox.credentials["telesign"]
    client = MessagingClient(own["customerId"], own["apiKey"], rest_endpoint=provider.sandbox.base)
    with provider.record("rest-ww.telesign.com"):
        made = client.post("/v1/verify/sms", phone_number=NUMBER[1:]).json
        code = provider.sandbox.code(NUMBER)
        for given in (ringfence.different(code), code):
            client.get(f"/v1/verify/{made['reference_id']}", verify_code=given)

    assert "No differences in 3 requests." in compare(provider.path)


def test_codes_in_json(provider):
    token = provider.sandbox.credentials["prelude"]["apiToken"]
    def send(path, **parts):
        target = {"target": {"type": "phone_number", "value": NUMBER}, **parts}
        answer = requests.post(f"{provider.sandbox.base}{path}", json=target, timeout=10,
                               headers={"Authorization": f"Bearer {token}"})
        assert answer.ok, answer.text
        return answer.json()
    with provider.record("api.prelude.dev"):
        send("/v2/verification")
        code = provider.sandbox.code(NUMBER)
        assert send("/v2/verification/check", code=ringfence.different(code))["status"] == "failure"
        assert send("/v2/verification/check", code=code)["status"] == "success"

    assert "No differences in 3 requests." in compare(provider.path)


def test_tokens_and_ids_of_answers_are_sent_with_later_requests(provider):
    own = provider.sandbox.credentials["prove"]
    url = f"{provider.sandbox.base}/prove"
    provider.sandbox.base, base = url, provider.sandbox.base
    with provider.record("platform.uat.proveapis.com"):
        token = requests.post(f"{url}/token", timeout=10, data={
            "grant_type": "client_credentials", "client_id": own["clientId"], "client_secret": own["clientSecret"]})
        bearer = {"Authorization": f"Bearer {token.json()['access_token']}"}
        unified = requests.post(f"{url}/v3/unify", headers=bearer, timeout=10,
                                json={"possessionType": "mobile", "phoneNumber": "2001004014"})
        assert unified.ok, unified.text
        status = requests.post(f"{url}/v3/unify-status", headers=bearer, timeout=10,
                               json={"correlationId": unified.json()["correlationId"]})
        assert status.ok, status.text
    provider.sandbox.base = base

    assert "No differences in 3 requests." in compare(provider.path)
    assert own["clientSecret"] in provider.path.read_text(), "the recording has what the output must not have"


def test_facts_of_a_number_are_not_compared(provider):
    own = provider.sandbox.credentials["twilio"]
    with provider.record("lookups.twilio.com"):
        answer = requests.get(f"{provider.sandbox.base}/v2/PhoneNumbers/{NUMBER}",
                              params={"Fields": "line_type_intelligence"},
                              auth=(own["accountSid"], own["authToken"]), timeout=10)
        assert answer.json()["line_type_intelligence"]["carrier_name"] == "Wren Mobile"

    text = compare(provider.path)

    assert "No differences in 1 request." in text
    assert "$.line_type_intelligence.carrier_name" in text
    assert "depend on the phone number" in text.replace("\n", " ")


def test_an_operation_that_is_not_emulated(provider):
    cassette = sign_in(provider)
    number = NUMBER.removeprefix("+")
    cassette["interactions"][0]["request"]["uri"] = f"https://verify.twilio.com/v2/Things/{SERVICE}/Of/{number}?a=1"

    assert "twilio unknown path  POST /v2/Things/{id}/Of/14" in compare(write(provider.path, cassette), status=1)
    found = [place for place, kind, *_ in differences(provider.path) if kind == "not emulated"]
    assert found == ["POST /v2/Things/{id}/Of/14•••••••09"]


def test_a_cassette_in_yaml(provider):
    cassette = sign_in(provider)
    provider.path.write_text(yamlserializer.serialize(cassette))

    assert "No differences in 8 requests." in compare(provider.path)


def test_answers_without_a_body_are_not_equal(provider):
    cassette = sign_in(provider)
    for interaction in cassette["interactions"][-3:]:
        del interaction["response"]["body"]

    text = compare(write(provider.path, cassette), status=3)
    assert "No differences in what was recorded of 8 requests." in text
    assert "3 answers had no body: not compared." in text
    assert json.loads(compare(provider.path, "--json", status=3))["withoutBody"] == 3


def test_times_are_shown_although_a_code_is_in_them(provider):
    cassette = changed(sign_in(provider), 0, lambda answer: answer.update(
        date_created="2024-03-04T05:06:07Z", note="since 2025-03-04T05:06:07Z"))
    cassette["interactions"][1]["request"]["body"] += "&Note=2025&Other=2024"

    found = differences(write(provider.path, cassette))
    assert ("$.date_created", "time", "2024-03-04T05:06:07Z", "2025-03-04T05:06:07Z") in found
    assert ("$.note", "missing", "since 2025-03-04T05:06:07Z", None) in found


def test_secrets_are_in_no_output(provider):
    cassette = sign_in(provider)
    own = provider.sandbox.credentials["twilio"]
    texts = [own["authToken"], NUMBER, NUMBER[2:], "1234567"]
    for interaction in cassette["interactions"]:
        answer = body(interaction)
        # Each is where a difference shows it.
        answer.update(note=f"{own['authToken']} sent to {NUMBER}", access_token="tell-nobody", to=f"of {NUMBER}")
        interaction["response"]["body"]["string"] = json.dumps(answer)
        sent = interaction["request"]["body"] or ""
        texts += [field.split("=")[1] for field in sent.split("&") if field.startswith("Code=")]
    html = provider.folder / "report.html"

    text = compare(write(provider.path, cassette), "--html", html, status=1)
    text += compare(provider.path, "--json", status=1)

    for secret in [*texts, "tell-nobody"]:
        assert secret not in text and secret not in html.read_text(), secret
    assert "+14•••••••09" in html.read_text()


def test_control_characters_of_a_recording_are_visible(provider):
    """Issue 45, C8."""
    cassette = changed(sign_in(provider), 0, lambda answer: answer.update(status="\x1b[2J\x9b1m"))

    text = compare(write(provider.path, cassette), status=1)
    assert r"recorded  \x1B[2J\x9B1m" in text and "\x1b" not in text + compare(provider.path, "--json", status=1)
    assert ("$.status", "text", "\x1b[2J\x9b1m", "pending") in differences(provider.path)


def test_lines_are_at_most_80_columns(provider):
    cassette = changed(sign_in(provider), 0, lambda answer: answer.update(
        {"a_rather_long_name_of_a_member_" * 4: 1, "text": "words and more " * 30}))

    assert max(map(len, compare(write(provider.path, cassette), status=1).splitlines())) <= 80


@pytest.mark.parametrize("content, message", [
    ("{", "expected a member name in double quotes at byte 1"),
    ("interactions:\n- 'request\n", "line 3: expected a text that ends with '; found the end"),
    ('{"log":{"entries":[]}}', "No request to a provider was found."),
    ('{"interactions":[{"request":{"uri":"https://verify.twilio.com/"}}],"version":1}',
     "$.interactions[0].response: missing; expected an object"),
])
def test_a_bad_recording_is_status_2(tmp_path, content, message):
    path = tmp_path / "bad.json"
    path.write_text(content)

    assert message in compare(path, status=2)


def test_the_page_shows_what_the_documented_examples_give():
    examples = ringfence.ROOT / "Docs/Examples/compare/documented.har"

    assert compare(examples, status=1) in (ringfence.ROOT / "Docs/Compare.md").read_text()


def test_a_missing_file_is_status_2(tmp_path):
    assert "No such file" in compare(tmp_path / "none.har", status=2)


@pytest.mark.parametrize("link", [lambda path, _: path, os.symlink, os.link], ids=["path", "symlink", "hard link"])
def test_the_html_does_not_overwrite_the_recording(tmp_path, link):
    recording = write(tmp_path / "recording.har", {"log": {"entries": []}})
    html = link(recording, tmp_path / "report.html") or tmp_path / "report.html"
    before = recording.read_bytes()

    assert f"--html: {html} is the recording" in compare(recording, "--html", html, status=2)
    assert recording.read_bytes() == html.read_bytes() == before


def test_the_html_opens_from_disk(provider, browser):
    cassette = changed(sign_in(provider), 0, lambda answer: answer.update(status="approved"))
    path = provider.folder / "report.html"
    compare(write(provider.path, cassette), "--html", path, status=1)
    problems = []
    page = browser.new_context(offline=True).new_page()
    page.on("console", lambda message: problems.append(message.text))

    page.goto(path.as_uri())

    assert page.get_by_role("row").nth(1).inner_text().split("\t")[:4] == ["$.status", "text", "approved", "pending"]
    assert problems == []
