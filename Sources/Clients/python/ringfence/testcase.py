"""A sandbox for each test of unittest and Django, and what happened in it when the test fails.

    class SignIn(SandboxTestCase):
        def test_a_code_signs_in(self):
            sign_in(self.sandbox, "+12025550100")
            self.assertTrue(confirm(self.sandbox, "+12025550100", self.sandbox.code("+12025550100")))

With Django: `class SignIn(SandboxTestCase, django.test.TestCase)`.
"""

from __future__ import annotations

import atexit
import functools
import re
import sys
import unittest
from typing import Any, Callable, ClassVar, Dict, Optional

from .sandbox import Sandbox
from .server import Ringfence

# Tracebacks of unittest leave out modules with this name.
__unittest = True


class SandboxTestCase(unittest.TestCase):
    """Tests that have a sandbox each, as `self.sandbox`; a failed test prints what happened in it."""

    #: How the sandboxes are created: `clock`, `seed`, `seeds`.
    sandbox_options: ClassVar[Dict[str, Any]] = {}

    _sandbox: Optional[Sandbox] = None

    @property
    def sandbox(self) -> Sandbox:
        """This test's sandbox, made on first use, named after the test and deleted after it."""
        if self._sandbox is None:
            name = re.sub(r"[^A-Za-z0-9_.-]+", "-", self._testMethodName)[:64]
            self._sandbox = _server().sandbox(name, **self.sandbox_options)
            self.addCleanup(self._delete_sandbox)
            self._sandbox.control("POST", "tests", {"name": self.id()[:300]})
        return self._sandbox

    def _delete_sandbox(self) -> None:
        if self._sandbox:
            self._sandbox.delete()
        self._sandbox = None

    def _callTestMethod(self, method: Callable[[], Any]) -> None:
        """Called by unittest, and by pytest, for the test itself."""
        try:
            super()._callTestMethod(method)  # type: ignore[misc]
        except unittest.SkipTest:
            raise
        except Exception as error:
            if self._sandbox:
                print(f"What happened in the sandbox of {self.id()}:\n{self._sandbox._told(error)}", file=sys.stderr)
            raise


@functools.lru_cache(maxsize=None)
def _server() -> Ringfence:
    """One for all tests of the process, or that of `$RINGFENCE_URL`."""
    server = Ringfence()
    atexit.register(server.stop)
    return server
