"""The trainer's board in a real browser. Source: CONSOLE.md 2."""

import pytest
import requests
from playwright.sync_api import expect
from twilio.base.exceptions import TwilioRestException

import ringfence
from console_forms import press
from workshop_pages import fetches, frozen, move, open_page, row, sheet, solver, tile, workshop  # noqa: F401  (three are fixtures)
from workshop_solvers import Workshop

TOKEN = "the-admin-token-of-a-test"
pytestmark = [pytest.mark.timeout(300)]


def test_the_reason_of_a_refusal_is_shown_by_hover_and_by_keyboard(server, workshop, open_page):
    made = workshop()
    with pytest.raises(TwilioRestException):
        solver(server, made, "1").send("+1")
    page = open_page(f"/console/workshops/{made.created['name']}?view=table")
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
    page = open_page(f"/console/workshops/{made.created['name']}?view=table")

    def now(name):
        return requests.get(f"{server.http}/s/{made.sandboxes[name]}/control/clock", timeout=10).json()["now"]

    row(page, "2").get_by_role("checkbox").press("Space")
    sheet(page, "More").get_by_role("button", name="+10 min").press("Enter")
    expect(page.locator("#board-status")).to_have_text("10 min later for participant 2.")
    assert [now(name) for name in "123"] == [
        "2026-01-05T10:20:30Z", "2026-01-05T10:30:30Z", "2026-01-05T10:20:30Z"]

    row(page, "2").get_by_role("checkbox").uncheck()
    sheet(page, "More").get_by_role("button", name="+1 day").click()
    expect(page.locator("#board-status")).to_have_text("1 day later for all 3 participants.")
    assert [now(name)[:10] for name in "123"] == ["2026-01-06"] * 3

    solver(server, made, "3").send_a_code()
    expect(row(page, "3").locator(".done")).to_have_count(1)
    questions = []
    page.once("dialog", lambda dialog: (questions.append(dialog.message), dialog.accept()))
    page.get_by_label("Select all").check()
    sheet(page, "More").get_by_role("button", name="Reset").click()
    expect(page.locator(".board .done")).to_have_count(0)
    assert questions == ["Reset participant 1, participant 2, participant 3? They start with the first task again."]


def test_the_board_shows_who_is_broken_since_when_and_who_asks_in_vain(frozen, open_page):
    made = Workshop(frozen, "tuesday", "first-sign-in", 3, "twilio")
    page = open_page("/console/workshops/tuesday?view=table", frozen.http)
    row(page, "2").get_by_role("checkbox").check()
    breaking = sheet(page, "Break")
    breaking.get_by_label("Failure").select_option(label="Texts: Lost")
    breaking.get_by_role("button", name="Break", exact=True).click()
    expect(page.locator("#board-status")).to_have_text("Broken for participant 2: sms: lost.")
    expect(page.locator("#board-state li")).to_have_count(1)
    expect(page.locator("#board-state")).to_contain_text("Broken for 2: sms: lost")

    solver(frozen, made, "1").send_a_code()
    wrong = requests.get(f"{frozen.http}/s/{made.sandboxes['3']}/control/inbx", timeout=10)
    assert wrong.status_code == 404
    expect(row(page, "3").locator(".tooltip")).to_contain_text("GET /control/inbx: unknown path")
    expect(row(page, "3").locator(".active time")).to_be_attached()
    expect(row(page, "2").locator(".active")).to_have_text("–")

    move(frozen, advance="12m")
    expect(row(page, "1").locator(".done")).to_contain_text("0 min")
    expect(row(page, "1").locator(".current")).to_have_text("next 12 min")
    expect(row(page, "2").locator(".current")).to_have_text("next")
    board = requests.get(made.url, timeout=10).json()
    assert [[result["minutes"] for result in one["results"]] for one in board["participants"]] == [
        [0, 12, None, None, None], [None] * 5, [12, None, None, None, None]]
    assert [one["failures"] for one in board["participants"]] == [
        [], [{"effect": "sms: lost", "origin": "trainer"}], []]

    row(page, "2").get_by_role("checkbox").uncheck()
    sheet(page, "Break").get_by_role("button", name="Repair").click()
    expect(page.locator("#board-status")).to_have_text("Repaired for all 3 participants.")
    expect(page.locator("#board-state li")).to_have_count(0)


