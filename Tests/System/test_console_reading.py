"""What makes the console quick to read: columns, tabs, jumps, links from reasons to rules, times of day."""

import re

import pytest
from playwright.sync_api import expect

import chromium
from chromium import NUMBER, phone

pytestmark = chromium.MARKS


def send(twilio, number=NUMBER):
    return twilio.send("POST", f"{twilio.service}/Verifications", {"To": number, "Channel": "sms"})


def check(twilio, code):
    return twilio.send("POST", f"{twilio.service}/VerificationCheck", {"To": NUMBER, "Code": code})


def left_edges(page, selector):
    return {round(box) for box in page.locator(selector).evaluate_all("all => all.map(one => one.getBoundingClientRect().left)")}


def test_the_requests_and_events_stand_in_columns(twilio, open_page):
    send(twilio)
    send(twilio, "+1")
    page = open_page("console/timeline?view=requests")

    expect(page.locator("#requests .refused .why")).to_contain_text("expected a phone number")
    for part in ("time", ".status", ".mark", ".what", ".about", ".why"):
        assert len(left_edges(page, f"#requests li {part}")) == 1, part
    assert page.locator("#requests li .mark").first.inner_text() == "Twilio"
    page.set_viewport_size({"width": 360, "height": 800})
    assert len(left_edges(page, "#requests li time")) == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("script", [True, False], ids=["with the script", "without"])
def test_answer_request_and_command_of_a_step_are_tabs(browser, sandbox, twilio, script):
    send(twilio)
    check(twilio, "000000")
    [verification] = sandbox.control("GET", "verifications").json()["verifications"]
    with browser.new_context(java_script_enabled=script) as context:
        page = context.new_page()
        page.goto(f"{sandbox.base}/console/verifications/{verification['id']}?step=1")
        panel = page.locator("#step-panel")
        tabs = panel.get_by_role("navigation", name="Parts")
        expect(tabs.locator("[aria-current]")).to_have_text("Answer")
        expect(panel).to_contain_text('"sid"')

        tabs.get_by_role("link", name="Request").click()
        expect(tabs.locator("[aria-current]")).to_have_text("Request")
        expect(panel.locator(".target")).to_contain_text("POST")
        tabs.get_by_role("link", name="curl").click()
        expect(panel.locator("pre")).to_contain_text("curl")

        # Another step shows the same part.
        page.locator('.sequence a[data-step]', has_text="checkVerification").first.click()
        expect(panel.locator("h2")).to_contain_text("checkVerification")
        expect(tabs.locator("[aria-current]")).to_have_text("curl")


def test_on_a_wide_screen_the_step_has_room_beside_the_diagram(sandbox, twilio, open_page):
    send(twilio)
    [verification] = sandbox.control("GET", "verifications").json()["verifications"]
    page = open_page(f"console/verifications/{verification['id']}?step=1")
    page.set_viewport_size({"width": 1920, "height": 900})

    panel, diagram = (page.locator(one).bounding_box() for one in ("#step-panel", ".sequence-panel"))

    assert panel["width"] > 500 and panel["y"] == diagram["y"]


def test_a_reason_leads_to_its_rule(sandbox, twilio, open_page):
    sandbox.control("PUT", "scenarios", json={"scenarios": [{"match": {"number": NUMBER}, "outcome": "undeliverable"}]})
    send(twilio)
    sandbox.advance("10s")
    page = open_page()
    expect(page.locator("#banner")).to_contain_text("lost")

    phone(page).get_by_role("link", name="Scenario 1").click()

    expect(page).to_have_url(re.compile("/console/break#rule-scenario-1$"))
    expect(page.locator("#rule-scenario-1")).to_be_in_viewport()
    page.get_by_role("button", name="Repair everything").click()
    expect(page.locator("#running li")).to_have_count(0)
    page.goto(f"{sandbox.base}/")
    expect(phone(page)).to_contain_text("Scenario 1")
    expect(phone(page).get_by_role("link", name="Scenario 1")).to_have_count(0)


def test_a_group_of_failures_is_one_step_away(open_page):
    page = open_page("console/break")
    groups = page.get_by_role("navigation", name="Groups")

    groups.get_by_role("link", name=re.compile("Webhooks")).click()

    expect(page.locator("#group-webhooks h2")).to_be_in_viewport()
    page.goto(page.url.split("#")[0] + "?filter=signature")
    assert groups.count() == 0 or groups.get_by_role("link").count() == page.locator(".failures h2").count()


@pytest.mark.parametrize("width", [360, 320])
def test_on_a_phone_the_head_takes_two_lines(open_page, width):
    page = open_page("console/timeline")
    page.set_viewport_size({"width": width, "height": 800})

    assert page.locator("main").bounding_box()["y"] <= 100
    expect(page.locator(".clock .now")).to_contain_text("10:20:30")
    page.get_by_role("button", name="+10 min").click()
    expect(page.locator(".clock .now")).to_have_text("2026-01-05 10:30:30")
    field = page.get_by_label("Find a number")
    field.fill("phones")
    expect(page.locator("#found-box")).to_be_visible()
    box = page.locator("#found-box").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
