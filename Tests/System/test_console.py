"""The console in a real browser: what each page is for, by mouse and by keyboard. Source: CONSOLE.md 1 and
6."""

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

import chromium
from chromium import NUMBER, phone

PAGES = ["", f"console/phones/{NUMBER}", "console/timeline", "console/requests/3",
         "console/verifications/3", "console/break", "console/connect", "console/nope"]

# Milliseconds until the first paint. Without a paint yet, waits for it.
FIRST_PAINT = """new Promise(resolve => new PerformanceObserver((list, observer) => {
  for (const entry of list.getEntries()) if (entry.name === "first-paint") { observer.disconnect(); resolve(entry.startTime); }
}).observe({type: "paint", buffered: true}))"""

pytestmark = chromium.MARKS


@pytest.mark.quick
def test_a_text_appears_with_its_code_while_the_page_is_open(sandbox, twilio, open_page):
    page = open_page()
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})

    sandbox.advance("10s")

    code = sandbox.code(NUMBER)
    expect(phone(page).locator(".code strong")).to_have_text(code)
    expect(page.locator("#announcements")).to_have_text(f"New code {' '.join(code)}")
    expect(page.locator("#phones > article").first).to_have_id(f"phone-{NUMBER}")


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

        expect(phone(page).locator(".challenge .pill").last).to_have_text(status)
        assert json.loads(twilio.send("GET", f"{entity}/Challenges/{challenge}").body)["status"] == status


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


def test_a_provider_is_broken_for_one_number_and_repaired(sandbox, twilio, open_page):
    page = open_page("console/break?provider=twilio")
    page.get_by_role("link", name="Answers 500", exact=True).click()
    chosen = page.locator("#chosen")
    expect(chosen.get_by_label("Provider")).to_have_value("twilio")
    chosen.get_by_label("Number").fill(NUMBER)
    chosen.get_by_label("How often").fill("1")
    chosen.get_by_role("button", name="Start").click()
    expect(page.locator("#running")).to_contain_text(f"Twilio answers 500 for {NUMBER}, 1 time more: not hit yet")
    expect(page.get_by_role("switch", name="Answers 500", exact=True)).to_have_attribute("aria-checked", "true")

    def send(number):
        return twilio.send("POST", f"{twilio.service}/Verifications", {"To": number, "Channel": "sms"}).status

    assert [send("+12025550101"), send(NUMBER), send(NUMBER)] == [201, 500, 201]
    expect(page.locator("#running")).to_contain_text("hit once")
    page.get_by_role("button", name="Repair everything").click()
    expect(page.locator("#running li")).to_have_count(0)
    assert sandbox.control("GET", "faults").json()["faults"] == []


def test_chaos_is_shown_and_ends(sandbox, open_page):
    sandbox.control("PUT", "chaos", json={"rate": 0.02, "seed": 7})
    page = open_page()
    expect(page.locator("#banner")).to_contain_text("chaos: 2 % of requests, messages and webhooks fail, seed 7")

    page.get_by_role("button", name="Repair everything").click()

    expect(page.locator("#banner")).to_be_hidden()
    assert sandbox.control("GET", "chaos").json()["on"] is False


def test_a_verification_shows_its_state_and_expires_on_demand(sandbox, twilio, open_page):
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    page = open_page(f"console/phones/{NUMBER}")
    page.locator("#verifications").get_by_role("link").click()
    expect(page.locator("#state")).to_have_text("pending")
    expect(page.locator("#facts")).to_contain_text("in 10 min 0 s")

    page.get_by_role("button", name="Expire now").click()

    expect(page.locator("#state")).to_have_text("expired")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_a_step_is_chosen_by_keyboard_and_shown_beside_the_diagram(sandbox, twilio, open_page):
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    sandbox.advance("1s")
    twilio.send("POST", f"{twilio.service}/VerificationCheck", {"To": NUMBER, "Code": "000000"})
    [verification] = sandbox.control("GET", "verifications").json()["verifications"]
    page = open_page(f"console/verifications/{verification['id']}")
    panel = page.locator("#step-panel")
    expect(panel).to_contain_text("Wrong code: check 1 of 5")

    page.keyboard.press("j")
    first = page.locator("#sequence-1 a")
    expect(first).to_be_focused()
    expect(first).to_have_attribute("aria-label", re.compile("Your app to Twilio: createVerification"))
    page.keyboard.press("Enter")

    expect(panel.locator("h2")).to_contain_text("createVerification")
    expect(page).to_have_url(re.compile(r"\?step=1$"))
    expect(page.locator("#sequence-1 a")).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(panel).to_contain_text(verification["code"])


