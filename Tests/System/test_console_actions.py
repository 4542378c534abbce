"""Copying, keys, codes, search, the theme and adding a phone: in a real browser. Source: LOOK.md."""

import gzip
import json
import re

import pytest
from playwright.sync_api import expect, sync_playwright

import chromium
import ringfence
from chromium import NUMBER, phone

# As people write it.
SHOWN = "+1 202 555 0100"

pytestmark = chromium.MARKS


def send(twilio, to=NUMBER, **more):
    return twilio.send("POST", f"{twilio.service}/Verifications", {"To": to, "Channel": "sms", **more})


def test_copy_works_over_plain_http_and_says_so():
    """A workshop has plain HTTP and a name that is not localhost: browsers have no clipboard there."""
    with ringfence.Server("--allow-host", "ringfence.example") as server, sync_playwright() as playwright:
        sandbox = ringfence.Sandbox(server.sandbox_described("default"))
        sandbox.twilio(To=NUMBER, Channel="sms").raise_for_status()
        sandbox.advance("10s")
        browser = playwright.chromium.launch(
            executable_path=chromium.program(),
            args=["--no-sandbox", "--host-resolver-rules=MAP ringfence.example 127.0.0.1"])
        page = browser.new_page()
        page.goto(server.http.replace("127.0.0.1", "ringfence.example") + "/")
        assert page.evaluate("navigator.clipboard") is None

        copy = phone(page).get_by_role("button", name="Copy")
        copy.click()

        expect(copy).to_have_text("Copied")
        page.locator("#search input").press("Control+v")
        expect(page.locator("#search input")).to_have_value(sandbox.code(NUMBER))
        browser.close()


def test_c_copies_the_newest_code_of_the_page(sandbox, twilio, open_page):
    send(twilio)
    sandbox.advance("10s")
    send(twilio, "+12025550101")
    sandbox.advance("10s")
    page = open_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    page.keyboard.press("c")

    expect(page.locator("#announcements")).to_have_text(f"Copied {sandbox.code('+12025550101')}.")


def test_a_approves_only_on_the_phone_with_the_focus(sandbox, twilio, open_page):
    sandbox.control("POST", "devices", json={"number": NUMBER, "provider": "twilio", "identity": "user-0001"})
    entity = f"{twilio.service}/Entities/user-0001"
    factor = json.loads(twilio.send("GET", f"{entity}/Factors").body)["factors"][0]["sid"]
    twilio.send("POST", f"{entity}/Challenges", {"FactorSid": factor, "Details.Message": "Sign in?"})
    send(twilio, "+12025550101")
    sandbox.advance("10s")
    page = open_page()

    page.keyboard.press("a")
    expect(page.locator("#announcements")).to_contain_text("Choose a phone first")
    phone(page, "+12025550101").focus()
    page.keyboard.press("a")
    expect(phone(page).get_by_role("button", name="Approve")).to_be_visible()
    phone(page).focus()
    page.keyboard.press("a")

    expect(phone(page).locator(".challenge .pill")).to_have_text("approved")


def test_a_code_shows_what_became_of_it_and_leads_to_its_verification(sandbox, twilio, open_page):
    for number in (NUMBER, "+12025550101", "+12025550102"):
        send(twilio, number)
    sandbox.advance("10s")
    twilio.send("POST", f"{twilio.service}/VerificationCheck", {"To": NUMBER, "Code": sandbox.code(NUMBER)})
    for _ in range(6):
        twilio.send("POST", f"{twilio.service}/VerificationCheck", {"To": "+12025550101", "Code": "000000"})
    page = open_page()

    def state(number):
        return phone(page, number).locator(".code .pill")

    expect(state(NUMBER)).to_have_text("used")
    expect(state("+12025550101")).to_have_text("locked by wrong codes")
    expect(state("+12025550102")).to_have_text("valid")
    sandbox.advance("10m")
    expect(state("+12025550102")).to_have_text("expired")
    state(NUMBER).click()
    expect(page.locator("h1")).to_contain_text(re.compile("202"))
    assert "/console/verifications/" in page.url


