"""Names each test in the report of `ringfence run --report DIR -- pytest`. Copy it next to your tests."""

import json
import os
import urllib.request

import pytest


def tell_sandbox(**mark):
    """Sends the name of a test, or how it ended. Without a sandbox, does nothing."""
    if not (url := os.environ.get("RINGFENCE_URL")):
        return
    headers = {"Content-Type": "application/json"}
    if token := os.environ.get("RINGFENCE_ADMIN_TOKEN"):
        headers["Authorization"] = f"Bearer {token}"
    body = json.dumps(mark).encode()
    urllib.request.urlopen(urllib.request.Request(f"{url}/control/tests", body, headers), timeout=10).close()


@pytest.fixture(autouse=True)
def named_in_report(request):
    os.environ["RINGFENCE_TEST"] = request.node.nodeid
    tell_sandbox(name=request.node.nodeid[:300])
    yield
    tell_sandbox(name=request.node.nodeid[:300], outcome=getattr(request.node, "outcome", "passed"))
    del os.environ["RINGFENCE_TEST"]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    report = (yield).get_result()
    if report.when == "call" or report.failed:
        item.outcome = report.outcome
