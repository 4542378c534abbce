"""The pytest plugin: fixtures, what a failed test has sent, and reports. It is there when the package is installed.

Fixtures: `ringfence`, one server for the session and all workers of pytest-xdist; `sandbox`, one for each test
and named after it; `sandbox_env`, which also sets the environment for apps that make their clients themselves.
With `ringfence_env = true` in the configuration of pytest, every test has `sandbox_env`.
"""

from __future__ import annotations

import pathlib
import re
from typing import Any, Dict, Generator, Iterator, List, NamedTuple, Optional

import pytest

from .errors import RingfenceError
from .sandbox import Sandbox
from .server import Ringfence



class _Told(NamedTuple):
    """What happened in a sandbox, as a text and as a page of HTML, if one was asked for."""

    sandbox: str
    text: str
    page: Optional[str] = None


_LEFT = pytest.StashKey[List[_Told]]()
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
    with ringfence.sandbox(name, **_options(request.node)) as sandbox:
        sandbox.control("POST", "tests", {"name": request.node.nodeid[:300]})
        yield sandbox


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
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, None, None]:
    """A sandbox whose `with` is in the test itself is gone when the report of the test is made."""
    left = item.stash[_LEFT] = []

    def tell(sandbox: Sandbox, error: BaseException) -> None:
        left.append(_Told(sandbox.name, sandbox._told(error), _page(item, sandbox, "failed")))

    Sandbox._when_left.append(tell)
    yield
    Sandbox._when_left.remove(tell)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """Every sandbox that was open during a failed test is explained, that of the fixture `sandbox` first."""
    own = getattr(item, "funcargs", {}).get("sandbox")
    there = sorted(Sandbox._open, key=lambda each: each is not own)
    error = call.excinfo.value if call.excinfo else None
    texts = [sandbox._told(error) if error else "" for sandbox in there]
    report = (yield).get_result()
    if not report.failed and not (call.when == "call" and item.config.getoption("ringfence_report_all")):
        return
    told = [_Told(each.name, text, _page(item, each, report.outcome)) for each, text in zip(there, texts)]
    for place, each in enumerate(told + item.stash[_LEFT]):
        path = _report_path(item, f"-{each.sandbox}" if place else "")
        if path and each.page:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(each.page, encoding="utf-8")
        if report.failed:
            report.sections.append(("ringfence", f"{each.text}\nreport: {path}" if each.page else each.text))


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


def _page(item: pytest.Item, sandbox: Sandbox, outcome: str) -> Optional[str]:
    if not item.config.getoption("ringfence_report"):
        return None
    try:
        sandbox.control("POST", "tests", {"name": item.nodeid[:300], "outcome": outcome})
        return sandbox._page()
    except RingfenceError:
        return None


def _report_path(item: pytest.Item, ending: str) -> Optional[pathlib.Path]:
    folder = item.config.getoption("ringfence_report")
    if not folder:
        return None
    # Unlike sandboxes, files may have the signs in which tests differ: `[+12025550100]`.
    name = re.sub(r"[^\w.+@=,\[\]-]+", "-", item.nodeid).strip("-.")
    return pathlib.Path(item.config.invocation_params.dir, folder, f"{name[-200:]}{ending}.html")
