"""The console does what it was asked, and nothing else: search, a server that is gone, things that stay where
they are. Source: issue 50."""

import json
import re

from playwright.sync_api import expect

import chromium
import ringfence
from chromium import NUMBER, phone

OTHER = "+12025550101"

pytestmark = chromium.MARKS


def send(sandbox, number=NUMBER):
    sandbox.twilio(To=number, Channel="sms").raise_for_status()
    sandbox.advance("1s")


def slow_search(page):
    """Answers come later than a person types."""
    page.evaluate("""() => {
      const original = window.fetch;
      window.fetch = async (url, options) => {
        if (String(url).includes("/console/search")) await new Promise(done => setTimeout(done, 300));
        return original(url, options);
      };
    }""")


def clock(sandbox):
    return sandbox.control("GET", "clock").json()


def test_enter_acts_on_the_present_text_and_runs_an_action_only_by_its_whole_name(sandbox, open_page):
    send(sandbox)
    before = clock(sandbox)
    page = open_page()
    expect(phone(page)).to_be_visible()
    slow_search(page)
    field = page.locator("#search input")

    page.keyboard.press("/")
    expect(page.locator("#found button").first).to_be_visible()
    page.keyboard.type("freeze")
    page.keyboard.press("Enter")
    expect(page.locator("#found button", has_text="Freeze the clock").or_(
        page.locator("#found button", has_text="Run the clock"))).to_have_count(0)
    page.keyboard.press("Escape")

    page.keyboard.press("/")
    page.keyboard.type("advance 1 m")
    page.keyboard.press("Enter")
    expect(page.locator("#found button", has_text="Advance 1 minute")).to_be_focused()
    assert clock(sandbox)["now"] == before["now"]

    field.fill("clea")
    field.press("Control+a")
    page.keyboard.type("timeline")
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/timeline")
    assert sandbox.code(NUMBER)

    slow_search(page)
    page.keyboard.press("/")
    page.keyboard.type("advance 1 minute")
    page.keyboard.press("Enter")
    expect(page.locator("#clock-note")).not_to_be_empty()
    assert clock(sandbox)["now"] > before["now"]


def test_a_pasted_number_leads_to_its_verification_and_deleting_asks(sandbox, open_page):
    send(sandbox)
    sandbox.twilio(To="+1", Channel="sms")
    page = open_page("console/break")
    page.keyboard.press("/")
    page.keyboard.insert_text(NUMBER)
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/verifications/*")
    # The refusal of +1 names the number only as an example.
    page.goto(f"console/search?q=%2B{NUMBER[1:]}")
    expect(page.locator("#found h2").first).to_have_text("Verifications")
    expect(page.locator("#main #found a", has_text="400")).to_have_count(0)

    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.keyboard.press("/")
    page.locator("#search input").fill("clear inboxes")
    with page.expect_event("dialog"):
        page.keyboard.press("Enter")
    assert asked == ["Empty all inboxes? The messages are deleted."]
    assert sandbox.code(NUMBER)


def test_escape_gives_the_focus_back(sandbox, open_page):
    send(sandbox)
    page = open_page()
    page.keyboard.press("j")
    page.keyboard.press("/")
    expect(page.locator("#search input")).to_be_focused()

    page.keyboard.press("Escape")

    expect(phone(page)).to_be_focused()


def test_a_server_that_is_gone_is_said_and_comes_back_by_itself(browser, tmp_path):
    flags = ("--data", tmp_path)
    with ringfence.Server(*flags) as server:
        port = server.address[1]
        page = browser.new_page()
        page.goto(f"{server.http}/")
        expect(page.get_by_role("button", name="+1 min")).to_be_enabled()
        server.kill()

        expect(page.locator("#gone")).to_be_visible(timeout=2000)
        expect(page.locator(".clock .mode")).to_be_hidden()
        expect(page.get_by_role("button", name="+1 min")).to_be_disabled()
        stopped = page.locator(".clock .now").text_content()
        page.wait_for_timeout(1100)
        assert page.locator(".clock .now").text_content() == stopped
    listeners = ("--http", f"127.0.0.1:{port}", "--https", "off", "--gateway", "127.0.0.1:0")
    with ringfence.Server(*flags, listeners=listeners):
        expect(page.locator("#gone")).to_be_hidden()
        expect(page.get_by_role("button", name="+1 min")).to_be_enabled()
        expect(page.locator(".clock .mode")).to_have_text("running")
        page.close()


def test_phones_stay_where_they_are_while_they_are_used(sandbox, open_page):
    for number in (OTHER, NUMBER):
        send(sandbox, number)
    page = open_page()
    first = page.locator("#phones > article").first
    expect(page).to_have_title(re.compile(f"^{sandbox.code(NUMBER)} · Phones"))
    phone(page).hover()
    place = phone(page).bounding_box()

    send(sandbox, OTHER)
    send(sandbox, "+12025550102")

    expect(phone(page, "+12025550102")).to_be_visible()
    expect(first).to_have_id(f"phone-{NUMBER}")
    now = phone(page).bounding_box()
    assert (now["x"], round(now["y"])) == (place["x"], round(place["y"]))
    expect(page.locator("#newer")).to_have_text("2 new ↑")
    expect(page).to_have_title(re.compile(f"^{sandbox.code('+12025550102')} · Phones"))
    page.locator("#newer").click()
    expect(first).to_have_id("phone-+12025550102")
    expect(page.locator("#newer")).to_be_hidden()


def test_approving_is_announced(sandbox, twilio, open_page):
    sandbox.control("POST", "devices", json={"number": NUMBER, "provider": "twilio", "identity": "user-0001"})
    entity = f"{twilio.service}/Entities/user-0001"
    factor = json.loads(twilio.send("GET", f"{entity}/Factors").body)["factors"][0]["sid"]
    twilio.send("POST", f"{entity}/Challenges", {"FactorSid": factor, "Details.Message": "Sign in?"})
    sandbox.advance("1s")
    page = open_page()

    phone(page).get_by_role("button", name="Approve").click()

    expect(page.locator("#announcements")).to_have_text("Approved.")
    # Whoever answered has seen it, whatever the clock says.
    sandbox.control("POST", "clock", json={"set": "2026-01-05T09:00:00Z"})
    page.reload()
    expect(phone(page).locator(".challenge .pill")).to_have_text("approved")
    expect(phone(page)).not_to_contain_text("Not arrived yet")


def test_a_test_code_can_always_be_sent(sandbox, open_page):
    send(sandbox)
    page = open_page()

    page.get_by_role("button", name="Send a test code").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Number").fill(OTHER)
    dialog.get_by_role("button", name="Send a test code").click()

    expect(dialog.get_by_role("status")).to_have_text("Sent. The code appears on its phone.")
    expect(phone(page, OTHER)).to_be_visible()


def test_a_whole_row_leads_to_its_request_and_back_keeps_the_place(sandbox, open_page):
    for _ in range(30):
        sandbox.twilio(To=NUMBER, Channel="sms")
    page = open_page("console/timeline?view=requests")
    row = page.locator('li[id^="request-"]').nth(20)
    row.scroll_into_view_if_needed()
    scrolled = page.evaluate("scrollY")
    assert scrolled > 200
    box = row.bounding_box()

    page.mouse.click(box["x"] + box["width"] - 20, box["y"] + box["height"] / 2)

    page.wait_for_url("**/console/requests/*")
    page.go_back()
    page.wait_for_function(f"Math.abs(scrollY - {scrolled}) < 20")
