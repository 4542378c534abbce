"""Connect, pins, calls, silent URLs, the clock and failures: in a real browser. Source: CONSOLE.md 1."""

import os
import re
import shutil
import subprocess
import sys

import pytest
import requests
from playwright.sync_api import expect

import chromium
import ringfence
from chromium import NUMBER, phone
from console_forms import press

pytestmark = chromium.MARKS


RUNNERS = {"Python": [sys.executable, "-c"], "Node": ["node", "--input-type=module", "-e"],
           "curl": ["bash", "-euo", "pipefail", "-c"]}
ADDRESSED = {"twilio", "telesign", "prelude", "vonage", "prove", "sinch", "hyphen", "camara"}
# Hyphen has no client for Python, and Vonage's uses HTTPS only. CAMARA has none for Node.
WITHOUT = {"Python": {"hyphen", "vonage"}, "Node": {"camara"}, "curl": set()}


@pytest.mark.parametrize("language", RUNNERS)
def test_the_programs_of_the_page_connect_reach_this_sandbox(sandbox, open_page, language):
    """Each program that names the sandbox's address is run as the page shows it."""
    if not shutil.which(RUNNERS[language][0]):
        pytest.skip(f"no {RUNNERS[language][0]} here: `make languages` installs it")
    page = open_page(f"console/connect?language={language.lower()}")
    expect(page.get_by_text("Waiting for the first request")).to_be_visible()
    choices = page.get_by_role("navigation", name="Providers").get_by_role("link").all()
    texts = []
    for path in [choice.get_attribute("href") for choice in choices]:
        page.goto(path)
        programs = page.locator(".program", has_text=f"{language} with the address of this sandbox").all()
        texts += [program.locator("button").get_attribute("data-copy") for program in programs]
    addressed = ADDRESSED - WITHOUT[language]
    assert len(texts) == len(addressed)

    for text in texts:
        done = subprocess.run([*RUNNERS[language], text], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        if language != "curl":
            assert done.stdout.splitlines()[-1] == re.split("(?:#|//) ", text.splitlines()[-1])[-1]

    expect(page.locator("#first-request")).to_contain_text("a request arrived")
    owners = {one["provider"] for one in sandbox.control("GET", "journal").json()["requests"]}
    assert owners == addressed


def test_on_a_narrow_screen_long_lines_wrap_inside_their_box(open_page):
    page = open_page("console/connect?provider=telesign")
    page.set_viewport_size({"width": 360, "height": 800})

    box = page.locator("#setup-telesign pre").first
    lines, shown, width, content = box.evaluate("""box => {
      const { paddingTop, lineHeight } = getComputedStyle(box);
      const shown = Math.round((box.clientHeight - 2 * parseFloat(paddingTop)) / parseFloat(lineHeight));
      return [box.textContent.split("\\n").length, shown, box.clientWidth, box.scrollWidth];
    }""")

    assert lines == 2 and shown > 2 and content == width
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def with_token(script, folder):
    """Runs a line of the page in a shell that finds `ringfence`."""
    (folder / "ringfence").symlink_to(ringfence.binary())
    environment = {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder)}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.timeout(120)
def test_a_participant_gets_lines_that_work_with_the_own_token(browser, tmp_path):
    """On a server that requires a token: the variables, the line for the code, and `ringfence env`, copied
    from the page."""
    with ringfence.Server(environment={"RINGFENCE_ADMIN_TOKEN": "the-admins-own-token"}) as server:
        admin = {"Authorization": "Bearer the-admins-own-token"}
        body = {"name": "tuesday", "story": "first-sign-in", "flavour": "prelude", "participants": 1}
        [ana] = requests.post(
            f"{server.http}/control/workshops", json=body, headers=admin, timeout=30).json()["participants"]
        with browser.new_context(base_url=server.http) as context:
            page = context.new_page()
            page.goto(f"/join?phrase={ana['phrase']}")
            press(page)
            page.goto(f"/s/{ana['sandbox']}/console/connect?language=curl")
            copied = [one.get_attribute("data-copy") for one in page.locator("#address button").all()]
            own = page.locator("#setup-prelude [data-copy]")
            variables, program = own.nth(0).get_attribute("data-copy"), own.nth(1).get_attribute("data-copy")
            environment = page.locator("#with-ringfence [data-copy]").nth(1).get_attribute("data-copy")
            # The provider of the tasks is chosen, and nothing says how to start a server.
            expect(page.locator("[id^=setup-]")).to_have_id("setup-prelude")
            assert "Start the server" not in page.content()

        exports, read_code = copied
        number = re.search(r'"value":"(\+\d+)"', program)[1]
        sent = with_token("\n".join([exports, variables, program, read_code.replace("+12025550100", number)]), tmp_path)
        assert sent.returncode == 0 and re.search(r"\d{4,8}$", sent.stdout.strip()), sent.stderr
        (tmp_path / "ringfence").unlink()
        printed = with_token(f"{environment}; env", tmp_path)
        assert re.search(r"^API_TOKEN='?(\S+?)'?$", printed.stdout, re.M)[1] in variables, printed.stderr


