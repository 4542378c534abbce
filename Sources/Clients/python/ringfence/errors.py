"""What can go wrong. Every error is a `RingfenceError`."""

from __future__ import annotations

from typing import Optional


class RingfenceError(Exception):
    """The message says what was wrong, what was expected, and the nearest name."""


class ControlError(RingfenceError):
    """The control API refused a request."""

    def __init__(self, message: str, status: int, field: Optional[str] = None) -> None:
        super().__init__(message)
        #: The HTTP status of the answer.
        self.status = status
        #: The member or parameter with the problem, such as `$.scenarios[0].outcome`.
        self.field = field


class NotArrived(RingfenceError):
    """No such code, message, request or webhook came in time. The message says what was sent, and why."""

    def __str__(self) -> str:
        return "\n".join(map(str, self.args))


class WrongSignature(RingfenceError):
    """A webhook's signature is missing, or not the one that the provider's key makes."""
