"""A full disk: nothing acknowledged is lost, every start succeeds, and writes work again once there is
room."""

import base64
import json
import os
import subprocess
from urllib.parse import urlencode

import pytest

import ringfence
import wire
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
    """Sends thousands of requests, over a plain connection."""

    def __init__(self, server):
        own = server.sandbox_described("default")["credentials"]["twilio"]
        pair = f"{own['accountSid']}:{own['authToken']}"
        self.authorization = f"Basic {base64.b64encode(pair.encode()).decode()}"
        self.path = f"/v2/Services/{own['serviceSid']}/Verifications"
        self.line = wire.Wire(server.address, timeout=10)

    def send(self, method, path, body=None):
        self.line.send(wire.request(
            method, path, body, authorization=self.authorization, content_type="application/x-www-form-urlencoded"))
        return self.line.receive()

    def create(self, number):
        return self.send("POST", self.path, urlencode({"To": number, "Channel": "sms"}))

    def create_until_full(self, round_number):
        """The ids of acknowledged verifications; ends with several errors in a row."""
        created, errors, count = [], 0, 0
        while errors < 10:
            count += 1
            answer = self.create(f"+8613{round_number:03}{count:06}")
            if answer.status == 201:
                created.append(json.loads(answer.body)["sid"])
                errors = 0
            else:
                assert answer.status >= 500, answer.body
                errors += 1
        return created

    def is_pending(self, sid):
        return json.loads(self.send("GET", f"{self.path}/{sid}").body).get("status") == "pending"


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
        assert client.create("+12025550001").status == 201
        disk.fill()
        kept = client.create_until_full(2)
        disk.free()
        assert client.create("+12025550003").status == 201
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
        assert client.create("+12025550004").status == 201


def test_a_first_start_without_room_says_so(disk):
    (disk.path / "data").mkdir(mode=0o700)
    disk.fill()
    done = subprocess.run(
        [*disk.prefix, ringfence.binary(), "serve", "--http", "127.0.0.1:0", "--https", "off", "--gateway", "off",
         "--data", disk.folder / "data"], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode > 0
    assert "ringfence.sqlite: the disk is full. Free at least 256 KiB on its file system and start again." in done.stderr
