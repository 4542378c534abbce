"""Runs the programs in the documents, in every language that is installed.

The words after a snippet's language say how it is tested:

* `run`: under `ringfence run`; `isolated`: under `ringfence run --isolated`;
* `serve`: with a running `ringfence serve`; its port replaces 5550;
* `check`: the same, after the page's shell program for `serve` has sent a code;
* `pytest`: as a file of tests, with the plugin of the Python package; `django`: in a Django project
  (test_packages.py);
* `file`, `client`, `nodetest`, `jest`: with the package for JavaScript (test_javascript_client.py);
* `manifest`, `file`, `swifttest`, `xctest`: with the library for Swift (test_swift_client.py);
* `recipe`, `file`, `gotest`, `junit`, `phpunit`, `rspec`, `minitest`: with the client for the language
  (test_other_clients.py);
* `syntax`: only its syntax is checked, because its SDK is not available here.

A comment at the end of the last line is the expected last line of output.
"""

import functools
import json
import os
import re
import shutil
import subprocess
import sys

import pytest
import requests
import yaml

import ringfence
from running import with_plugin
from snippets import programs

PAGES = [ringfence.ROOT / "README.md", *sorted((ringfence.ROOT / "Docs").rglob("*.md"))]
WAYS = ("run", "isolated", "serve", "check", "pytest", "django", "syntax", "file", "client", "nodetest", "jest",
        "manifest", "swifttest", "xctest", "recipe", "gotest", "junit", "phpunit", "rspec", "minitest")
PARSER = ringfence.ROOT / "Tests/Tools/Parse.java"
# For each language: the command that runs a file, the command that checks its syntax, and the file name.
LANGUAGES = {
    "sh": (["bash", "-euo", "pipefail"], ["bash", "-n"], "snippet.sh"),
    "python": ([sys.executable], [sys.executable, "-m", "py_compile"], "snippet.py"),
    "js": (["node"], ["node", "--check"], "snippet.mjs"),
    "java": (["java"], ["java", PARSER], "Snippet.java"),
    "ruby": (["ruby"], ["ruby", "-c"], "snippet.rb"),
    "php": (["php"], ["php", "-l"], "snippet.php"),
    "go": (["go", "run"], ["gofmt", "-l"], "snippet.go"),
    "swift": (["swift"], ["swiftc", "-parse"], "snippet.swift"),
}
# What a snippet contains, and the program that it needs besides its language's.
NEEDED = {"sync_playwright": ("chromium", "make python"), "wrk --": ("wrk", "make bench")}


class Snippet:
    """A program of a document, and one way to test it."""

    def __init__(self, page, line, language, way, text):
        self.page, self.language, self.way, self.text = page, language, way, text
        self.name = f"{page.stem}-{line}-{language}-{way}"

    @property
    def last_line(self):
        found = re.search(r"(?:#|//) (.+)$", self.text.splitlines()[-1])
        return found and found[1]


def snippets():
    for page in PAGES:
        for language, ways, text, line in programs(page):
            for way in ways:
                yield Snippet(page, line, language, way, text)


ALL = list(snippets())


