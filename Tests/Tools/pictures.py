"""Makes the pictures of the console in Docs/Pictures from the running program: `make pictures`."""

import pathlib
import sys

import requests
from playwright.sync_api import sync_playwright
from twilio.rest import Client

import chromium
import ringfence
from workshop_solvers import SOLVERS, Workshop, method_of

FOLDER = ringfence.ROOT / "Docs/Pictures"
SIZE = {"width": 1280, "height": 800}
SHOP, PUSH, LOST, SILENT, OTHER = (
    "+12025550100", "+12025550103", "+12025550106", "+33639980050", "+447700900124")


class Story:
    """What happens before the pictures, with the official client."""

    def __init__(self, server):
        self.sandbox = ringfence.Sandbox(server.sandbox_described("default"))
        own = self.sandbox.credentials["twilio"]
        self.account, self.service = (own["accountSid"], own["authToken"]), own["serviceSid"]
        client = Client(*self.account)
        client.verify.base_url = server.http
        self.verify = client.verify.v2.services(self.service)

    def tell(self):
        """Signs in, enters a wrong code, loses a text, asks for an approval."""
        self.sandbox.control("POST", "devices", json={"number": PUSH, "provider": "twilio", "identity": "user-0001"})
        self.send(OTHER)
        self.sandbox.advance("20s")
        self.verify.verification_checks.create(to=OTHER, code=self.sandbox.code(OTHER))
        self.sandbox.advance("3m")
        self.send(SHOP)
        self.sandbox.advance("40s")
        self.verify.verification_checks.create(to=SHOP, code=ringfence.different(self.sandbox.code(SHOP)))
        self.refused("+1202")
        self.sandbox.control("PUT", "scenarios", json={"scenarios": [
            {"match": {"channel": "sms", "number": LOST}, "outcome": "filtered"}]})
        self.send(LOST)
        self.sandbox.advance("30s")
        factor = self.verify.entities("user-0001").factors.list()[0].sid
        self.verify.entities("user-0001").challenges.create(
            factor_sid=factor, details_message="Sign in from Berlin?",
            details_fields=['{"label":"Device","value":"Pixel 8"}'])
        self.sandbox.advance("2s")
        return self

    def send(self, number):
        return self.verify.verifications.create(to=number, channel="sms")

    def refused(self, number):
        requests.post(
            f"{self.sandbox.base}/v2/Services/{self.service}/Verifications", auth=self.account, timeout=10,
            data={"To": number, "Channel": "sms"})


# How many tasks each has done.
ROOM = {"Ada": 5, "Bram": 5, "Chloé": 4, "Dmitri": 3, "Elif": 3, "Femi": 2, "Greta": 5, "Hiro": 2, "Inés": 1, "Jonas": 4,
        "Keiko": 3, "Liam": 0}


def workshop(server):
    """A room in the middle of its tasks."""
    room = Workshop(server, "tuesday", "first-sign-in", list(ROOM), "twilio")
    for name, count in ROOM.items():
        player = SOLVERS["twilio"](ringfence.Sandbox(server.sandbox_described(room.sandboxes[name])))
        for title in room.tasks[:count]:
            getattr(player, method_of(title))()


def wrong_code(browser, server):
    """The page of the verification with the wrong code."""
    page = browser.new_page()
    page.goto(f"{server.http}/console/timeline")
    path = page.locator("a.story, .story a").filter(has_text="202 555 0100").first.get_attribute("href")
    page.close()
    return path


def main(folder=FOLDER):
    with ringfence.Server() as server, sync_playwright() as playwright:
        clock = {"mode": "frozen", "set": "2026-01-05T09:30:00Z"}
        requests.post(f"{server.http}/control/clock", json=clock, timeout=10).raise_for_status()
        Story(server).tell()
        workshop(server)
        browser = playwright.chromium.launch(executable_path=chromium.program(), args=["--no-sandbox"])
        for name, path, theme in (
                ("phones", "/", "light"), ("phones-dark", "/", "dark"), ("timeline", "/console/timeline", "light"),
                ("verification", wrong_code(browser, server), "light"),
                ("break", "/console/break?failure=text-filtered", "light"),
                ("board", "/console/workshops/tuesday", "light")):
            page = browser.new_page(viewport=SIZE, color_scheme=theme)
            page.goto(server.http + path)
            page.screenshot(path=pathlib.Path(folder) / f"{name}.jpg", type="jpeg", quality=82)
            page.close()
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
