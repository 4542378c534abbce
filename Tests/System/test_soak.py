"""`make soak` in eight seconds. A debug build has no limits of latency and memory."""

import subprocess
import sys

import pytest

import ringfence


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_short_soak_finds_no_problem():
    done = subprocess.run(
        [sys.executable, ringfence.ROOT / "Tests/Soak/soak.py", "--seconds", "8", "--untimed"],
        capture_output=True, text=True, timeout=280, check=False)

    assert done.returncode == 0, done.stderr
    assert "; lost: 0 |" in done.stdout
