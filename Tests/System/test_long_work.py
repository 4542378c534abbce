"""Long work on one sandbox: others are answered meanwhile, and a kill in the middle leaves the old state.
Source: decision 0057."""

import contextlib
import json
import sqlite3
import threading

import pytest
import requests

import ringfence
from large_snapshot import with_messages

ROWS = 30_000
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state"


def snapshot(server):
    """A snapshot of a new sandbox, with many messages."""
    source = server.sandbox(name="source")
    saved = requests.get(f"{server.http}/control/sandboxes/source/snapshot", timeout=60).json()
    return json.dumps(with_messages(saved, ROWS)).encode()


class Ask(threading.Thread):
    """One request in the background. Its status is "none" if the server was killed."""

    def __init__(self, method, url, document):
        super().__init__(daemon=True)
        self.named = {"method": method, "url": url, "data": document, "headers": JSON}
        self.status = None
        self.start()

    def run(self):
        try:
            self.status = requests.request(**self.named, timeout=120).status_code
        except requests.exceptions.RequestException:
            self.status = "none"


def restore(server, document):
    """Restores a snapshot as the sandbox `big`."""
    return Ask("PUT", f"{server.http}/control/sandboxes/big/snapshot", document)


def test_other_sandboxes_are_answered_and_requests_to_the_own_one_wait(folder):
    with ringfence.Server("--data", folder) as server:
        document = snapshot(server)
        server.sandbox(name="big")
        restoring = restore(server, document)
        answered = 0
        while restoring.is_alive():
            assert requests.get(f"{server.http}/s/source/control/clock", timeout=10).status_code == 200
            answered += restoring.is_alive()
        assert answered > 10
        assert restoring.status == 200

        waiting = restore(server, document)
        while waiting.is_alive():
            found = requests.get(f"{server.http}/s/big/control/inbox?limit=1", timeout=60)
            assert found.status_code == 200 and len(found.json()["messages"]) == 1
        assert waiting.status == 200


def test_a_kill_while_a_snapshot_is_restored_leaves_no_sandbox(folder):
    with ringfence.Server("--data", folder) as server:
        kill_within(restore(server, snapshot(server)), server, folder)
    with restarted(folder) as server:
        assert requests.get(f"{server.http}/control/sandboxes/big", timeout=10).status_code == 404
    assert rows(folder, "messages") == 0


def test_a_kill_while_a_sandbox_is_reset_leaves_all_or_nothing(folder):
    with ringfence.Server("--data", folder) as server:
        document = snapshot(server)
        server.sandbox(name="big")
        assert wait_for(restore(server, document)) == 200
        kill_within(Ask("POST", f"{server.http}/s/big/control/reset", "{}"), server, folder)
    with restarted(folder) as server:
        found = requests.get(f"{server.http}/s/big/control/inbox?limit=1", timeout=10).json()["messages"]
    assert rows(folder, "messages") == (ROWS if found else 0)


def test_a_kill_while_a_workshop_is_created_leaves_all_or_nothing(folder):
    participants = 500
    with ringfence.Server("--data", folder) as server:
        new = {"name": "class", "story": "first-sign-in", "participants": participants}
        kill_within(Ask("POST", f"{server.http}/control/workshops", json.dumps(new)), server, folder)
    with restarted(folder) as server:
        found = requests.get(f"{server.http}/control/workshops/class", timeout=10).status_code
    assert rows(folder, "sandboxes") == 1 + {200: participants, 404: 0}[found]


def test_a_kill_while_a_large_seed_is_loaded_leaves_all_or_nothing(folder):
    numbers = [f"+1202{number:07}" for number in range(2_000_000, 2_001_900)]
    seed = json.dumps({"subscribers": [{"number": number, "operator": "x" * 100} for number in numbers]})
    with ringfence.Server("--data", folder) as server:
        url = f"{server.sandbox(name='big').base}/control/seed"
        before = rows(folder, "subscribers")
        kill_within(Ask("POST", url, seed), server, folder)
    with restarted(folder) as server:
        assert rows(folder, "subscribers") - before in (0, len(numbers))
        answer = requests.post(f"{server.http}/s/big/control/seed", data=seed, headers=JSON, timeout=60)
        assert answer.status_code == 200, answer.text
        wait_until_deleted(server, folder)
        assert rows(folder, "subscribers") - before == len(numbers)


def kill_within(work, server, folder):
    """Kills the server while a sandbox is built or deleted."""
    while hidden(folder) == 0:
        assert work.is_alive(), f"it had ended with {work.status} before the kill"
    server.kill()
    work.join()


def wait_for(work):
    work.join()
    return work.status


@contextlib.contextmanager
def restarted(folder):
    """A server that has deleted what the killed one left."""
    with ringfence.Server("--data", folder) as server:
        wait_until_deleted(server, folder)
        yield server


def wait_until_deleted(server, folder):
    while hidden(folder) > 0:
        assert requests.get(f"{server.http}/livez", timeout=10).status_code == 200


def rows(folder, table):
    with sqlite3.connect(f"file:{folder}/ringfence.sqlite?mode=ro", uri=True) as database:
        return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def hidden(folder):
    """How many sandboxes are not there yet, or no longer."""
    return rows(folder, "sandboxes WHERE name >= '~'")
