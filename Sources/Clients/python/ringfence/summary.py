"""What happened in a sandbox, in lines for people."""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING, List, Tuple

from .control import segment
from .errors import ControlError
from .types import Exchange, Message

if TYPE_CHECKING:
    from .sandbox import Sandbox

#: So many of the newest lines are enough to see what went wrong.
NEWEST = 30
#: A terminal would obey these characters of outside texts.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def of(sandbox: Sandbox) -> str:
    """Requests with refusals and reasons, and messages with what became of them, oldest first."""
    exchanges = list(sandbox.journal)
    requests = [(each["at"], _request(sandbox, each)) for each in exchanges]
    times = [at for at, _ in requests]
    happened: List[Tuple[str, int, str]] = [(at, 0, text) for at, text in requests]
    for message in sandbox.control.pages("messages", "messages"):
        # A message is older than the answer to the request that sent it, but belongs below.
        place = bisect.bisect_left(times, message["submittedAt"])
        happened.append((times[place] if place < len(times) else message["submittedAt"], 1, _message(sandbox, message)))
    happened.sort(key=lambda each: each[:2])
    lines = [f"{at[11:19]} {text}" for at, _, text in happened[-NEWEST:]]
    if len(happened) > NEWEST:
        lines.insert(0, f"… {len(happened) - NEWEST} earlier")
    if any(each["response"]["status"] == 401 for each in exchanges):
        lines.append("This sandbox knows its own credentials only: does the app read sandbox.credentials or sandbox.env in this "
                     "test, and not when it is imported?")
    text = "\n".join([
        f"sandbox {sandbox.name}: {sandbox.url}/",
        *(lines or ["no request reached it: does the app use sandbox.url or sandbox.env, and make its SDK clients in this test? "
              "A client of an earlier test still calls that test's sandbox."])])
    return CONTROL.sub(lambda found: f"\\x{ord(found[0]):02X}", text)


def _request(sandbox: Sandbox, exchange: Exchange) -> str:
    request, response = exchange["request"], exchange["response"]
    target = request["target"].replace(f"/s/{sandbox.name}", "", 1)
    lines = [f"{response['status']} {request['method']} {target}"]
    if request["body"]:
        lines.append(f"sent: {_short(request['body'])}")
    if response["status"] >= 400:
        lines.append(f"answered: {_short(response['body'])}")
    if exchange["why"]:
        lines.append(f"why: {exchange['why']}")
    if exchange["unread"]:
        lines.append(f"not read: {', '.join(exchange['unread'])}")
    if nearest := exchange.get("nearest"):
        lines.append(f"nearest: {', '.join(nearest)}")
    return "\n           ".join(lines)


def _message(sandbox: Sandbox, message: Message) -> str:
    line = f"{message['channel']} to {message['to']}: {_short(message['text'])}"
    if message["arrivedAt"] is not None:
        return line
    return f"{line}\n           not on the phone: {_reason(sandbox, message)}"


def _reason(sandbox: Sandbox, message: Message) -> str:
    try:
        sandbox.control("GET", f"inbox/{segment(message['to'])}/latest", channel=message["channel"])
    except ControlError as error:
        return str(error).split(" yet: ", 1)[-1]
    return str(message["state"])


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 160 else f"{line[:159]}…"
