"""The tiles of the trainer's board in a real browser. Source: LOOK.md 9."""

import pytest
from playwright.sync_api import expect
from twilio.base.exceptions import TwilioRestException

from console_forms import Form
from workshop_pages import (  # noqa: F401  (three are fixtures)
    frozen, move, open_page, sheet, solver, tile, workshop)
from workshop_solvers import Workshop

PROJECTOR = {"width": 1280, "height": 720}
pytestmark = [pytest.mark.timeout(300)]


@pytest.mark.parametrize("count", [12, 30])
def test_participants_fit_on_a_projector_without_scrolling(server, workshop, open_page, count):
    made = workshop(count)
    made.act("note", note="In five minutes we go on with the next task.")
    made.act("break", faults=[{"status": 503}], participants=["1"])
    for name in ("3", "7"):
        with pytest.raises(TwilioRestException):
            solver(server, made, name).send("+1")
    page = open_page(f"/console/workshops/{made.created['name']}", viewport=PROJECTOR)
    expect(page.locator(".tile")).to_have_count(count)
    size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size[0] <= PROJECTOR["width"] and size[1] <= PROJECTOR["height"]
    # The largest numbers can be read from the back of the room.
    assert page.locator(".big").first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") == 40


def test_who_becomes_stuck_moves_to_the_front_and_says_why(frozen, open_page):
    made = Workshop(frozen, "tuesday", "first-sign-in", 4, "twilio")
    page = open_page("/console/workshops/tuesday", frozen.http)
    with pytest.raises(TwilioRestException):
        solver(frozen, made, "3").send("+1")
    Form(f"{frozen.http}/join?phrase={made.phrases['4']}").send(phrase=made.phrases["4"])
    names = page.locator(".tile h2")
    expect(names).to_have_text(["4", "3", "1", "2"])
    expect(tile(page, "4")).to_contain_text("Joined, but sent nothing")
    tile(page, "3").get_by_role("checkbox").check()
    tile(page, "3").get_by_role("link").focus()

    move(frozen, advance="6m")

    expect(names).to_have_text(["3", "4", "1", "2"])
    expect(tile(page, "3")).to_contain_text("stuck 6 min")
    expect(tile(page, "3")).to_contain_text('found "+1"')
    expect(page.locator("#board-summary .bad")).to_contain_text("longest 6 min, 3")
    expect(tile(page, "3").get_by_role("link")).to_be_focused()
    expect(tile(page, "3").get_by_role("checkbox")).to_be_checked()


def test_participants_who_come_later_are_added(workshop, open_page):
    made = workshop(2)
    page = open_page(f"/console/workshops/{made.created['name']}")
    more = sheet(page, "More")
    more.get_by_label("Names or number").fill("1")
    more.get_by_role("button", name="Add").click()
    expect(page.locator(".tile h2")).to_have_text(["1", "2", "3"])
    expect(page.locator("#selection")).to_have_text("Actions are for all 3 participants.")
    expect(page.locator("#more-sheet .for-whom")).to_have_text("For all 3 participants.")

    more = sheet(page, "More")
    more.get_by_label("Names or number").fill("Ida\n2")
    more.get_by_role("button", name="Add").click()
    expect(page.locator("#participants-problem")).to_contain_text("expected a name that no participant has")
    expect(more.get_by_label("Names or number")).to_have_value("Ida\n2")
    more.get_by_label("Names or number").fill("Ida")
    more.get_by_role("button", name="Add").click()
    expect(page.locator(".tile h2")).to_have_text(["1", "2", "3", "Ida"])
