"""`ringfence run -- CMD`: the command's environment, signals, statuses, and what is left behind. Source: issue 5, part 4."""

import os
import pathlib
import pty
import select
import signal
import subprocess
import sys

import pytest

import ringfence

VARIABLES = [
    "import os, sys",
    "sys.stdout.write('\\0'.join(f'{k}={v}' for k, v in os.environ.items()))",
]
SEND = """
import os, sys, urllib.parse, urllib.request, base64
pair = os.environ["TWILIO_ACCOUNT_SID"] + ":" + os.environ["TWILIO_AUTH_TOKEN"]
service = os.environ["RINGFENCE_URL"] + "/v2/Services/" + os.environ["TWILIO_VERIFY_SERVICE_SID"]
request = urllib.request.Request(
    service + "/Verifications", urllib.parse.urlencode({"To": sys.argv[1], "Channel": "sms"}).encode(),
    {"Authorization": "Basic " + base64.b64encode(pair.encode()).decode()})
print(urllib.request.urlopen(request).status)
"""
# The command says that it is there, and what it hears.
LISTEN = """
import os, signal, sys
def hear(number, _):
    os.write(1, f"heard {signal.Signals(number).name}\\n".encode())
    if len(sys.argv) > 1 and signal.Signals(number).name == sys.argv[1]: os._exit(7)
for name in ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGINT", "SIGQUIT"):
    signal.signal(getattr(signal, name), hear)
os.write(1, b"listening\\n")
while True: signal.pause()
"""
STRANGER = ringfence.ROOT / "Tests/CryptoTests/Certificates/authority.pem"


