"""The commands in the pages work as they are written, and their links lead somewhere."""

import collections
import re
import subprocess
import sys

import pytest
import requests

import ringfence

DOCS = ringfence.ROOT / "Docs"
FIRST_STEPS = (DOCS / "FirstSteps.md").read_text()
PAGES = [DOCS / "Carrier.md", DOCS / "Redirection.md", *sorted((DOCS / "Providers").glob("*.md"))]


def blocks(text, language, containing):
    """The fenced blocks in a language that contain a text."""
    found = re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
    return [block for block in found if containing in block]

LINKED = [*ringfence.ROOT.glob("*.md"), *sorted(DOCS.rglob("*.md")), ringfence.ROOT / "Tests/README.md"]


def prose(page):
    """A page without its programs."""
    return re.sub(r"^ *```.*?^ *```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them. A repeated heading has a number."""
    seen = collections.Counter()
    for heading in re.findall(r"^#+ (.+)$", prose(page), re.M):
        shown = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
        yield f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor
        seen[anchor] += 1


def is_broken(page, link):
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    return not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target))


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ringfence.ROOT)))
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)\s]+)\)", prose(page))
    assert [link for link in links if not re.match(r"\w+:", link) and is_broken(page, link)] == []


def test_the_index_of_the_recipes_names_each():
    index = prose(DOCS / "Recipes/README.md")
    assert [page.name for page in (DOCS / "Recipes").glob("[!R]*.md") if f"({page.name})" not in index] == []


# The part of a page that says what the program emulates ends at a mark.
@pytest.mark.parametrize("page, end", [
    ("README.md", "## Read on"), ("llms.txt", "## Docs"), ("Distribution/PyPI.md", "```"),
    ("Distribution/dist.py", "for path in"), ("Sources/Clients/javascript/README.md", "```")])
def test_46_pages_name_every_provider(page, end, sandbox):
    text = (ringfence.ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"\w+", text.partition(end)[0].lower()))
    assert set(sandbox.credentials) - named == set()
    if page in ("README.md", "llms.txt"):
        pages = {provider.stem.lower(): f"(Docs/Providers/{provider.name})" for provider in (DOCS / "Providers").glob("*.md")}
        assert [provider for provider in sandbox.credentials if pages[provider] not in text] == []


@pytest.fixture
def fresh():
    with ringfence.Server() as server:
        yield server


def run(server, *command, folder=None):
    command = [part.replace("http://127.0.0.1:5550", server.http) for part in command]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_first_steps_first_verification_with_curl(fresh):
    (script,) = blocks(FIRST_STEPS, "sh", "VerificationCheck")

    assert '"status":"approved"' in run(fresh, "bash", "-c", script)


def test_first_steps_first_verification_with_python(fresh):
    (script,) = blocks(FIRST_STEPS, "python", "base_url")

    assert run(fresh, sys.executable, "-c", script) == "approved\n"


@pytest.mark.parametrize("method, path, body", re.findall(r"`(POST|PUT|GET) (/control/\S+)(?: ({.*?}))?`", FIRST_STEPS))
def test_first_steps_control_requests(fresh, method, path, body):
    requests.get(f"{fresh.http}/v2/Services", timeout=10)  # for the journal
    answer = requests.request(
        method, fresh.http + path, data=body or None, headers={"Content-Type": "application/json"}, timeout=10)

    assert answer.ok, answer.text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages(fresh, page, tmp_path):
    # Those marked `serve` are programs that the others may build on. Tests of programs run them alone, too.
    scripts = blocks(page.read_text(), "sh(?: serve)?", "curl")
    assert scripts

    for script in scripts:
        command = re.sub(r"^curl ", "curl --fail-with-body -sS ", script, flags=re.M)
        run(fresh, "bash", "-ec", command, folder=tmp_path)
