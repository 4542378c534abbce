"""Shells, the check of a code and the reach of requests on *Connect*, and texts that a phone writes: in a
real browser."""

import json
import subprocess

import pytest
import requests
from playwright.sync_api import expect

import chromium
from chromium import NUMBER
from console_forms import press

pytestmark = chromium.MARKS

WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36"


def shells(page):
    return page.get_by_role("navigation", name="Shells")


def variables(page):
    return page.locator("#setup-twilio [data-copy]").first.get_attribute("data-copy")


@pytest.mark.parametrize("script", [True, False], ids=["with the script", "without"])
def test_a_shell_is_chosen_once_for_all_pages(sandbox, browser, script):
    token = sandbox.credentials["twilio"]["authToken"]
    with browser.new_context(base_url=f"{sandbox.base}/", java_script_enabled=script) as context:
        page = context.new_page()
        page.goto("console/connect")
        assert f"export TWILIO_AUTH_TOKEN='{token}'" in variables(page)

        shells(page).get_by_role("link", name="cmd").click()
        assert f'set "TWILIO_AUTH_TOKEN={token}"' in variables(page)
        page.goto("console/connect?language=curl")

        expect(shells(page).locator("[aria-current]")).to_have_text("cmd")
        expect(page.locator("#setup-twilio .program").first).to_contain_text("curl.exe -sS")


def test_windows_gets_powershell_without_a_choice(sandbox, browser):
    with browser.new_context(base_url=f"{sandbox.base}/", user_agent=WINDOWS) as context:
        page = context.new_page()
        page.goto("console/connect")

        expect(shells(page).locator("[aria-current]")).to_have_text("PowerShell")
        assert "$env:TWILIO_AUTH_TOKEN = '" in variables(page)


def test_the_check_of_the_code_that_was_just_sent_is_ready_to_copy(sandbox, twilio, open_page):
    page = open_page("console/connect")
    own = page.locator("#setup-twilio")
    expect(own).to_contain_text("Nothing of Twilio has arrived here lately.")
    expect(own).to_contain_text("PUT-THE-CODE-HERE")

    twilio.send("POST", f"{twilio.service}/Verifications", {"To": "+12025550107", "Channel": "sms"})
    sandbox.advance("5s")

    code = sandbox.code("+12025550107")
    expect(own).to_contain_text(f"With the newest code, {code} to +12025550107.")
    expect(own.locator(".reach-state .pill")).to_have_text("arrives")
    command = own.locator("[data-copy]").last.get_attribute("data-copy")
    done = subprocess.run(["bash", "-ec", command], capture_output=True, text=True, timeout=30, check=True)
    assert json.loads(done.stdout)["status"] == "approved"


def test_requests_by_the_providers_own_host_are_recognized(sandbox, server, open_page):
    page = open_page("console/connect")
    own = sandbox.credentials["twilio"]
    requests.get(
        f"{sandbox.base}/v2/Services", headers={"Host": "verify.twilio.com"},
        auth=(own["accountSid"], own["authToken"]), timeout=10)

    expect(page.locator("#setup-twilio .reach-state")).to_contain_text("calls the provider's own host")
    expect(page.locator("#setup-telesign .reach-state")).to_contain_text("Nothing of Telesign has arrived")


def test_a_phone_writes_to_a_sender_and_keeps_what_was_refused(sandbox, twilio, open_page):
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    sandbox.advance("5s")
    page = open_page(f"console/phones/{NUMBER}")
    receiver, text = page.locator("[name=to]"), page.get_by_label("Text from")
    sender = receiver.input_value()
    assert sender == sandbox.control("GET", f"inbox/{NUMBER}/latest").json()["from"]

    receiver.fill("74454")
    text.fill("hello?")
    text.press("Enter")
    expect(page.locator("#toast")).to_contain_text("a number at which a provider receives texts")
    expect(text).to_have_value("hello?")
    receiver.fill(sender)
    text.press("Enter")

    expect(page.locator(".sent")).to_contain_text(f"to {sender}")
    expect(page.locator(".sent .text")).to_have_text("hello?")
    expect(text).to_have_value("")
    [written] = [one for one in sandbox.control("GET", "messages").json()["messages"] if one["text"] == "hello?"]
    assert written["to"] == sender


def test_without_tokens_a_participant_finds_the_way_back(server, browser):
    body = {"name": "way-back", "story": "first-sign-in", "flavour": "twilio", "participants": 1}
    made = requests.post(f"{server.http}/control/workshops", json=body, timeout=30).json()
    [one] = made["participants"]
    try:
        with browser.new_context(base_url=server.http) as context:
            page = context.new_page()
            page.goto(f"/join?phrase={one['phrase']}")
            press(page)
            page.goto("/")
            page.get_by_role("link", name="Back to your tasks").click()

            assert page.url == f"{server.http}/s/{one['sandbox']}/#tasks"
            expect(page.get_by_role("link", name="Back to your tasks")).to_have_count(0)
            page.locator("#commands").get_by_role("link", name="PowerShell").click()
            expect(page.locator("#commands")).to_contain_text("curl.exe")
    finally:
        requests.delete(f"{server.http}/control/workshops/way-back", timeout=30)
