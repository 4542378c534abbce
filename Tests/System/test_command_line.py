"""The commands that replace curl: tables for people, JSON for programs, live lines.

Source: issue 27, part 5."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios

import pytest
import requests

import ringfence

NUMBER = "+12025550100"


@pytest.fixture
def run(server, sandbox):
    """Runs a command for this test's sandbox; returns its standard output."""
    def run(*words, expect=0):
        return ringfence.command(*words, "--url", server.http, "--sandbox", sandbox.name, expect=expect)
    return run


@pytest.fixture
def whole(server):
    """Runs a command for the whole server."""
    return lambda *words, expect=0: ringfence.command(*words, "--url", server.http, expect=expect)


@pytest.fixture
def used(sandbox):
    """A sandbox with a verification, a request that was refused, and one that is not emulated."""
    assert sandbox.twilio(To=NUMBER, Channel="sms").status_code == 201
    assert sandbox.twilio(To="12", Channel="sms").status_code == 400
    assert requests.get(f"{sandbox.base}/v2/Srvices", timeout=10).status_code == 404
    return sandbox


# Tables

def rows(text):
    return [re.split(r"  +", line.strip()) for line in text.splitlines()]


def test_tables_are_aligned_and_fit_80_columns(run, used):
    code = used.code(NUMBER)
    inbox, verifications, journal = (run(name) for name in ("inbox", "verifications", "journal"))

    assert rows(verifications) == [
        ["TO", "PROVIDER", "STATE", "CODE", "CHECKS", "STARTED"],
        [NUMBER, "twilio", "pending", code, "0", "2026-01-05 10:20:30"]]
    assert rows(inbox)[1] == ["2026-01-05 10:20:30", "twilio", "sms", NUMBER, code]
    assert code in inbox.splitlines()[2] and inbox.splitlines()[2].startswith("  ")
    *created, unknown = [row[2:] for row in rows(journal) if row[0].startswith("req_")]
    assert created == [["twilio", "201", "createVerification"], ["twilio", "400", "createVerification"]]
    assert unknown[:2] == ["-", "404"]
    # The sandbox has the number of the process in its name: a long one leaves no room for the path's end.
    assert f"GET /s/{used.name}/v2/Srvices".startswith(unknown[2].rstrip("…"))
    assert "To: " in journal and "not emulated: " in journal
    for text in (inbox, verifications, journal, run("failures"), run("faults", "options"), run("failures", "show", "text-lost")):
        assert max(map(len, text.splitlines())) <= 80
        assert "\x1b" not in text


def test_a_filter_of_the_journal_and_one_request(run, used):
    assert len(run("journal", "--status", "400").splitlines()) >= 3
    assert "createVerification" not in run("journal", "--status", "404")
    latest = run("journal", "latest")
    assert "similar: GET /v2/Services" in latest and "GET /s/" in latest
    assert "have no effect" in run("journal", "latest", "--follow", expect=64)


def test_empty_lists_say_so(run):
    assert run("journal") == "There are no requests.\n"
    assert run("verifications") == "There are no verifications.\n"
    assert run("faults") == run("scenarios") == "There are none.\n"
    assert json.loads(run("inbox", "--json")) == {"messages": []}


# JSON

JSON_COMMANDS = [
    "code {number}", "inbox", "inbox {number}", "verifications", "verifications {number}", "journal", "journal latest", "failures",
    "failures --flow sms", "failures show text-lost", "failures produce text-lost --to {number}",
    "failures undo text-lost", "faults", "faults add --status 500 --provider twilio", "faults remove 1",
    "faults options --provider fcm", "scenarios", "scenarios add --outcome slow --after-ms 5", "scenarios remove --all",
    "sandbox show", "sandbox reset", "sandbox export", "sandbox export --output {file}", "sandbox import {file}",
    "snapshot save {file}", "snapshot load {file}", "clock", "clock freeze", "clock advance 1m", "clock set 2026-01-06T00:00:00Z",
    "handset list", "handset create {number}", "handset watch --once", "handset qr --provider twilio",
]


def test_json_is_valid_for_each_command(run, used, tmp_path):
    for words in JSON_COMMANDS:
        text = run(*words.format(number=NUMBER, file=tmp_path / "file").split(), "--json")
        assert isinstance(json.loads(text), dict), words


