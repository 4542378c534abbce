"""The blocks of Docs/Hosting.md, and what running them needs."""

import contextlib
import os
import re
import shutil
import socket
import time

import pytest
import requests

import ringfence

PAGE = (ringfence.ROOT / "Docs/Hosting.md").read_text()
PATH = f"{os.environ['PATH']}:/usr/sbin"


def needs(program):
    return pytest.mark.skipif(shutil.which(program, path=PATH) is None, reason=f"no {program} here")


def block(containing, language="sh"):
    """The only block of the page that contains a text."""
    (found,) = [text for text in re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S) if containing in text]
    return found


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def wait_for(url, **named):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with contextlib.suppress(requests.ConnectionError):
            if requests.get(url, timeout=5, **named).ok:
                return
    raise AssertionError(f"{url} does not answer")
