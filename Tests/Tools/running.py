"""Starts `ringfence run -- CMD` in a minimal environment."""

import os
import select
import subprocess

import pytest

import ringfence

# Sends a code to the number in its first argument, using the sandbox's own URL.
SEND = """
import os, sys, urllib.parse, urllib.request, base64
pair = os.environ["TWILIO_ACCOUNT_SID"] + ":" + os.environ["TWILIO_AUTH_TOKEN"]
service = os.environ["RINGFENCE_URL"] + "/v2/Services/" + os.environ["TWILIO_VERIFY_SERVICE_SID"]
request = urllib.request.Request(
    service + "/Verifications", urllib.parse.urlencode({"To": sys.argv[1], "Channel": "sms"}).encode(),
    {"Authorization": "Basic " + base64.b64encode(pair.encode()).decode()})
print(urllib.request.urlopen(request).status)
"""


def with_plugin(**more):
    """The environment in which the Python package is installed, and no server runs. Of the other plugins for
    pytest, which take a second to import, it has only xdist."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("RINGFENCE_", "PYTEST_"))}
    return {
        **kept, "RINGFENCE_BINARY": str(ringfence.binary()), "PYTEST_PLUGINS": "ringfence.pytest_plugin,xdist.plugin",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": str(ringfence.ROOT / "Sources/Clients/python"), **more}


def bare(**more):
    """A minimal environment without our variables."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, **more}


def line(*words, flags=()):
    return [str(ringfence.binary()), "run", *map(str, flags), "--", *map(str, words)]


def run(*words, flags=(), environment=None, **named):
    return subprocess.run(
        line(*words, flags=flags), capture_output=True, timeout=60, check=False,
        env=bare() if environment is None else environment, **named)


def start(*words, flags=(), **named):
    return subprocess.Popen(line(*words, flags=flags), env=bare(), stdout=subprocess.PIPE, bufsize=0, **named)


def read_line(stream):
    readable, _, _ = select.select([stream], [], [], 30)
    assert readable, "nothing was said"
    return stream.readline()

def isolated(*words):
    """Standard output of a command under `run --isolated`, as text. Skips the test on machines without
    namespaces."""
    done = run(*words, flags=("--isolated", "--quiet"))
    errors = done.stderr.decode()
    if "cannot be isolated" in errors:
        pytest.skip(errors)
    assert done.returncode == 0, errors
    return done.stdout.decode()
