"""A full disk: nothing acknowledged is lost, every start succeeds, and writes work again once there is
room."""

import os
import subprocess

import pytest
import requests

import ringfence
from small_disk import SmallDisk

# `make soak` sets 4m and ten rounds.
SIZE = os.environ.get("FULL_DISK_SIZE", "2m")
ROUNDS = int(os.environ.get("FULL_DISK_ROUNDS", "3"))


@pytest.fixture
def disk(tmp_path):
    (tmp_path / "disk").mkdir()
    disk = SmallDisk(tmp_path / "disk", SIZE)
    if not disk.is_mounted:
        disk.close()
        pytest.skip("this machine allows no mounts")
    yield disk
    disk.close()


class Client:
    def __init__(self, server):
        own = server.sandbox_described("default")["credentials"]["twilio"]
        self.session = requests.Session()
        self.session.auth = (own["accountSid"], own["authToken"])
        self.url = f"{server.http}/v2/Services/{own['serviceSid']}/Verifications"

    def create(self, number):
        return self.session.post(self.url, data={"To": number, "Channel": "sms"}, timeout=10)

    def create_until_full(self, round_number):
        """The ids of acknowledged verifications; ends with several errors in a row."""
        created, errors, count = [], 0, 0
        while errors < 10:
            count += 1
            answer = self.create(f"+8613{round_number:03}{count:06}")
            if answer.status_code == 201:
                created.append(answer.json()["sid"])
                errors = 0
            else:
                assert answer.status_code >= 500, answer.text
                errors += 1
        return created

    def is_pending(self, sid):
        return self.session.get(f"{self.url}/{sid}", timeout=10).json().get("status") == "pending"


@pytest.mark.timeout(120 + 60 * ROUNDS)
def test_every_start_on_a_full_disk_succeeds_and_nothing_is_lost(disk, tmp_path):
    acknowledged, log = [], tmp_path / "log"
    server = disk.serve(log=log)
    for round_number in range(ROUNDS):
        acknowledged += Client(server).create_until_full(round_number)
        if round_number % 2 == 0:
            server.kill()
        else:
            assert server.stop() == 0
        assert "disk is full" in log.read_text()
        server = disk.serve(log=log)  # succeeds
        client = Client(server)
        assert [sid for sid in acknowledged if not client.is_pending(sid)] == []
    assert server.stop() == 0
    assert len(acknowledged) > 200
    print(f"{ROUNDS} rounds on a full disk of {SIZE}: {len(acknowledged)} acknowledged writes, 0 lost")


def test_writes_work_again_once_there_is_room(disk):
    with disk.serve() as server:
        client = Client(server)
        assert client.create("+12025550001").status_code == 201
        disk.fill()
        kept = client.create_until_full(2)
        disk.free()
        assert client.create("+12025550003").status_code == 201
        assert all(client.is_pending(sid) for sid in kept)


@pytest.mark.slow
def test_a_log_that_filled_the_disk_does_not_prevent_the_start(disk):
    with disk.serve() as server:
        acknowledged = Client(server).create_until_full(1)
        server.kill()
    disk.fill()
    with disk.serve() as server:
        client = Client(server)
        assert all(client.is_pending(sid) for sid in acknowledged)
        disk.free()
        assert client.create("+12025550004").status_code == 201


def test_a_first_start_without_room_says_so(disk):
    (disk.path / "data").mkdir(mode=0o700)
    disk.fill()
    done = subprocess.run(
        [*disk.prefix, ringfence.binary(), "serve", "--http", "127.0.0.1:0", "--https", "off", "--gateway", "off",
         "--data", disk.folder / "data"], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode > 0
    assert "ringfence.sqlite: the disk is full. Free at least 256 KiB on its file system and start again." in done.stderr
