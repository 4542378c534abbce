"""The browser of the tests: Debian's Chromium, driven by Playwright.

Its headless shell has the same engine, and needs half of the processor's time.
"""

import contextlib
import shutil

import pytest
from playwright import sync_api

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_PATH = next(filter(None, map(shutil.which, _NAMES)), None)

NUMBER = "+12025550100"

# Marks for a module of browser tests.
MARKS = [pytest.mark.timeout(240)]


def program():
    """The path of the browser. Without one, the test is skipped."""
    if _PATH is None:
        pytest.skip("no Chromium here: `make python` installs it")
    return _PATH


@contextlib.contextmanager
def launched():
    """A browser without windows."""
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        yield browser
        browser.close()


def phone(page, number=NUMBER):
    """The card of a handset in the console."""
    return page.locator(f'[id="phone-{number}"]')
