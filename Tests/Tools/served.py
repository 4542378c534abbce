"""Asks a program for documents of its control API. Uses the standard library only, for `make docs`, `make
clients` and `make dist`."""

import contextlib
import json
import subprocess
import urllib.request


@contextlib.contextmanager
def running(program):
    """The URL of a server that runs only for this."""
    command = [program, "serve", "--http", "127.0.0.1:0", "--https", "off", "--gateway", "off", "--ready", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        try:
            yield json.loads(server.stdout.readline())["http"]
        finally:
            server.terminate()


def get(url):
    with urllib.request.urlopen(url) as answer:
        return json.load(answer)


def fetch(program, path):
    """The JSON of `GET <path>`."""
    with running(program) as url:
        return get(f"{url}{path}")
