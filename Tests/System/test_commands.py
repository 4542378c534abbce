"""The command line, against a running sandbox and without one."""

import glob
import json
import re
import subprocess

import pytest
import requests

import ringfence
from ringfence import command

NUMBER = "+15551234567"
FAKETIME = next(glob.iglob("/usr/lib/*/faketime/libfaketime.so.1"), None)


@pytest.fixture
def fresh():
    with ringfence.Server() as server:
        yield server


def test_code_without_a_provider_lists_all_that_send_codes():
    lines = [line.split(" ") for line in command("code", NUMBER).splitlines()]

    assert [name for name, _ in lines] == ["prelude", "telesign", "twilio", "prove", "vonage", "sinch", "camara"]
    assert lines == [[name, command("code", NUMBER, "--provider", name).strip()] for name, _ in lines]


def test_code_knows_the_providers_own_code_for_its_test_numbers():
    assert command("code", "+12001004014", "--provider", "prove").strip() == "1234"


def test_code_of_a_provider_that_sends_none():
    said = command("code", NUMBER, "--provider", "fcm", expect=64)

    assert "--provider: expected one of prelude, telesign, twilio, prove, vonage, sinch, camara; found fcm" in said


@pytest.mark.parametrize("number, meant", [
    ("12025550100", "+12025550100"), ("0012025550100", "+12025550100"), ("+1 (202) 555-0100", "+12025550100"),
    ("2025550100", "+12025550100"), ("447700900123", "+447700900123"), ("12", None), ("+1202", None), ("ada@", None), ("", None),
])
def test_code_refuses_what_is_neither_a_number_nor_an_address(number, meant):
    said = command("code", number, expect=64).splitlines()

    expected = f"Error: expected a phone number such as +12025550100, or an email address; found {number}"
    assert said[0] == expected + (f"; did you mean {meant}?" if meant else "")
    assert said[1].startswith("Usage: ringfence code ")


def test_code_takes_an_email_address():
    assert len(command("code", "ada@example.com", "--provider", "twilio").strip()) == 6


def test_inbox_refuses_what_is_neither_a_number_nor_an_address(fresh):
    said = command("inbox", "12025550100", "--url", fresh.http, expect=1)

    assert "number: expected a phone number such as +12025550100" in said and 'did you mean "+12025550100"?' in said


@pytest.mark.parametrize("words", [
    ("serve", "--http", "nonsense"), ("run", "--clock", "noon", "--", "true"), ("doctor", "--url", "ftp://x"),
    ("ca", "--trust", "amiga"), ("clock", "set", "--url", "ftp://x", "noon"), ("env", "--url", "ftp://x"),
])
def test_an_error_in_an_option_is_followed_by_the_usage_of_the_subcommand(words, tmp_path):
    name = "clock set" if words[0] == "clock" else words[0]
    said = command(*words, environment={"HOME": str(tmp_path)}, expect=64).splitlines()

    assert said[0].startswith("Error: ")
    assert said[1].startswith(f"Usage: ringfence {name} ")
    assert said[-1] == f"  See 'ringfence {name} --help' for more information."


def test_clock_moves(fresh):
    command("clock", "set", "2026-01-05T10:20:30Z", "--url", fresh.http)
    command("clock", "freeze", "--url", fresh.http)

    assert command("clock", "advance", "10m", "--url", fresh.http).startswith("2026-01-05T10:30:30")


@pytest.mark.parametrize("words, said", [
    (("srve",), "Error: unknown command 'srve'; did you mean 'ringfence serve'?"),
    (("clock", "avance", "1m"), "Error: unknown command 'avance'; did you mean 'ringfence clock advance'?"),
    (("sandbox", "mve"), "Error: unknown command 'mve'; did you mean 'ringfence sandbox move'?"),
    (("help", "clok"), "Error: unknown command 'clok'; did you mean 'ringfence clock'?"),
    (("failures", "undoo", "text-lost"), "Error: unknown command 'undoo'; did you mean 'ringfence failures undo'?"),
    (("serve", "--htpp", "x"), "Error: Unknown option '--htpp'. Did you mean '--http'?"),
    (("dance",), "Error: Unexpected argument 'dance'"),
    (("logs",), "Error: unknown command 'logs'; did you mean 'ringfence journal'?"),
    (("messages",), "Error: unknown command 'messages'; did you mean 'ringfence inbox'?"),
    (("\x1b[2J",), r"Error: Unexpected argument '\x1B[2J'"),
])
def test_a_misspelt_command_or_option_gets_the_nearest_one(words, said):
    done = subprocess.run([ringfence.binary(), *words], capture_output=True, text=True, timeout=30, check=False)

    assert (done.returncode, done.stderr.splitlines()[0]) == (64, said)


