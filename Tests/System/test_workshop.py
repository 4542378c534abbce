"""Workshops in a real browser: the pages, a whole workshop with twelve participants, and a crash. Source:
CONSOLE.md 2, 6."""

import concurrent.futures
import contextlib
import re

import pytest
import requests
from playwright.sync_api import expect
from twilio.base.exceptions import TwilioRestException

import ringfence
from console_forms import Form, press
from workshop_pages import join, open_page, sheet, solve, solver, tile, workshop  # noqa: F401  (two are fixtures)
from workshop_solvers import Workshop

NAMES = ["Ana", "Ben", "Cem", "Dia", "Eva", "Finn", "Gil", "Hana", "Ida", "Jon", "Kim", "Lea"]
ATTACK = "<img src=x onerror=alert(1)>"
RECONNECTED = 30_000  # milliseconds, at most
TOKEN = "the-admin-token-of-a-test"

pytestmark = [pytest.mark.timeout(300)]


def test_a_trainer_creates_a_workshop_by_form(server, open_page):
    page = open_page("/console/workshops")
    page.get_by_label("Name").fill("by-form")
    expect(page.get_by_label("Story").locator("option").first).to_have_text("first-sign-in, twilio (5 tasks)")
    page.get_by_label("Story").select_option("first-sign-in prelude")
    page.get_by_label("Participants").fill(f"Ana\n{ATTACK}\n")
    page.get_by_role("button", name="Create").click()

    expect(page.locator("h1")).to_contain_text("by-form")
    expect(page.locator(".board-head")).to_contain_text("First sign-in, prelude")
    expect(page.locator(".tile")).to_have_count(2)
    expect(page.get_by_role("link", name=ATTACK)).to_be_visible()
    page.get_by_role("link", name="Cards").click()
    expect(page.locator(".join-card")).to_have_count(2)
    expect(page.locator(".join-card h2").last).to_have_text(ATTACK)
    requests.delete(f"{server.http}/control/workshops/by-form", timeout=30)


@contextlib.contextmanager
def sandbox_named(server, name):
    requests.post(f"{server.http}/control/sandboxes", json={"name": name}, timeout=10).raise_for_status()
    yield
    requests.delete(f"{server.http}/control/sandboxes/{name}", timeout=10).raise_for_status()


def test_a_mistake_in_the_form_is_explained_next_to_its_field(server, open_page):
    page = open_page("/console/workshops")
    page.get_by_label("Name").fill("twice")
    page.get_by_label("Participants").fill("Ana\nAna")
    page.get_by_role("button", name="Create").click()

    expect(page.locator("#participants-problem")).to_contain_text("expected a different name for each")
    expect(page.get_by_label("Participants")).to_be_focused()
    expect(page.get_by_label("Participants")).to_have_attribute("aria-invalid", "true")
    for name, problem in [("a b", "expected 1 to 40 letters, digits, - or _"),
                          ("made-1-1", "sandbox made-1-1-1 exists already; use another name")]:
        with sandbox_named(server, "made-1-1-1"):
            page.get_by_label("Name").fill(name)
            page.get_by_label("Participants").fill("Ana\nBen")
            page.get_by_role("button", name="Create").click()
            expect(page.locator("#name-problem")).to_contain_text(problem)
            expect(page.locator("#participants-problem")).to_be_empty()
            expect(page.get_by_label("Name")).to_have_value(name)
            expect(page.get_by_label("Participants")).to_have_value("Ana\nBen")


def test_a_phrase_leads_to_the_own_console(workshop, open_page):
    made = workshop()
    page = open_page("/join")
    page.get_by_label("The phrase on your card").fill("no-such phrase")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("No card has this phrase")
    expect(page.get_by_label("The phrase on your card")).to_have_value("no-such phrase")

    join(page, made.phrases["1"].replace("-", " ").upper())

    assert page.url.endswith(f"/s/{made.sandboxes['1']}/")
    expect(page.locator("#tasks .current strong")).to_have_text("Send a code")
    empty, quiet = (page.locator(part).bounding_box() for part in (".wall .nothing", "#quiet-phones"))
    assert quiet["y"] >= empty["y"] + empty["height"]