def test_json_of_commands_about_all_sandboxes(whole):
    made = json.loads(whole("sandbox", "create", "json-1", "--json"))
    assert made["name"] == "json-1" and made["credentials"]["twilio"]["accountSid"]
    assert "json-1" in [each["name"] for each in json.loads(whole("sandbox", "list", "--json"))["sandboxes"]]
    assert json.loads(whole("sandbox", "delete", "json-1", "--json")) == {}
    codes = json.loads(ringfence.command("code", NUMBER, "--json"))
    assert set(codes) == {"prelude", "telesign", "twilio", "prove", "vonage", "sinch", "camara"}
    assert len(json.loads(ringfence.command("errors", "twilio", "--json"))["errors"]) > 100
    for words in (("failures",), ("failures", "--flow", "sms"), ("failures", "show", "text-lost")):
        assert ringfence.command(*words, "--json") == whole(*words, "--json")
    assert json.loads(whole("env", "--json"))["RINGFENCE_URL"]
    assert json.loads(whole("doctor", "--json"))["results"]
    assert "cannot be combined" in whole("env", "--json", "--format", "sh", expect=64)
    assert json.loads(ringfence.command("code", NUMBER, "--provider", "twilio", "--json")) == {"twilio": codes["twilio"]}


# Sandboxes

def test_a_sandbox_from_its_creation_to_its_end(whole, tmp_path):
    shown = whole("sandbox", "create", "life-1", "--entropy-seed", "7", "--clock", "2026-01-05T10:20:30Z", "--ttl", "2h")
    assert "random seed  7" in shown and "2026-01-05 10:20:30 (frozen)" in shown
    assert whole("sandbox", "show", "life-1").split("twilio\n")[1] == shown.split("twilio\n")[1]
    assert max(len(line) for line in shown.splitlines() if "apiKey" not in line and "clientEmail" not in line) <= 90
    listed = rows(whole("sandbox"))
    assert listed[0] == ["NAME", "CLOCK", "MODE", "REMOVED"]
    assert [row[:3] for row in listed if row[0] == "life-1"] == [["life-1", "2026-01-05 10:20:30", "frozen"]]

    file = tmp_path / "seed.json"
    whole("scenarios", "add", "--outcome", "slow", "--sandbox", "life-1")
    whole("sandbox", "export", "life-1", "--output", file)
    assert whole("sandbox", "reset", "life-1") == "reset life-1\n"
    assert whole("scenarios", "--sandbox", "life-1") == "There are none.\n"
    whole("sandbox", "import", file, "life-1")
    assert "outcome=slow" in whole("scenarios", "--sandbox", "life-1")

    assert whole("sandbox", "delete", "life-1") == "deleted sandbox life-1\n"
    assert "there is no sandbox life-1" in whole("sandbox", "show", "life-1", expect=1)


def test_reset_all_resets_every_sandbox():
    with ringfence.Server() as server:
        one, two = server.sandbox(), server.sandbox()
        for each in (one, two):
            each.control("PUT", "scenarios", json={"scenarios": [{"outcome": "slow"}]})
        said = ringfence.command("sandbox", "reset", "--all", "--url", server.http).splitlines()
        assert said == sorted([f"reset {name}" for name in (one.name, two.name, "default")])
        assert one.control("GET", "scenarios").json() == two.control("GET", "scenarios").json() == {"scenarios": []}
        assert "--all" in ringfence.command("sandbox", "reset", "--all", one.name, expect=64)


def test_a_sandbox_is_named_once(whole):
    assert "--sandbox: expected one" in whole("sandbox", "show", "one", "--sandbox", "two", expect=64)
    assert "has no effect" in whole("sandbox", "list", "--sandbox", "two", expect=64)


# Rules and failures

def test_faults_are_added_in_front_and_removed_by_number(run, sandbox):
    run("faults", "add", '{"provider":"telesign","status":503}', "--times", "2")
    listed = run("faults", "add", "--provider", "twilio", "--route", "createVerification", "--code", "60410")

    assert rows(listed)[1:] == [
        ["1", "0", "0", "provider=twilio route=createVerification code=60410"],
        ["2", "0", "0", "provider=telesign times=2 status=503"]]
    assert sandbox.twilio(To=NUMBER, Channel="sms").json()["code"] == 60410
    assert rows(run("faults"))[1][:3] == ["1", "1", "1"]
    assert rows(run("faults", "remove", "1"))[1][3] == "provider=telesign times=2 status=503"
    assert "no rule 2: expected 1 to 1" in run("faults", "remove", "2", expect=1)
    assert "--all" in run("faults", "remove", expect=64)
    assert run("faults", "remove", "--all") == "There are none.\n"


def test_a_rule_must_be_an_object_of_json(run):
    assert "RULE: expected a JSON object" in run("faults", "add", "[]", expect=64)
    assert "RULE: expected a JSON object" in run("scenarios", "add", "{", expect=64)
    assert "expected a fault" in run("faults", "add", expect=64)
    assert "expected a scenario" in run("scenarios", "add", "--number", NUMBER, expect=64)


