"""46 F1: what `ringfence doctor` and the table in Docs/Redirection.md say of HTTP clients is measured here:
each client that this machine has runs under `run` and under `run --isolated`."""

import functools
import json
import subprocess

import pytest

import client_table
import http_clients
import ringfence

MEASURED = [row for row in client_table.CLIENTS if "source" not in row]


@functools.cache
def is_here(needs):
    try:
        return subprocess.run([str(word) for word in needs], capture_output=True, check=False, timeout=60).returncode == 0
    except FileNotFoundError:
        return False


def outcome(done):
    if done.out.strip() == http_clients.ANSWER:
        return "yes"
    said = (done.out + done.err).lower()
    return "does not trust" if "certificate" in said else "ignores the proxy"


# A program in Java takes seconds to compile, in two modes.
EACH = [pytest.param(row, id=row["client"], marks=[pytest.mark.slow] if row["language"] in ("java", "go") else [])
        for row in MEASURED]


@pytest.mark.parametrize("mode, place", [("run", "proxied"), ("isolated", "isolated")])
@pytest.mark.parametrize("row", EACH)
def test_a_client_is_reached_as_the_table_says(row, mode, place, request):
    client = http_clients.CLIENTS[row["client"]]
    if not is_here(client.needs):
        pytest.skip(f"no {row['client']} here: `make languages` installs it")

    done = request.getfixturevalue(place).run(*client.command)

    assert outcome(done) == row[mode], done.out + done.err


def test_every_measured_client_has_a_command():
    assert [row["client"] for row in MEASURED] == list(http_clients.CLIENTS)


def test_the_page_has_the_table_of_the_measurements():
    text = client_table.PAGE.read_text()

    assert client_table.table() in text
    assert client_table.page(text) == text


@pytest.mark.parametrize("sdk, lines", [
    ("ruby", ["! http.rb, unchanged, ignores the proxy", "  → ringfence run --isolated -- CMD"]),
    ("vonage-ruby", ["! Vonage's SDK, unchanged, ignores the proxy", "  → ringfence run --isolated -- CMD"]),
    ("python", ["! twilio 6, unchanged, does not trust the sandbox", "  → use a newer version"]),
])
def test_doctor_says_what_was_measured(sdk, lines):
    said = subprocess.run(
        [str(ringfence.binary()), "doctor", "--url", "http://127.0.0.1:9", "--sdk", sdk], capture_output=True, text=True,
        check=False, timeout=60).stdout

    assert "\n".join(lines) in said
    name = lines[0][2:].split(",")[0]
    assert [line for line in said.splitlines() if name in line] == lines[:1]


def test_doctor_names_packages_of_the_project(tmp_path):
    (tmp_path / "requirements.txt").write_text("twilio==6.63.2\ngoogle-api-python-client\n")
    said = subprocess.run(
        [str(ringfence.binary()), "doctor", "--url", "http://127.0.0.1:9", "--json"], capture_output=True, check=False,
        timeout=60, cwd=tmp_path).stdout

    assert [(result["text"], result["fix"]) for result in json.loads(said)["results"] if result["check"] == "project"] == [
        ("requirements.txt has twilio, which does not trust the sandbox; use a newer version", ["use a newer version"]),
        ("requirements.txt has google-api-python-client, which ignores proxy settings; use --isolated",
         ["ringfence run --isolated -- CMD"])]
