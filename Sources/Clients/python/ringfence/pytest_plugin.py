"""The pytest plugin: fixtures, what a failed test has sent, and reports. It is there when the package is installed.

Fixtures: `ringfence`, one server for the session and all workers of pytest-xdist; `sandbox`, one for each test
and named after it; `sandbox_env`, which also sets the environment for apps that make their clients themselves.
With `ringfence_env = true` in the configuration of pytest, every test has `sandbox_env`.
"""

from __future__ import annotations

import pathlib
import re
from typing import Any, Dict, Generator, Iterator, Optional

import pytest

from .errors import RingfenceError
from .sandbox import Sandbox
from .server import Ringfence

_SANDBOX = pytest.StashKey[Sandbox]()
_OUTCOME = pytest.StashKey[str]()
_SERVER = pytest.StashKey[Ringfence]()
_OPTIONS = ("clock", "seed", "seeds")
_MARK = f"ringfence({', '.join(f'{name}=None' for name in _OPTIONS)}): how the sandbox of this test is created"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ringfence", "phone verification in a sandbox")
    group.addoption(
        "--ringfence-report", metavar="DIR", help="write what happened in each failed test as an HTML file")
    group.addoption(
        "--ringfence-report-all", action="store_true", help="the same for tests that pass, with --ringfence-report")
    parser.addini(
        "ringfence_env", "every test has sandbox_env: no request reaches the providers' own hosts", "bool", False)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARK)
    if config.getoption("ringfence_report_all") and not config.getoption("ringfence_report"):
        raise pytest.UsageError("--ringfence-report-all needs --ringfence-report DIR")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """With pytest-xdist: the controller starts one server, and tells each worker where it is."""
    config = node.config
    try:
        if _SERVER not in config.stash:
            config.stash[_SERVER] = Ringfence()
        node.workerinput["ringfence_url"] = config.stash[_SERVER].url
    except RingfenceError as error:
        # Tests that use no sandbox can still run.
        node.workerinput["ringfence_error"] = str(error)


def pytest_unconfigure(config: pytest.Config) -> None:
    if server := config.stash.get(_SERVER, None):
        server.stop()


@pytest.fixture(scope="session")
def ringfence(request: pytest.FixtureRequest) -> Iterator[Ringfence]:
    """The server: one for the session, or that of `$RINGFENCE_URL`."""
    given: Dict[str, str] = getattr(request.config, "workerinput", {})
    if "ringfence_error" in given:
        raise RingfenceError(given["ringfence_error"])
    with Ringfence(given.get("ringfence_url")) as server:
        yield server


@pytest.fixture
def sandbox(request: pytest.FixtureRequest, ringfence: Ringfence) -> Iterator[Sandbox]:
    """A sandbox for this test, named after it, deleted after it."""
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", request.node.name).strip("-.")[:64] or "test"
    test = request.node.nodeid[:300]
    with ringfence.sandbox(name, **_options(request.node)) as sandbox:
        request.node.stash[_SANDBOX] = sandbox
        sandbox.control("POST", "tests", {"name": test})
        yield sandbox
        del request.node.stash[_SANDBOX]
        outcome = request.node.stash.get(_OUTCOME, "passed")
        report = _report_path(request.node)
        if report and (outcome == "failed" or request.config.getoption("ringfence_report_all")):
            sandbox.control("POST", "tests", {"name": test, "outcome": outcome})
            sandbox.report(report)


@pytest.fixture
def sandbox_env(sandbox: Sandbox) -> Iterator[Dict[str, str]]:
    """`sandbox.use_env()`: until the end of the test, the providers' own hosts are this sandbox."""
    with sandbox.use_env() as variables:
        yield variables


@pytest.fixture(autouse=True)
def _sandbox_env_of_all(request: pytest.FixtureRequest) -> None:
    _options(request.node)
    if request.config.getini("ringfence_env"):
        request.getfixturevalue("sandbox_env")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    report = (yield).get_result()
    if report.when == "call" or report.failed:
        item.stash[_OUTCOME] = report.outcome
    sandbox = item.stash.get(_SANDBOX, None)
    if report.failed and sandbox:
        report.sections.append(("ringfence", _section(item, sandbox)))


def _options(item: pytest.Item) -> Dict[str, Any]:
    """How the test's sandbox is created."""
    mark = item.get_closest_marker("ringfence")
    if not mark:
        return {}
    unknown = [*map(repr, mark.args), *(f"{name}=" for name in mark.kwargs if name not in _OPTIONS)]
    if unknown:
        expected = ", ".join(f"{name}=" for name in _OPTIONS)
        raise RingfenceError(f"@pytest.mark.ringfence: expected {expected}; found {', '.join(unknown)}")
    return dict(mark.kwargs)


def _section(item: pytest.Item, sandbox: Sandbox) -> str:
    try:
        text = sandbox.summary()
    except RingfenceError as error:
        return str(error)
    path = _report_path(item)
    return f"{text}\nreport: {path}" if path else text


def _report_path(item: pytest.Item) -> Optional[pathlib.Path]:
    folder = item.config.getoption("ringfence_report")
    if not folder:
        return None
    # Unlike sandboxes, files may have the signs in which tests differ: `[+12025550100]`.
    name = re.sub(r"[^\w.+@=,\[\]-]+", "-", item.nodeid).strip("-.")
    return pathlib.Path(item.config.invocation_params.dir, folder, f"{name[-200:]}.html")
