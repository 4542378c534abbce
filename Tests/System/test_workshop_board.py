"""The trainer's board in a real browser. Source: CONSOLE.md 2."""

import pytest
import requests
from playwright.sync_api import expect
from twilio.base.exceptions import TwilioRestException

import ringfence
from workshop_pages import open_page, row, solver, workshop  # noqa: F401  (two are fixtures)
from workshop_solvers import Workshop

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("browser")]


def test_the_reason_of_a_refusal_is_shown_by_hover_and_by_keyboard(server, workshop, open_page):
    made = workshop()
    with pytest.raises(TwilioRestException):
        solver(server, made, "1").send("+1")
    page = open_page(f"/console/workshops/{made.created['name']}")
    reason, tooltip = row(page, "1").get_by_role("button", name="tried"), row(page, "1").get_by_role("tooltip")
    expect(tooltip).to_be_hidden()

    reason.hover()
    expect(tooltip).to_contain_text('found "+1"')
    page.mouse.move(0, 0)
    expect(tooltip).to_be_hidden()
    reason.focus()
    expect(tooltip).to_be_visible()


def test_actions_are_for_the_selected_or_for_all(server, workshop, open_page):
    made = workshop(3)
    page = open_page(f"/console/workshops/{made.created['name']}")

    def now(name):
        return requests.get(f"{server.http}/s/{made.sandboxes[name]}/control/clock", timeout=10).json()["now"]

    row(page, "2").get_by_role("checkbox").press("Space")
    page.locator("main").get_by_role("button", name="+10 min").press("Enter")
    expect(page.locator("#board-status")).to_have_text("10 min later for 2.")
    assert [now(name) for name in "123"] == [
        "2026-01-05T10:20:30Z", "2026-01-05T10:30:30Z", "2026-01-05T10:20:30Z"]

    row(page, "2").get_by_role("checkbox").uncheck()
    page.locator("main").get_by_role("button", name="+1 day").click()
    expect(page.locator("#board-status")).to_have_text("1 day later for all 3.")
    assert [now(name)[:10] for name in "123"] == ["2026-01-06"] * 3

    solver(server, made, "3").send_a_code()
    expect(row(page, "3").locator(".done")).to_have_count(1)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_label("Select all").check()
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".board .done")).to_have_count(0)


@pytest.fixture
def frozen():
    """A server whose default sandbox's clock is frozen."""
    with ringfence.Server() as server:
        move(server, mode="frozen", set="2026-01-05T10:20:30Z")
        yield server


def move(server, **change):
    requests.post(f"{server.http}/control/clock", json=change, timeout=10).raise_for_status()


def test_the_board_shows_who_is_broken_since_when_and_who_asks_in_vain(frozen, open_page):
    made = Workshop(frozen, "tuesday", "first-sign-in", 3, "twilio")
    page = open_page("/console/workshops/tuesday", frozen.http)
    row(page, "2").get_by_role("checkbox").check()
    page.get_by_label("Failure").select_option(label="Messages and calls: Lost")
    page.get_by_role("button", name="Break", exact=True).click()
    expect(page.locator("#board-status")).to_have_text("Broken for 2: messages and calls: lost.")
    expect(row(page, "2").locator(".failure-badge")).to_have_text("Broken: messages and calls: lost")
    expect(page.locator(".failure-badge")).to_have_count(1)

    solver(frozen, made, "1").send_a_code()
    wrong = requests.get(f"{frozen.http}/s/{made.sandboxes['3']}/control/inbx", timeout=10)
    assert wrong.status_code == 404
    expect(row(page, "3").locator(".tooltip")).to_contain_text("GET /control/inbx: unknown path")
    expect(row(page, "3").locator(".active time")).to_be_attached()
    expect(row(page, "2").locator(".active")).to_have_text("–")

    move(frozen, advance="12m")
    page.reload()
    expect(row(page, "1").locator(".done")).to_contain_text("0 min")
    expect(row(page, "1").locator(".current")).to_have_text("next 12 min")
    expect(row(page, "2").locator(".current")).to_have_text("next")
    board = requests.get(made.url, timeout=10).json()
    assert [[result["minutes"] for result in one["results"]] for one in board["participants"]] == [
        [0, 12, None, None, None], [None] * 5, [12, None, None, None, None]]
    assert [one["failures"] for one in board["participants"]] == [
        [], [{"effect": "messages and calls: lost", "origin": "trainer"}], []]

    page.get_by_role("button", name="Fix", exact=True).click()
    expect(page.locator("#board-status")).to_have_text("Fixed for all 3.")
    expect(page.locator(".failure-badge")).to_have_count(0)
    made.delete()
    page.get_by_role("button", name="Fix", exact=True).click()
    expect(page.locator("#board-status")).to_have_text("there is no workshop tuesday")


def test_a_board_has_no_controls_of_the_default_sandbox(frozen, open_page):
    Workshop(frozen, "tuesday", "first-sign-in", 1)
    faults = {"faults": [{"status": 500}]}
    requests.put(f"{frozen.http}/control/faults", json=faults, timeout=10).raise_for_status()
    for path in ("/console/workshops", "/console/workshops/tuesday"):
        page = open_page(path, frozen.http)
        expect(page.get_by_label("Time of the boards")).to_contain_text("2026-01-05 10:20:30")
        expect(page.get_by_label("Time of the boards").get_by_role("button")).to_have_count(0)
        expect(page.locator("header .sandbox")).to_have_count(0)
        expect(page.locator("#banner")).to_be_hidden()


def test_on_a_narrow_screen_names_stay_while_tasks_scroll(workshop, open_page):
    made = workshop(story="when-it-goes-wrong")
    page = open_page(f"/console/workshops/{made.created['name']}", viewport={"width": 390, "height": 800})
    name, last = row(page, "1").locator("th"), row(page, "1").locator("td").last
    before = name.bounding_box()["x"]
    last.scroll_into_view_if_needed()

    assert name.bounding_box()["x"] == before
    assert last.bounding_box()["x"] + last.bounding_box()["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_on_a_narrow_screen_a_reason_is_readable_wherever_its_cell_is(server, workshop, open_page):
    made = workshop()
    with pytest.raises(TwilioRestException):
        solver(server, made, "1").send("+1")
    page = open_page(f"/console/workshops/{made.created['name']}", viewport={"width": 390, "height": 800})
    row(page, "1").get_by_role("button", name="tried").focus()
    box = row(page, "1").get_by_role("tooltip").bounding_box()

    assert 0 <= box["x"] and box["x"] + box["width"] <= 390 and box["y"] + box["height"] <= 800
    middle = [box["x"] + 20, box["y"] + box["height"] / 2]
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).getAttribute('role')", middle) == "tooltip"
