"""The page of a request: programs that repeat it, sending it again, and the time that the answer took."""

import os
import subprocess
import sys

import pytest
from playwright.sync_api import expect

import chromium
import telesign_signing
from chromium import NUMBER, phone

pytestmark = chromium.MARKS

RUNNERS = {"curl": ["bash", "-euo", "pipefail", "-c"], "Python": [sys.executable, "-c"],
           "Node": ["node", "--input-type=module", "-e"]}
TRICKY = "a\"b'c\\d\ne\tf$HOME`g`é日"


def telesign(sandbox):
    own = sandbox.credentials["telesign"]
    now = telesign_signing.instant(sandbox.control("GET", "clock").json()["now"])
    return telesign_signing.Caller(
        sandbox.base, own["customerId"], telesign_signing.decoded(own["apiKey"]), now)


def post(sandbox, path, auth=None, **named):
    return sandbox.session.post(sandbox.base + path, auth=auth, timeout=20, **named)


def send_form(sandbox):
    own = sandbox.credentials["twilio"]
    post(sandbox, f"/v2/Services/{own['serviceSid']}/Verifications", (own["accountSid"], own["authToken"]),
         data={"To": NUMBER, "Channel": "sms", "CustomFriendlyName": TRICKY},
         headers={"X-Trace": "it's \"1\" \\ $HOME"})


def send_json(sandbox):
    # Refused or not: the same bytes must arrive again.
    post(sandbox, "/v2/verification", json={
        "target": {"type": "phone_number", "value": NUMBER}, "metadata": {"correlation_id": TRICKY}},
        headers={"Authorization": f"Bearer {sandbox.credentials['prelude']['apiToken']}"})


def send_signed(sandbox):
    assert telesign(sandbox).post("/v1/verify/sms", "phone_number=12025550100").status_code == 200


def send_bytes(sandbox):
    own = sandbox.credentials["twilio"]
    post(sandbox, f"/v2/Services/{own['serviceSid']}/Verifications", (own["accountSid"], own["authToken"]),
         data=b"To=\xff\xfe\x00'", headers={"Content-Type": "application/octet-stream"})


def variables(sandbox):
    own = {name: sandbox.credentials[name] for name in ("twilio", "telesign", "prelude")}
    return {
        "TWILIO_ACCOUNT_SID": own["twilio"]["accountSid"], "TWILIO_AUTH_TOKEN": own["twilio"]["authToken"],
        "TELESIGN_CUSTOMER_ID": own["telesign"]["customerId"], "TELESIGN_API_KEY": own["telesign"]["apiKey"],
        "API_TOKEN": own["prelude"]["apiToken"]}


def repeated(exchange):
    """What a program must repeat of a request; clients set the other fields themselves."""
    request = exchange["request"]
    own = ("content-type:", "x-trace:")
    return (exchange["provider"], exchange["route"], request["method"], request["target"], request["body"],
            exchange["response"]["status"],
            sorted(line for line in request["headers"] if line.lower().startswith(own)))


@pytest.mark.parametrize("language", RUNNERS)
@pytest.mark.parametrize("send", [send_form, send_json, send_signed, send_bytes])
def test_a_copied_program_sends_the_same_request(sandbox, open_page, send, language):
    send(sandbox)
    page = open_page("console/requests/1")
    program = page.get_by_role("button", name=f"Copy as {language}").get_attribute("data-copy")
    secrets = variables(sandbox)
    assert not [secret for secret in secrets.values() if secret[:2] != "AC" and secret in program]

    done = subprocess.run([*RUNNERS[language], program], capture_output=True, text=True, timeout=60, check=False,
                          env={**os.environ, **secrets})

    assert done.returncode == 0, done.stderr
    first, second = sandbox.journal()
    assert repeated(second) == repeated(first)


@pytest.mark.parametrize("send", [send_form, send_json, send_signed, send_bytes])
def test_send_again_sends_the_same_bytes(sandbox, open_page, send):
    send(sandbox)
    page = open_page("console/requests/1")

    page.get_by_role("button", name="Send again").click()
    page.wait_for_url("**/console/requests/req_2?again=req_1")
    page.get_by_role("link", name="Compare with request 1").click()

    expect(page.locator("#differences")).to_contain_text("Compared with request 1")
    first, second = sandbox.journal()
    assert second["response"]["status"] == first["response"]["status"]
    changed = {"Date:", "x-ts-nonce:", "Authorization:"} if send is send_signed else set()
    different = set(first["request"]["headers"]) ^ set(second["request"]["headers"])
    assert {line.split(" ")[0] for line in different} <= changed
    assert second["request"]["body"] == first["request"]["body"]


