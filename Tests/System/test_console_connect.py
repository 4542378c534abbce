"""The check of a code on *Connect*, and texts that a phone writes: in a real browser."""

import json
import subprocess

from playwright.sync_api import expect

import chromium
from chromium import NUMBER

pytestmark = chromium.MARKS

def test_the_check_of_the_code_that_was_just_sent_is_ready_to_copy(sandbox, twilio, open_page):
    page = open_page("console/connect")
    own = page.locator("#setup-twilio")
    expect(own).to_contain_text("Nothing of Twilio has arrived here lately.")
    expect(own).to_contain_text("PUT-THE-CODE-HERE")

    twilio.send("POST", f"{twilio.service}/Verifications", {"To": "+12025550107", "Channel": "sms"})
    sandbox.advance("5s")

    code = sandbox.code("+12025550107")
    expect(own).to_contain_text(f"With the newest code, {code} to +12025550107.")
    expect(own.locator(".reach-state .pill")).to_have_text("arrives")
    command = own.locator("[data-copy]").last.get_attribute("data-copy")
    done = subprocess.run(["bash", "-ec", command], capture_output=True, text=True, timeout=30, check=True)
    assert json.loads(done.stdout)["status"] == "approved"


def test_a_phone_writes_to_a_sender_and_keeps_what_was_refused(sandbox, twilio, open_page):
    twilio.send("POST", f"{twilio.service}/Verifications", {"To": NUMBER, "Channel": "sms"})
    sandbox.advance("5s")
    page = open_page(f"console/phones/{NUMBER}")
    receiver, text = page.locator("[name=to]"), page.get_by_label("Text from")
    sender = receiver.input_value()
    assert sender == sandbox.control("GET", f"inbox/{NUMBER}/latest").json()["from"]

    receiver.fill("74454")
    text.fill("hello?")
    text.press("Enter")
    expect(page.locator("#toast")).to_contain_text("a number at which a provider receives texts")
    expect(text).to_have_value("hello?")
    receiver.fill(sender)
    text.press("Enter")

    expect(page.locator(".sent")).to_contain_text(f"to {sender}")
    expect(page.locator(".sent .text")).to_have_text("hello?")
    expect(text).to_have_value("")
    [written] = [one for one in sandbox.control("GET", "messages").json()["messages"] if one["text"] == "hello?"]
    assert written["to"] == sender