def test_a_scenario_from_json_and_options(run, sandbox):
    run("scenarios", "add", '{"match":{"channel":"sms"},"outcome":"slow"}', "--number", NUMBER, "--after-ms", "9000")
    (rule,) = sandbox.control("GET", "scenarios").json()["scenarios"]
    assert (rule["match"]["number"], rule["match"]["channel"], rule["outcome"], rule["afterMs"]) == (NUMBER, "sms", "slow", 9000)


def kind_of(failure):
    """Failures of one kind are produced alike."""
    request = failure.get("request", {})
    return request.get("method"), request.get("path"), *request.get("body", {}), "repair" in failure


def test_failures_are_produced_and_undone_where_that_is_possible(server, sandbox, run):
    groups = requests.get(f"{server.http}/control/failures", timeout=10).json()["groups"]
    one_of_each = {kind_of(failure): failure for group in groups for failure in group["failures"]}
    assert len(one_of_each) > 15
    for failure in one_of_each.values():
        name = failure["id"]
        if "manual" in failure:
            assert "is a step of a person or an app" in run("failures", "produce", name, expect=1)
            continue
        if re.search("devices|clock|forge", failure["request"]["path"]):
            # They need a handset or a receiver, or are over when they have happened.
            continue
        said = run("failures", "produce", name, "--to", NUMBER)
        assert " ".join(said.split()).startswith(failure["effect"])
        is_rule = failure["request"]["method"] == "PUT" and "{number}" not in failure["request"]["path"]
        if is_rule or "repair" in failure:
            assert f"ringfence failures undo {name} --to {NUMBER}" in said
            run("failures", "undo", name, "--to", NUMBER)
        else:
            assert "ringfence sandbox reset" in said
            assert "nothing undoes" in run("failures", "undo", name, expect=1)
    for path, list in (("faults", "faults"), ("scenarios", "scenarios"), ("webhooks/faults", "webhookFaults")):
        assert sandbox.control("GET", path).json() == {list: []}


def test_a_failure_happens_to_one_number_only(run, sandbox):
    run("failures", "produce", "text-lost", "--to", NUMBER, "--provider", "twilio", "--times", "1")
    (rule,) = sandbox.control("GET", "scenarios").json()["scenarios"]
    assert (rule["match"]["number"], rule["match"]["provider"], rule["times"]) == (NUMBER, "twilio", 1)

    assert "text-lost is not on for +12025550111" in run("failures", "undo", "text-lost", "--to", "+12025550111", expect=1)
    run("failures", "undo", "text-lost")
    refused = run("failures", "produce", "passkey-expired", "--to", NUMBER, expect=1)
    assert "--to: expected none, because it is for everybody" in refused
    assert "text-lost is not on" in run("failures", "undo", "text-lost", expect=1)
    assert "--to: missing" in run("failures", "produce", "line-landline", expect=1)
    refused = run("failures", "produce", "line-landline", "--to", NUMBER, "--times", "2", expect=1)
    assert "--times: expected none, because line-landline is no rule" in refused


def test_a_code_can_be_asked_for(run, used):
    assert run("code", NUMBER) == used.code(NUMBER) + "\n"
    found = json.loads(run("code", NUMBER, "--json"))
    assert (found["code"], found["codeFrom"]) == (used.code(NUMBER), "verification")
    assert run("code", NUMBER, "--pattern", r"is: (\d\d)") == used.code(NUMBER)[:2] + "\n"
    assert "no text matches the pattern x+y" in run("code", NUMBER, "--pattern", "x+y", expect=1)
    assert "have no effect" in run("code", NUMBER, "--ordinal", "2", expect=64)
    assert "+12025550111" in run("code", "+12025550111", expect=1)


# New entries as they come

def test_followed_lists_show_new_entries(server, used):
    command = [ringfence.binary(), "--follow", "--json", "--url", server.http, "--sandbox", used.name]
    for name, count in (("journal", 3), ("inbox", 1)):
        words = [command[0], name, *command[1:]]
        with subprocess.Popen(words, stdout=subprocess.PIPE, bufsize=0) as process:
            try:
                for _ in range(count):
                    json.loads(process.stdout.readline())
                assert used.twilio(To="+12025550101", Channel="sms").status_code == 201
                assert "+12025550101" in json.dumps(json.loads(process.stdout.readline()))
            finally:
                process.terminate()
        used.control("POST", "reset")
        used.credentials = used.control("GET", f"sandboxes/{used.name}").json()["credentials"]
        used.twilio(To=NUMBER, Channel="sms")


# Completions

