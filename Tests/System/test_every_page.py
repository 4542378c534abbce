"""Each page of the console, with data and without: axe in both themes, and the widths of CONSOLE.md 6.
`make test` looks at four of them in one theme; at the widths, at one page of each kind.

`SCREENSHOTS=/tmp/pages` also writes a picture of each, `<page>-<width>-<theme>.png`, for people to look at.
"""

import os
import pathlib

import pytest
from axe_playwright_python import sync_playwright as axe

import chromium
import console_scene
import prove_client

# Of a browser at 200 % on a screen of 1280 pixels, and of a small phone at 400 %.
NARROW = (640, 320)
PICTURES = os.environ.get("SCREENSHOTS")
WIDTHS = (360, 1280, 1920) if PICTURES else (1280,)

SAMPLE = ("phones", "timeline", "break", "board")

# Also beside tasks, a page has what it needs at each of these.
USUAL = (360, 1024, 1280, 1366, 1440, 1920)
MEASURE = (pathlib.Path(__file__).parent / "pages" / "measure.js").read_text()
# Another page of the same kind has the same layout.
LIKE_OTHERS = (
    "empty-", "connect-node", "phones-filtered", "participant", "join-link",
    "sign-in-link")

pytestmark = pytest.mark.timeout(900)
all_pages = pytest.mark.slow


@pytest.fixture(scope="module")
def scene():
    with console_scene.scene(prove_client.GO.client) as made:
        yield made


@pytest.mark.parametrize("theme, some", [
    ("light", SAMPLE), pytest.param("light", None, marks=all_pages), pytest.param("dark", None, marks=all_pages)])
def test_axe_finds_nothing_on_any_page(browser, scene, theme, some):
    server, paths = scene
    found = []
    with browser.new_context(base_url=server.http, color_scheme=theme) as context:
        for name in some or paths:
            path = paths[name]
            page = context.new_page()
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                page.goto(path)
                if PICTURES:
                    page.screenshot(path=pathlib.Path(PICTURES) / f"{name}-{width}-{theme}.png", full_page=True)
            found += [f"{name}: {rule['id']}: {rule['nodes'][0]['html']}"
                      for rule in axe.Axe().run(page).response["violations"]]
            # Browsers allow six connections to a server, and a page that can be seen keeps one.
            page.close()
    assert found == []


@pytest.mark.parametrize("some", [SAMPLE, pytest.param(None, marks=all_pages)])
def test_no_page_scrolls_sideways_on_a_small_screen(browser, scene, some):
    server, paths = scene
    wide = []
    with browser.new_context(base_url=server.http) as context:
        for name in some or paths:
            path = paths[name]
            page = context.new_page()
            for width in NARROW:
                page.set_viewport_size({"width": width, "height": 800})
                page.goto(path)
                found = page.evaluate("document.documentElement.scrollWidth")
                if found > width:
                    wide.append(f"{name}: {found} of {width}")
            page.close()
    assert wide == []


@pytest.mark.parametrize("some", [LIKE_OTHERS, pytest.param((), marks=all_pages)])
def test_nothing_is_cut_narrow_or_small_on_any_page(browser, scene, some):
    server, paths = scene
    found = []
    with browser.new_context(base_url=server.http, reduced_motion="reduce") as context:
        page = context.new_page()
        for name, path in paths.items():
            if name.startswith(some):
                continue
            page.goto(path)
            for width in USUAL:
                page.set_viewport_size({"width": width, "height": 900})
                found += [f"{name} at {width}: {problem}" for problem in page.evaluate(MEASURE)]
    assert found == []