@pytest.mark.parametrize("page", sorted((ringfence.ROOT / "Docs/Providers").glob("*.md")), ids=lambda page: page.stem)
def test_the_table_of_a_page_has_every_value_of_its_programs(page, default_variables):
    """The console finds them there, and shows those of a sandbox instead."""
    text = page.read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| .*\(`([A-Z0-9_]+)`\).* \| `([^`]+)` \|$", text, re.M))
    assert {name: default_variables[name] for name in rows} == rows
    used = {name for name, value in default_variables.items()
            for _, _, program, _ in programs(page) if value in program and not value.startswith("http")}
    assert used <= set(rows)


@pytest.fixture(scope="module")
def default_variables(tmp_path_factory):
    url = "http://127.0.0.1:5550"
    with ringfence.Server() as server:
        printed = ringfence.command("env", "--json", "--url", server.http, "--data", str(tmp_path_factory.mktemp("env")))
    return {name: url if value == server.http else value for name, value in json.loads(printed).items()}


def test_every_mark_of_a_snippet_is_known():
    assert [one.name for one in ALL if one.way not in WAYS or one.language not in LANGUAGES] == []


@functools.cache
def has(program):
    return shutil.which(program) is not None


@pytest.fixture(scope="module")
def served():
    with ringfence.Server() as server:
        yield server


def command_for(snippet, folder):
    """The command that tests a snippet, with the snippet in a file."""
    run, read, name = LANGUAGES[snippet.language]
    words = read if snippet.way == "syntax" else run
    if not has(str(words[0])):
        pytest.skip(f"no {words[0]} here: `make languages` installs it")
    skip_without_programs(snippet)
    (folder / name).write_text(snippet.text, encoding="utf-8")
    return [*words, folder / name]


def skip_without_programs(snippet):
    for text, (program, installed_by) in NEEDED.items():
        if text in snippet.text and not has(program):
            pytest.skip(f"no {program} here: `{installed_by}` installs it")


@pytest.mark.parametrize("snippet", [one for one in ALL if one.way == "syntax"], ids=lambda one: one.name)
def test_syntax(snippet, tmp_path):
    done = subprocess.run(command_for(snippet, tmp_path), capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("snippet", [one for one in ALL if one.way in ("run", "isolated")], ids=lambda one: one.name)
def test_redirected(snippet, tmp_path, request):
    command = command_for(snippet, tmp_path)
    run = request.getfixturevalue("proxied" if snippet.way == "run" else snippet.way)
    run.reset()

    done = run.run(*command)

    check_output(snippet, done.status, done.out, done.err)


@pytest.mark.parametrize("snippet", [one for one in ALL if one.way == "serve"], ids=lambda one: one.name)
def test_with_a_running_server(snippet, served, tmp_path):
    requests.post(f"{served.http}/control/sandboxes/default/reset", timeout=10).raise_for_status()
    snippet.text = snippet.text.replace("http://127.0.0.1:5550", served.http)
    path = f"{ringfence.binary().parent}:{os.environ['PATH']}"
    done = subprocess.run(command_for(snippet, tmp_path), capture_output=True, text=True, timeout=60, check=False,
                          cwd=tmp_path, env={**os.environ, "PATH": path})

    check_output(snippet, done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("snippet", [
    pytest.param(one, id=one.name, marks=[pytest.mark.slow] if "playwright" in one.text else [])
    for one in ALL if one.way == "pytest"])
def test_as_tests(snippet, tmp_path):
    skip_without_programs(snippet)
    (tmp_path / "test_snippet.py").write_text(snippet.text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-W", "ignore::DeprecationWarning"], cwd=tmp_path,
        env=with_plugin(), capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("snippet", [one for one in ALL if one.way == "check"], ids=lambda one: one.name)
def test_the_code_that_a_snippet_has_sent_can_be_checked(snippet, served, tmp_path):
    requests.post(f"{served.http}/control/sandboxes/default/reset", timeout=10).raise_for_status()
    send = next(one for one in ALL if (one.page, one.language, one.way) == (snippet.page, "sh", "serve"))
    shell, output = LANGUAGES["sh"][0], ""
    for one in (send, snippet):
        reference = re.search(r'"reference_id":"(\w+)"', output)
        text = one.text.replace("http://127.0.0.1:5550", served.http)
        text = text.replace("PUT-THE-REFERENCE-ID-HERE", reference[1] if reference else "none")
        done = subprocess.run([*shell, "-c", text], capture_output=True, text=True, timeout=60, check=False)
        output = done.stdout
        assert done.returncode == 0, output + done.stderr

    assert re.search('"(approved|success|Verified|SUCCESSFUL|completed)"', output), output


def check_output(snippet, status, output, errors):
    """A shell snippet checks its output with grep. Other snippets have their expected last line in a
    comment."""
    if "cannot load such file -- telesign" in errors:
        pytest.skip("no ruby-telesignenterprise here: `make languages` installs it")
    assert status == 0, output + errors
    if snippet.language != "sh":
        assert output.splitlines()[-1:] == [snippet.last_line], output + errors


def yaml_fences():
    for page in PAGES:
        for number, text in enumerate(re.findall(r"^```yaml\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S), 1):
            yield pytest.param(text, id=f"{page.stem}-{number}")


def scripts(node, name=None):
    """The shell scripts of a job: the texts under `run`, `script` and similar keys."""
    if isinstance(node, dict):
        return [one for name, member in node.items() for one in scripts(member, name)]
    if isinstance(node, list):
        return [one for member in node for one in scripts(member, name)]
    return [node] if name in ("run", "script", "before_script") else []


@pytest.mark.parametrize("text", list(yaml_fences()))
def test_jobs_are_yaml_and_their_scripts_shell(text):
    for script in scripts(yaml.safe_load(text)):
        done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, timeout=10, check=False)
        assert (done.returncode, done.stderr) == (0, ""), script
