"""`ringfence run -- CMD`: the command's words, its environment, its status, and what is left behind. Source: issue 5, part 4."""

import json
import os
import signal
import subprocess
import sys

import pytest

import ringfence
from running import SEND, bare, line, run

VARIABLES = [
    "import os, sys",
    "sys.stdout.write('\\0'.join(f'{k}={v}' for k, v in os.environ.items()))",
]


def variables(flags=(), **environment):
    """The environment that a command finds, and what was said at standard error."""
    done = run(sys.executable, "-c", "\n".join(VARIABLES), flags=flags, environment=bare(**environment))
    assert done.returncode == 0, done.stderr
    found = dict(entry.split("=", 1) for entry in done.stdout.decode(errors="surrogateescape").split("\0"))
    return found, done.stderr.decode()


@pytest.mark.parametrize("status", [0, 1, 7, 255])
def test_the_exit_status_is_passed_on(status):
    assert run("sh", "-c", f"exit {status}").returncode == status


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGINT, signal.SIGPIPE])
def test_a_death_by_signal_is_passed_on(number):
    assert run("sh", "-c", f"kill -{int(number)} $$").returncode == -number


def test_standard_input_and_output_are_the_commands():
    done = run("tr", "a-z", "A-Z", input=b"quite so\n")

    assert done.stdout == b"QUITE SO\n"


def test_words_are_passed_on_as_they_came():
    awkward = [b"", b"two words", b"--flag", b"--", "grüße".encode(), b"\xff\xfe", b"$HOME;`x`"]
    script = "import os, sys; sys.stdout.buffer.write(b'\\0'.join(map(os.fsencode, sys.argv[1:])))"

    done = subprocess.run(
        [*map(os.fsencode, line(sys.executable, "-c", script)), *awkward], capture_output=True, timeout=60,
        check=False, env=bare())

    assert done.stdout == b"\0".join(awkward)


def test_a_command_that_is_not_there_is_127(tmp_path):
    done = run("no-such-command")

    assert done.returncode == 127 and b"no-such-command: " in done.stderr


def test_a_command_that_cannot_be_run_is_126(tmp_path):
    (tmp_path / "script").write_text("exit 0\n")
    done = run(tmp_path / "script")

    assert done.returncode == 126 and b"permission denied" in done.stderr


@pytest.mark.parametrize("words, named", [
    (["run"], "after --"), (["run", "true"], "after --"), (["run", "--sandbox", "a/b", "--", "true"], "--sandbox"),
    (["run", "--isolated", "--proxy-tunnel", "all", "--", "true"], "--proxy-tunnel"),
    (["run", "--clock", "noon", "--", "true"], "--clock"), (["run", "--seeds", "/no/such", "--", "true"], "/no/such"),
])
def test_bad_options_are_named_and_nothing_is_run(words, named):
    assert named in ringfence.command(*words, expect=1)


def test_the_environment_leads_to_the_sandbox():
    found, said = variables()

    assert found["RINGFENCE_URL"].startswith("http://127.0.0.1:")
    assert found["RINGFENCE_GATEWAY_URL"].startswith("http://127.0.0.1:")
    assert found["TWILIO_ACCOUNT_SID"] == "AC00000000000000000000000000000001"
    assert found["PRELUDE_BASE_URL"] == found["RINGFENCE_URL"]
    assert "kept" not in said


def test_a_request_reaches_the_sandbox():
    done = run(sys.executable, "-c", SEND, "+12025550100")

    assert done.stdout == b"201\n", done.stderr


def test_a_sandbox_of_a_name_has_its_own_url_and_credentials():
    found, _ = variables(["--sandbox", "ci-17"])
    default, _ = variables()

    assert found["RINGFENCE_URL"].endswith("/s/ci-17")
    assert found["TWILIO_AUTH_TOKEN"] != default["TWILIO_AUTH_TOKEN"]
    assert run(sys.executable, "-c", SEND, "+12025550100", flags=["--sandbox", "ci-17"]).stdout == b"201\n"


