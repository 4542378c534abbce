"""`serve --backup` and `ringfence restore`. Source: issue 27, deliverable 6."""

import contextlib
import datetime
import os
import pathlib
import re
import shutil
import sqlite3
import stat
import threading
import time

import pytest
import requests

import ringfence
from load import default_credentials

DRAFT = ".unfinished"
ROUNDS = 3


def finished(folder):
    """The finished copies, oldest first."""
    with contextlib.suppress(FileNotFoundError):
        return sorted(path for path in folder.iterdir() if re.fullmatch(r"\d{4}-\d\d-\d\dT[\d.-]+Z", path.name))
    return []


def made_at(copy):
    """When a copy was made, in seconds since 1970."""
    day, clock = copy.name.removesuffix("Z").split("T")
    return datetime.datetime.fromisoformat(f"{day}T{clock.replace('-', ':')}+00:00").timestamp()


def iso(copy):
    day, clock = copy.name.split("T")
    return f"{day}T{clock.replace('-', ':')}"


def wait_until(condition, server):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline and server.is_alive()


def unchanged_count(log):
    return log.read_text().count("nothing has changed since the last backup") if log else 0


def wait_for_copy(folder, server, log=None):
    """Waits for a copy of what is acknowledged now. If nothing else is written, the copy may have been made
    already: then the server's log says twice that nothing has changed since."""
    now, count = time.time(), unchanged_count(log)
    wait_until(
        lambda: finished(folder) and made_at(finished(folder)[-1]) > now or unchanged_count(log) > count + 1, server)


def with_backup(data, folder, *flags, interval="1s", **named):
    return ringfence.Server("--data", data, "--backup", folder, "--backup-interval", interval, *flags, **named)


def restore(folder, data, *flags, expect=0):
    return ringfence.command("restore", "--backup", folder, "--data", data, *flags, expect=expect)


def sandboxes(server):
    return {each["name"] for each in requests.get(f"{server.http}/control/sandboxes", timeout=10).json()["sandboxes"]}


class Writers:
    """Clients that start verifications, and remember which were acknowledged and when."""

    def __init__(self, server, world, round_number):
        self.url = f"{server.http}/v2/Services/{world['serviceSid']}/Verifications"
        self.pair = (world["accountSid"], world["authToken"])
        self.acknowledged = []
        self.threads = [threading.Thread(target=self._work, args=(f"+8613{round_number:02}{client}",)) for client in range(4)]
        for thread in self.threads:
            thread.start()

    def _work(self, prefix):
        with requests.Session() as session, contextlib.suppress(requests.ConnectionError):
            session.auth = self.pair
            for count in range(1_000_000):
                made = session.post(self.url, data={"To": f"{prefix}{count:06}", "Channel": "sms"}, timeout=10)
                assert made.status_code == 201, made.text
                self.acknowledged.append((time.time(), made.json()["sid"]))

    def join(self):
        for thread in self.threads:
            thread.join(60)


@pytest.mark.timeout(180)
def test_kill_9_during_a_backup_leaves_whole_backups_with_everything_acknowledged_before(tmp_path):
    data, folder = tmp_path / "data", tmp_path / "backups"
    acknowledged = []
    for number in range(ROUNDS):
        with contextlib.ExitStack() as ending:
            server = with_backup(data, folder)
            ending.callback(server.kill)  # again, if an assertion fails: the writers end with it
            world = default_credentials(server)
            writers = Writers(server, world, number)
            wait_until(lambda: writers.acknowledged, server)
            wait_for_copy(folder, server)
            deadline = time.monotonic() + 30
            while not (folder / DRAFT / "ringfence.sqlite").exists():
                assert time.monotonic() < deadline
            server.kill()
        writers.join()
        acknowledged += writers.acknowledged

        newest = finished(folder)[-1]
        restored = tmp_path / f"restored-{number}"
        said = restore(folder, restored)
        assert said == f"{restored} is as it was at {iso(newest)}\n"
        with contextlib.closing(sqlite3.connect(restored / "ringfence.sqlite")) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        expected = [sid for at, sid in acknowledged if at < made_at(newest)]
        with ringfence.Server("--data", restored) as server, requests.Session() as session:
            assert default_credentials(server) == world
            session.auth = writers.pair
            url = f"{server.http}/v2/Services/{world['serviceSid']}/Verifications"
            lost = [sid for sid in expected if session.get(f"{url}/{sid}", timeout=10).status_code != 200]
        assert (len(expected) > 0, lost) == (True, [])
        print(f"round {number}: {len(acknowledged)} acknowledged, {len(expected)} before the newest backup, 0 lost")
    with with_backup(data, folder, interval="1h"):
        pass
    assert not (folder / DRAFT).exists(), "what a crash has left is removed"


def test_a_backup_is_a_whole_data_folder_of_its_time(tmp_path):
    data, folder, log = tmp_path / "data", tmp_path / "backups", tmp_path / "log"
    listeners = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")
    flags = ("--admin-token-file", data / "admin-token")
    data.mkdir(mode=0o700)
    (data / "admin-token").write_text("token-of-these-tests-0123456789\n")
    (data / "admin-token").chmod(0o600)
    admin = {"Authorization": "Bearer token-of-these-tests-0123456789"}
    with with_backup(data, folder, *flags, "--log-level", "debug", log=log, listeners=listeners) as server:
        for name in ("first", "second"):
            requests.post(f"{server.http}/control/sandboxes", json={"name": name}, headers=admin, timeout=10).raise_for_status()
            wait_for_copy(folder, server, log)
        # Nothing changes now, so no further copies are made.
        wait_until(lambda: unchanged_count(log) > 1, server)
        copies = finished(folder)

    modes = {oct(stat.S_IMODE(path.stat().st_mode)) for path in copies[-1].iterdir()}
    assert (oct(stat.S_IMODE(copies[-1].stat().st_mode)), modes) == ("0o700", {"0o600"})
    files = {path.name for path in copies[-1].iterdir()}
    assert files == {"ringfence.sqlite", "admin-token", "sandbox-token-key", "signing-keys.json", "authority.pem",
                     "authority-key.pem"}
    held = {}
    for copy in copies:
        restored = tmp_path / copy.name
        restore(folder, restored, "--at", iso(copy))
        with ringfence.Server("--data", restored, "--admin-token-file", restored / "admin-token") as server:
            answer = requests.get(f"{server.http}/control/sandboxes", headers=admin, timeout=10).json()
            held[copy.name] = {each["name"] for each in answer["sandboxes"]} - {"default"}
    states = [held[copy.name] for copy in copies]
    assert states == sorted(states, key=len) and {"first"} in states and states[-1] == {"first", "second"}
    assert finished(folder) == copies