def test_the_rows_that_change_are_replaced_and_focus_scroll_and_selection_stay(server, workshop, open_page):
    made = workshop(40)
    player = solver(server, made, "30")
    with pytest.raises(TwilioRestException):
        player.send("+1")
    page = open_page(f"/console/workshops/{made.created['name']}?view=table", viewport={"width": 1280, "height": 400})
    fetched, names = fetches(page), page.locator(".board tbody a").all_inner_texts()
    row(page, "31").get_by_role("checkbox").check()
    reason = row(page, "30").get_by_role("button", name="tried")
    reason.focus()
    scrolled = page.evaluate("scrollY")
    assert scrolled > 0

    with pytest.raises(TwilioRestException):
        player.send("+2")
    made.act("note", participants=["31"], note="Look at the hint")
    solver(server, made, "40").send_a_code()

    expect(row(page, "30").get_by_role("tooltip")).to_contain_text('found "+2"')
    expect(page.locator("#board-state")).to_contain_text("Note for 31: Look at the hint")
    expect(row(page, "40").locator(".done")).to_have_count(1)
    expect(page.locator("#board-summary")).to_contain_text("Finished0of 40")
    expect(reason).to_be_focused()
    expect(row(page, "31").get_by_role("checkbox")).to_be_checked()
    assert page.evaluate("scrollY") == scrolled
    assert page.locator(".board tbody a").all_inner_texts() == names
    assert fetched == []


def test_a_page_that_was_hidden_gets_the_rows_that_it_missed(workshop, open_page):
    made = workshop(3)
    page = open_page(f"/console/workshops/{made.created['name']}?view=table")
    fetched = fetches(page)

    def hide(is_hidden):
        page.evaluate("""isHidden => {
            Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""", is_hidden)

    hide(True)
    made.act("note", participants=["1", "3"], note="Look at the hint")
    hide(False)

    expect(page.locator("#board-state li")).to_contain_text("Note for 1, 3: Look at the hint")
    # Once, and not in each row too.
    expect(page.get_by_text("Look at the hint")).to_have_count(1)
    assert fetched == []


# Holds the next page that the script fetches until `release` is called. It is changed, to see that it came.
HOLD_THE_PAGE = """() => {
    const original = window.fetch;
    const released = new Promise((done) => { window.release = done; });
    window.held = new Promise((done) => {
        window.fetch = async (...request) => {
            const answer = await original(...request);
            if (request[0] !== location.href) return answer;
            const text = await answer.text();
            done();
            await released;
            return new Response(text.replace("Select all", "Select everybody"));
        };
    });
}"""


def test_a_row_that_is_newer_than_the_fetched_page_stays(workshop, open_page):
    made = workshop(2)
    page = open_page(f"/console/workshops/{made.created['name']}?view=table")
    page.evaluate(HOLD_THE_PAGE)
    sheet(page, "Note to the room").get_by_role("button", name="Remove note").click()
    page.evaluate("() => window.held")

    made.act("note", participants=["2"], note="Look at the hint")
    expect(page.locator("#board-state li")).to_have_count(1)
    page.evaluate("() => window.release()")

    expect(page.get_by_text("Select everybody")).to_be_visible()
    expect(page.locator("#board-state li")).to_have_count(1)


def test_a_participant_whose_sandbox_is_deleted_goes(server, workshop, open_page):
    made = workshop(3)
    page = open_page(f"/console/workshops/{made.created['name']}?view=table")
    url = f"{server.http}/control/sandboxes/{made.sandboxes['2']}"
    requests.delete(url, timeout=10).raise_for_status()

    expect(page.locator(".board tbody a")).to_have_text(["1", "Follow", "3", "Follow"])
    expect(page.locator("#board-summary")).to_contain_text("Finished0of 2")


