"""A shell inside `ringfence run`: one run for many tests.

As a program, it reads commands from standard input, a line of JSON each, and writes a line for each outcome.
"""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys

APPS = pathlib.Path(__file__).resolve().parents[1] / "System" / "apps"
# A network namespace with a loopback only: a command that works there needs no other network.
CUT_OFF = ("unshare", "--user", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
FOLDER = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Outcome:
    """Exit status and output of a command."""

    status: int
    out: str
    err: str


class Inside:
    """Runs commands inside one `ringfence run FLAGS`."""

    def __init__(self, binary, *flags, prefix=(), environment=None):
        command = [*prefix, str(binary), "run", *flags, "--", sys.executable, str(FOLDER / "inside.py")]
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("RINGFENCE_")}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**inherited, **(environment or {})})

    def run(self, *command, text=None):
        """Runs a command; `text` is its standard input."""
        words = [str(word) for word in command]
        self._process.stdin.write(json.dumps({"command": words, "text": text}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"the run ended: {self._process.stderr.read()}"
        return Outcome(**json.loads(line))

    def python(self, program):
        """The JSON that a Python program prints."""
        outcome = self.run(sys.executable, "-c", program)
        assert outcome.status == 0, outcome.err
        return json.loads(outcome.out)

    def control(self, method, path):
        """The response to `<method> /control/<path>` of the sandbox in the run's environment."""
        return self.python(
            "import os, urllib.request\n"
            f"url = os.environ['RINGFENCE_URL'] + '/control/{path}'\n"
            f"print(urllib.request.urlopen(urllib.request.Request(url, method='{method}')).read().decode() or 'null')")

    def journal(self, after=0):
        """The journal of the sandbox, oldest first, and its cursor."""
        found = {"requests": [], "cursor": after, "hasMore": True}
        while found["hasMore"]:
            page = self.control("GET", f"journal?limit=1000&after={found['cursor']}")
            found = {**page, "requests": found["requests"] + page["requests"]}
        return found

    def reset(self):
        """Resets the sandbox to its seeds."""
        self.control("POST", "sandboxes/default/reset")

    def close(self):
        """Ends the run and returns its exit status and standard error."""
        _, said = self._process.communicate(timeout=30)
        return self._process.returncode, said


def main():
    for line in sys.stdin:
        asked = json.loads(line)
        done = subprocess.run(
            asked["command"], input=asked["text"], stdin=None if asked["text"] else subprocess.DEVNULL,
            capture_output=True, text=True, timeout=100, check=False)
        print(json.dumps({"status": done.returncode, "out": done.stdout, "err": done.stderr}), flush=True)


if __name__ == "__main__":
    main()