@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_know_commands_and_names(shell):
    script = ringfence.command("--generate-completion-script", shell)

    for word in ("verifications", "scenarios", "produce", "text-lost", "undeliverable", "telesign", "whatsapp", "truncate"):
        assert word in script, word
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=script.encode(), check=True)


# Live lines

class Terminal:
    """`ringfence serve` in a terminal of 80 columns and 24 lines."""

    def __init__(self, *flags, **environment):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        variables = {**os.environ, "TERM": "xterm", **environment}
        variables.pop("NO_COLOR", None) if "NO_COLOR" not in environment else None
        self.process = subprocess.Popen(
            [ringfence.binary(), "serve", "--http", "127.0.0.1:0", "--https", "off", "--gateway", "off", *flags],
            stdout=slave, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=variables)
        os.close(slave)
        self.text = ""
        self.url = self.read_until(r"Ringfence listens on (http://\S+)\r\n")[1]
        self.sandbox = ringfence.Sandbox(requests.get(f"{self.url}/control/sandboxes/default", timeout=10).json())

    def read_until(self, pattern):
        while not (found := re.search(pattern, self.text)):
            readable, _, _ = select.select([self.master], [], [], 20)
            assert readable, self.text
            try:
                self.text += os.read(self.master, 65536).decode()
            except OSError:
                raise AssertionError(self.text)
        return found

    def stop(self):
        """The rest of its output."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(15)
        try:
            while data := os.read(self.master, 65536):
                self.text += data.decode()
        except OSError:
            pass
        return self.text

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.master)


def plain(text):
    return re.sub(r"\x1b\[\d+m", "", text).replace("\r\n", "\n")


def test_a_terminal_shows_each_request_and_a_summary():
    with Terminal() as terminal:
        assert terminal.sandbox.twilio(To=NUMBER, Channel="sms").status_code == 201
        terminal.sandbox.twilio(To="12", Channel="sms")
        requests.get(f"{terminal.url}/v2/Srvices", timeout=10)
        code = terminal.sandbox.code(NUMBER)
        terminal.read_until("not emulated")
        text = terminal.stop()

    shown = plain(text)
    lines = shown.split("Ringfence listens on ")[1].splitlines()[1:]
    assert re.fullmatch(rf"\d\d:\d\d:\d\d  twilio    \{NUMBER}    createVerification 201, sms {code}", lines[0])
    assert re.match(r"\d\d:\d\d:\d\d  twilio +createVerification 400, ", lines[1])
    assert re.fullmatch(r"\d\d:\d\d:\d\d  - +GET /v2/Srvices not emulated", lines[2])
    assert max(map(len, lines[:3])) <= 80
    assert lines[3] == "ringfence: 3 requests, 1 message sent, 1 rejected, 1 not emulated"
    assert "\x1b[32m" in text and "\x1b[33m" in text and "/control/" not in lines[0]


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colours_where_they_are_not_wanted(environment):
    with Terminal(**environment) as terminal:
        requests.get(f"{terminal.url}/v2/Srvices", timeout=10)
        terminal.read_until("not emulated")
        assert "\x1b" not in terminal.stop()


def test_a_terminal_that_nobody_reads_slows_no_request():
    with Terminal() as terminal, requests.Session() as session:
        # Far more than a terminal holds.
        for _ in range(2000):
            assert session.get(f"{terminal.url}/v2/Services", timeout=5).status_code == 401
        terminal.read_until(r"… \d+ lines not shown: the terminal was slow")
        assert "2000 requests" in terminal.stop()


def test_live_can_be_asked_for_and_turned_off():
    with Terminal("--no-live") as terminal:
        requests.get(f"{terminal.url}/v2/Srvices", timeout=10)
        assert "emulated" not in terminal.stop()
    for flags, environment, is_live in (
            ((), {}, False), (("--live",), {}, True), ((), {"RINGFENCE_LIVE": "true"}, True)):
        command = [ringfence.binary(), "serve", "--http", "127.0.0.1:0", "--https", "off", "--gateway", "off", *flags]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}) as process:
            url = next(line for line in iter(process.stdout.readline, "") if "listens on" in line).split()[-1]
            requests.get(f"{url}/v2/Srvices", timeout=10)
            process.terminate()
            rest = process.stdout.read()
        assert ("GET /v2/Srvices not emulated" in rest and "1 not emulated" in rest) == is_live
        assert "\x1b" not in rest


def test_ready_json_prints_one_line():
    with ringfence.Server() as server:
        requests.get(f"{server.http}/v2/Srvices", timeout=10)
        server.process.terminate()
        assert server.process.stdout.read() == b""
        server.process.wait(15)