def test_a_step_is_shown_without_the_script(browser, sandbox, twilio):
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    [verification] = sandbox.control("GET", "verifications").json()["verifications"]
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{sandbox.base}/console/verifications/{verification['id']}")

    page.locator("#sequence-2 a").click()

    expect(page.locator("#step-panel")).to_contain_text(verification["code"])
    page.get_by_text("As a list").click()
    expect(page.locator("#sequence-list li").first).to_contain_text("Your app to Twilio: createVerification")
    context.close()


def test_a_wrong_number_is_explained(open_page):
    page = open_page("console/break?failure=line-sim-swapped")
    apply = page.locator("#chosen").get_by_role("button", name="Apply")
    apply.click()
    # The browser itself asks for the number.
    assert page.locator("#chosen input:invalid").count() == 1

    page.get_by_label("Number", exact=True).fill("12")
    apply.click()

    expect(page.locator("#toast")).to_contain_text("expected a phone number")


def test_an_open_page_of_a_deleted_sandbox_says_that_it_is_gone(sandbox, open_page):
    page = open_page()
    expect(page.locator("#phones")).to_be_visible()

    sandbox.delete()

    expect(page.locator("h1")).to_have_text("There is no such sandbox")
    expect(page.get_by_role("link", name="Join a workshop")).to_be_visible()


@pytest.mark.parametrize("path", PAGES)
def test_each_page_is_small_and_paints_at_once(sandbox, twilio, browser, path):
    """From an empty cache. The bound on time is generous, because other tests run on the same processors."""
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    sandbox.advance("10s")
    with browser.new_context(base_url=f"{sandbox.base}/") as context:
        page = context.new_page()
        page.goto(path)
        sizes = page.evaluate("""
          [performance.getEntriesByType("navigation")[0], ...performance.getEntriesByType("resource")]
            .map(entry => entry.encodedBodySize)""")
        painted = page.evaluate(FIRST_PAINT)

        assert sum(sizes) < 100_000
        assert painted < 3000
        script = page.evaluate(f"fetch('{sandbox.base}/console/assets/console.js').then(r => r.text()).then(t => t.length)")
        assert script < 40_000


ATTACK = '<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>'


@pytest.mark.parametrize("script", [True, False], ids=["with the script", "without"])
def test_markup_in_external_text_stays_text(sandbox, twilio, browser, script):
    sandbox.control("PUT", f"subscribers/{NUMBER}", json={"operator": ATTACK})
    sandbox.faults({"contains": ATTACK, "status": 500})
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": ATTACK, ATTACK: ATTACK}, user_agent=ATTACK)
    twilio.send("POST", f"{twilio.prefix}/v2/verification", json.dumps({ATTACK: [ATTACK]}),
                content_type="application/json", x_other=ATTACK)
    sandbox.control("POST", f"inbox/{NUMBER}/reply", json={"text": "STOP", "to": ATTACK})
    sandbox.control("POST", f"inbox/{NUMBER}/reply", json={"text": ATTACK, "to": ATTACK}, expect=(400,))
    sandbox.advance("10s")
    sandbox.control("POST", f"inbox/{NUMBER}/reply", json={"text": ATTACK})
    sandbox.control("POST", "devices", json={
        "number": NUMBER, "provider": "fcm", "app": ATTACK, "pushToken": "token-1"}, expect=(201, 400, 409))
    with browser.new_context(base_url=f"{sandbox.base}/", java_script_enabled=script) as context:
        page = context.new_page()
        for path in [*PAGES, "console/requests/2", "console/requests/1", f"?filter={quote(ATTACK)}",
                     f"console/timeline?filter={quote(ATTACK)}", f"console/{quote(ATTACK, safe='')}"]:
            page.goto(path)
            if script:
                page.keyboard.press("+")  # the page is fetched again and updated
                expect(page.locator("#clock-note")).not_to_be_empty()
                assert page.evaluate("window.attacked") is None, path
            assert page.locator("main img, main script, header img").count() == 0, path
