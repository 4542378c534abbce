"""The console in a real browser: what each page is for, by mouse and by keyboard. Source: CONSOLE.md 1 and 6."""

import json
import re
import subprocess
import sys

import pytest
from axe_playwright_python import sync_playwright as axe
from playwright.sync_api import expect

import chromium

NUMBER = "+12025550100"
PAGES = ["", f"console/phones/{NUMBER}", "console/timeline", "console/requests/3",
         "console/verifications/1", "console/break", "console/connect", "console/nope"]

pytestmark = chromium.MARKS


def is_problem(message):
    """True for an error, unless a request of the page was refused, which pages explain themselves."""
    return message.type == "error" and "the server responded with a status of 4" not in message.text


@pytest.fixture
def open_page(browser, server, sandbox):
    """Opens a page of the sandbox. The test fails if the page reports an error or asks another host for anything."""
    problems = []
    context = browser.new_context(base_url=f"{server.http}/s/{sandbox.name}/")

    def opened(path=""):
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: is_problem(message) and problems.append(message.text))
        page.on("request", lambda sent: sent.url.startswith(server.http) or problems.append(sent.url))
        page.goto(path)
        return page

    yield opened
    context.close()
    assert problems == []


def phone(page, number=NUMBER):
    return page.locator(f'[id="phone-{number}"]')


def test_a_text_appears_with_its_code_while_the_page_is_open(sandbox, twilio, open_page):
    page = open_page()
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})

    sandbox.advance("10s")

    code = sandbox.code(NUMBER)
    expect(phone(page).locator(".code strong")).to_have_text(code)
    expect(page.locator("#announcements")).to_have_text(f"New code {' '.join(code)}")
    expect(page.locator("#phones > article").first).to_have_id(f"phone-{NUMBER}")


def test_a_refusal_appears_with_its_reason_and_leads_to_the_exchange(sandbox, twilio, open_page):
    page = open_page()
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": "+1", "Channel": "sms"})

    line = page.locator("#requests .refused")
    expect(line).to_contain_text('To: expected a phone number such as +12025550100; found "+1"')
    line.get_by_role("link").click()

    expect(page.locator("h1")).to_contain_text("/Verifications")
    expect(page.get_by_text('"code": 60200')).to_be_visible()
    assert sandbox.credentials["twilio"]["authToken"] not in page.content()


def test_a_person_approves_and_denies_by_keyboard(sandbox, twilio, open_page):
    sandbox.control("POST", "devices", json={
        "number": NUMBER, "provider": "twilio", "identity": "user-0001"})
    entity = f"{twilio.service}/Entities/user-0001"
    factor = json.loads(twilio.send("GET", f"{entity}/Factors").body)["factors"][0]["sid"]
    for key, status in ("a", "approved"), ("d", "denied"):
        created = twilio.send("POST", f"{entity}/Challenges", {"FactorSid": factor, "Details.Message": "Sign in?"})
        challenge = json.loads(created.body)["sid"]
        sandbox.advance("1s")
        page = open_page()
        expect(phone(page).get_by_role("button", name="Approve")).to_be_visible()

        page.keyboard.press("j")
        page.keyboard.press(key)

        expect(phone(page).locator(".challenge strong").last).to_have_text(status)
        assert json.loads(twilio.send("GET", f"{entity}/Challenges/{challenge}").body)["status"] == status


def test_a_person_replies_to_a_text(sandbox, twilio, open_page):
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    sandbox.advance("10s")
    page = open_page(f"console/phones/{NUMBER}")

    page.get_by_role("textbox", name=re.compile("Reply")).fill("STOP")
    page.keyboard.press("Enter")

    expect(page.locator(".badges")).to_contain_text("opted out")


def test_the_clock_moves_and_freezes(sandbox, open_page):
    page = open_page()
    expect(page.locator(".clock .now")).to_have_text("2026-01-05 10:20:30")

    page.get_by_role("button", name="+1 day").click()
    expect(page.locator(".clock .now")).to_have_text("2026-01-06 10:20:30")
    page.keyboard.press("+")
    expect(page.locator(".clock .now")).to_have_text("2026-01-06 10:30:30")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("button", name="Freeze")).to_be_visible()

    assert sandbox.control("GET", "clock").json()["mode"] == "offset"


def test_a_provider_is_broken_for_one_number_and_fixed_again(sandbox, twilio, open_page):
    page = open_page("console/break")
    card = page.locator(".failure", has_text="Answers 500")
    card.get_by_label("Provider").select_option("twilio")
    card.get_by_label("Number").fill(NUMBER)
    card.get_by_label("Times").fill("1")
    card.get_by_role("button", name="Start").click()
    expect(page.locator("#banner")).to_contain_text("1 fault")

    def send(number):
        return twilio.send("POST", f"{twilio.service}/Verifications", {"To": number, "Channel": "sms"}).status

    assert [send("+12025550101"), send(NUMBER), send(NUMBER)] == [201, 500, 201]
    page.get_by_role("button", name="Fix all").click()
    expect(page.locator("#banner")).to_be_hidden()
    assert sandbox.control("GET", "faults").json()["faults"] == []


