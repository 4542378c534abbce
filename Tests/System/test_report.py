"""The report of a run: one file that opens from disk. Source: CONSOLE.md 4."""

import shutil
import sys

import pytest
from playwright.sync_api import expect

import chromium
import ringfence
from running import SEND, bare, run

pytestmark = chromium.MARKS

EXAMPLE = ringfence.ROOT / "Docs/Examples/report/conftest.py"
TESTS = f"""
import subprocess, sys
def send(number): subprocess.run([sys.executable, "-c", {SEND!r}, number], check=True)
def test_that_signs_in(): send("+12025550100")
def test_that_fails():
    send("+12025550101")
    assert False
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of two tests, one of which fails."""
    folder = tmp_path_factory.mktemp("tests")
    shutil.copy(EXAMPLE, folder)
    (folder / "test_app.py").write_text(TESTS)
    done = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, folder,
               flags=["--report", folder / "report"], cwd=folder)
    assert done.returncode == 1, done.stderr
    path = folder / "report/default.html"
    assert f"ringfence: report: {path}" in done.stderr.decode()
    return path


@pytest.fixture
def page(browser, report):
    """The report, opened from disk. The test fails if it asks for anything else, or breaks its own policy."""
    problems = []
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.on("request", lambda sent: sent.url == report.as_uri() or problems.append(sent.url))
    page.goto(report.as_uri())
    yield page
    context.close()
    assert problems == []


def test_it_opens_from_disk_and_can_be_filtered(page):
    lines = page.locator(".requests > li")
    expect(lines).to_have_count(2)

    page.get_by_label("Filter").fill("test_that_fails")

    expect(lines.filter(visible=True)).to_have_count(1)
    expect(page.locator("#shown")).to_have_text("1 of 8")
    page.get_by_label("only refused requests").check()
    expect(lines.filter(visible=True)).to_have_count(0)


def test_a_failed_test_is_named_next_to_its_requests(page):
    expect(page.get_by_role("link", name="test_app.py::test_that_fails")).to_have_attribute("href", "#request-2")
    expect(page.locator("#request-2 .test.failed")).to_have_text("test_app.py::test_that_fails: failed")
    expect(page.locator("#request-1 .test")).to_have_text("test_app.py::test_that_signs_in: passed")


def test_requests_have_the_width_of_the_page(page):
    widths = page.evaluate("""() => [...document.querySelectorAll(".requests li > details")].map(
        (request) => request.clientWidth / document.querySelector("main").clientWidth)""")

    assert widths and min(widths) > 0.9


def test_it_can_be_read_without_scripts(browser, report):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())

    expect(page.locator(".requests > li").filter(visible=True)).to_have_count(2)
    expect(page.locator("#filter")).to_be_hidden()
    page.locator("#request-1 summary").click()
    expect(page.locator("#request-1 pre").first).to_contain_text("authorization: Basic ********", ignore_case=True)
    context.close()


def test_a_single_command_has_the_name_in_its_environment(tmp_path):
    environment = bare(RINGFENCE_TEST="checkout")

    run(sys.executable, "-c", SEND + "\nsys.exit(3)", "+12025550100", flags=["--report", tmp_path], environment=environment)

    assert '<span class="test failed">checkout: failed</span>' in (tmp_path / "default.html").read_text()


def test_a_folder_that_cannot_be_written_does_not_change_the_exit_status(tmp_path):
    (tmp_path / "file").write_text("")

    done = run(sys.executable, "-c", SEND, "+12025550100", flags=["--report", tmp_path / "file"])

    assert done.returncode == 0
    assert b"no report:" in done.stderr