def test_only_the_newest_backups_are_kept_also_after_restarts(tmp_path):
    data, folder = tmp_path / "data", tmp_path / "backups"
    seen = set()
    for start in range(2):
        with with_backup(data, folder, "--backup-keep", "2") as server:
            for number in range(3):
                before = set(finished(folder))
                server.sandbox(name=f"s{start}{number}")
                wait_until(lambda: set(finished(folder)) - before, server)
                seen |= set(finished(folder))
        assert len(finished(folder)) == 2
    assert len(seen) > 4 and finished(folder) == sorted(seen)[-2:]


def test_a_restart_does_not_make_a_backup_before_its_time(tmp_path):
    data, folder, log = tmp_path / "data", tmp_path / "backups", tmp_path / "log"
    with with_backup(data, folder, interval="1h") as server:
        wait_until(lambda: finished(folder), server)
    first = finished(folder)
    with with_backup(data, folder, interval="1h") as server:
        server.sandbox(name="later")
    assert finished(folder) == first


def test_a_backup_that_fails_is_reported_and_tried_again(tmp_path):
    data, folder, log = tmp_path / "data", tmp_path / "backups", tmp_path / "log"

    def metric(name):
        text = requests.get(f"{server.http}/metrics", timeout=10).text
        return [float(line.split()[1]) for line in text.splitlines() if line.startswith(name)]

    with with_backup(data, folder, log=log) as server:
        wait_until(lambda: metric("ringfence_backup_timestamp_seconds"), server)
        shutil.rmtree(folder)
        folder.write_text("no folder")
        server.sandbox(name="unsaved")
        wait_until(lambda: metric("ringfence_backup_failures_total") != [0], server)
        folder.unlink()
        folder.mkdir()
        wait_until(lambda: finished(folder), server)
        since = metric("ringfence_backup_timestamp_seconds")[0]
    assert abs(since - time.time()) < 60
    assert "no backup was made: " in log.read_text() and "; the next try is in 1s" in log.read_text()


def test_a_folder_serves_one_server(tmp_path):
    folder = tmp_path / "backups"
    serve = ("serve", "--http", "127.0.0.1:0", "--https", "off", "--gateway", "off")
    with with_backup(tmp_path / "data", folder):
        said = ringfence.command(*serve, "--data", tmp_path / "other", "--backup", folder, expect=1)
    assert f"{folder}: another ringfence is using this folder" in said
    said = ringfence.command(*serve, "--data", tmp_path / "data", "--backup", tmp_path / "data", expect=1)
    assert "another ringfence is using this folder" in said or "must be different folders" in said


@pytest.mark.parametrize("flags, words", [
    (("--backup", "b"), "--backup: has no effect without --data"),
    (("--data", "d", "--backup-interval", "1h"), "--backup-interval: has no effect without --backup"),
    (("--data", "d", "--backup-keep", "3"), "--backup-keep: has no effect without --backup"),
    (("--data", "d", "--backup", "b", "--backup-keep", "0"), "--backup-keep: expected an integer from 1 to 10000; found 0"),
    (("--data", "d", "--backup", "b", "--backup-interval", "often"),
     "--backup-interval: expected a time such as 30s or 10m, from 1s to 7d; found often")])
def test_options_that_cannot_take_effect_are_refused(tmp_path, flags, words):
    flags = [tmp_path / flag if flag in ("b", "d") else flag for flag in flags]
    assert words in ringfence.command("serve", *flags, expect=64)
    assert list(tmp_path.iterdir()) == []


def test_restore_refuses_what_it_would_overwrite_and_what_is_not_there(tmp_path):
    data, folder = tmp_path / "data", tmp_path / "backups"
    with with_backup(data, folder) as server:
        wait_until(lambda: finished(folder), server)
    newest = finished(folder)[-1]

    assert f"--data: {data}/ringfence.sqlite exists; move {data} away" in restore(folder, data, expect=64)
    assert f"there is no backup in {tmp_path}" in restore(tmp_path, tmp_path / "new", expect=64)
    early = restore(folder, tmp_path / "new", "--at", "2020-01-05T10:20:30Z", expect=64)
    assert f"--at: the first backup was made at {iso(finished(folder)[0])}; found 2020-01-05T10:20:30Z" in early
    assert "--at: expected a time such as" in restore(folder, tmp_path / "new", "--at", "yesterday", expect=64)
    assert not (tmp_path / "new").exists()

    database = newest / "ringfence.sqlite"
    with open(database, "r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * 4096)
    said = restore(folder, tmp_path / "new", expect=64)
    assert f"--backup: {newest} is damaged: " in said and "--at" in said
    assert not [path.name for path in pathlib.Path(tmp_path / "new").iterdir() if "sqlite" in path.name]
    assert os.access(folder, os.W_OK)