def test_enter_in_the_note_sends_it_to_the_selected_and_loads_nothing(workshop, open_page):
    made = workshop(3)
    page = open_page(f"/console/workshops/{made.created['name']}?view=table")
    loads = []
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    row(page, "2").get_by_role("checkbox").check()
    row(page, "2").get_by_role("checkbox").press("Enter")
    note, status = page.get_by_label("Note", exact=True), page.locator("#board-status")
    sheet(page, "Note to the room")
    note.fill("Look at the hint")
    note.press("Enter")

    expect(status).to_have_text("Note sent to participant 2.")
    expect(page.locator("#board-state li")).to_contain_text(["Note for 2: Look at the hint"])
    expect(note).to_have_value("")
    expect(row(page, "2").get_by_role("checkbox")).to_be_checked()
    opened = sheet(page, "Note to the room")
    opened.get_by_role("button", name="Send note").click()
    expect(status).to_have_text("Write a note first.")
    expect(page.locator("#board-state li")).to_have_count(1)
    opened.get_by_role("button", name="Remove note").click()
    expect(status).to_have_text("Note removed for participant 2.")
    expect(page.locator("#board-state li")).to_have_count(0)
    assert loads == []


def test_without_the_script_enter_keeps_the_note(workshop, open_page):
    page = open_page(f"/console/workshops/{workshop().created['name']}", java_script_enabled=False)
    loads = []
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    note = page.get_by_label("Note", exact=True)
    sheet(page, "Note to the room")
    note.fill("Look at the hint")
    note.press("Enter")
    page.keyboard.press("Escape")
    tile(page, "1").get_by_role("checkbox").press("Enter")

    expect(note).to_have_value("Look at the hint")
    assert loads == []


def test_deleting_asks_and_leads_to_the_workshops_and_other_boards_say_that_it_is_gone(frozen, open_page):
    made = Workshop(frozen, "tuesday", "first-sign-in", 1)
    page, other = (open_page("/console/workshops/tuesday?view=table", frozen.http) for _ in range(2))
    delete = sheet(page, "More").get_by_role("button", name="Delete tuesday")
    page.once("dialog", lambda dialog: dialog.dismiss())
    delete.click()
    assert requests.get(made.url, timeout=10).status_code == 200

    page.once("dialog", lambda dialog: dialog.accept())
    delete.click()

    page.wait_for_url("**/console/workshops")
    assert requests.get(made.url, timeout=10).status_code == 404
    expect(other.get_by_role("heading", level=1)).to_have_text("There is no workshop tuesday.")
    expect(other.locator("main").get_by_role("button")).to_have_count(0)
    other.locator("main").get_by_role("link", name="Workshops").click()
    other.wait_for_url("**/console/workshops")


def test_a_cell_is_yellow_only_after_a_refusal_of_their_own(frozen, open_page):
    made = Workshop(frozen, "tuesday", "first-sign-in", 2, "twilio")
    page = open_page("/console/workshops/tuesday?view=table", frozen.http)
    player = solver(frozen, made, "1")
    current = row(page, "1").locator(".current")
    neutral = current.evaluate("cell => getComputedStyle(cell).backgroundColor")
    player.send_a_code()
    expect(current).to_have_text("next 0 min")
    player.send("+12025550109")
    expect(current).to_have_text("started 0 min")
    assert current.evaluate("cell => getComputedStyle(cell).backgroundColor") == neutral
    assert made.states()["1"][:2] == ["done", "started"]

    with pytest.raises(TwilioRestException):
        player.send("+1")
    expect(current.get_by_role("button", name="tried")).to_be_visible()
    assert current.evaluate("cell => getComputedStyle(cell).backgroundColor") != neutral
    made.act("break", faults=[{"status": 500}])
    for name in "12":
        with pytest.raises(TwilioRestException):
            solver(frozen, made, name).send()
    panel = open_page(f"/s/{made.sandboxes['1']}/", frozen.http).locator("#tasks .current .why")
    expect(panel.nth(0)).to_contain_text("Last refusal: ")
    expect(panel.nth(0)).to_contain_text('found "+1"')
    expect(panel.nth(1)).to_have_text("The newest answer was broken on purpose.")
    assert made.states()["2"][0] == "started"
    expect(row(page, "2").get_by_role("button", name="broken on purpose")).to_be_visible()
    table = requests.get(f"{made.url}/results.csv", timeout=10).text.splitlines()
    assert "started: broken on purpose" in table[2]


