"""Runs the tests for each mutant that `mutants.py build` built."""

import itertools
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time

TIMES = 5  # the processor's time that a mutant may need, of what the tests need without one
MORE = 10  # seconds
STILL = 180  # seconds in which a run uses a tenth of a second of the processor: it stands still
ISSUE = re.compile(r"Test [^\n]* recorded an issue [^\n]{,150}(?=[^\n]*\n)")
FAILED = re.compile(r"^(?:FAILED|ERROR) Tests/(\S+?::[^\n]*?)(?: - [^\n]*)?$", re.MULTILINE)
# Each module's own tests run first.
NEAR = {"ringfence": "CommandTests"}


def read(file):
    return [json.loads(line) for line in open(file, encoding="utf-8")] if os.path.exists(file) else []


def mutants(rows):
    """The last row of each mutant, by its key."""
    return {row["key"]: row for row in rows if "key" in row}


def add(file, row):
    with open(file, "a", encoding="utf-8") as out:
        out.write(json.dumps(row, ensure_ascii=False) + "\n")


def processes(session):
    """The fields of /proc/PID/stat after the name, of each process of the session, by its id."""
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            yield int(path.parent.name), fields


def seconds(session):
    return sum(int(ticks) for _, fields in processes(session) for ticks in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def follow(command, tree, environment, limit=float("inf"), failure=None):
    """Seconds of the processor, output, and why the run is a failure or None. Ends with the first failure."""
    process = subprocess.Popen(
        command, cwd=tree, env={**os.environ, **environment}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text, used, moved, why = "", 0, time.monotonic(), None
    while not why:
        ended = process.poll() is not None
        if select.select([process.stdout], [], [], 0 if ended else 1)[0]:
            if not (chunk := os.read(process.stdout.fileno(), 1 << 20)):
                break
            text += chunk.decode(errors="replace")
            why = failure and (found := failure.search(text)) and found[0].strip()
        elif ended:
            break
        if (now := seconds(process.pid)) > used + 0.1:
            used, moved = now, time.monotonic()
        if used > limit:
            why = f"more than {limit:.0f} s of the processor"
        elif time.monotonic() > moved + STILL:
            why = "stands still"
    for process_id, _ in list(processes(process.pid)):
        if why or process_id != process.pid:
            try:
                os.kill(process_id, signal.SIGKILL)
            except ProcessLookupError:
                pass
    process.stdout.close()
    status = process.wait()
    return used, text, why or (status and f"ended with {status}") or None


def run(kind, tree, file):
    """Runs what is missing in the file of results."""
    drawn = json.loads((tree / ".build/mutants.json").read_text())
    tests = {"swift": SwiftTests, "system": SystemTests}[kind](tree)
    for name in tests.names():
        if not any(row.get(kind) == name for row in read(file)):
            with tempfile.TemporaryDirectory() as folder:
                used, text, why = tests.run(name, {"MUTANTS_REACHED": folder}, stops=False)
                if why:
                    print(name, why, "once more", flush=True)
                    used, text, why = tests.run(name, {"MUTANTS_REACHED": folder}, stops=False)
                row = {kind: name, "seconds": round(used, 2), "failed": tests.failed(text, why),
                       "reached": sorted(int(number) for number in os.listdir(folder))}
            add(file, row)
            print(name, row["seconds"], row["failed"], flush=True)
    rows = read(file)
    for mutant in drawn:
        last = mutants(rows).get(mutant["key"])
        if last if kind == "swift" else (not last or last["noticed"] or last["tests"] == "system"):
            continue
        own = mutant["module"].rsplit("/", 1)[-1]
        reaching = sorted((row for row in rows if kind in row and mutant["number"] in row["reached"]),
                          key=lambda row: (not tests.is_near(row[kind], own), row["seconds"]))
        noticed = next(filter(None, (notices(tests, row, kind, mutant["number"]) for row in reaching)), None)
        row = {**mutant, "tests": kind, "noticed": kind if noticed else None, "by": noticed,
               "reached": [row[kind] for row in reaching]}
        add(file, row)
        print(row["mutant"], "->", row["noticed"], row["by"], flush=True)


def notices(tests, row, kind, number):
    """The name of the tests and why they fail, if they do so twice."""
    limit = TIMES * row["seconds"] + MORE
    for _ in range(2):
        why = tests.run(row[kind], {"MUTANT": str(number)}, limit=limit, skipped=row["failed"])[2]
        if not why:
            return None
    return f"{row[kind]}: {why}"


class SwiftTests:
    """The test targets, each in one process."""

    def __init__(self, tree):
        self.tree = tree
        self.command = [next((tree / ".build/debug").glob("*.xctest")), "--testing-library", "swift-testing"]

    def names(self):
        listed = subprocess.run([*self.command, "--list-tests"], capture_output=True, text=True, check=True).stdout
        return sorted({line.split(".")[0] for line in listed.splitlines() if "." in line})

    def is_near(self, name, module):
        return name == NEAR.get(module, module + "Tests")

    def run(self, name, environment, limit=float("inf"), skipped=(), stops=True):
        environment = {**environment, "SWIFT_BACKTRACE": "enable=no"}
        command = [*self.command, "--filter", rf"^{name}\."]
        return (0, "", None) if skipped else follow(
            command, self.tree, environment, limit, ISSUE if stops else None)

    def failed(self, text, why):
        """A target that fails without a mutant can notice none."""
        return [*ISSUE.findall(text), why] if why else []


class SystemTests:
    """The files of Tests/Conformance and Tests/System, each with its own server. The environment reaches the
    program through a script, because many tests hand on little of it."""

    def __init__(self, tree):
        self.tree = tree
        self.program = tree / ".build/mutant/ringfence"
        shutil.rmtree(self.program.parent, ignore_errors=True)
        self.program.parent.mkdir()

    def names(self):
        files = itertools.chain(*(self.tree.glob(f"Tests/{folder}/test_*.py") for folder in ("Conformance", "System")))
        return sorted(file.relative_to(self.tree).as_posix() for file in files)

    def is_near(self, name, module):
        return module.lower() in name

    def run(self, name, environment, limit=float("inf"), skipped=(), stops=True):
        variables = " ".join(f"{key}={value}" for key, value in environment.items())
        self.program.write_text(f'#!/bin/sh\nexec env {variables} {self.tree}/.build/debug/ringfence "$@"\n')
        self.program.chmod(0o755)
        command = [".venv/bin/python", "-m", "pytest", "-c", "Tests/pytest.ini", "-q", "-m", "not slow", "-o", "timeout=600",
                   *(["-x"] if stops else []), *(f"--deselect={test}" for test in skipped), name]
        used, text, why = follow(command, self.tree, {"RINGFENCE_BINARY": str(self.program)}, limit)
        return used, text, None if why == "ended with 5" else why and " ".join([*FAILED.findall(text)[:1], why])

    def failed(self, text, why):
        return FAILED.findall(text) if why else []
