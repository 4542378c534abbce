"""The page that plays a Prove device, in a real browser, by mouse and by keyboard. Source: prove.md 6.2."""

import json

import pytest
from playwright import sync_api

import chromium


pytestmark = chromium.MARKS


@pytest.fixture
def page(browser, sandbox):
    """The device's page, in a browser without a Prove Key. Errors of its script fail the test."""
    context = browser.new_context()
    page = context.new_page()
    failures = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("console", lambda message: message.type == "error" and failures.append(message.text))
    own = sandbox.credentials["prove"]
    page.goto(f"{sandbox.base}/console/prove/handset")
    page.get_by_label("Client id").fill(own["clientId"])
    page.get_by_label("Client secret").fill(own["clientSecret"])
    yield page
    context.close()
    assert [failure for failure in failures if "favicon" not in failure] == []


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def says(page, text):
    sync_api.expect(page.locator("#message")).to_contain_text(text)


def unify(page):
    press(page, "Call unify")
    says(page, "The back end has an auth token.")


def status(page):
    """The answer of the back end's last call, when it has one."""
    result = page.locator("#result")
    sync_api.expect(result).to_contain_text('"success"')
    return json.loads(result.inner_text())


def outcome(page):
    says(page, "The device is done.")
    with page.expect_response("**/v3/unify-status"):
        press(page, "Call unify-status")
    sync_api.expect(page.locator("#result")).not_to_contain_text("authToken")
    return status(page)


def test_a_person_passes_by_code_and_the_second_time_without(page):
    unify(page)
    press(page, "Authenticate")
    press(page, "Send the code")
    page.get_by_label("Code", exact=True).fill("1234")
    press(page, "Check the code")
    first = outcome(page)
    assert first["success"] == "true"
    sync_api.expect(page.locator("#registration")).to_contain_text(first["deviceId"])

    unify(page)
    press(page, "Authenticate")
    assert outcome(page) == first


def test_the_return_key_leads_through_a_flow(page):
    page.get_by_label("Phone number").focus()
    for expected in ("The back end has an auth token", "Agree to receive a message", "A code was sent"):
        page.keyboard.press("Enter")
        says(page, expected)
    page.keyboard.type("1234")
    page.keyboard.press("Enter")
    says(page, "The device is done.")
    with page.expect_response("**/v3/unify-status"):
        page.keyboard.press("Enter")
    sync_api.expect(page.locator("#result")).to_contain_text('"success": "true"')


def test_a_wrong_code_is_shown_and_the_flow_can_be_cancelled(page):
    page.get_by_label("three attempts at the code").check()
    unify(page)
    press(page, "Authenticate")
    press(page, "Send the code")
    page.get_by_label("Code", exact=True).fill("0000")
    press(page, "Check the code")
    sync_api.expect(page.get_by_role("alert")).to_be_visible()
    press(page, "Cancel")
    assert outcome(page)["success"] == "false"


def test_a_desktop_waits_for_the_link(page, sandbox):
    page.get_by_role("combobox", name="Possession").select_option("desktop")
    unify(page)
    press(page, "Authenticate")
    press(page, "Send the link")
    says(page, "Waiting for the link to be opened")
    link = sandbox.control("GET", "inbox/+12001004014/latest").json()["text"].split()[-1]
    opened = page.request.get(link, max_redirects=0)
    assert opened.status == 302
    assert outcome(page)["success"] == "true"


def test_the_page_loads_nothing_from_elsewhere_and_is_small(browser, sandbox):
    page = browser.new_page()
    answers = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(f"{sandbox.base}/console/prove/handset")
    sizes = page.evaluate("""
      [performance.getEntriesByType("navigation")[0], ...performance.getEntriesByType("resource")]
        .map(({ name, encodedBodySize }) => [name, encodedBodySize])""")
    page.close()
    assert all(answer.url.startswith(sandbox.base) for answer in answers)
    assert len([name for name, _ in sizes if "handset" in name]) == 3
    assert sum(size for _, size in sizes) < 100_000
