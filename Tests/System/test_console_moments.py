"""The moments of a verification: following the newest one, going back to an earlier moment, and the phone as
its owner sees it. Source: issue 50, D 1, 2 and 4."""

import json

import pytest
from playwright.sync_api import expect

import chromium
from chromium import NUMBER

pytestmark = chromium.MARKS


def send(twilio, to=NUMBER):
    return json.loads(twilio.send("POST", f"{twilio.service}/Verifications", {"To": to, "Channel": "sms"}).body)


def check(twilio, code, to=NUMBER):
    twilio.send("POST", f"{twilio.service}/VerificationCheck", {"To": to, "Code": code})


@pytest.fixture
def failed(sandbox, twilio):
    """The page of a verification: sent, five wrong codes four minutes later, then refused."""
    send(twilio)
    sandbox.advance("4m")
    for digit in range(6):
        check(twilio, f"00000{digit}")
        sandbox.advance("2s")
    [one] = sandbox.control("GET", "verifications").json()["verifications"]
    return f"console/verifications/{one['id']}"


def test_follow_moves_on_to_the_next_verification(sandbox, twilio, open_page):
    page = open_page("console/follow")
    expect(page.locator(".waiting")).to_contain_text("Waiting for the first verification")
    expect(page.locator(".rail")).to_be_hidden()

    for number in (NUMBER, "+12025550101"):
        send(twilio, number)
        sandbox.advance("1s")
        expect(page.locator("h1")).to_have_text(f"{number[:2]} {number[2:5]} {number[5:8]} {number[8:]}")
        expect(page.locator(".sequence .code .words")).to_have_text(sandbox.code(number))
        expect(page.locator(".notice .digits")).to_have_text(sandbox.code(number))
    page.locator("#number").select_option(NUMBER)
    expect(page.locator("h1")).to_have_text("+1 202 555 0100")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    page.wait_for_url(f"**/s/{sandbox.name}/")


def test_follow_can_be_read_from_the_last_row_and_draws_only_for_those_who_like_motion(
        sandbox, twilio, open_page):
    page = open_page("console/follow")
    page.set_viewport_size({"width": 1600, "height": 900})
    page.emulate_media(reduced_motion="reduce")
    send(twilio)
    sandbox.advance("1s")
    expect(page.locator(".sequence .code .words")).to_have_count(1)

    # In pixels of the screen: a drawing is scaled.
    sizes = page.evaluate("""() => [...document.querySelectorAll("#main *")]
        .filter((one) => one.checkVisibility()
            && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
        .map((one) => [parseFloat(getComputedStyle(one).fontSize)
            * (one.ownerSVGElement ? one.getScreenCTM().a : 1), one.textContent])""")
    moving = "document.getAnimations().length"

    assert [each for each in sizes if each[0] < 14] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1600
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    assert page.evaluate(moving) == 0
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(moving) > 0


def test_the_slider_shows_an_earlier_moment_and_the_end_is_now(sandbox, failed, open_page):
    page = open_page(failed)
    facts, slider = page.locator("#facts"), page.locator("[name=place]")
    expect(page.locator("#state")).to_have_text("exhausted")
    expect(page.locator(".repeated .words")).to_contain_text("×")
    assert page.locator(".sequence .later").count() == 0

    slider.press("Home")
    expect(page.locator("#state")).to_have_text("pending")
    expect(facts).to_contain_text("0 of 5")
    expect(page.locator("#lock .notice time")).to_have_text("now")
    expect(page.locator(".repeated.later")).to_have_count(1)
    assert "at=1767608430000" in page.url
    slider.press("End")
    expect(page.locator("#state")).to_have_text("exhausted")
    expect(page.locator(".later")).to_have_count(0)
    assert "at=" not in page.url


def test_a_moment_is_played_and_needs_no_script(sandbox, failed, browser, open_page, server):
    page = open_page(failed)
    page.locator("[name=place]").press("Home")
    expect(page.locator("#state")).to_have_text("pending")
    page.get_by_role("button", name="Play at 60 times").click()
    expect(page.locator("#state")).to_have_text("exhausted", timeout=20_000)
    expect(page.get_by_role("button", name="Play at 60 times")).to_have_attribute("aria-pressed", "false")

    with browser.new_context(java_script_enabled=False) as context:
        plain = context.new_page()
        plain.goto(f"{server.http}/s/{sandbox.name}/{failed}?place=0")
        expect(plain.locator("#state")).to_have_text("pending")
        expect(plain.get_by_role("button", name="Show")).to_be_visible()


def test_a_phone_is_a_phone_and_the_frame_is_one_tap_away(sandbox, twilio, open_page):
    send(twilio)
    sandbox.advance("1s")
    page = open_page()
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"console/phones/{NUMBER}")

    box = page.locator("#lock").bounding_box()
    assert (box["x"], box["y"], box["width"]) == (0, 0, 360) and box["height"] >= 740
    expect(page.locator(".notice .digits")).to_have_text(sandbox.code(NUMBER))
    for part in (".bar", "#search", ".rail", "#banner"):
        expect(page.locator(part)).to_be_hidden()
    page.get_by_role("link", name="Console").click()
    for part in (".bar .clock", "#search", ".rail .pages"):
        expect(page.locator(part)).to_be_visible()
    page.get_by_role("link", name="Messages").click()
    expect(page.locator("#search")).to_be_hidden()
    expect(page.locator(f"[id='phone-{NUMBER}'] .reply")).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("#lock")).to_be_hidden()