@pytest.mark.skipif(FAKETIME is None, reason="no libfaketime here")
def test_a_preloaded_library_takes_no_arguments_away():
    """Issue 45, C13."""
    preload = {"LD_PRELOAD": FAKETIME, "FAKETIME": "-1d"}

    assert command("errors", "prelude", environment=preload) == command("errors", "prelude")
    assert command("run", "--quiet", "--", "echo", "a  b", environment=preload) == "a  b\n"
    with ringfence.Server("--history", "5", environment=preload) as server:
        assert server.is_alive()


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("help",), ("sandbox", "--help"), ("help", "sandbox")])
def test_help_is_no_misspelt_command(words):
    assert "SUBCOMMANDS:" in command(*words)


def every_command(words=()):
    """The help of each command, by its words."""
    shown = command(*words, "--help")
    yield " ".join(words), shown
    for section in re.findall(r"SUBCOMMANDS:\n(.*?)(?:\n\n|$)", shown, re.DOTALL):
        for word in re.findall(r"^  ([a-z-]+)", section, re.MULTILINE):
            yield from every_command((*words, word))


def test_every_help_has_an_example_and_placeholders_that_say_what_to_write():
    found = dict(every_command())
    assert len(found) > 55
    for name, shown in found.items():
        assert not re.search(r"<[a-z]", shown), shown
        if name:
            example = re.search(r"^EXAMPLE:\n  (.*)$", shown, re.MULTILINE)[1]
            assert f"ringfence {name.split()[0]}" in example
            for option in re.findall(r" (--[a-z-]+)", example.partition(" -- ")[0]):
                assert option in " ".join(text for other, text in found.items() if other.startswith(name.split()[0]))


def test_docs_need_no_server():
    assert command("docs", "carrier").startswith("# The carrier\n")
    assert "providers/twilio" in command("docs")
    assert "there is no page carier; did you mean carrier?" in command("docs", "carier", expect=1)


def test_a_code_is_sent_and_the_status_shown(fresh):
    code = command("send", "+12025550100", "--provider", "twilio", "--url", fresh.http).strip()
    assert code == command("code", "+12025550100", "--url", fresh.http).strip()
    assert "Nothing is broken on purpose." in command("status", "--url", fresh.http)
    command("failures", "produce", "text-lost", "--url", fresh.http)
    assert "Broken on purpose: scenarios 1." in command("status", "--url", fresh.http)
    assert "the text is lost, because" in command("send", "+12025550100", "--url", fresh.http, expect=1)
    assert "does not answer" in command("status", "--url", "http://127.0.0.1:9", expect=1)


def test_seed_check_ends_with_1_and_names_every_bad_file(tmp_path):
    good, bad, worse = (tmp_path / f"{name}.json" for name in ("good", "bad", "worse"))
    good.write_text('{"subscribers":[{"number":"+12025550100"}]}')
    bad.write_text('{"subscribers":[{"number":"12"}]}')
    worse.write_text("[")

    done = subprocess.run([ringfence.binary(), "seed", "check", bad, good, worse], capture_output=True, text=True,
                          timeout=30, check=False)

    assert done.returncode == 1 and done.stdout == f"{good}: ok\n"
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == [str(bad), str(worse)]
    assert "subscribers[0]" in done.stderr
    done = subprocess.run([ringfence.binary(), "seed", "check", "--json", good, bad], capture_output=True, timeout=30, check=False)
    assert done.returncode == 1 and json.loads(done.stdout)["files"][0] == {"file": str(good), "error": None}
    worse.unlink()
    bad.unlink()
    assert command("seed", "check", tmp_path) == f"{good}: ok\n"
    assert subprocess.run([ringfence.binary(), "seed", "check"], capture_output=True, check=False).returncode == 64


@pytest.mark.parametrize("file", sorted((ringfence.ROOT / "Seeds").rglob("*.json")), ids=lambda file: file.name)
def test_shipped_seeds_are_valid(file):
    if "schema" in file.name:
        json.loads(file.read_text())
    else:
        assert "ok" in command("seed", "check", file)


@pytest.mark.parametrize("flags, named", [
    (["--gateway", "5552"], "--gateway"), (["--config", "/no/such/file"], "/no/such/file"), (["--data", "/proc/nonsense"], "/proc/nonsense"),
])
def test_serve_names_an_invalid_option(flags, named):
    assert named in command("serve", *flags, expect=1)


def test_flags_override_environment_which_overrides_the_file(tmp_path):
    file = tmp_path / "options.json"
    file.write_text('{"clock":"2026-01-01T00:00:00Z","entropy-seed":5}')
    taken = {"RINGFENCE_CLOCK": "2026-02-02T00:00:00Z"}

    with ringfence.Server("--config", file, environment=taken) as server:
        described = server.sandbox_described("default")

    assert described["entropySeed"] == 5
    assert described["clock"]["now"].startswith("2026-02-02")


def test_unknown_accounts_are_accepted_unless_strict():
    stranger = ("AC" + "9" * 32, "0" * 32)
    statuses = {}
    for auth in ("open", "strict"):
        with ringfence.Server("--auth", auth) as server:
            statuses[auth] = requests.get(f"{server.http}/v2/Services", auth=stranger, timeout=10).status_code

    assert statuses == {"open": 200, "strict": 401}
