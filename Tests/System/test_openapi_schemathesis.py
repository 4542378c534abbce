"""Schemathesis against the control API: no answer is a 5xx, and none is undocumented. Source: issue 27.

Bounded in time; SCHEMATHESIS_SECONDS=600 searches for longer. `make test` searches for ten seconds."""

import os
import subprocess
import sys

import pytest

import ringfence

SECONDS = float(os.environ.get("SCHEMATHESIS_SECONDS", "40"))
CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance",
          "response_headers_conformance", "response_schema_conformance")
# An unknown method such as TRACE gets 501, as RFC 9110, 9.1 says. Requests that wait for something would
# take all the time.
SETTINGS = """
[phases.coverage]
unexpected-methods = []

[parameters]
wait = 0
"""


@pytest.mark.timeout(SECONDS + 60)
@pytest.mark.parametrize("seconds", [10, pytest.param(SECONDS, marks=pytest.mark.slow)])
def test_no_answer_is_a_server_error_or_undocumented(tmp_path, seconds):
    pytest.importorskip("schemathesis")
    settings = tmp_path / "schemathesis.toml"
    settings.write_text(SETTINGS)
    with ringfence.Server() as server:
        done = subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", "--config-file", settings, "run",
             f"{server.http}/control/openapi.json", "--checks", ",".join(CHECKS), "--phases", "coverage,fuzzing",
             "--max-time", str(seconds), "--exclude-path", "/control/events/stream",
             "--exclude-path", "/control/workshops/{workshop}/stream", "--continue-on-failure", "--no-shrink",
             "--suppress-health-check", "all", "--no-color"],
            capture_output=True, text=True, check=False, cwd=tmp_path)
        assert server.is_alive()

    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "Fuzzing" in done.stdout, done.stdout[-2000:]
