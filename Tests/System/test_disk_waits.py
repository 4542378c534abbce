"""The event loop does not wait for the disk when it commits: decision 0058."""

import os
import re
import shutil
import subprocess
import time

import pytest
import requests

import ringfence

CREATES = 500  # 10 MiB of log; a log of 1 MiB is moved when no request comes


def can_trace():
    """False without strace, and where a process may not trace another, as in many containers."""
    return shutil.which("strace") and subprocess.run(["strace", "-o", os.devnull, "true"], check=False).returncode == 0


@pytest.mark.skipif(not can_trace(), reason="strace does not work here")
def test_no_commit_waits_for_the_disk(tmp_path):
    calls = tmp_path / "calls"
    # With -f, each line begins with the thread. With -D, the server is our child, not that of strace.
    trace = ("strace", "-D", "-f", "-e", "trace=fsync,fdatasync", "-o", calls)
    log = tmp_path / "data" / "ringfence.sqlite-wal"
    with ringfence.Server("--data", tmp_path / "data", prefix=trace) as server:
        loop = str(server.process.pid)
        synced = len(syncs(calls, loop))
        own = server.sandbox_described("default")["credentials"]["twilio"]
        session = requests.Session()
        session.auth = own["accountSid"], own["authToken"]

        def create(number):
            answer = session.post(f"{server.http}/v2/Services/{own['serviceSid']}/Verifications", timeout=10,
                                  data={"To": f"+8613900{number:06}", "Channel": "sms"})
            assert answer.status_code == 201, answer.text

        create(0)
        first = salt(head(log))
        for number in range(1, CREATES):
            create(number)
        # On a slow machine the log may have started again already. A create before the broken header is on
        # the disk repairs it; then the log is moved once more.
        deadline = time.monotonic() + 60
        while salt(head(log)) == first:
            assert time.monotonic() < deadline, "the log did not start again"
            if is_broken(head(log)):
                number += 1
                create(number)
        assert len(syncs(calls, loop)) == synced
        others = {line.split()[0] for line in calls.read_text().splitlines()} - {loop}
        assert any(syncs(calls, other) for other in others), "no other thread waited for the disk either"


def head(log):
    with log.open("rb") as file:
        return file.read(24)


def is_broken(head):
    """True if the first four bytes, which mark a log, are inverted (walformat.html, 4.1)."""
    return int.from_bytes(head[:4]) ^ 0xFFFFFFFF in (0x377F0682, 0x377F0683)


def salt(head):
    """A number that is new each time the log starts at its beginning (walformat.html, 4.1)."""
    return head[16:]


def syncs(calls, thread):
    return [line for line in calls.read_text().splitlines() if re.match(rf"{thread} +f(data)?sync\(", line)]