def test_a_task_is_checked_off_while_the_page_is_open(server, workshop, open_page):
    made = workshop()
    page = press(open_page(f"/join?phrase={made.phrases['1']}"))
    page.locator("#hint summary").click()
    expect(page.locator("#hint p").first).to_contain_text("verifications.create")
    expect(page.locator("#hint")).to_contain_text("The task now waits for: createVerification with +12025550100, answered with 201")
    page.locator("#tasks").evaluate("list => list.scrollTo(0, list.scrollHeight)")

    solver(server, made, "1").send_a_code()

    expect(page.locator("#tasks .done strong")).to_have_text("Send a code")
    expect(page.locator("#tasks .current > strong")).to_have_text("Read the code")
    expect(page.locator("#tasks .current > strong")).to_be_in_viewport()
    expect(page.locator("#tasks .progress")).to_have_text("1 of 5 are done.")
    expect(page.locator("#hint p").first).to_be_hidden()


def test_a_task_that_is_done_is_read_again_by_keyboard_and_without_the_script(server, workshop, open_page):
    made = workshop()
    solver(server, made, "1").send_a_code()
    for script in (True, False):
        page = press(open_page(f"/join?phrase={made.phrases['1']}", java_script_enabled=script))
        done = page.locator("#tasks .done")
        expect(done.locator("p").first).to_be_hidden()

        done.locator("summary").first.press("Enter")

        expect(done.locator("p").first).to_contain_text("send a code to +12025550100")
        expect(done.locator("summary").first).to_contain_text("done ")


def test_a_note_reaches_one_participant_as_text(workshop, open_page):
    made = workshop()
    pages = [press(open_page(f"/join?phrase={made.phrases[name]}")) for name in ("1", "2")]
    trainer = open_page(f"/console/workshops/{made.created['name']}")
    tile(trainer, "2").get_by_role("checkbox").check()
    open_sheet = sheet(trainer, "Note to the room")
    expect(open_sheet.locator(".for-whom")).to_have_text("For participant 2.")
    open_sheet.get_by_label("Note", exact=True).fill(f"Look at the hint {ATTACK}")
    open_sheet.get_by_role("button", name="Send note").click()

    expect(pages[1].locator("#note")).to_have_text(f"Look at the hint {ATTACK}")
    expect(pages[1].locator("#note")).to_have_attribute("aria-live", "polite")
    expect(pages[0].locator("#note")).to_have_text("")
    expect(trainer.locator("#board-state")).to_contain_text(f"Note for 2: Look at the hint {ATTACK}")
    trainer.locator("#board-state").get_by_role("button", name="Remove note").click()
    expect(pages[1].locator("#note")).to_have_text("")


def test_a_room_behind_one_address_is_not_locked_out_but_guessing_is_slow():
    with ringfence.Server() as server:
        made = Workshop(server, "limited", "first-sign-in", 1)
        form = Form(f"{server.http}/join")

        def status(phrase):
            return form.send(phrase=phrase).status_code

        # Words that are on no list cannot be right, so whoever guesses learns nothing from them.
        assert {status("calm-blue-oter") for _ in range(150)} == {404}
        assert {status("calm-calm-otter") for _ in range(20)} == {404}
        assert Form(form.url).send(phrase=made.phrases["1"]).status_code == 303
        assert {status("calm-calm-otter") for _ in range(80)} == {404}
        assert status("calm-blue-oter") == 429
        assert status(made.phrases["1"]) == 429


def test_with_required_tokens_a_phrase_opens_one_sandbox_only(browser):
    with ringfence.Server(environment={"RINGFENCE_ADMIN_TOKEN": TOKEN}) as server:
        admin = {"Authorization": f"Bearer {TOKEN}"}
        body = {"name": "tuesday", "story": "first-sign-in", "participants": 2}
        created = requests.post(f"{server.http}/control/workshops", json=body, headers=admin, timeout=30).json()
        ana, ben = created["participants"]
        own = {"Authorization": f"Bearer {ana['token']}"}
        assert requests.get(f"{server.http}/control/tasks", headers=own, timeout=10).json()["participant"] == "1"
        for path in ("workshops", "workshops/tuesday", "workshops/tuesday/results.csv", "workshops/tuesday/stream", "stories"):
            assert requests.get(f"{server.http}/control/{path}", headers=own, timeout=10).status_code == 403, path
            assert requests.get(f"{server.http}/control/{path}", timeout=10).status_code == 401, path
        stream = f"{server.http}/console/workshops/tuesday/stream"
        assert requests.get(stream, headers=own, timeout=10).status_code == 403
        signed_out = requests.get(stream, allow_redirects=False, timeout=10)
        assert (signed_out.status_code, signed_out.headers["Location"].split("?")[0]) == (303, "/console/sign-in")
        code = f"{server.http}/s/{ben['sandbox']}/control/inbox/+12025550100/latest/code"
        assert requests.get(code, timeout=10).status_code == 401
        board = requests.get(f"{server.http}/control/workshops/tuesday", headers=admin, timeout=10).json()
        results = [one["results"][0] for one in board["participants"]]
        assert [one["state"] for one in results] == ["untouched", "tried"]
        assert results[1]["why"].startswith("GET /control/inbox/+12025550100/latest/code: ")
        with browser.new_context(base_url=server.http) as context:
            page = context.new_page()
            page.goto("/join")
            join(page, ana["phrase"])
            assert page.goto(f"/s/{ana['sandbox']}/console/timeline").status == 200
            assert page.goto(f"/s/{ben['sandbox']}/").status == 404
            assert page.goto("/console/workshops").status == 403
            assert {(cookie["httpOnly"], cookie["sameSite"]) for cookie in context.cookies()} == {(True, "Strict")}


