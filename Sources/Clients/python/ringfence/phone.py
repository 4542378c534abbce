"""A phone, and the person who holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Union

from .control import segment
from .types import Challenge, Device, Handset, Message, WalkResult

if TYPE_CHECKING:
    from .sandbox import Sandbox


class Phone:
    """Made by `sandbox.phone("+12025550100")`. Keyword arguments that are not named here are members of the
    request's body: `ringfence docs handsets` and `carrier` list them."""

    def __init__(self, sandbox: Sandbox, number: str) -> None:
        self.number = number
        self._sandbox = sandbox

    @property
    def messages(self) -> List[Message]:
        """The messages on it, oldest first."""
        return self._sandbox.messages(self.number)

    def code(
            self, *, provider: Optional[str] = None, pattern: Optional[str] = None, within: float = 5) -> str:
        """The newest code on it. Waits for it, up to `within` seconds."""
        __tracebackhide__ = True
        return self._sandbox.code(self.number, provider=provider, pattern=pattern, within=within)

    def reply(self, text: str, *, to: Optional[str] = None) -> Message:
        """Answers the newest message, or writes a text to a sender."""
        message: Message = self._sandbox.control("POST", f"inbox/{segment(self.number)}/reply", {"text": text, "to": to})
        return message

    def register(self, provider: str, **members: Any) -> Union[Device, Handset]:
        """Registers an app with a provider, as the provider's mobile SDK does. Pushes then reach it."""
        device: Device = self._sandbox.control(
            "POST", "devices", {"number": self.number, "provider": provider, **members})
        return device

    def approve(self, *, fault: Optional[str] = None) -> Challenge:
        """The person approves the newest push. `fault` is a defect of the answer: `wrongKey` or `late`."""
        challenge: Challenge = self._device("approve", {"fault": fault})
        return challenge

    def deny(self, *, fault: Optional[str] = None) -> Challenge:
        """The person denies the newest push."""
        challenge: Challenge = self._device("deny", {"fault": fault})
        return challenge

    def open(self, url: str, **members: Any) -> WalkResult:
        """Opens the URL of a silent verification, and follows its redirects through the phone's network."""
        result: WalkResult = self._device("open", {"url": url, **members})
        return result

    def event(self, name: str, **members: Any) -> None:
        """Something happens to the line: `simSwap`, `deviceSwap`, `port`, `recycle`, `deactivate`, `roam`, `attach`, `detach`."""
        self._sandbox.control("POST", f"subscribers/{segment(self.number)}/events", {"event": name, **members})

    def _device(self, action: str, body: Dict[str, Any]) -> Any:
        return self._sandbox.control("POST", f"devices/{segment(self.number)}/{action}", body)

    def __repr__(self) -> str:
        return f"<Phone {self.number} of {self._sandbox.name}>"
