"""Every control of every page by keyboard: Tab reaches it, its focus can be seen, and it does what it is for.
Source: CONSOLE.md 1.7.

Not activated here, because it changes something; each has a test of its own that uses the keyboard:

* buttons with a request (`data-urls`): clock, *Repair everything*, *Stop*, switches, *Approve*, the keypad,
  *Start this task again*;
* buttons of the board (`data-selection`), and forms that send a request: *Start*, *Reply*, *Create*, *Join*,
  *Sign in*.
"""

import re

import pytest
from playwright.sync_api import expect
from twilio.base.exceptions import TwilioRestException

import chromium
import ringfence
from chromium import NUMBER
from workshop_solvers import Twilio, Workshop

pytestmark = chromium.MARKS

# Reads what has the focus: an XPath that finds it again, and whether an outline shows it.
FOCUSED = """(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  return { path: pathOf(element), outline: getComputedStyle(element).outlineStyle !== "none" };
})()"""
PATHS = """window.pathOf = (element) => {
  const parts = [];
  for (let one = element; one.parentElement; one = one.parentElement) {
    // XPath has no names for elements of SVG.
    const name = one.namespaceURI.endsWith("svg") ? `*[local-name()="${one.localName}"]` : one.localName;
    parts.unshift(`${name}[${[...one.parentElement.children].filter((other) => other.localName === one.localName).indexOf(one) + 1}]`);
  }
  return "/html/" + parts.join("/");
};
window.controls = () => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.type !== "hidden"
    && one.getAttribute("tabindex") !== "-1")
  .map((one) => pathOf(one));"""


@pytest.fixture(scope="module")
def site(browser):
    """A server with a workshop in which something happened, and its pages by path."""
    with ringfence.Server() as server:
        workshop = Workshop(server, "tuesday", "first-sign-in", ["Ana", "Ben"])
        own = ringfence.Sandbox(server.sandbox_described("tuesday-1"))
        player = Twilio(own)
        player.send_a_code()
        with pytest.raises(TwilioRestException):
            player.send("+1")
        own.control("PUT", "scenarios", json={"scenarios": [{"match": {"channel": "call"}, "outcome": "answer", "keys": ""}]})
        player.send(to="+12025550101", channel="call")
        player.send(to="+12025550104", channel="sna")
        own.control("POST", "devices", json={"number": "+12025550103", "provider": "twilio", "identity": "user-0001"})
        own.advance("2s")
        workshop.act("note", note="Back at 11")
        yield server


PAGES = ["/s/tuesday-1/?phones=cards", f"/s/tuesday-1/console/phones/{NUMBER}", "/s/tuesday-1/console/timeline",
         "/s/tuesday-1/console/requests/3", "/s/tuesday-1/console/verifications/3", "/s/tuesday-1/console/break?filter=spam&failure=text-filtered",
         "/s/tuesday-1/console/connect", "/s/tuesday-1/console/connect?language=node", "/s/tuesday-1/console/nope", "/",
         "/console/workshops", "/console/workshops/tuesday", "/console/workshops/tuesday/cards", "/join", "/console/sign-in"]
# `make test` goes through these; `make check` through all.
SAMPLE = ["/s/tuesday-1/console/requests/3", "/console/workshops", "/join"]


@pytest.mark.parametrize("path", [*SAMPLE, *(pytest.param(page, marks=pytest.mark.slow) for page in PAGES if page not in SAMPLE)])
def test_every_control_is_reached_by_tab_and_works(browser, site, path):
    with browser.new_context(base_url=site.http) as context:
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        context.add_init_script(PATHS)
        page = context.new_page()
        page.set_default_timeout(5000)
        page.goto(path)
        url = page.url
        controls = page.evaluate("controls()")
        assert len(controls) > 1

        reached = tabbed(page, 2 * len(controls))

        assert [one for one in controls if one not in reached] == []
        assert [one for one, outline in reached.items() if not outline] == []
        for control in controls:
            one = page.locator(f"xpath={control}")
            is_filter = one.evaluate("one => one.matches('form.filter :not(button)')")
            activate(page, one)
            if is_filter:  # It acts as one types, and is part of the address.
                page.wait_for_url(lambda address: address != url)
            if page.url != url:
                page.goto(url)


def tabbed(page, most):
    """What Tab reaches until it comes round: the path of each, and whether its focus can be seen."""
    reached = {}
    for _ in range(most):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused and focused["path"] in reached:
            break
        if focused:  # else the browser's own controls, between the last and the first
            reached[focused["path"]] = focused["outline"]
    return reached


def activate(page, control):
    """Uses a control that changes nothing in the sandbox, as a person does with the keyboard."""
    kind = control.evaluate("one => one.localName")
    if kind == "summary":
        was_open = control.evaluate("one => one.parentElement.open")
        control.press("Enter")
        assert control.evaluate("one => one.parentElement.open") != was_open
        control.press("Space")
        assert control.evaluate("one => one.parentElement.open") == was_open
    elif kind == "a":
        target = control.get_attribute("href")
        if target.startswith("#"):
            control.press("Enter")
            assert page.url.endswith(target)
        elif target[0] in "/?" and not re.search("authority|results|share", target):
            with page.expect_navigation() as navigation:
                control.press("Enter")
            if navigation.value is None:  # Another place of the same page.
                assert page.url.endswith(target)
            else:
                assert navigation.value.status == 200, target
    elif kind == "button" and control.get_attribute("data-copy"):
        control.press("Enter")
        expect(page.locator("#announcements")).to_contain_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == control.get_attribute("data-copy")
    elif kind == "button" and control.get_attribute("data-pin"):
        # A pinned phone moves to the front.
        pin = page.locator(f'[data-pin="{control.get_attribute("data-pin")}"]')
        for state in ("true", "false"):
            pin.press("Space")
            expect(pin).to_have_attribute("aria-pressed", state)
        page.reload()
    elif kind == "select":
        control.press("ArrowDown")
        assert control.evaluate("one => one.options.length === 1 || one.selectedIndex > 0")
    elif control.get_attribute("type") == "range":
        control.press("Home")
        expect(control).to_have_value("0")
    elif kind == "textarea" or (kind == "input" and control.get_attribute("type") != "checkbox"):
        control.press("7")
        expect(control).to_have_value(re.compile("7"))
    elif kind == "input":
        was_checked = control.is_checked()
        control.press("Space")
        expect(control).to_be_checked(checked=not was_checked)
