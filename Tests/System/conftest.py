"""Helpers for tests of the whole system."""

import base64
import socket
import subprocess
import types
from urllib.parse import urlencode

import pytest

import chromium
import ringfence
import wire
from inside import CUT_OFF, Inside

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="session")
def namespaces():
    """Skips the test if this machine allows no namespaces, as most containers do."""
    command = [CUT_OFF[0], "--mount", *CUT_OFF[1:], "true"]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine allows no namespaces")


@pytest.fixture(scope="module")
def proxied(namespaces):
    """`ringfence run` on a machine without a network."""
    yield from running(prefix=CUT_OFF)


@pytest.fixture(scope="module")
def isolated(namespaces):
    """`ringfence run --isolated`."""
    yield from running("--isolated")


def running(*flags, **named):
    run = Inside(ringfence.binary(), *flags, **named)
    yield run
    status, said = run.close()
    assert status == 0, said


@pytest.fixture(scope="module")
def browser():
    with chromium.launched() as browser:
        yield browser


def is_problem(message):
    """True for an error, unless a request of the page was refused, which pages explain themselves."""
    return message.type == "error" and "the server responded with a status of 4" not in message.text


@pytest.fixture
def open_page(browser, server, sandbox):
    """Opens a page of the sandbox. The test fails if the page reports an error or asks another host for
    anything."""
    problems = []
    context = browser.new_context(base_url=f"{server.http}/s/{sandbox.name}/")

    def opened(path=""):
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: is_problem(message) and problems.append(message.text))
        page.on("request", lambda sent: sent.url.startswith(server.http) or problems.append(sent.url))
        page.goto(path)
        return page

    yield opened
    context.close()
    assert problems == []


@pytest.fixture
def twilio(server, sandbox):
    """The sandbox's Verify Service over plain connections."""
    own = sandbox.credentials["twilio"]
    pair = base64.b64encode(f"{own['accountSid']}:{own['authToken']}".encode()).decode()
    prefix = f"/s/{sandbox.name}"
    services = f"{prefix}/v2/Services"

    def send(method, target, form=None, **headers):
        """Sends one request on a new connection; `form` may be a dict, text or bytes."""
        body = urlencode(form) if isinstance(form, dict) else form
        headers = {"authorization": f"Basic {pair}", "connection": "close", **headers}
        if body is not None:
            headers = {"content_type": FORM, **headers}
        with wire.Wire(server.address) as line:
            line.send(wire.request(method, target, body, **headers))
            return line.receive()

    return types.SimpleNamespace(
        prefix=prefix, authorization=f"Basic {pair}", services=services,
        service=f"{services}/{own['serviceSid']}", send=send)


@pytest.fixture
def outside():
    """A listener that must get no connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener
