"""The suite of the Python package: with the vendors' SDKs, on one server, each test in its own sandbox.

`Tests/System/test_python_client.py` runs it with four workers."""

import pytest

pytest_plugins = ["ringfence.pytest_plugin"]

NUMBER = "+12025550100"


@pytest.fixture
def service(sandbox):
    """The Verify Service of Twilio's official client."""
    return sandbox.twilio().verify.v2.services(sandbox.credentials["twilio"]["serviceSid"])


@pytest.fixture
def send(service):
    """Sends a code."""

    def send(to=NUMBER, channel="sms"):
        return service.verifications.create(to=to, channel=channel)

    return send
