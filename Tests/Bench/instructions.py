"""Instructions of the server for a start and for a request of each kind, counted by valgrind, beside those
of `instructions.json`. `make bench-quick` fails if one needs over 3 % more; `make bench` writes the file."""

import argparse
import http.client
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import kinds
import load
import report
from receiver import Receiver

FILE = load.HERE / "instructions.json"
ALLOWED_GROWTH = 0.03
# Two counts of a program differ by 1 %. The least mean of some blocks has no work of timers.
BLOCKS, REQUESTS = 4, 30
STARTS = 2
PREFIX = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=/dev/null")
# Under valgrind, everything takes fifty times as long.
load.ringfence.READY_WITHIN = 120


class Hook(Receiver):
    """A receiver whose connections stay open."""

    def _handler(self):
        handler = super()._handler()
        handler.protocol_version = "HTTP/1.1"
        return handler


def total(pid):
    """What all threads have executed until now."""
    status = subprocess.run(["vgdb", f"--pid={pid}", "status", "internal"], capture_output=True, text=True, check=True)
    return sum(int(events) for events in re.findall(r"^events-\d+: (\d+)$", status.stdout, re.M))


def of_start(binary):
    """To the first answer."""
    with load.ringfence.Server(prefix=PREFIX, program=binary) as server:
        load.ringfence.requests.get(f"{server.http}/livez", timeout=120).raise_for_status()
        return total(server.process.pid)


def of_request(subject, connection, asks, numbers, hook=None):
    """The least mean. `hook` gets three webhooks for each request."""
    means = []
    for _ in range(BLOCKS):
        before = total(subject.pid)
        for number in itertools.islice(numbers, REQUESTS):
            connection.request(*asks(number))
            answer = connection.getresponse()
            text = answer.read()
            assert answer.status < 300, f"{asks(number)}: {answer.status} {text}"
            for _ in range(3 if hook else 0):
                hook.next(within=120)
        means.append((total(subject.pid) - before) // REQUESTS)
    return min(means)


def measure(binary):
    """By title. What needs more than the file allows is counted once more."""
    os.environ["SWIFT_DETERMINISTIC_HASHING"] = "1"
    known, found = read()["counts"], {}

    def count(title, counted):
        found[title] = counted()
        if growth(title, found, known) > ALLOWED_GROWTH:
            found[title] = min(found[title], counted())
        print(f"{title:40} {found[title]:12,} instructions {growth(title, found, known):+8.1%}", flush=True)

    count("start, to the first answer", lambda: min(of_start(binary) for _ in range(STARTS)))
    subject = load.Subject(binary=binary, prefix=PREFIX)
    connection, numbers = http.client.HTTPConnection(*subject.server.address, timeout=120), itertools.count(1)
    # The first hundred writes take more than all others.
    of_request(subject, connection, kinds.asks_of("create", subject), numbers)
    with Hook() as hook:
        for kind, title in kinds.COUNTED.items():
            asks = kinds.asks_of(kind, subject, hook.url)
            receiver = hook if kind.endswith("-webhooks") else None
            count(title, lambda: of_request(subject, connection, asks, numbers, receiver))  # noqa: B023
        connection.close()
        subject.stop()
    return found


def growth(title, found, known):
    return found[title] / known.get(title, found[title]) - 1


def read():
    return json.loads(FILE.read_text()) if FILE.exists() else {"machine": None, "counts": {}}


def write(found):
    FILE.write_text(json.dumps({"machine": report.tools(), "counts": found}, indent=2) + "\n")
    print(f"wrote {FILE}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="write the file instead of comparing with it")
    given = parser.parse_args()
    if not shutil.which("vgdb"):
        return print("no valgrind here: nothing is counted")
    with tempfile.TemporaryDirectory() as folder:
        # valgrind 3.19 cannot read Swift's debug information.
        stripped = pathlib.Path(folder) / "ringfence"
        subprocess.run(["strip", "-o", stripped, given.binary], check=True)
        found, before = measure(stripped), read()
    if given.write:
        return write(found)
    grown = [title for title in found if growth(title, found, before["counts"]) > ALLOWED_GROWTH]
    if grown and before["machine"] != report.tools():
        return print(f"not judged, because {FILE.name} was written with other tools: {before['machine']}")
    if grown:
        sys.exit(f"more than {ALLOWED_GROWTH:.0%} above {FILE.name}: {', '.join(grown)}. If this is meant: "
                 "make bench-quick ARGS=--write")


if __name__ == "__main__":
    main()