def test_a_pinned_phone_stays_first_also_after_a_reload(sandbox, twilio, open_page):
    for number in ("+12025550101", NUMBER):
        twilio.send("POST", f"{twilio.service}/Verifications", {"To": number, "Channel": "sms"})
    sandbox.advance("10s")
    page = open_page()
    first = page.locator("#phones > article").first
    expect(first).to_have_id(f"phone-{NUMBER}")

    phone(page, "+12025550101").get_by_role("button", name="Pin").click()
    expect(first).to_have_id("phone-+12025550101")
    page.reload()
    expect(first).to_have_id("phone-+12025550101")
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": "+12025550102", "Channel": "sms"})
    expect(phone(page, "+12025550102").locator(".message")).to_be_visible()
    expect(first).to_have_id("phone-+12025550101")
    page.keyboard.press("j")
    page.keyboard.press("p")
    expect(first).to_have_id("phone-+12025550102")


def test_a_person_presses_a_key_during_a_call(sandbox, twilio, open_page):
    sandbox.control("PUT", "scenarios", json={"scenarios": [
        {"match": {"channel": "call"}, "outcome": "answer", "keys": ""}]})
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "call"})
    sandbox.advance("2s")
    page = open_page(f"console/phones/{NUMBER}")
    expect(page.locator(".code")).to_have_count(0)

    page.get_by_role("group", name="Keypad").get_by_role("button", name="5").click()

    expect(page.locator(".transcript")).to_contain_text("(presses 5)")
    expect(page.locator(".code strong")).to_have_text(sandbox.code(NUMBER))


def test_the_clock_says_what_became_due(sandbox, twilio, open_page):
    for number in (NUMBER, "+12025550101"):
        twilio.send("POST", f"{twilio.service}/Verifications", {"To": number, "Channel": "sms"})
    page = open_page()
    note = page.get_by_role("status").first
    page.get_by_role("button", name="+1 min").click()
    expect(note).to_have_text("Nothing was due.")

    page.get_by_role("button", name="+10 min").click()

    expect(note).to_have_text("2 codes expired")


def test_a_running_clock_counts_down(sandbox, twilio, open_page):
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    page = open_page("console/verifications/3")
    expect(page.locator("#facts .countdown")).to_have_text("10 min 0 s")

    page.get_by_role("button", name="Run").click()

    expect(page.locator("#facts .countdown")).to_have_text(re.compile(r"9 min 5\d s"))


@pytest.mark.timeout(240)
@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_every_failure_that_is_a_rule_has_a_switch(sandbox, open_page, every):
    """By keyboard: the switch starts the failure, shows that it is on, and stops it."""
    page = open_page("console/break")
    switches = page.get_by_role("switch").all()
    rules = [failure for group in sandbox.control("GET", "failures").json()["groups"] for failure in group["failures"]
             if failure.get("request", {}).get("method") == "PUT" and "{number}" not in failure["request"]["path"]]
    assert len(switches) == len(rules) > 70
    for switch in switches[::every]:
        name = switch.get_attribute("aria-label")
        switch.press("Space")
        expect(switch, name).to_have_attribute("aria-checked", "true")
        expect(page.locator("#running li"), name).to_have_count(1)
        switch.press("Enter")
        expect(switch, name).to_have_attribute("aria-checked", "false")
    expect(page.locator("#toast")).to_be_hidden()


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_every_change_of_a_line_is_applied(sandbox, open_page, every):
    """Each failure whose request is about a number."""
    groups = sandbox.control("GET", "failures").json()["groups"]
    changes = [failure for group in groups for failure in group["failures"]
               if "subscribers/{number}" in failure.get("request", {}).get("path", "")]
    assert len(changes) > 10
    page = open_page("console/break")
    for failure in changes[::every]:
        page.goto(f"console/break?failure={failure['id']}")
        page.get_by_label("Number", exact=True).fill(NUMBER)
        with page.expect_response(lambda answer: "/control/subscribers/" in answer.url) as answered:
            page.locator("#chosen").get_by_role("button", name="Apply").press("Enter")
        assert answered.value.ok, failure["id"]


def test_a_line_is_repaired(sandbox, open_page):
    page = open_page("console/break?filter=suspended")
    page.get_by_role("link", name="Suspended", exact=True).click()
    page.get_by_label("Number", exact=True).fill(NUMBER)

    for action, suspended in (("Apply", True), ("Repair", False)):
        with page.expect_response(lambda answer: answer.request.method == "PUT"):
            page.locator("#chosen").get_by_role("button", name=action).click()
        assert sandbox.control("GET", f"subscribers/{NUMBER}").json()["suspended"] is suspended


def test_break_finds_failures_and_says_what_each_provider_will_show(open_page):
    page = open_page("console/break")

    page.get_by_placeholder("type to find one").type("spam")
    expect(page.locator(".failure")).to_have_count(1)
    page.get_by_role("link", name="Taken for spam").click()

    cells = page.locator("#chosen .cells")
    expect(cells).to_contain_text("undelivered 30007")
    expect(cells).to_contain_text("Telesign")
    expect(page.locator("#chosen pre")).to_contain_text('"outcome":"filtered"')
    assert page.url.endswith("?filter=spam&failure=text-filtered#chosen")


def test_a_garbled_text_hides_its_code(sandbox, twilio, open_page):
    page = open_page("console/break")
    page.get_by_role("switch", name="Garbled", exact=True).click()
    expect(page.locator("#running")).to_contain_text("garbled, until stopped")
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})

    page.goto("")

    expect(phone(page).locator(".text")).to_contain_text("code is: ??????")
    expect(phone(page).locator(".code")).to_have_count(0)
