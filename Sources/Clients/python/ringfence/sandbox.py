"""A sandbox: one test's own providers, phones, clock and failures."""

from __future__ import annotations

import contextlib
import datetime
import json
import math
import os
import pathlib
import ssl
import subprocess
import tempfile
import threading
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Dict, Iterator, List, Optional, Tuple, Union

from . import clients
from .control import Control, segment
from .errors import ControlError, NotArrived, RingfenceError
from .journal import Journal
from .phone import Phone
from .types import Clock, Failure, Message, Verification
from .types import Sandbox as Described
from .webhooks import Webhooks

if TYPE_CHECKING:
    from .server import Ringfence


class Sandbox(clients.Clients):
    """Made by `Ringfence.sandbox()` or by the pytest fixture `sandbox`. With `with`, it is deleted at the end."""

    #: Those of this process that are not deleted, oldest first.
    _open: ClassVar[List[Sandbox]] = []
    #: Called with a sandbox whose `with` ends by an error, and with the error, before it is deleted.
    _when_left: ClassVar[List[Callable[[Sandbox, BaseException], None]]] = []

    def __init__(self, server: Ringfence, described: Described) -> None:
        self.server = server
        self._describe(described)
        #: The control API, for what has no method here: `sandbox.control("PUT", "latency", {…})`.
        self.control = Control(self.url, server.control.token)
        #: The requests of your app, with their answers.
        self.journal = Journal(self)
        self._repairs: List[Tuple[str, str]] = []
        self._lock = threading.Lock()
        self._webhooks: Optional[Webhooks] = None
        self._files: Optional[tempfile.TemporaryDirectory[str]] = None
        self._open.append(self)

    def _describe(self, described: Described) -> None:
        self.name: str = described["name"]
        #: The base URL for SDKs. It selects this sandbox.
        self.url: str = described["urls"]["prefixed"]
        #: What clients sign in with, by provider: `credentials["twilio"]["authToken"]`.
        self.credentials: Dict[str, Dict[str, str]] = described["credentials"]

    # Codes and messages

    def code(
            self, to: str, *, provider: Optional[str] = None, channel: Optional[str] = None,
            pattern: Optional[str] = None, within: float = 5) -> str:
        """The newest code on this phone or in this mailbox. Waits for it, up to `within` seconds.

        `pattern` finds it in a text: a regular expression whose first group, or match, is the code.
        """
        __tracebackhide__ = True
        path = f"inbox/{segment(to)}/latest/code"
        return str(self._arrived(path, within, provider=provider, channel=channel, pattern=pattern)).strip()

    def message(
            self, to: str, *, provider: Optional[str] = None, channel: Optional[str] = None,
            within: float = 5) -> Message:
        """The newest message on this phone or in this mailbox. Waits for it, up to `within` seconds."""
        __tracebackhide__ = True
        message: Message = self._arrived(f"inbox/{segment(to)}/latest", within, provider=provider, channel=channel)
        return message

    def messages(self, to: Optional[str] = None) -> List[Message]:
        """The messages that arrived, oldest first: on one phone, or on all."""
        return list(self.control.pages("inbox" if to is None else f"inbox/{segment(to)}", "messages"))

    def phone(self, number: str) -> Phone:
        """The phone with this number."""
        return Phone(self, number)

    @property
    def verifications(self) -> List[Verification]:
        """The verifications of every provider, oldest first."""
        return list(self.control.pages("verifications", "verifications"))

    def _arrived(self, path: str, within: float, **query: Optional[str]) -> Any:
        __tracebackhide__ = True
        try:
            return self.control("GET", path, wait=math.ceil(within), **query)
        except ControlError as error:
            if error.status != 404:
                raise
            is_due_later = str(error).endswith(" yet") or "arrives at" in str(error)
            raise NotArrived(f"{error}{self._standstill() if is_due_later else ''}", self.summary()) from None

    # Time

    @property
    def now(self) -> datetime.datetime:
        """The time of the sandbox's clock, in UTC."""
        clock: Clock = self.control("GET", "clock")
        return datetime.datetime.fromisoformat(clock["now"].replace("Z", "+00:00"))

    def advance(self, duration: Union[str, datetime.timedelta]) -> None:
        """Moves the clock by `"10m"`, `"1h30m"` or a timedelta. All work that is due is done when this returns."""
        if isinstance(duration, datetime.timedelta):
            step: Dict[str, Any] = {"advanceMs": duration // datetime.timedelta(milliseconds=1)}
        else:
            step = {"advance": duration}
        clock: Clock = self.control("POST", "clock", step, wait=60)
        while "towards" in clock:
            clock = self.control("GET", "clock", wait=60)

    def _standstill(self) -> str:
        """A frozen clock is the reason why something that is due later does not come."""
        frozen = self.control("GET", "clock")["mode"] == "frozen"
        return "; the clock stands still, and sandbox.advance moves it" if frozen else ""

    def freeze(self, at: Optional[str] = None) -> None:
        """Stops the clock, at a time such as `2026-01-05T10:20:30Z` or now. `advance` still moves it."""
        self.control("POST", "clock", {"mode": "frozen", "set": at})

    def release(self) -> None:
        """Lets the clock run again."""
        self.control("POST", "clock", {"mode": "real"})

    # Failures

    def fail(
            self, failure: str, *, to: Optional[str] = None, provider: Optional[str] = None,
            times: Optional[int] = None, **narrower: Any) -> Failure:
        """Lets something fail from now on, such as `"text-lost"` or `"api-503"`: `ringfence docs failures` has the names.

        `to`, `provider` and `times` narrow it down: to one number, to one provider, to the first so many. Other
        names, such as `route`, `every` and `rate`, are members of the rule (`ringfence docs faults`, `carrier`,
        `webhooks`).
        """
        path = f"failures/{segment(failure)}"
        limits = {"number": to, "provider": provider, "times": times, "rule": narrower or None}
        made: Failure = self.control("POST", path, {name: value for name, value in limits.items() if value is not None})
        if to is not None and "repair" in made:
            self._repairs.append((path, to))
        return made

    def repair(self) -> None:
        """Ends all failures: removes every rule, and undoes what `fail` did to a number."""
        for path in ("faults", "scenarios", "webhooks/faults", "chaos"):
            self.control("DELETE", path)
        while self._repairs:
            path, number = self._repairs.pop()
            self.control("DELETE", path, number=number)

    # The environment of the app under test

    @property
    def env(self) -> Dict[str, str]:
        """The environment variables that the providers' SDKs read: credentials, and base URLs where they do.

        SDKs without a base URL, such as Twilio's, still call the provider: see `use_env`.
        """
        return self._environment()

    @contextlib.contextmanager
    def use_env(self, proxy: bool = True) -> Iterator[Dict[str, str]]:
        """Sets `env` in this process, and restores it at the end of `with`.

        With `proxy`, requests to the providers' own host names also go to this sandbox, and to no other host: for
        apps that make their clients themselves.
        """
        variables = self._environment(*(["--proxy"] if proxy else []))
        before = {name: os.environ.get(name) for name in variables}
        os.environ.update(variables)
        try:
            yield variables
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value

    def _environment(self, *flags: str) -> Dict[str, str]:
        from .server import program
        with self._lock:
            self._files = self._files or tempfile.TemporaryDirectory(prefix="ringfence-")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("RINGFENCE_")}
        if self.control.token:
            inherited["RINGFENCE_TOKEN"] = self.control.token
        done = subprocess.run(
            [program(), "env", "--format", "json", "--url", self.server.url, "--sandbox", self.name, "--data",
             self._files.name, *flags], capture_output=True, text=True, check=False, env=inherited)
        if done.returncode != 0:
            raise RingfenceError(f"ringfence env: {done.stderr.strip()}")
        variables: Dict[str, str] = json.loads(done.stdout)
        if flags:
            self._trust(pathlib.Path(variables["SSL_CERT_FILE"]))
            del variables["JAVA_TOOL_OPTIONS"]  # Names a trust store that this process cannot write.
        return variables

    def _trust(self, bundle: pathlib.Path) -> None:
        """Adds the server's authority to the trusted ones: the program knows only that of its own data folder."""
        authority = ssl.DER_cert_to_PEM_cert(self.server.control("GET", "phone/authority.crt"))
        bundle.write_text(bundle.read_text(encoding="utf-8") + authority, encoding="utf-8")
        bundle.with_name("authority.pem").write_text(authority, encoding="utf-8")

    # Webhooks

    @property
    def webhooks(self) -> Webhooks:
        """A receiver of webhooks on this machine, started on first use."""
        with self._lock:
            self._webhooks = self._webhooks or Webhooks(self)
        return self._webhooks

    # What happened, and the end

    def summary(self) -> str:
        """What was sent, what was refused and why, in lines for people."""
        return str(self.control("GET", "explanation")).rstrip()

    def report(self, path: Union[str, os.PathLike[str]]) -> pathlib.Path:
        """Writes what happened as one HTML file."""
        path = pathlib.Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._page(), encoding="utf-8")
        return path

    def _page(self) -> str:
        return str(self.server.control("GET", f"sandboxes/{self.name}/report"))

    def _told(self, error: Optional[BaseException]) -> str:
        """What a test that fails with `error` shows of this sandbox. The error then does not say it, too."""
        try:
            text = self.summary()
        except RingfenceError as problem:  # A server that is gone must not hide the error of the test.
            return str(problem)
        if isinstance(error, NotArrived) and str(error.args[-1]).startswith(f"sandbox {self.name}: "):
            error.args = error.args[:1]
        # After a refusal of what the test itself asked for, it says nothing that the app has sent nothing.
        return text.split("\nno request reached it")[0] if isinstance(error, ControlError) else text

    def reset(self) -> None:
        """Returns to the state after the creation: credentials stay, everything else is gone."""
        self._repairs.clear()
        self._describe(self.server.control("POST", f"sandboxes/{self.name}/reset"))

    def delete(self) -> None:
        """Deletes the sandbox, and ends its receiver of webhooks."""
        with self._lock:
            receiver, self._webhooks = self._webhooks, None
            files, self._files = self._files, None
            if self in self._open:
                self._open.remove(self)
        if receiver:
            receiver.stop()
        if files:
            files.cleanup()
        try:
            self.server.control("DELETE", f"sandboxes/{self.name}")
        except ControlError as error:
            if error.status != 404:
                raise

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, kind: object, error: Optional[BaseException], trace: object) -> None:
        if error:
            for told in self._when_left:
                told(self, error)
        self.delete()

    def __repr__(self) -> str:
        return f"<Sandbox {self.name} at {self.url}>"
