"""The pages *Sandboxes* and *Settings* in a real browser."""

import requests
from playwright.sync_api import expect

import chromium
from workshop_pages import open_page  # noqa: F401  (a fixture)

pytestmark = chromium.MARKS


def line(page, name):
    return page.locator(f'[id="sandbox-{name}"]')


def test_a_sandbox_is_created_reset_and_deleted_after_a_question(server, open_page):
    page = open_page("/console/sandboxes")
    page.get_by_label("Name").fill("alpha")
    page.get_by_label("Messages at most").fill("5")
    page.get_by_role("button", name="Create").click()

    expect(line(page, "alpha")).to_contain_text("0 of 5 messages")
    page.once("dialog", lambda dialog: dialog.dismiss())
    line(page, "alpha").get_by_role("button", name="Delete").click()
    expect(line(page, "alpha")).to_be_visible()
    page.once("dialog", lambda dialog: dialog.accept())
    line(page, "alpha").get_by_role("button", name="Reset").click()
    expect(page.locator("#sandbox-status")).to_have_text("alpha is reset.")
    page.once("dialog", lambda dialog: dialog.accept())
    line(page, "alpha").get_by_role("button", name="Delete").click()

    expect(line(page, "alpha")).to_have_count(0)
    assert requests.get(f"{server.http}/control/sandboxes/alpha", timeout=10).status_code == 404


def test_on_a_narrow_screen_nothing_of_the_list_is_out_of_sight(server, sandbox, open_page):
    longest = server.sandbox(name="w" * 63)
    try:
        page = open_page("/console/sandboxes")
        for width in (320, 360, 700):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.locator(".table").evaluate("box => box.scrollWidth - box.clientWidth") == 0
            for button in line(page, sandbox.name).locator("a, button").all():
                place = button.bounding_box()
                assert 0 <= place["x"] and place["x"] + place["width"] <= width
        expect(line(page, sandbox.name).locator("td").first).to_have_attribute("data-label", "State")
    finally:
        longest.delete()


def test_a_mistake_is_explained_next_to_its_field(open_page):
    page = open_page("/console/sandboxes")
    page.get_by_label("Name").fill("beta")
    page.get_by_label("Remove it after").fill("soon")
    page.get_by_role("button", name="Create").click()

    expect(page.locator("#ttl-problem")).to_contain_text("expected")
    expect(page.get_by_label("Remove it after")).to_have_value("soon")
    expect(line(page, "beta")).to_have_count(0)


def test_a_setting_is_changed_and_the_others_stay(server, sandbox, open_page):
    def setting(name):
        url = f"{server.http}/control/sandboxes/{sandbox.name}/export"
        return requests.get(url, timeout=20).json()["telesign"]["settings"][name]

    page = open_page(f"/s/{sandbox.name}/console/settings")
    page.get_by_role("link", name="Telesign").click()
    form = page.locator("#settings-telesign")
    field = form.get_by_label("verify.attempts", exact=True)
    before = setting("verify.code_length")
    field.fill("4")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("status")).to_have_text("Saved.")
    assert (setting("verify.attempts"), setting("verify.code_length")) == (4, before)

    field.fill("0")
    field.evaluate("field => field.removeAttribute('min')")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_contain_text("expected")
    expect(field).to_have_attribute("aria-invalid", "true")
    assert setting("verify.attempts") == 4