def test_the_head_leads_an_administrator_back_to_the_board(open_page):
    with ringfence.Server(environment={"RINGFENCE_ADMIN_TOKEN": TOKEN}) as server:
        admin = {"Authorization": f"Bearer {TOKEN}"}
        body = {"name": "tuesday", "story": "first-sign-in", "participants": ["Ana"]}
        url = f"{server.http}/control/workshops"
        (ana,) = requests.post(url, json=body, headers=admin, timeout=30).json()["participants"]
        page = press(open_page(f"/join?phrase={ana['phrase']}", server.http))
        expect(page.locator("header .sandbox")).to_have_text("tuesday · Ana")
        expect(page.locator("header .sandbox a")).to_have_count(0)

        page = press(open_page(f"/console/sign-in?token={TOKEN}", server.http))
        page.goto(f"/s/{ana['sandbox']}/")
        page.get_by_role("link", name="tuesday", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("tuesday")


def test_starting_a_task_again_is_confirmed(workshop, open_page):
    made = workshop()
    page = open_page(f"/s/{made.sandboxes['1']}/")
    page.get_by_role("button", name="Start this task again").click()
    expect(page.locator("#task-status")).to_contain_text("Started again.")


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
    page = open_page(f"/console/workshops/{made.created['name']}?view=table", viewport={"width": 390, "height": 800})
    name, last = row(page, "1").locator("th"), row(page, "1").locator("td").last
    before = name.bounding_box()["x"]
    last.scroll_into_view_if_needed()

    assert name.bounding_box()["x"] == before
    assert last.bounding_box()["x"] + last.bounding_box()["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("width", [390, 1280])
def test_a_reason_is_readable_wherever_its_cell_is(server, workshop, open_page, width):
    made = workshop(1)
    with pytest.raises(TwilioRestException):
        solver(server, made, "1").send("+1")
    path = f"/console/workshops/{made.created['name']}?view=table"
    page = open_page(path, viewport={"width": width, "height": 1100})
    table, last = page.locator(".table").bounding_box(), row(page, "1").bounding_box()
    assert table["y"] + table["height"] - last["y"] - last["height"] < 20
    cell, tooltip = row(page, "1").locator(".current"), row(page, "1").get_by_role("tooltip")
    for scrolled in (0, 60):
        page.locator(".table").evaluate("(table, to) => { table.scrollLeft = to; }", scrolled)
        row(page, "1").get_by_role("button", name="tried").focus()
        expect(tooltip).to_be_visible()
        assert is_on_top(page, tooltip.bounding_box(), width)
        assert tooltip.bounding_box()["y"] == pytest.approx(cell.bounding_box()["y"] + cell.bounding_box()["height"], abs=2)
    made.act("note", note="Look at the hint")
    expect(page.locator("#board-state li")).to_be_visible()
    assert is_on_top(page, tooltip.bounding_box(), width)


def is_on_top(page, box, width):
    """True if each corner is inside of the window and nothing covers it."""
    corners = [(box["x"] + x, box["y"] + y) for x in (8, box["width"] - 8) for y in (8, box["height"] - 8)]
    roles = page.evaluate(
        "corners => corners.map(([x, y]) => document.elementFromPoint(x, y)?.getAttribute('role'))", corners)
    return roles == ["tooltip"] * 4 and 0 <= box["x"] and box["x"] + box["width"] <= width