def test_search_finds_numbers_codes_and_sids(sandbox, twilio, open_page):
    sid = json.loads(send(twilio).body)["sid"]
    sandbox.advance("10s")
    page = open_page("console/timeline")
    field = page.get_by_label("Find a number, code, request or action")

    for text, name, place in (
            ("202 555 0100", SHOWN, "/console/phones/"), (sandbox.code(NUMBER), sandbox.code(NUMBER), "/console/phones/"),
            (sid, "Twilio createVerification", "/console/requests/"), (sid[:20], SHOWN, "/console/verifications/"),
            (NUMBER, SHOWN, "/console/verifications/")):
        page.keyboard.press("/")
        field.fill(text)
        page.locator(f'#found a[href*="{place}"]', has_text=name).first.click()
        page.wait_for_url(f"**{place}**")


def test_an_action_is_chosen_by_keyboard(sandbox, open_page):
    page = open_page()
    before = sandbox.control("GET", "clock").json()["now"]

    page.keyboard.press("Control+k")
    page.keyboard.type("advance 10")
    expect(page.locator("#found button")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(page.locator("#clock-note")).to_have_text("Nothing was due.")
    assert sandbox.control("GET", "clock").json()["now"] > before
    page.keyboard.press("Control+k")
    page.keyboard.type("taken for spam")
    expect(page.locator("#found a").first).to_contain_text("Texts, Taken for spam")
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/break?failure=text-filtered")


def test_the_theme_is_kept_for_all_pages(open_page):
    page = open_page()
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")

    page.get_by_role("button", name="Light or dark").click()

    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != background
    page.goto("console/timeline")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def test_a_phone_is_added_with_its_facts(sandbox, open_page):
    page = open_page()
    page.get_by_role("button", name="Add a phone").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Number").fill("+12")
    form.get_by_role("button", name="Add", exact=True).click()
    expect(form.get_by_role("alert")).to_contain_text("expected a phone number")
    form.get_by_label("Number").fill("+12025550177")
    form.get_by_label("Operator").fill("Wren Mobile")
    form.get_by_label("SIM card").select_option("swapped 3 days ago")
    form.get_by_label("Roaming").select_option("in another country")
    form.get_by_label("App of").select_option("Twilio")
    form.get_by_label("The app's user").fill("user-0007")

    form.get_by_role("button", name="Add", exact=True).click()

    page.wait_for_url("**/console/phones/*12025550177")
    expect(phone(page, "+12025550177").locator(".status-line")).to_contain_text("Wren Mobile · roaming")
    expect(phone(page, "+12025550177").locator(".badges")).to_contain_text("SIM swapped 3 d ago")
    devices = sandbox.control("GET", "devices").json()["devices"]
    assert "+12025550177" in [one["number"] for one in devices]


def test_filters_act_as_one_types_and_are_part_of_the_address(sandbox, twilio, open_page):
    for number in (NUMBER, "+12025550101"):
        send(twilio, number)
    sandbox.advance("10s")
    page = open_page()
    expect(page.locator("#phones .phone")).to_have_count(2)

    page.get_by_placeholder("number, name or text").type("0101")

    expect(page.locator("#phones .phone")).to_have_count(1)
    assert page.url.split("?")[1].startswith("filter=0101")
    expect(page.get_by_placeholder("number, name or text")).to_be_focused()


@pytest.mark.parametrize("path", ["", "console/break", "console/assets/console.css", "control/failures"])
def test_large_answers_are_compressed_for_those_who_accept_that(sandbox, path):
    def get(accepted):
        """The headers, and the body as it was sent."""
        answer = sandbox.session.get(
            f"{sandbox.base}/{path}", headers={"Accept-Encoding": accepted}, timeout=10, stream=True)
        return answer.headers, b"".join(answer.raw.stream(decode_content=False))

    (plain, text), (small, packed), (refused, _) = get("identity"), get("br, gzip;q=0.8"), get("gzip;q=0")

    assert small["Content-Encoding"] == "gzip" and small["Vary"] == "Accept-Encoding"
    assert len(packed) < len(text) / 2
    assert "Content-Encoding" not in refused and "Content-Encoding" not in plain
    assert gzip.decompress(packed) == text or path == ""
