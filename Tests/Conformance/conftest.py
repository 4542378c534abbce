"""Fixtures for the official clients. Each test has its own sandbox."""

import datetime
import os
import types

import pytest
import requests
from prelude_python_sdk import DefaultHttpxClient, Prelude
from twilio.http.http_client import TwilioHttpClient
from twilio.rest import Client

import driven_operations
import fcm_client
import ringfence
import schemas
import sinch_client
import telesign_clients
import telesign_schemas
import vonage_client

# Without it, each new client reads the 140 authorities of certifi, although nearly all speak plain HTTP.
os.environ.setdefault("SSL_CERT_FILE", str(ringfence.ROOT / "Tests/CryptoTests/Certificates/authority.pem"))

driven = driven_operations.DrivenOperations()


@pytest.fixture(autouse=True)
def record_driven_operations(monkeypatch):
    monkeypatch.setattr(ringfence.Sandbox, "before_journal_is_lost", staticmethod(driven.record))


def pytest_sessionfinish(session):
    """Compares the recorded operations with Tests/Contracts/driven.json. A worker hands its part to the
    controller."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["driven"] = driven.as_json()
    elif driven_operations.is_whole_run(session.config) and session.testsfailed == 0:
        session.config.driven_differences = driven.finish()
        if session.config.driven_differences:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    for provider, routes in getattr(node, "workeroutput", {}).get("driven", {}).items():
        driven.add(provider, routes)


def pytest_terminal_summary(terminalreporter, config):
    differences = getattr(config, "driven_differences", [])
    if differences:
        terminalreporter.section("Tests/Contracts/driven.json is out of date: run RECORD=1 make system-tests", red=True)
        for line in differences:
            terminalreporter.line(line)


@pytest.fixture(scope="session")
def twilio_checker():
    return schemas.TwilioSchemas()


@pytest.fixture
def connect(twilio_checker):
    """Makes official clients of a sandbox. Every response is checked against the provider's document."""

    def check(response, *_, **__):
        connect.urls.append(response.url)
        connect.statuses.append(response.status_code)
        assert response.headers["Date"].endswith("GMT")
        content_type = None if response.status_code == 204 else "application/json; charset=utf-8"
        assert response.headers.get("Content-Type") == content_type
        twilio_checker.check(response.request.method, response.url, response.status_code, response.text)

    def connect(sandbox, password=None, account=None):
        own = sandbox.credentials["twilio"]
        client = Client(
            account or own["accountSid"], password or own["authToken"],
            http_client=TwilioHttpClient(timeout=20, request_hooks={"response": check}))
        for product in (client.verify, client.lookups, client.api, client.oauth):
            product.base_url = sandbox.base
        return client

    connect.urls = []
    connect.statuses = []
    return connect


@pytest.fixture
def client(connect, sandbox):
    return connect(sandbox)


@pytest.fixture
def service(sandbox, client):
    """The sandbox's own Verify Service."""
    return client.verify.v2.services(sandbox.credentials["twilio"]["serviceSid"])


@pytest.fixture
def raw(sandbox):
    """URLs, and the user and password of Basic authentication, for sdk_requests."""
    own = sandbox.credentials["twilio"]
    services = f"{sandbox.base}/v2/Services"
    service = f"{services}/{own['serviceSid']}"
    return types.SimpleNamespace(
        pair=(own["accountSid"], own["authToken"]), services=services, service=service,
        verifications=f"{service}/Verifications", check=f"{service}/VerificationCheck")


@pytest.fixture(scope="session")
def prelude_checker():
    return schemas.PreludeSchemas()


@pytest.fixture
def prelude(sandbox, prelude_checker):
    """The official Prelude client. `answers` and `statuses` hold its responses, also those that it retried.
    Each response is checked against the provider's typed models."""
    answers, statuses = [], []

    def note(answer):
        answers.append(answer)
        statuses.append(answer.status_code)
        answer.read()
        prelude_checker.check(answer.request.method, str(answer.request.url), answer.status_code, answer.text)

    client = Prelude(
        api_token=sandbox.credentials["prelude"]["apiToken"], base_url=sandbox.base,
        http_client=DefaultHttpxClient(event_hooks={"response": [note]}))
    client.answers, client.statuses = answers, statuses
    with client:
        yield client


@pytest.fixture
def sinch(sandbox):
    """The official Sinch client. It signs with the real time, and the sandbox's clock stands still."""
    return sinch_client.connect(sandbox)


@pytest.fixture
def sinch_plain(sandbox):
    """Requests with Basic authorization, as sinch_client.Plain."""
    return sinch_client.Plain(sandbox)


@pytest.fixture(scope="session")
def telesign_checker():
    return telesign_schemas.TelesignSchemas()


@pytest.fixture
def telesign_at(telesign_checker):
    """Makes Telesign's official clients of a sandbox frozen at the real time, because they sign with the real
    time."""
    made = []

    def telesign_at(server):
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        made.append(server.sandbox(clock=now, seed=len(made) + 1))
        return telesign_clients.Clients(made[-1], telesign_checker.check)

    yield telesign_at
    for sandbox in made:
        sandbox.delete()


@pytest.fixture
def telesign(server, telesign_at):
    """Telesign's official clients of a new sandbox."""
    return telesign_at(server)


@pytest.fixture
def vonage(sandbox):
    """Vonage's official clients, over HTTP."""
    return vonage_client.Clients(sandbox)


@pytest.fixture
def fcm(sandbox, monkeypatch):
    """The official client of Firebase Cloud Messaging, and plain requests."""
    with fcm_client.Gateway(sandbox, monkeypatch) as gateway:
        yield gateway