@pytest.mark.slow
class TestWholeWorkshop:
    """Twelve browsers, twelve official clients at different speeds, a trainer who breaks and fixes, and two
    crashes."""

    def test_it(self, browser, tmp_path):
        self.data = tmp_path
        self.server = self.started("127.0.0.1:0")
        self.address = self.server.http.removeprefix("http://")
        try:
            self.play(browser)
        finally:
            self.server.kill()

    def started(self, address):
        return ringfence.Server(
            "--data", self.data, listeners=("--http", address, "--https", "off", "--gateway", "off"))

    def crash(self):
        self.server.kill()
        self.server = self.started(self.address)

    def play(self, browser):
        made = Workshop(self.server, "tuesday", "first-sign-in", NAMES)
        trainer = self.page(browser, "/console/workshops/tuesday")
        pages = {name: self.page(browser, "/join") for name in NAMES}
        for name, page in pages.items():
            join(page, made.phrases[name])
        players = {name: solver(self.server, made, name) for name in NAMES}
        # How many tasks each has done in the end of the first part.
        speeds = {name: place % 5 for place, name in enumerate(NAMES)}
        self.all(lambda name: solve(players[name], made, 0, speeds[name]))
        for name, done in speeds.items():
            expect(tile(trainer, name).locator(".steps .on")).to_have_count(done)
            expect(pages[name].locator("#tasks .progress")).to_have_text(f"{done} of 5 are done.")

        tile(trainer, "Ana").get_by_role("checkbox").check()
        tile(trainer, "Finn").get_by_role("checkbox").check()
        breaking = sheet(trainer, "Break")
        breaking.get_by_label("Failure").select_option(label="The provider's API: Answers 500")
        breaking.get_by_role("button", name="Break", exact=True).click()
        expect(trainer.locator("#board-status")).to_have_text("Broken for Ana, Finn: every provider answers 500.")
        expect(trainer.locator("#board-state li")).to_have_count(1)
        expect(trainer.locator("#board-state")).to_contain_text("Broken for Ana, Finn: every provider answers 500")
        expect(pages["Ana"].locator("#banner")).to_contain_text("every provider answers 500")
        for name in ("Ana", "Finn"):
            with pytest.raises(TwilioRestException):
                players[name].send_a_code()
            expect(tile(trainer, name)).to_contain_text("by the trainer: fault 1 answers 500")
        before = made.states()

        self.crash()

        assert made.states() == before
        assert before["Ana"] == ["started"] + ["untouched"] * 4
        trainer.locator("#board-state").get_by_role("button", name="Repair").click()
        # Browsers pause before they connect again.
        expect(pages["Ana"].locator("#banner")).to_be_hidden(timeout=RECONNECTED)
        self.all(lambda name: solve(players[name], made, speeds[name], 5))
        expect(trainer.locator(".tile.finished")).to_have_count(12, timeout=RECONNECTED)
        expect(trainer.locator("#board-summary")).to_contain_text("Finished12of 12")
        for page in pages.values():
            expect(page.locator("#tasks .progress")).to_have_text("All 5 tasks are done.", timeout=RECONNECTED)

        self.crash()

        assert made.states() == {name: ["done"] * 5 for name in NAMES}
        table = requests.get(f"{made.url}/results.csv", timeout=10).text.splitlines()
        assert [line.split(",")[0] for line in table] == ["participant", *NAMES]
        time = r",2\d{3}-\d\d-\d\dT[\d:]+Z"
        assert all(re.fullmatch(rf"\w+,tuesday-\d+,5{time}({time},\d+){{5}}", line) for line in table[1:])
        for page in (trainer, *pages.values()):
            page.context.close()

    def page(self, browser, path):
        page = browser.new_context(base_url=self.server.http).new_page()
        page.goto(path)
        return page

    def all(self, act):
        """Runs `act` for all participants at the same time."""
        with concurrent.futures.ThreadPoolExecutor(len(NAMES)) as pool:
            list(pool.map(act, NAMES))
