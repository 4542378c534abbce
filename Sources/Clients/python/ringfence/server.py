"""A running server."""

from __future__ import annotations

import importlib.metadata
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import uuid
from typing import Any, Dict, List, Optional, Sequence

from .control import Control
from .errors import ControlError, RingfenceError
from .sandbox import Sandbox
from .types import Sandbox as Described

READY_WITHIN = 30  # seconds
# The command of `ringfence run`. It ends when its standard input does: with this process, even if that crashes.
_COMMAND = ("sh", "-c", 'echo "$RINGFENCE_URL"; exec cat >/dev/null')


class Ringfence:
    """A server in memory, on a free port. It ends with `stop()`, `with`, or this process, also if that crashes.

    `$RINGFENCE_URL`, or `url`, names a running server to use instead; `$RINGFENCE_TOKEN` is for its control
    API. The program is `$RINGFENCE_BINARY`, or the one that was installed with this package, or on the PATH.
    `options` are those of `ringfence run`, such as `["--auth", "strict"]`.
    """

    def __init__(self, url: Optional[str] = None, *, options: Sequence[str] = ()) -> None:
        self._process: Optional[subprocess.Popen[str]] = None
        url = url or os.environ.get("RINGFENCE_URL")
        if url and options:
            raise RingfenceError(f"options are for a new server, but {url} is to be used")
        if not url:
            url = self._start(options)
        #: The server's address.
        self.url: str = url.rstrip("/").split("/s/")[0]
        token = os.environ.get("RINGFENCE_TOKEN") or os.environ.get("RINGFENCE_ADMIN_TOKEN")
        #: The control API: `server.control("GET", "failures")`.
        self.control = Control(self.url, token)

    def sandbox(
            self, name: Optional[str] = None, *, clock: Optional[str] = None, seed: Optional[int] = None,
            seeds: Optional[Sequence[str]] = None) -> Sandbox:
        """Creates a sandbox, with credentials and data of its own.

        `clock`, such as `2026-01-05T10:20:30Z`, freezes its clock at this time. `seed` is its random seed: with
        the same one, the codes are the same. `seeds` are the names of its initial data. If there is a sandbox
        `name` already, the new one gets a longer name. An hour after its last request it is removed.
        """
        body: Dict[str, Any] = {"name": name, "clock": clock, "entropySeed": seed, "ttl": "1h"}
        if seeds is not None:
            body["seeds"] = list(seeds)
        try:
            described: Described = self.control("POST", "sandboxes", body)
        except ControlError as error:
            if error.status != 409 or name is None:
                raise
            body["name"] = f"{name[:55]}-{uuid.uuid4().hex[:8]}"
            described = self.control("POST", "sandboxes", body)
        return Sandbox(self, described)

    def stop(self) -> None:
        """Ends the server, if it was started here."""
        process, self._process = self._process, None
        if process:
            Sandbox._open[:] = [each for each in Sandbox._open if each.server is not self]
            _end(process)

    def __enter__(self) -> Ringfence:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<Ringfence {self.url}>"

    def _start(self, options: Sequence[str]) -> str:
        own = ("RINGFENCE_URL", "RINGFENCE_HTTPS_URL", "RINGFENCE_GATEWAY_URL", "RINGFENCE_TEST")
        environment = {name: value for name, value in os.environ.items() if name not in own}
        with tempfile.TemporaryFile("w+") as errors:
            # A session of its own, so that Ctrl-C ends the tests first, and the server after them.
            process = subprocess.Popen(
                [program(), "run", "--quiet", *options, "--", *_COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=errors, text=True, env=environment, start_new_session=True)
            assert process.stdout
            readable, _, _ = select.select([process.stdout], [], [], READY_WITHIN)
            url = process.stdout.readline().strip() if readable else ""
            if not url:
                _end(process)
                errors.seek(0)
                raise RingfenceError(f"the server did not start: {errors.read().strip() or 'it said nothing'}")
        self._process = process
        return url


def _end(process: subprocess.Popen[str]) -> None:
    assert process.stdin and process.stdout
    process.stdin.close()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()


def program() -> str:
    """The path of the program `ringfence`."""
    if named := os.environ.get("RINGFENCE_BINARY"):
        if not os.access(named, os.X_OK):
            raise RingfenceError(f"RINGFENCE_BINARY: {named} is no program")
        return str(pathlib.Path(named).resolve())
    for found in [*_installed(), shutil.which("ringfence")]:
        if found and os.access(found, os.X_OK):
            return found
    raise RingfenceError(
        "there is no program `ringfence` on the PATH: pip install ringfence, or set RINGFENCE_BINARY to its path")


def _installed() -> List[str]:
    """The program of the wheel, wherever pip has put it."""
    try:
        files = importlib.metadata.files("ringfence") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return [str(file.locate()) for file in files if file.parts[-2:] == ("bin", "ringfence")]