def bare(**more):
    """An environment in which nothing of ours was set before."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, **more}


def line(*words, flags=()):
    return [str(ringfence.binary()), "run", *map(str, flags), "--", *map(str, words)]


def run(*words, flags=(), environment=None, **named):
    return subprocess.run(
        line(*words, flags=flags), capture_output=True, timeout=60, check=False,
        env=bare() if environment is None else environment, **named)


def variables(flags=(), **environment):
    """The environment that a command finds, and what was said at standard error."""
    done = run(sys.executable, "-c", "\n".join(VARIABLES), flags=flags, environment=bare(**environment))
    assert done.returncode == 0, done.stderr
    found = dict(entry.split("=", 1) for entry in done.stdout.decode(errors="surrogateescape").split("\0"))
    return found, done.stderr.decode()


def start(*words, flags=(), **named):
    return subprocess.Popen(line(*words, flags=flags), env=bare(), stdout=subprocess.PIPE, bufsize=0, **named)


def read_line(stream):
    readable, _, _ = select.select([stream], [], [], 30)
    assert readable, "nothing was said"
    return stream.readline()


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


@pytest.mark.parametrize("ending", ["exit 0", "exit 3", "kill -9 $$"])
def test_nothing_is_left_behind(tmp_path, ending):
    run("sh", "-c", f'ls "$TMPDIR"/ringfence-*/ >&2; {ending}', environment=bare(TMPDIR=str(tmp_path)))

    assert list(tmp_path.iterdir()) == []


def test_nobody_else_may_look_into_the_files(tmp_path):
    done = run("sh", "-c", 'stat -c %a "$TMPDIR"/ringfence-*', environment=bare(TMPDIR=str(tmp_path)))

    assert done.stdout == b"700\n"


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGINT", "SIGQUIT"])
def test_signals_are_passed_on(name):
    # A session of its own has no terminal that could give the command the signal.
    process = start(sys.executable, "-c", LISTEN, name, start_new_session=True)
    assert read_line(process.stdout) == b"listening\n"

    process.send_signal(getattr(signal, name))

    assert read_line(process.stdout) == f"heard {name}\n".encode()
    assert process.wait(30) == 7
    process.stdout.close()


def test_the_command_begins_with_no_signal_held_or_ignored():
    status = run("grep", "-E", "^Sig(Blk|Ign):", "/proc/self/status").stdout.decode()

    assert status.split() == ["SigBlk:", "0" * 16, "SigIgn:", "0" * 16]


def test_a_signal_before_the_command_begins_ends_us_with_nothing_left(tmp_path):
    # A named pipe for the seed: the program waits in it until the signal is there.
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    os.mkfifo(seeds / "slow.json")
    folder = tmp_path / "temporary"
    folder.mkdir()
    process = subprocess.Popen(
        line("touch", tmp_path / "begun", flags=["--seeds", seeds]), env=bare(TMPDIR=str(folder)),
        start_new_session=True)
    with open(seeds / "slow.json", "w") as seed:
        process.send_signal(signal.SIGTERM)
        seed.write("{}")

    assert process.wait(30) == -signal.SIGTERM
    assert list(folder.iterdir()) == [] and not (tmp_path / "begun").exists()


def test_a_command_that_obeys_sigterm_ends_us_likewise(tmp_path):
    process = subprocess.Popen(
        line("sh", "-c", "echo ready; exec cat"), env=bare(TMPDIR=str(tmp_path)), stdout=subprocess.PIPE,
        stdin=subprocess.PIPE, bufsize=0, start_new_session=True)
    assert read_line(process.stdout) == b"ready\n"

    process.send_signal(signal.SIGTERM)

    assert process.wait(30) == -signal.SIGTERM
    assert list(tmp_path.iterdir()) == []
    process.stdout.close()
    process.stdin.close()


def summary(done):
    return done.stderr.decode().splitlines()


def test_the_end_tells_what_was_sent():
    said = summary(run(sys.executable, "-c", SEND, "+12025550100"))

    assert said[0] == "ringfence: 1 request, 1 message sent, 0 refused"
    assert said[1:] == ["  sent", f"    twilio  sms  +12025550100  code {ringfence.command('code', '+12025550100').strip()}"]


def test_the_end_tells_what_was_refused_and_why():
    script = "for each in 1 2; do curl -s -u AC00000000000000000000000000000001:wrong $RINGFENCE_URL/v2/Services; done"
    said = summary(run("sh", "-c", script))

    assert said[0] == "ringfence: 2 requests, 0 messages sent, 2 refused"
    assert said[1] == "  refused" and said[2].startswith("    2 ×  twilio  listServices  401  ")


def test_the_end_tells_of_hosts_that_were_not_reached():
    said = summary(run("curl", "-s", "https://example.com/"))

    assert any("CONNECT" in line and "example.com" in line and "403" in line for line in said)


def test_the_end_tells_of_handshakes_that_failed():
    said = summary(run("curl", "-s", "--cacert", STRANGER, "https://verify.twilio.com/"))

    assert said[1] == "  refused" and "TLS  verify.twilio.com" in said[2] and "unknown ca" in said[2]


def test_the_end_tells_of_fields_that_nobody_read():
    script = SEND.replace('"Channel": "sms"', '"Channel": "sms", "Chanel": "call"')
    said = summary(run(sys.executable, "-c", script, "+12025550100"))

    assert said[-2:] == ["  fields that nobody read", "    twilio  createVerification  Chanel"]


def test_a_run_that_reached_nothing_says_so():
    (line,) = summary(run("true"))

    assert "no request reached the sandbox" in line and "--isolated" in line and "ringfence doctor" in line


@pytest.mark.parametrize("words", [("curl", "-s", "https://example.com/"), ("true",)])
def test_the_end_is_quiet_where_asked(words):
    assert run(*words, flags=["--quiet"]).stderr == b""


def at_terminal(words):
    """A process in the foreground of a terminal of its own, and the terminal."""
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(words[0], words, bare())
    return process, terminal


def read_terminal(terminal, text):
    """What is shown until a text is."""
    shown = b""
    while text not in shown:
        readable, _, _ = select.select([terminal], [], [], 30)
        assert readable, f"{text!r} was not shown, but {shown!r}"
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            piece = b""
        assert piece, f"{text!r} was not shown, but {shown!r}"
        shown += piece
    return shown


def test_what_is_typed_is_heard_once():
    process, terminal = at_terminal(line(sys.executable, "-c", LISTEN, "SIGQUIT"))
    read_terminal(terminal, b"listening")

    os.write(terminal, b"\x03")
    shown = read_terminal(terminal, b"heard SIGINT")
    os.write(terminal, b"\x1c")
    shown += read_terminal(terminal, b"heard SIGQUIT")

    _, status = os.waitpid(process, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 7
    assert shown.count(b"heard SIGINT") == 1


def test_a_shell_at_the_terminal_keeps_its_own_jobs():
    process, terminal = at_terminal(line("sh", "-i"))
    os.write(terminal, b"sleep 60\n")
    read_terminal(terminal, b"sleep 60")
    while "sleep" not in foreground(terminal):
        assert pathlib.Path(f"/proc/{process}").exists()

    os.write(terminal, b"\x03")
    os.write(terminal, b"echo st''ill $RINGFENCE_URL\n")

    assert b"still http://127.0.0.1:" in read_terminal(terminal, b"still http")
    os.write(terminal, b"exit 5\n")
    while True:
        try:
            os.read(terminal, 4096)
        except OSError:
            break
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 5
    os.close(terminal)


def foreground(terminal):
    """The name of the program that what is typed goes to."""
    try:
        return pathlib.Path(f"/proc/{os.tcgetpgrp(terminal)}/comm").read_text()
    except FileNotFoundError:
        return ""
