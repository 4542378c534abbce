"""The event loop does not wait for the disk when it commits: decision 0058."""

import os
import re
import shutil
import subprocess

import pytest
import requests

import ringfence

CREATES = 10_000  # at most; the log starts again after 32 MiB, at about 20 KiB for each create


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
        logs = set()
        for number in range(CREATES):
            answer = session.post(f"{server.http}/v2/Services/{own['serviceSid']}/Verifications", timeout=10,
                                  data={"To": f"+8613900{number:06}", "Channel": "sms"})
            assert answer.status_code == 201, answer.text
            logs.add(salt(log))
            if len(logs) > 1:
                break
        assert len(syncs(calls, loop)) == synced
        others = {line.split()[0] for line in calls.read_text().splitlines()} - {loop}
        assert any(syncs(calls, other) for other in others), "no other thread waited for the disk either"
        assert len(logs) > 1, "the log did not start again"


def salt(log):
    """A number that is new each time the log starts at its beginning (walformat.html, 4.1)."""
    with log.open("rb") as file:
        return file.read(24)[16:]


def syncs(calls, thread):
    return [line for line in calls.read_text().splitlines() if re.match(rf"{thread} +f(data)?sync\(", line)]
