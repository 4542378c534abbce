"""A signal that ends the server is reported with what it was doing; then the server ends by it. Source: issue
45, A3."""

import contextlib
import os
import pathlib
import resource
import signal

import pytest
import requests

import ringfence
from processes import wait_for_child

# More values than there is memory for: an array of them grows by megabytes.
VALUES = b'{"faults":[' + b",".join([b"0"] * 90_000) + b"]}"
NESTED = b'{"a":' * 64 + b"0" + b"}" * 64
JSON = {"Content-Type": "application/json"}


def let_memory_run_out(process):
    """Leaves the process room for a request, but not for its values."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    used = int(status.split("VmSize:")[1].split()[0]) << 10
    resource.prlimit(process, resource.RLIMIT_AS, (used + (1 << 20), resource.RLIM_INFINITY))


@pytest.mark.parametrize("name", ["SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTRAP"])
def test_a_signal_is_reported_with_the_last_request_and_ends_the_server(tmp_path, name):
    log = tmp_path / "log"
    with ringfence.Server(log=log) as server:
        server.sandbox(name="one")

        os.kill(server.process.pid, getattr(signal, name))

        assert server.process.wait(30) == -getattr(signal, name)
    assert (f"ringfence: crashed by {name} between requests; the last one was POST /control/sandboxes "
            "(control createSandbox)\n") in log.read_text()


def test_a_crash_in_an_operation_names_it(tmp_path):
    log = tmp_path / "log"
    with ringfence.Server(log=log) as server:
        assert requests.get(f"{server.http}/livez", timeout=10).ok
        let_memory_run_out(server.process.pid)

        with pytest.raises(requests.ConnectionError):
            requests.put(f"{server.http}/control/faults", data=VALUES, headers=JSON, timeout=30)

        assert server.process.wait(30) < 0
    assert " while handling PUT /control/faults (control putFaults)\n" in log.read_text()


def test_a_stack_overflow_is_reported(tmp_path):
    """With the smallest stack that a start has room for, a request of some depth has none."""
    for kilobytes in range(24, 200, 4):
        log = tmp_path / str(kilobytes)
        try:
            with ringfence.Server(
                    prefix=("prlimit", f"--stack={kilobytes << 10}:unlimited"), log=log,
                    environment={"SWIFT_BACKTRACE": "enable=no"}) as server:
                with contextlib.suppress(requests.ConnectionError):
                    requests.put(f"{server.http}/control/faults", data=NESTED, headers=JSON, timeout=30)
        except AssertionError:
            continue  # it did not start
        break

    assert server.process.wait(30) == -signal.SIGSEGV
    assert "ringfence: crashed by SIGSEGV while handling PUT /control/faults" in log.read_text()


def test_the_supervisor_logs_the_operation(tmp_path):
    log = tmp_path / "log"
    with ringfence.Server("--supervise", log=log) as server:
        let_memory_run_out(wait_for_child(server.process.pid))

        with pytest.raises(requests.ConnectionError):
            requests.put(f"{server.http}/control/faults", data=VALUES, headers=JSON, timeout=30)

        assert requests.get(f"{server.http}/livez", timeout=30).ok
    said = log.read_text()
    line = next(line for line in said.splitlines() if "the server crashed" in line)
    assert " critical ringfence: " in line and " while handling PUT /control/faults (control putFaults);" in line
    assert "ringfence: crashed by" not in said
