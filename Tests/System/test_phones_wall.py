"""The wall of phones in a real browser: what is on it, and how it is packed. Source: LOOK.md 5."""

import json

from playwright.sync_api import expect

import chromium
import handset_sign_ins
from chromium import NUMBER, phone

pytestmark = chromium.MARKS


def test_a_cleared_inbox_leaves_nothing_on_the_wall(sandbox, twilio, open_page):
    created = twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    code = sandbox.code(NUMBER)
    page = open_page()
    expect(phone(page)).to_contain_text(code)

    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Clear inboxes").click()

    expect(page.locator(".wall .phone")).to_have_count(0)
    expect(page.get_by_text("No message yet")).to_be_visible()
    page.goto(f"console/phones/{NUMBER}")
    expect(page.locator(".message")).to_have_count(0)
    # Its verification still tells that it had arrived.
    sandbox.advance("1s")
    page.locator(".story a").click()
    expect(page.locator(".step .words").filter(has_text=code)).to_have_count(1)
    assert json.loads(created.body)["status"] == "pending"


def test_each_phone_begins_where_the_one_above_it_ends(sandbox, twilio, open_page):
    for number, count in ("+12025550100", 3), ("+12025550101", 1), ("+12025550104", 2), ("+12025550107", 1):
        for _ in range(count):
            twilio.send("POST", f"{twilio.service}/Verifications", {"To": number, "Channel": "sms"})
    page = open_page()
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(page.locator(".wall.packed .phone")).to_have_count(4)

    boxes = sorted((box["x"], box["y"], box["height"]) for box in (
        one.bounding_box() for one in page.locator(".wall .phone").all()))
    columns = {}
    for x, y, height in boxes:
        columns.setdefault(x, []).append((y, y + height))
    assert len(columns) == 2
    gaps = [below[0] - above[1] for column in columns.values() for above, below in zip(column, column[1:])]
    assert gaps and all(20 <= gap < 25 for gap in gaps), gaps


def test_a_device_has_its_name_and_data_for_the_app_are_words(sandbox, open_page):
    sign_in = handset_sign_ins.Hyphen(sandbox)
    sign_in.ask()
    sign_in.handset.approve()
    assert sign_in.state() == "approved"

    page = open_page()

    card = phone(page, "sbx-fcm-anas-new-iphone")
    expect(card.get_by_role("heading")).to_have_text("anas-new-iphone")
    expect(card.locator(".text")).to_have_text("Nothing to see, data for the app: 2fa-status-change")
    expect(card.locator(".push-data")).to_contain_text("2fa-status-change")


def test_seventeen_phones_fit_on_a_screen_as_a_list_whose_order_is_held(twilio, open_page):
    for number in range(17):
        twilio.send("POST", f"{twilio.service}/Verifications", {"To": f"+120255501{number:02}", "Channel": "sms"})
    page = open_page()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("navigation", name="View").get_by_role("link", name="List").click()
    lines = page.locator("#message-list > li")
    expect(lines).to_have_count(17)
    assert lines.last.bounding_box()["y"] + lines.last.bounding_box()["height"] < 900

    first = lines.first.get_attribute("id")
    lines.first.hover()
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": "+12025550199", "Channel": "sms"})
    expect(page.locator("#newer")).to_have_text("1 new ↑")
    expect(lines.first).to_have_id(first)
    page.mouse.move(0, 0)
    expect(lines.first).to_contain_text("(202) 555-0199")
    # The choice stays where the address does not name it.
    page.goto("")
    expect(lines).to_have_count(18)
