"""`serve --supervise`: a crashed server is started again. `run`: the command does not outlive it."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest
import requests

import ringfence
from load import Load, default_credentials, missing
from processes import wait_for_child, wait_for_end
from running import line, read_line

# Debug builds start slowly.
RESTART_LIMIT = 0.1 if "release" in str(ringfence.binary()) else 1.5  # seconds


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


def supervised(*flags, log=None, **named):
    return ringfence.Server("--supervise", *flags, log=log, **named)


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGILL", "SIGABRT", "SIGKILL"])
def test_a_crashed_server_is_back_at_once_with_everything_acknowledged(tmp_path, log, name):
    with supervised("--data", tmp_path / "data", log=log) as server:
        world = default_credentials(server)
        load = Load(server, world, 1)
        load.wait_for(40)
        child = wait_for_child(server.process.pid)

        os.kill(child, getattr(signal, name))
        crashed = time.monotonic()
        assert requests.get(f"{server.http}/livez", timeout=30).ok
        outage = time.monotonic() - crashed
        load.join()

        assert outage < RESTART_LIMIT
        assert wait_for_child(server.process.pid) != child
        assert missing(server, world, load) == []
    print(f"{name}: the server answered {outage * 1000:.0f} ms after the signal")
    number = getattr(signal, name).value
    said = log.read_text()
    assert f"the server crashed (signal {number}, " in said
    # The clients create verifications and read their codes.
    assert re.search(r"(POST /v2/Services/|GET /control/inbox/)", said.split("the server crashed")[1].split("\n")[0])
    assert f"Everything acknowledged is in {tmp_path}/data." in said
    assert " ms after the crash" in said


def test_ten_crashes_in_a_row_are_survived(tmp_path):
    with supervised("--data", tmp_path / "data") as server:
        child = None
        for _ in range(10):
            child = wait_for_child(server.process.pid, other_than=child)
            assert requests.get(f"{server.http}/livez", timeout=30).ok
            os.kill(child, signal.SIGSEGV)
        assert requests.get(f"{server.http}/livez", timeout=30).ok
        assert server.stop() == 0


def test_all_listeners_stay_open(tmp_path):
    listeners = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "127.0.0.1:0")
    with supervised("--data", tmp_path / "data", listeners=listeners) as server:
        ports = [server.http, server.gateway]
        child = wait_for_child(server.process.pid)
        os.kill(child, signal.SIGABRT)
        assert wait_for_child(server.process.pid, other_than=child)
        for url in ports:
            assert requests.get(f"{url}/livez", timeout=30).status_code in (200, 404)
        secure = requests.get(f"{server.https}/livez", timeout=30, verify=tmp_path / "data" / "authority.pem")
        assert secure.ok


def test_in_memory_the_log_says_that_the_state_is_lost(log):
    with supervised(log=log) as server:
        server.sandbox(name="gone")
        os.kill(wait_for_child(server.process.pid), signal.SIGSEGV)
        assert requests.get(f"{server.http}/control/sandboxes/gone", timeout=30).status_code == 404
    said = log.read_text()
    assert "between requests; the last one was POST /control/sandboxes (control createSandbox);" in said
    assert "All sandboxes and their contents are lost: they were in memory. Use --data to keep them." in said


def test_in_memory_tokens_outlive_a_crash():
    listeners = ("--http", "0.0.0.0:0", "--https", "off", "--gateway", "off")
    with supervised(listeners=listeners) as server:
        port = server.http.rsplit(":", 1)[1]
        url, admin = f"http://127.0.0.1:{port}/control/sandboxes", server.ready["adminToken"]
        key = {"Authorization": f"Bearer {admin}"}
        own = requests.post(url, json={"name": "p07"}, headers=key, timeout=30).json()["token"]

        os.kill(wait_for_child(server.process.pid), signal.SIGSEGV)

        assert requests.get(url, headers=key, timeout=30).status_code == 200
        assert requests.post(url, json={"name": "p07"}, headers=key, timeout=30).json()["token"] == own
        assert requests.get(url, timeout=30).status_code == 401


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_stop_ends_both_processes(tmp_path, ending):
    with supervised("--data", tmp_path / "data") as server:
        watch = os.pidfd_open(wait_for_child(server.process.pid))
        assert server.ready["pid"] == server.process.pid
        server.process.send_signal(ending)
        assert server.process.wait(15) == 0
        assert wait_for_end(watch)


def test_the_server_ends_with_a_killed_supervisor(tmp_path):
    server = supervised("--data", tmp_path / "data")
    watch = os.pidfd_open(wait_for_child(server.process.pid))
    server.kill()
    assert wait_for_end(watch)
    with ringfence.Server("--data", tmp_path / "data"):
        pass  # the folder is free again


def test_a_server_that_refuses_to_start_is_not_started_again():
    words = [ringfence.binary(), "serve", "--http", "127.0.0.1:0", "--https", "off", "--gateway", "off", "--auth", "none"]
    alone, watched = (
        subprocess.run([*words, *more], capture_output=True, text=True, timeout=30, check=False)
        for more in ([], ["--supervise"]))
    assert (watched.returncode, watched.stderr) == (alone.returncode, alone.stderr)
    assert watched.returncode != 0


def test_a_port_in_use_is_reported(server):
    port = server.address[1]
    done = subprocess.run(
        [ringfence.binary(), "serve", "--supervise", "--http", f"127.0.0.1:{port}", "--https", "off", "--gateway", "off"],
        capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode != 0
    assert f"listening on 127.0.0.1:{port} failed: address already in use" in done.stderr


def test_a_server_that_cannot_start_is_given_up(tmp_path, log):
    # The seed is a named pipe without a writer, so the server never becomes ready.
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    os.mkfifo(seeds / "slow.json")
    words = [ringfence.binary(), "serve", "--supervise", "--http", "127.0.0.1:0", "--https", "off", "--gateway", "off",
             "--data", tmp_path / "data", "--seeds", seeds]
    with open(log, "wb") as errors:
        process = subprocess.Popen(words, stderr=errors, stdout=subprocess.DEVNULL)
    child = None
    for _ in range(5):
        child = wait_for_child(process.pid, other_than=child)
        os.kill(child, signal.SIGKILL)
    assert process.wait(30) == 1
    said = log.read_text()
    assert said.count("while starting; it is started again") == 4
    assert "while starting, for the 5th time without becoming ready. Check the data with: ringfence doctor" in said


def test_the_environment_can_turn_it_on(log):
    with ringfence.Server(log=log, environment={"RINGFENCE_SUPERVISE": "true"}) as server:
        assert wait_for_child(server.process.pid)


@pytest.mark.parametrize("flags", [[], ["--isolated"]], ids=["", "isolated"])
def test_a_command_ends_with_a_killed_run(flags, request):
    if flags:
        request.getfixturevalue("namespaces")
    command = [sys.executable, "-c", "import os, signal; print(os.getpid(), flush=True); signal.pause()"]
    process = subprocess.Popen(line(*command, flags=flags), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    watch = os.pidfd_open(int(read_line(process.stdout)))
    process.kill()
    process.wait()
    assert wait_for_end(watch)
    process.stdout.close()