def test_a_verification_shows_its_state_and_expires_on_demand(sandbox, twilio, open_page):
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    page = open_page(f"console/phones/{NUMBER}")
    page.locator("#verifications").get_by_role("link").click()
    expect(page.locator(".states .current")).to_have_text("pending")
    expect(page.locator("#facts")).to_contain_text("10 min 0 s left")

    page.get_by_role("button", name="Expire now").click()

    expect(page.locator(".states .current")).to_have_text("expired")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_a_wrong_number_is_explained(open_page):
    page = open_page("console/break")
    card = page.locator(".failure", has_text="SIM swapped")
    card.get_by_label("Number").fill("12")

    card.get_by_role("button", name="Apply").click()

    expect(page.locator("#announcements")).to_contain_text("expected a phone number")


def test_pages_work_without_the_script(browser, server, sandbox, twilio):
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    sandbox.advance("10s")
    with browser.new_context(java_script_enabled=False, base_url=f"{server.http}/s/{sandbox.name}/") as context:
        page = context.new_page()
        page.goto("")
        expect(phone(page).locator(".code strong")).to_have_text(sandbox.code(NUMBER))
        page.get_by_label("Filter").fill("no such phone")
        page.keyboard.press("Enter")
        expect(page.get_by_text("No phone matches.")).to_be_visible()


def test_each_page_is_small(open_page):
    page = open_page()
    sizes = page.evaluate("""
      [performance.getEntriesByType("navigation")[0], ...performance.getEntriesByType("resource")]
        .map(entry => entry.decodedBodySize)""")

    assert sum(sizes) < 100_000
    assert page.evaluate("fetch('/console/assets/console.js').then(r => r.text()).then(t => t.length)") < 30_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_accessibility_problem(browser, server, sandbox, twilio, scheme):
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "call"})
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": "+1", "Channel": "sms"})
    sandbox.faults({"provider": "prelude", "status": 500})
    sandbox.advance("1m")
    with browser.new_context(base_url=f"{server.http}/s/{sandbox.name}/", color_scheme=scheme) as context:
        for path in PAGES:
            page = context.new_page()
            page.goto(path)
            found = axe.Axe().run(page).response["violations"]
            serious = [f"{rule['id']}: {rule['nodes'][0]['html']}" for rule in found
                       if rule["impact"] in ("serious", "critical")]
            assert serious == [], path
            # Browsers allow six connections to a server, and a page that can be seen keeps one.
            page.close()


def test_the_programs_of_the_page_connect_reach_this_sandbox(sandbox, open_page):
    """Each program that names the sandbox's address is run as the page shows it."""
    page = open_page("console/connect")
    expect(page.get_by_text("Waiting for the first request")).to_be_visible()
    programs = page.locator(".program", has_text="with the address of this sandbox")
    shown = [(program.locator("summary strong").inner_text(), program.locator("button").get_attribute("data-copy"))
             for program in programs.all()]
    assert {language for language, _ in shown} == {"Python", "Shell"} and len(shown) == 5

    for language, text in shown:
        command = [sys.executable, "-c"] if language == "Python" else ["bash", "-euo", "pipefail", "-c"]
        done = subprocess.run([*command, text], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        if language == "Python":
            assert done.stdout.splitlines()[-1] == text.splitlines()[-1].rpartition("# ")[2]

    expect(page.locator("#first-request")).to_contain_text("a request arrived")
    owners = {one["provider"] for one in sandbox.control("GET", "journal").json()["requests"]}
    assert owners == {"twilio", "telesign", "prelude", "prove", "hyphen"}


def test_the_page_connect_says_what_is_wrong_with_the_first_request(sandbox, open_page):
    page = open_page("console/connect")
    sandbox.session.post(f"{sandbox.base}/v2/Service", timeout=10)

    expect(page.locator("#first-request")).to_contain_text("something is wrong with it")
    expect(page.locator("#first-request .why")).to_contain_text("unknown path")


def test_a_button_copies_a_setup(sandbox, open_page):
    page = open_page("console/connect")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    page.locator("#setup-twilio").get_by_role("button", name="Copy").first.click()

    expect(page.locator("#announcements")).to_have_text("Copied.")
    token = sandbox.credentials["twilio"]["authToken"]
    assert f"export TWILIO_AUTH_TOKEN='{token}'" in page.evaluate("navigator.clipboard.readText()")
