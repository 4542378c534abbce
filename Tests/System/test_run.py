"""`ringfence run -- CMD`: arguments, environment, exit status and cleanup. Source: issue 5, part 4."""

import json
import os
import pty
import shutil
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
    """The environment of a command, and standard error."""
    done = run(sys.executable, "-c", "\n".join(VARIABLES), flags=flags, environment=bare(**environment))
    assert done.returncode == 0, done.stderr
    found = dict(entry.split("=", 1) for entry in done.stdout.decode(errors="surrogateescape").split("\0"))
    return found, done.stderr.decode()


@pytest.mark.parametrize("status", [0, 1, 7, 255])
def test_the_exit_status_is_the_commands(status):
    assert run("sh", "-c", f"exit {status}").returncode == status


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGINT, signal.SIGPIPE])
def test_run_ends_by_the_commands_signal(number):
    assert run("sh", "-c", f"kill -{int(number)} $$").returncode == -number


@pytest.mark.quick
def test_standard_input_and_output_are_the_commands():
    done = run("tr", "a-z", "A-Z", input=b"quite so\n")

    assert done.stdout == b"QUITE SO\n"


def test_arguments_are_passed_unchanged():
    awkward = [b"", b"two words", b"--flag", b"--", "grüße".encode(), b"\xff\xfe", b"$HOME;`x`"]
    script = "import os, sys; sys.stdout.buffer.write(b'\\0'.join(map(os.fsencode, sys.argv[1:])))"

    done = subprocess.run(
        [*map(os.fsencode, line(sys.executable, "-c", script)), *awkward], capture_output=True, timeout=60,
        check=False, env=bare())

    assert done.stdout == b"\0".join(awkward)


def test_a_missing_command_exits_with_127(tmp_path):
    done = run("no-such-command")

    assert done.returncode == 127 and b"no-such-command: " in done.stderr


def test_a_file_that_is_not_executable_exits_with_126(tmp_path):
    (tmp_path / "script").write_text("exit 0\n")
    done = run(tmp_path / "script")

    assert done.returncode == 126 and b"permission denied" in done.stderr


@pytest.mark.parametrize("words, named", [
    (["run"], "after --"), (["run", "true"], "after --"), (["run", "--sandbox", "a/b", "--", "true"], "--sandbox"),
    (["run", "--isolated", "--proxy-tunnel", "all", "--", "true"], "--proxy-tunnel"),
    (["run", "--clock", "noon", "--", "true"], "--clock"), (["run", "--seeds", "/no/such", "--", "true"], "/no/such"),
])
def test_invalid_options_are_named_and_nothing_runs(words, named):
    assert named in ringfence.command(*words, expect=1)


def test_a_request_reaches_the_sandbox():
    done = run(sys.executable, "-c", SEND, "+12025550100")

    assert done.stdout == b"201\n", done.stderr


def test_48_people_at_a_terminal_see_where_the_sandbox_is():
    terminal, end = pty.openpty()
    done = subprocess.run(
        line("printenv", "RINGFENCE_URL"), stdout=subprocess.PIPE, stderr=end, env=bare(), timeout=60, check=True)
    address = os.read(terminal, 1000).decode().splitlines()[0]
    assert address == f"ringfence: the sandbox is at {done.stdout.decode().strip()}/"


def test_a_named_sandbox_has_its_own_url_and_credentials():
    found, _ = variables(["--sandbox", "ci-17"])
    default, _ = variables()

    assert found["RINGFENCE_URL"].endswith("/s/ci-17")
    assert found["TWILIO_AUTH_TOKEN"] != default["TWILIO_AUTH_TOKEN"]
    assert run(sys.executable, "-c", SEND, "+12025550100", flags=["--sandbox", "ci-17"]).stdout == b"201\n"


def test_clock_entropy_seed_and_seeds_are_applied(tmp_path):
    (tmp_path / "own.json").write_text('{"subscribers":[{"number":"+12025550123","code":"424242"}]}')
    script = "curl -s $RINGFENCE_URL/control/clock $RINGFENCE_URL/control/entropy $RINGFENCE_URL/control/subscribers"

    done = run(
        "sh", "-c", script,
        flags=["--clock", "2026-01-05T10:20:30Z", "--entropy-seed", 77, "--seeds", tmp_path])

    assert b"2026-01-05T10:20:30" in done.stdout and b"77" in done.stdout and b"424242" in done.stdout