def test_clock_seed_and_seeds_are_those_that_were_asked_for(tmp_path):
    (tmp_path / "own.json").write_text('{"subscribers":[{"number":"+12025550123","code":"424242"}]}')
    script = "curl -s $RINGFENCE_URL/control/clock $RINGFENCE_URL/control/entropy $RINGFENCE_URL/control/subscribers"

    done = run(
        "sh", "-c", script,
        flags=["--clock", "2026-01-05T10:20:30Z", "--entropy-seed", 77, "--seeds", tmp_path])

    assert b"2026-01-05T10:20:30" in done.stdout and b"77" in done.stdout and b"424242" in done.stdout


def test_what_was_set_on_purpose_is_kept_and_named():
    own = {"TWILIO_ACCOUNT_SID": "AC" + "9" * 32, "PRELUDE_BASE_URL": "http://127.0.0.1:9"}
    found, said = variables(**own)

    assert {name: found[name] for name in own} == own
    assert all(name in said for name in own)
    assert found["RINGFENCE_URL"] != found["PRELUDE_BASE_URL"]


def test_what_was_set_on_purpose_is_replaced_where_asked():
    found, said = variables(["--overwrite"], PRELUDE_BASE_URL="http://127.0.0.1:9", RINGFENCE_URL="http://127.0.0.1:9")

    assert found["PRELUDE_BASE_URL"] == found["RINGFENCE_URL"] != "http://127.0.0.1:9"
    assert "kept" not in said


def test_an_empty_variable_is_nobodys_purpose():
    found, said = variables(TWILIO_AUTH_TOKEN="")

    assert found["TWILIO_AUTH_TOKEN"] and "kept" not in said


def test_the_rest_of_the_environment_is_untouched():
    found, _ = variables(OWN="a\n b'\"$", LATIN=os.fsdecode(b"\xe4\xff"))

    assert found["OWN"] == "a\n b'\"$" and os.fsencode(found["LATIN"]) == b"\xe4\xff"


def test_the_sandbox_is_trusted_beside_what_was_trusted_before(tmp_path):
    own = tmp_path / "own.pem"
    own.write_text("-----BEGIN CERTIFICATE-----\nmine\n-----END CERTIFICATE-----\n")
    script = "cat $REQUESTS_CA_BUNDLE; cat $NODE_EXTRA_CA_CERTS"

    done = run("sh", "-c", script, environment=bare(REQUESTS_CA_BUNDLE=str(own), NODE_EXTRA_CA_CERTS=""))

    assert own.read_text() in done.stdout.decode()
    assert done.stdout.count(b"BEGIN CERTIFICATE") == 3


def test_what_cannot_be_added_to_is_kept_and_named(tmp_path):
    found, said = variables(REQUESTS_CA_BUNDLE=str(tmp_path))

    assert found["REQUESTS_CA_BUNDLE"] == str(tmp_path) and "REQUESTS_CA_BUNDLE" in said


def test_options_for_java_are_added_to():
    found, _ = variables(JAVA_TOOL_OPTIONS="-Xmx64m")

    assert found["JAVA_TOOL_OPTIONS"].endswith(" -Xmx64m")
    assert "-Djavax.net.ssl.trustStore=" in found["JAVA_TOOL_OPTIONS"]


def test_a_credential_that_is_wanted_as_a_file_is_one_that_nobody_else_may_read():
    script = "stat -c %a $GOOGLE_APPLICATION_CREDENTIALS; cat $GOOGLE_APPLICATION_CREDENTIALS"
    mode, text = run("sh", "-c", script).stdout.decode().split("\n", 1)

    assert mode == "600" and json.loads(text)["type"] == "service_account"


@pytest.mark.parametrize("ending", ["exit 0", "exit 3", "kill -9 $$"])
def test_nothing_is_left_behind(tmp_path, ending):
    run("sh", "-c", f'ls "$TMPDIR"/ringfence-*/ >&2; {ending}', environment=bare(TMPDIR=str(tmp_path)))

    assert list(tmp_path.iterdir()) == []


def test_files_are_found_from_any_folder(tmp_path):
    done = run("sh", "-c", 'cd / && cat "$SSL_CERT_FILE"', environment=bare(TMPDIR="."), cwd=tmp_path)

    assert b"BEGIN CERTIFICATE" in done.stdout, done.stderr


def test_nobody_else_may_look_into_the_files(tmp_path):
    done = run("sh", "-c", 'stat -c %a "$TMPDIR"/ringfence-*', environment=bare(TMPDIR=str(tmp_path)))

    assert done.stdout == b"700\n"
