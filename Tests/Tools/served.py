"""Asks a program for one document of its control API. Uses the standard library only, for `make docs`."""

import json
import subprocess
import urllib.request


def fetch(program, path):
    """The JSON of `GET <path>` of a server that runs only for this."""
    command = [program, "serve", "--http", "127.0.0.1:0", "--https", "off", "--gateway", "off", "--ready", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        url = json.loads(server.stdout.readline())["http"]
        with urllib.request.urlopen(f"{url}{path}") as answer:
            document = json.load(answer)
        server.terminate()
    return document
