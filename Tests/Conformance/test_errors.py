"""Every error in a provider's table is produced by the commands that `GET /control/errors` shows for it,
without a fault that names it."""

import json
import shutil
import subprocess

import pytest
import requests

import ringfence

PROVIDERS = sorted(file.parent.parent.name.lower() for file in ringfence.ROOT.glob("Sources/Providers/*/Checks/Errors.http"))

pytestmark = pytest.mark.skipif(
    not (shutil.which("bash") and shutil.which("curl") and shutil.which("jq")), reason="no bash, curl or jq")


@pytest.fixture(scope="module")
def fresh():
    """A server for the default sandbox, which examples change."""
    with ringfence.Server() as server:
        yield server


def errors(server, provider):
    return requests.get(f"{server.http}/control/errors", params={"provider": provider}, timeout=20).json()["errors"]


def start_again(server):
    requests.post(f"{server.http}/control/reset", timeout=20).raise_for_status()
    requests.delete(f"{server.http}/control/sandboxes/own", timeout=20)


def run(commands):
    """The status and body of the last answer."""
    done = subprocess.run(["bash", "-c", commands], capture_output=True, text=True, timeout=60, check=False)
    head, _, body = done.stdout[done.stdout.rfind("HTTP/1.1 "):].partition("\n\n")
    return int(head.split(" ")[1]), body


def scalars(value):
    """All texts and numbers in a document, and the fragments of its URLs."""
    if isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from scalars(item)
    else:
        yield from (str(value), str(value).rpartition("#")[2])


@pytest.mark.timeout(300)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_errors_are_produced_by_their_commands(fresh, provider):
    failed = []
    for error in errors(fresh, provider):
        if error["onlyByFault"] or "commands" not in error:
            continue
        start_again(fresh)
        status, body = run(error["commands"])
        if status != error["status"] or error["code"] not in scalars(json.loads(body)):
            failed.append((error["code"], error["status"], status, body))
    assert failed == []


@pytest.mark.parametrize("provider", PROVIDERS)
def test_errors_of_faults_are_accepted_as_faults(fresh, provider):
    start_again(fresh)
    for error in errors(fresh, provider):
        if error["onlyByFault"]:
            answer = subprocess.run(["bash", "-c", error["commands"]], capture_output=True, text=True, timeout=20, check=True)
            assert json.loads(answer.stdout)["faults"][0]["code"] == error["code"]


def test_errors_are_shown_in_a_terminal():
    listed = ringfence.command("errors", "twilio")
    one = ringfence.command("errors", "twilio", "60202")

    assert "60202   429  Max check attempts reached\n" in listed
    assert "20500   500  Internal server error (only by a fault)\n" in listed
    assert "check: twilio-verify.md 6\n" in one and "VerificationCheck" in one
    assert "RINGFENCE_URL=http://127.0.0.1:5550\n" in one and '"$RINGFENCE_URL/twilio/' in one


def test_commands_in_a_terminal_name_the_known_server():
    one = ringfence.command("errors", "twilio", "60202", "--url", "http://127.0.0.1:7777")

    assert "http://127.0.0.1:7777/twilio/" in one and "RINGFENCE_URL" not in one


@pytest.mark.parametrize("words, text", [
    (("twili",), 'unknown provider "twili"; did you mean "twilio"?'),
    (("twilio", "6020"), 'unknown code "6020"; did you mean "60200"?')])
def test_unknown_names_in_a_terminal_are_errors_with_the_nearest(words, text):
    assert text in ringfence.command("errors", *words, expect=1)
