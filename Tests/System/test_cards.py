"""The cards of a workshop, on paper and on screens; and the way through the sign-in page. Source: CONSOLE.md
2 and 3."""

import re

import pytest
import requests
from playwright.sync_api import expect

import chromium
import ringfence

TOKEN = "the-admin-token-of-a-test"

pytestmark = chromium.MARKS

CARD_VARIABLES = {
    "twilio": ["RINGFENCE_URL", "TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_VERIFY_SERVICE_SID"],
    "telesign": ["RINGFENCE_URL", "TELESIGN_CUSTOMER_ID", "TELESIGN_API_KEY"],
    "prove": ["RINGFENCE_URL", "PROVE_CLIENT_ID", "PROVE_CLIENT_SECRET", "PROVE_BASE_URL"],
}


@pytest.mark.parametrize("story, flavour", [
    ("first-sign-in", "twilio"), ("when-it-goes-wrong", "telesign"), ("without-a-code", "prove")])
def test_eight_cards_are_on_a_sheet_and_no_value_is_broken(browser, story, flavour):
    """With a token and a name as long as they can be: the longest values. In print, on a screen, and on a
    phone."""
    name = "w" * 40
    with ringfence.Server(environment={"RINGFENCE_ADMIN_TOKEN": TOKEN}) as server:
        admin = {"Authorization": f"Bearer {TOKEN}"}
        body = {"name": name, "story": story, "flavour": flavour, "participants": 16}
        requests.post(f"{server.http}/control/workshops", json=body, headers=admin, timeout=60).raise_for_status()
        with browser.new_context(base_url=server.http) as context:
            page = context.new_page()
            page.goto(f"/console/sign-in?token={TOKEN}&next=/console/workshops/{name}/cards")
            shown = page.locator(".join-card").first.locator("dt").all_inner_texts()[2:]
            assert sorted(shown) == sorted(CARD_VARIABLES[flavour] + ["RINGFENCE_TOKEN"])

            for width in (360, 1280):
                page.set_viewport_size({"width": width, "height": 800})
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                assert broken_values(page) == []
            page.emulate_media(media="print")
            page.set_viewport_size({"width": 718, "height": 1000})  # 190 mm: A4 without margins
            assert broken_values(page) == []
            heights = page.evaluate("[...document.querySelectorAll('.join-card')].map(card => [card.scrollHeight, card.clientHeight])")
            assert all(content <= height for content, height in heights)
            assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 2


def broken_values(page):
    """Values of cards that take more than a line, or more than the width of their card."""
    return page.evaluate("""[...document.querySelectorAll(".credentials dd")].filter(value => {
      const line = document.createRange();
      line.selectNodeContents(value);
      const place = line.getBoundingClientRect(), card = value.closest(".join-card").getBoundingClientRect();
      return line.getClientRects().length > 1 || place.right > card.right;
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

            expect(page.locator("h1")).to_have_text("tuesday")
            assert page.url == f"{server.http}/console/workshops/tuesday"
