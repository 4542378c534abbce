"""Long work on one sandbox: others are answered meanwhile, and a kill in the middle leaves the old state. Decision 0057."""

import json
import sqlite3
import threading

import pytest
import requests

import ringfence
from large_snapshot import with_messages

ROWS = 20_000


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state"


def snapshot(server):
    """A snapshot of a new sandbox, with many messages."""
    source = server.sandbox(name="source")
    saved = requests.get(f"{server.http}/control/sandboxes/source/snapshot", timeout=60).json()
    return json.dumps(with_messages(saved, ROWS)).encode()


class Restore(threading.Thread):
    """Restores a snapshot as the sandbox `big`."""

    def __init__(self, server, document):
        super().__init__(daemon=True)
        self.url, self.document, self.status = f"{server.http}/control/sandboxes/big/snapshot", document, None
        self.start()

    def run(self):
        try:
            self.status = requests.put(
                self.url, data=self.document, headers={"Content-Type": "application/json"}, timeout=120).status_code
        except requests.exceptions.RequestException:
            self.status = "none"


def test_other_sandboxes_are_answered_and_requests_to_the_own_one_wait(folder):
    with ringfence.Server("--data", folder) as server:
        document = snapshot(server)
        server.sandbox(name="big")
        restore = Restore(server, document)
        answered = 0
        while restore.is_alive():
            assert requests.get(f"{server.http}/s/source/control/clock", timeout=10).status_code == 200
            answered += restore.is_alive()
        assert answered > 10
        assert restore.status == 200

        waiting = Restore(server, document)
        while waiting.is_alive():
            found = requests.get(f"{server.http}/s/big/control/inbox?limit=1", timeout=60)
            assert found.status_code == 200 and len(found.json()["messages"]) == 1
        assert waiting.status == 200


def test_a_kill_in_the_middle_leaves_the_old_state_and_no_row_behind(folder):
    with ringfence.Server("--data", folder) as server:
        document = snapshot(server)
        restore = Restore(server, document)
        while hidden(folder) == 0:
            assert restore.is_alive(), "the snapshot was restored before the kill"
        server.kill()
        restore.join()

    with ringfence.Server("--data", folder) as server:
        assert requests.get(f"{server.http}/control/sandboxes/big", timeout=10).status_code == 404
        while hidden(folder) > 0:
            assert requests.get(f"{server.http}/livez", timeout=10).status_code == 200
    with sqlite3.connect(folder / "ringfence.sqlite") as database:
        assert database.execute("SELECT count(*) FROM messages").fetchone() == (0,)


def hidden(folder):
    """How many sandboxes are not there yet, or no longer."""
    with sqlite3.connect(f"file:{folder}/ringfence.sqlite?mode=ro", uri=True) as database:
        return database.execute("SELECT count(*) FROM sandboxes WHERE name >= '~'").fetchone()[0]