def test_a_request_can_be_changed_before_it_is_sent_again(sandbox, open_page):
    send_form(sandbox)
    page = open_page("console/requests/1")
    page.get_by_text("Change it first").click()
    page.get_by_label("Body").fill("To=%2B12025550101&Channel=sms")
    # What happens meanwhile leaves the form alone.
    post(sandbox, "/nope")
    expect(page.get_by_label("Body")).to_have_value("To=%2B12025550101&Channel=sms")

    page.get_by_role("button", name="Send", exact=True).click()
    page.wait_for_url("**/console/requests/req_3?again=req_1")

    expect(page.locator(".pill").first).to_have_text("201")
    sent = sandbox.journal()[-1]["request"]
    assert sent["body"] == "To=%2B12025550101&Channel=sms"
    assert "Authorization: Basic ********" in sent["headers"]


def test_what_cannot_be_sent_is_said_in_the_form(sandbox, open_page):
    send_form(sandbox)
    page = open_page("console/requests/1")
    page.get_by_text("Change it first").click()
    page.get_by_label("Path and query").fill("/control/reset")

    page.get_by_role("button", name="Send", exact=True).click()

    expect(page.locator("#again [role=alert]")).to_contain_text("expected the path of a provider")
    assert len(sandbox.journal()) == 1


@pytest.mark.parametrize("provider", ["Twilio", "Telesign", "Prelude"])
def test_an_empty_page_sends_a_test_code(sandbox, open_page, provider):
    page = open_page()
    form = page.locator("#test-code")
    form.get_by_label("Provider").select_option(provider)
    form.get_by_role("button", name="Send a test code").click()
    # Before that, its line among the quiet ones.
    expect(page.locator(f'article[id="phone-{NUMBER}"]')).to_be_visible()
    sandbox.advance("10s")

    expect(phone(page)).to_contain_text(sandbox.code(NUMBER))


def test_a_refused_test_code_leads_to_its_request(sandbox, open_page):
    sandbox.faults({"provider": "twilio", "status": 503})
    page = open_page()
    page.locator("#test-code").get_by_label("Provider").select_option("Twilio")

    page.get_by_role("button", name="Send a test code").click()

    page.wait_for_url("**/console/requests/req_1")
    expect(page.get_by_role("heading", name="Answer: 503")).to_be_visible()


def test_a_delayed_answer_says_how_long_it_took(sandbox, open_page):
    sandbox.faults({"provider": "twilio", "latencyMs": 3000, "times": 1})
    sandbox.control("POST", "clock", json={"mode": "real"})
    send_form(sandbox)

    page = open_page("console/requests/1")

    expect(page.get_by_role("heading", name="Answer: 201 after 3 s")).to_be_visible()
    assert sandbox.journal()[0]["delayMs"] == 3000
    send_form(sandbox)
    page.goto("console/requests/2")
    expect(page.get_by_text("by python-requests 2")).to_be_visible()
    expect(page.get_by_role("heading", name="Answer")).not_to_contain_text("after")


def test_a_refused_request_is_compared_with_the_last_that_succeeded(sandbox, open_page):
    send_form(sandbox)
    for _ in range(2):
        sandbox.control("PUT", "faults", json={"faults": [{"provider": "twilio", "status": 503, "times": 1}]})
        send_form(sandbox)
    page = open_page("console/requests/3")
    expect(page.get_by_role("link", name="Compare with the last", exact=True)).to_have_attribute(
        "href", "?compare=2#differences")

    page.get_by_role("link", name="Compare with the last that succeeded").click()

    expect(page.locator("#differences")).to_contain_text("Compared with request 1, 201")
    page.goto("console/requests/2")
    expect(page.get_by_role("link", name="Compare with the last that succeeded")).to_have_count(0)


def test_bodies_are_shown_as_they_were_sent_too(sandbox, open_page):
    send_form(sandbox)
    page = open_page("console/requests/1")
    expect(page.locator(".raw")).to_have_count(0)

    page.get_by_role("link", name="Raw").click()

    exchange = sandbox.journal()[0]
    lines = exchange["request"]["headers"]
    expect(page.locator(".raw").first).to_have_text("\n".join([*lines, "", exchange["request"]["body"]]))
    expect(page.locator(".raw").last).to_contain_text(exchange["response"]["body"])
