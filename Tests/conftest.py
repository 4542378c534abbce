"""Fixtures for every Python test: one server for the run, one sandbox for each test."""

import os

import pytest

import prove_client
import ringfence

# Tests that need HTTPS pass --https themselves; the others must not share its default port.
os.environ.setdefault("RINGFENCE_HTTPS", "off")


@pytest.fixture(scope="session")
def server():
    with ringfence.Server() as server:
        yield server
        assert server.is_alive(), "the server died during the tests"


@pytest.fixture
def sandbox(server):
    sandbox = server.sandbox()
    yield sandbox
    sandbox.delete()


@pytest.fixture
def go(sandbox):
    """A back end with Prove's SDK for Go."""
    return prove_client.GO.client(sandbox)
