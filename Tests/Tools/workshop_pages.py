"""Fixtures and helpers of the tests of workshops' pages."""

import pytest
import requests
from playwright.sync_api import expect

import ringfence
from workshop_solvers import SOLVERS, Workshop, method_of


@pytest.fixture
def workshop(server):
    made = []

    def make(participants=2, story="first-sign-in", flavour="twilio"):
        made.append(Workshop(server, f"workshop-{len(made)}", story, participants, flavour))
        return made[-1]

    yield make
    for one in made:
        one.delete()


@pytest.fixture
def open_page(browser, server):
    """Opens a page in its own browser profile. The test fails if the page reports an error."""
    contexts, problems = [], []

    def opened(path, base=None, **options):
        context = browser.new_context(base_url=base or server.http, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def frozen():
    """A server whose default sandbox's clock is frozen."""
    with ringfence.Server() as server:
        move(server, mode="frozen", set="2026-01-05T10:20:30Z")
        yield server


def move(server, **change):
    requests.post(f"{server.http}/control/clock", json=change, timeout=10).raise_for_status()


def fetches(page):
    """The addresses that the script of a page fetches from now on."""
    found = []
    page.on("request", lambda request: request.resource_type == "fetch" and found.append(request.url))
    return found


def solver(server, workshop, name):
    flavour = workshop.created["flavour"]
    return SOLVERS[flavour](ringfence.Sandbox(server.sandbox_described(workshop.sandboxes[name])))


def solve(player, workshop, first, last):
    """Solves the tasks from `first` to before `last`."""
    for title in workshop.tasks[first:last]:
        getattr(player, method_of(title))()


def tile(page, name):
    return page.locator(".tile").filter(has=page.get_by_role("link", name=name, exact=True))


def sheet(page, button):
    """Opens a sheet of a board by its button."""
    page.get_by_role("button", name=button, exact=True).click()
    return page.locator(".sheet:popover-open")


def row(page, name):
    """A participant's row of the table."""
    return page.locator(".board tbody tr").filter(has=page.get_by_role("link", name=name, exact=True))


def join(page, phrase):
    page.get_by_label("The phrase on your card").fill(phrase)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Tasks")).to_be_visible()
