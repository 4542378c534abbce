"""Signals to `ringfence run`, from its parent or from the terminal. Source: issue 5, part 4."""

import os
import pathlib
import pty
import select
import signal
import subprocess
import sys

import pytest

from running import bare, line, read_line, run, start

# The command prints when it is ready, and each signal that it gets. It waits for blocked signals, because one
# that comes just before a `pause` would not end it.
LISTEN = """
import os, signal, sys
names = ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGINT", "SIGQUIT")
expected = {getattr(signal, name) for name in names}
signal.pthread_sigmask(signal.SIG_BLOCK, expected)
os.write(1, b"listening\\n")
while True:
    name = signal.Signals(signal.sigwait(expected)).name
    os.write(1, f"heard {name}\\n".encode())
    if name in sys.argv[1:]: os._exit(7)
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGINT", "SIGQUIT"])
def test_signals_are_forwarded(name):
    # A new session has no terminal that could send the signal to the command.
    process = start(sys.executable, "-c", LISTEN, name, start_new_session=True)
    assert read_line(process.stdout) == b"listening\n"

    process.send_signal(getattr(signal, name))

    assert read_line(process.stdout) == f"heard {name}\n".encode()
    assert process.wait(30) == 7
    process.stdout.close()


def test_the_command_starts_with_default_signal_handling():
    status = run("grep", "-E", "^Sig(Blk|Ign):", "/proc/self/status").stdout.decode().split()

    held, ignored = int(status[1], 16), int(status[3], 16)
    # Signals 32 and 33 belong to the C library: programs cannot set them, and some parents ignore them.
    assert (held & ~0x1_8000_0000, ignored & ~0x1_8000_0000) == (0, 0)


def test_a_parent_that_blocks_all_signals_sees_the_end():
    """As Swift's Foundation starts programs from async functions."""

    def block():
        signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals())

    assert run("sh", "-c", "exit 7", preexec_fn=block).returncode == 7
    process = start(sys.executable, "-c", LISTEN, "SIGTERM", preexec_fn=block, start_new_session=True)
    assert read_line(process.stdout) == b"listening\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 7
    process.stdout.close()


def test_a_signal_before_the_command_starts_leaves_nothing_behind(tmp_path):
    # A named pipe as the seed: the program waits for it until the signal is sent.
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


def test_run_ends_by_sigterm_if_the_command_does(tmp_path):
    process = subprocess.Popen(
        line("sh", "-c", "echo ready; exec cat"), env=bare(TMPDIR=str(tmp_path)), stdout=subprocess.PIPE,
        stdin=subprocess.PIPE, bufsize=0, start_new_session=True)
    assert read_line(process.stdout) == b"ready\n"

    process.send_signal(signal.SIGTERM)

    assert process.wait(30) == -signal.SIGTERM
    assert list(tmp_path.iterdir()) == []
    process.stdout.close()
    process.stdin.close()


def at_terminal(words):
    """A process in the foreground of a new terminal, and the terminal."""
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(words[0], words, bare())
    return process, terminal


def read_terminal(terminal, text):
    """The output up to a text."""
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


def test_typed_signals_are_delivered_once():
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
    """The name of the foreground program of the terminal."""
    try:
        return pathlib.Path(f"/proc/{os.tcgetpgrp(terminal)}/comm").read_text()
    except FileNotFoundError:
        return ""