def test_set_variables_are_kept_and_reported():
    own = {"TWILIO_ACCOUNT_SID": "AC" + "9" * 32, "PRELUDE_BASE_URL": "http://127.0.0.1:9"}
    found, said = variables(**own)

    assert {name: found[name] for name in own} == own
    assert all(name in said for name in own)
    assert found["RINGFENCE_URL"] != found["PRELUDE_BASE_URL"]


def test_overwrite_replaces_set_variables():
    found, said = variables(["--overwrite"], PRELUDE_BASE_URL="http://127.0.0.1:9", RINGFENCE_URL="http://127.0.0.1:9")

    assert found["PRELUDE_BASE_URL"] == found["RINGFENCE_URL"] != "http://127.0.0.1:9"
    assert "kept" not in said


def test_other_variables_are_unchanged():
    found, _ = variables(OWN="a\n b'\"$", LATIN=os.fsdecode(b"\xe4\xff"))

    assert found["OWN"] == "a\n b'\"$" and os.fsencode(found["LATIN"]) == b"\xe4\xff"


def test_the_sandboxs_authority_is_added_to_the_users_file(tmp_path):
    own = tmp_path / "own.pem"
    own.write_text("-----BEGIN CERTIFICATE-----\nmine\n-----END CERTIFICATE-----\n")
    script = "cat $REQUESTS_CA_BUNDLE; cat $NODE_EXTRA_CA_CERTS"

    done = run("sh", "-c", script, environment=bare(REQUESTS_CA_BUNDLE=str(own), NODE_EXTRA_CA_CERTS=""))

    assert own.read_text() in done.stdout.decode()
    assert done.stdout.count(b"BEGIN CERTIFICATE") == 3


def test_credential_files_are_private():
    script = "stat -c %a $GOOGLE_APPLICATION_CREDENTIALS; cat $GOOGLE_APPLICATION_CREDENTIALS"
    mode, text = run("sh", "-c", script).stdout.decode().split("\n", 1)

    assert mode == "600" and json.loads(text)["type"] == "service_account"


def test_a_bad_seed_stops_it_before_the_command(tmp_path):
    (tmp_path / "people.json").write_text('{"subscribers":[{"number":"12"}]}')

    done = run("echo", "ran", flags=["--seeds", tmp_path])

    assert done.returncode != 0 and done.stdout == b""
    assert b"people.json" in done.stderr and b"subscribers[0]" in done.stderr


GO_TEST = """package main

import (
	"io"
	"net/http"
	"testing"
)

func TestTheSandboxAnswers(test *testing.T) {
	answer, err := http.Get("https://verify.twilio.com/livez")
	if err != nil {
		test.Fatal(err)
	}
	if body, _ := io.ReadAll(answer.Body); string(body) != "ok\\n" {
		test.Fatal(string(body))
	}
}
"""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("go"), reason="no go here: `make languages` installs it")
def test_46_f3_go_tests_run_in_it_and_go_itself_outside(tmp_path):
    (tmp_path / "go.mod").write_text("module example.com/app\n")
    (tmp_path / "app_test.go").write_text(GO_TEST)

    done = subprocess.run(
        ["go", "test", "-exec", f"{ringfence.binary()} run --quiet --", "./..."], cwd=tmp_path, capture_output=True,
        text=True, timeout=100, check=False,
        env={name: value for name, value in os.environ.items() if not name.startswith("RINGFENCE_")})

    assert done.stdout.startswith("ok"), done.stdout + done.stderr


@pytest.mark.parametrize("ending", ["exit 0", "exit 3", "kill -9 $$"])
def test_nothing_is_left_behind(tmp_path, ending):
    run("sh", "-c", f'ls "$TMPDIR"/ringfence-*/ >&2; {ending}', environment=bare(TMPDIR=str(tmp_path)))

    assert list(tmp_path.iterdir()) == []


def test_paths_are_absolute(tmp_path):
    done = run("sh", "-c", 'cd / && cat "$SSL_CERT_FILE"', environment=bare(TMPDIR="."), cwd=tmp_path)

    # The authorities of the machine, and that of the sandbox.
    assert done.stdout.count(b"BEGIN CERTIFICATE") > 50, done.stderr


def test_the_temporary_folder_is_private(tmp_path):
    done = run("sh", "-c", 'stat -c %a "$TMPDIR"/ringfence-*', environment=bare(TMPDIR=str(tmp_path)))

    assert done.stdout == b"700\n"
