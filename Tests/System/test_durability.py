"""Acknowledged changes survive kill -9 and restarts."""

import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess

import pytest
import requests

import ringfence
import wire
from load import CLIENTS, Load, default_credentials, missing

# `make soak` sets 100.
ROUNDS = int(os.environ.get("KILL_ROUNDS", "3"))


def databases(folder):
    return [path for path in pathlib.Path(folder).rglob("*")
            if path.is_file() and path.read_bytes()[:15] == b"SQLite format 3"]


def check_integrity(folder, scratch):
    """Checks a copy, because the server must recover the original by itself."""
    copy = shutil.copytree(folder, scratch)
    found = databases(copy)
    assert found, f"no database in {folder}"
    for path in found:
        with sqlite3.connect(path) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.close()
    shutil.rmtree(copy)


@pytest.mark.timeout(120 + 30 * ROUNDS)
def test_kill_9_under_load_loses_nothing_acknowledged(tmp_path):
    data = tmp_path / "data"
    expected, acknowledged = 0, 0
    server = ringfence.Server("--data", data)
    for round_number in range(ROUNDS):
        world = default_credentials(server)
        load = Load(server, world, round_number)
        wanted = 40 + 23 * (round_number % 10)
        load.wait_for(wanted)
        server.kill()
        load.join()
        expected += wanted
        acknowledged += len(load.pending) + len(load.approved)
        check_integrity(data, tmp_path / "copy")

        server = ringfence.Server("--data", data)
        assert missing(server, world, load) == [], f"round {round_number}"
    server.stop()
    assert acknowledged >= expected
    print(f"{ROUNDS} times kill -9 under {CLIENTS} clients: {acknowledged} acknowledged writes, 0 lost")


@pytest.mark.quick
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_restart_keeps_everything(tmp_path, ending):
    number = "+15551234567"
    with ringfence.Server("--data", tmp_path) as server:
        sandbox = server.sandbox(name="kept")
        made = sandbox.twilio(To=number, Channel="sms")
        sandbox.advance("9m")
        before = [sandbox.control("GET", path).json() for path in ("clock", "inbox", "subscribers")]
        code = sandbox.code(number)
        server.process.send_signal(ending)
        assert server.process.wait(15) == 0

    with ringfence.Server("--data", tmp_path) as server:
        kept = ringfence.Sandbox(server.sandbox_described("kept"))
        assert kept.credentials == sandbox.credentials
        assert [kept.control("GET", path).json() for path in ("clock", "inbox", "subscribers")] == before
        assert kept.code(number) == code
        own = kept.credentials["twilio"]
        fetched = requests.get(made.json()["url"].replace(sandbox.base, kept.base), timeout=10, auth=(
            own["accountSid"], own["authToken"]))
        assert fetched.json()["status"] == "pending"
        kept.advance("61s")  # due work is rows: it survived too
        assert kept.twilio("VerificationCheck", To=number, Code=code).json()["code"] == 20404


def test_without_data_nothing_is_stored():
    with ringfence.Server() as server:
        server.sandbox(name="gone")
    with ringfence.Server() as server:
        assert requests.get(f"{server.http}/control/sandboxes/gone", timeout=10).status_code == 404


def test_a_stop_answers_waiting_clients():
    with ringfence.Server() as server, wire.Wire(server.address, timeout=20) as waiting:
        waiting.send(wire.request("GET", "/control/inbox/+15551234567/latest?wait=30"))
        assert server.is_alive()  # answered after the long poll was read

        assert server.stop(within=15) == 0

        assert waiting.receive().status == 404  # as if the wait had ended


def test_a_second_server_on_a_data_folder_is_rejected(tmp_path):
    with ringfence.Server("--data", str(tmp_path)):
        second = subprocess.run(
            [ringfence.binary(), "serve", "--http", "127.0.0.1:0", "--data", str(tmp_path)],
            capture_output=True, text=True, timeout=20)

    assert second.returncode != 0
    assert f"{tmp_path}: another ringfence is using this folder" in second.stderr
