"""The requests of the app under test."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Iterator, List, Optional

from .errors import ControlError, NotArrived
from .types import Exchange

if TYPE_CHECKING:
    from .sandbox import Sandbox


class Journal:
    """All requests to the providers of a sandbox with their answers, secrets masked.

    Iterate over it, oldest first. Each request has `why`, the reason of its refusal, and `unread`, the fields
    that nothing has read.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def __iter__(self) -> Iterator[Exchange]:
        return iter(self.requests())

    def __len__(self) -> int:
        return len(self.requests())

    def requests(
            self, *, provider: Optional[str] = None, route: Optional[str] = None, method: Optional[str] = None,
            status: Optional[int] = None, contains: Optional[str] = None,
            answer_contains: Optional[str] = None) -> List[Exchange]:
        """The requests to a provider, to a route such as `createVerification`, answered with a status, or with a
        text in path, query or body; oldest first."""
        return list(self._sandbox.control.pages(
            "journal", "requests", provider=provider, route=route, method=method, status=status, contains=contains,
            answerContains=answer_contains))

    @property
    def latest(self) -> Exchange:
        """The newest request."""
        page = self._sandbox.control("GET", "journal", order="newest", limit=1)["requests"]
        if not page:
            raise NotArrived("there is no request yet: does the app use sandbox.url or sandbox.env?")
        newest: Exchange = page[0]
        return newest

    def wait(
            self, *, provider: Optional[str] = None, route: Optional[str] = None, method: Optional[str] = None,
            status: Optional[int] = None, contains: Optional[str] = None, answer_contains: Optional[str] = None,
            within: float = 5) -> Exchange:
        """The first such request. Waits for it, up to `within` seconds."""
        __tracebackhide__ = True
        wanted = {
            "provider": provider, "route": route, "method": method, "status": status, "contains": contains,
            "answerContains": answer_contains}
        try:
            found = self._sandbox.control("GET", "journal/wait", wait=math.ceil(within), limit=1, **wanted)
        except ControlError as error:
            if error.status != 404:
                raise
            described = ", ".join(f"{name} {value}" for name, value in wanted.items() if value is not None)
            raise NotArrived(
                f"there is no request with {described or 'anything'} yet", self._sandbox.summary()) from None
        first: Exchange = found["requests"][0]
        return first

    def clear(self) -> None:
        """Forgets all requests."""
        self._sandbox.control("DELETE", "journal")
