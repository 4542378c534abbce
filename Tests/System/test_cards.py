"""The cards of a workshop, on paper and on screens; and the way through the sign-in page. Source: CONSOLE.md
2 and 3."""

import re

import pytest
import requests
from playwright.sync_api import expect

import chromium
import ringfence
from console_forms import press

TOKEN = "the-admin-token-of-a-test"

pytestmark = chromium.MARKS

CARD_VARIABLES = {
    "twilio": ["RINGFENCE_URL", "TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_VERIFY_SERVICE_SID"],
    "telesign": ["RINGFENCE_URL", "TELESIGN_CUSTOMER_ID", "TELESIGN_API_KEY"],
    "prove": ["RINGFENCE_URL", "PROVE_CLIENT_ID", "PROVE_CLIENT_SECRET", "PROVE_BASE_URL"],
}


@pytest.mark.parametrize("story, flavour", [
    ("first-sign-in", "twilio"), ("when-it-goes-wrong", "telesign"), ("without-a-code", "prove")])
def test_six_cards_are_on_a_sheet_and_every_value_can_be_typed_off(browser, story, flavour):
    """With a token and a name as long as they can be: the longest values. In print, on a screen, and on a
    phone."""
    name = "w" * 40
    with ringfence.Server(environment={"RINGFENCE_ADMIN_TOKEN": TOKEN}) as server:
        admin = {"Authorization": f"Bearer {TOKEN}"}
        body = {"name": name, "story": story, "flavour": flavour, "participants": 12}
        requests.post(f"{server.http}/control/workshops", json=body, headers=admin, timeout=60).raise_for_status()
        with browser.new_context(base_url=server.http) as context:
            page = context.new_page()
            page.goto(f"/console/sign-in?token={TOKEN}&next=/console/workshops/{name}/cards")
            press(page)
            shown = page.locator(".join-card").first.locator("dt").all_inner_texts()[2:]
            assert sorted(shown) == sorted(CARD_VARIABLES[flavour] + ["RINGFENCE_TOKEN"])
            assert page.locator(".join-card .qr").count() == 12

            for width in (360, 1280):
                page.set_viewport_size({"width": width, "height": 800})
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                assert unreadable_values(page) == []
            page.emulate_media(media="print")
            page.set_viewport_size({"width": 718, "height": 1000})  # 190 mm: A4 without margins
            assert unreadable_values(page) == []
            heights = page.evaluate("[...document.querySelectorAll('.join-card')].map(card => [card.scrollHeight, card.clientHeight])")
            assert all(content <= height for content, height in heights)
            assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 2


def unreadable_values(page):
    """Values of cards that are smaller than 8 pt, or wider than their card."""
    return page.evaluate("""[...document.querySelectorAll(".credentials dd")].filter(value => {
      const card = value.closest(".join-card").getBoundingClientRect();
      const points = parseFloat(getComputedStyle(value).fontSize) * 72 / 96;
      return points < 7.99 || value.getBoundingClientRect().right > card.right || value.scrollWidth > value.clientWidth;
    }).map(value => value.textContent)""")


def test_after_signing_in_comes_the_page_that_was_asked_for(browser):
    with ringfence.Server(environment={"RINGFENCE_ADMIN_TOKEN": TOKEN}) as server:
        body = {"name": "tuesday", "story": "first-sign-in", "participants": 1}
        requests.post(f"{server.http}/control/workshops", json=body, timeout=30,
                      headers={"Authorization": f"Bearer {TOKEN}"}).raise_for_status()
        with browser.new_context(base_url=server.http) as context:
            page = context.new_page()
            page.goto("/console/workshops/tuesday")
            page.get_by_label("Token").fill("a wrong one")
            page.keyboard.press("Enter")
            expect(page.get_by_role("alert")).to_have_text("This token is wrong.")
            page.get_by_label("Token").fill(TOKEN)
            page.keyboard.press("Enter")

            expect(page.locator("h1")).to_contain_text("tuesday")
            assert page.url == f"{server.http}/console/workshops/tuesday"
