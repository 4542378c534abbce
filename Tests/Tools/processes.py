"""Processes of others: children of a supervisor, and ends that are not our child's."""

import os
import pathlib
import select
import time


def children(process):
    return [int(word) for word in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def wait_for_child(process, other_than=None):
    """The process id of the server; a supervisor has one child."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        found = [child for child in children(process) if child != other_than]
        if found:
            return found[0]
    raise AssertionError("the supervisor has no child")


def wait_for_end(watch):
    """Waits for a process that is not our child; `watch` is its `os.pidfd_open`."""
    ended, _, _ = select.select([watch], [], [], 30)
    os.close(watch)
    return bool(ended)
