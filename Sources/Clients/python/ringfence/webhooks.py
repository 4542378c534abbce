"""A receiver of webhooks, which checks their signatures."""

from __future__ import annotations

import http.server
import json
import threading
import time
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional
from urllib.parse import parse_qsl

from . import signatures
from .errors import NotArrived, WrongSignature

if TYPE_CHECKING:
    from .sandbox import Sandbox

#: Which signature a webhook has to have.
Expected = Literal["valid", "wrong", "missing", "any"]


class ReceivedWebhook:
    """A webhook as it arrived."""

    def __init__(self, url: str, headers: Dict[str, str], body: bytes) -> None:
        #: The URL that it was sent to, with its query.
        self.url = url
        #: Its headers; the names are in lower case.
        self.headers = headers
        #: Its exact bytes, which the signature covers.
        self.body = body
        #: `valid`, `wrong`, `missing`, or `none` if the provider signs nothing.
        self.signature: str = "none"
        #: Who sent it; empty if that cannot be known.
        self.provider: str = ""

    @property
    def data(self) -> Any:
        """The body: of JSON its value, of a form a dict."""
        text = self.body.decode()
        return json.loads(text) if text[:1] in ("{", "[") else dict(parse_qsl(text, keep_blank_values=True))

    def __repr__(self) -> str:
        return f"<ReceivedWebhook from {self.provider or 'unknown'}, signature {self.signature}: {self.body[:200]!r}>"


class Webhooks:
    """Made by `sandbox.webhooks`. Give its `url` to your provider, or in its path more: `f"{webhooks.url}/a"`."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._arrived: List[ReceivedWebhook] = []
        self._new: List[ReceivedWebhook] = []  # Those that no `wait` has returned.
        self._answers = [200]
        self._body = b""
        self._changed = threading.Condition()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        self._origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        #: The address for the provider's request. A server on another machine does not reach it.
        self.url: str = f"{self._origin}/webhooks"

    def answer(self, *statuses: int, data: Any = None) -> None:
        """Answers the next webhooks with these statuses; the last one repeats. At first, that is 200. `data` is the
        answers' body as JSON, for webhooks that ask for a decision."""
        with self._changed:
            self._answers = list(statuses) or [200]
            self._body = b"" if data is None else json.dumps(data).encode()

    @property
    def all(self) -> List[ReceivedWebhook]:
        """What arrived so far, oldest first, with checked signatures."""
        with self._changed:
            arrived = list(self._arrived)
        for each in arrived:
            self.check(each)
        return arrived

    def wait(self, *, contains: str = "", within: float = 5, signature: Expected = "valid") -> ReceivedWebhook:
        """The next webhook, with this text in its body; each is returned once. Waits up to `within` seconds.

        Raises `WrongSignature` if its provider signs webhooks, and this one has another `signature`.
        """
        end = time.monotonic() + within
        with self._changed:
            while (received := self._next(contains)) is None and (left := end - time.monotonic()) > 0:
                self._changed.wait(left)
        if received is None:
            raise NotArrived(self._why_none(contains))
        if self.check(received) not in (signature, "none") and signature != "any":
            raise WrongSignature(f"the signature is {received.signature}, not {signature}: {received!r}")
        return received

    def check(self, received: ReceivedWebhook) -> str:
        """The state of its signature: `valid`, `wrong`, `missing`, or `none` if the provider signs nothing."""
        received.provider = signatures.signer(received.headers) or self._sender(received)
        received.signature = signatures.state(self._sandbox, received.provider, received)
        return received.signature

    def stop(self) -> None:
        """Ends the receiver. `sandbox.delete()` does this too."""
        self._server.shutdown()
        self._server.server_close()

    def _next(self, contains: str) -> Optional[ReceivedWebhook]:
        for place, received in enumerate(self._new):
            if contains.encode() in received.body:
                return self._new.pop(place)
        return None

    def _sender(self, received: ReceivedWebhook) -> str:
        """Of a webhook without a signature: whose it is, if only one provider sends to this URL."""
        sent = self._sandbox.control("GET", "webhooks", limit=1000)["webhooks"]
        providers = {each["provider"] for each in sent if each["url"] == received.url}
        return str(providers.pop()) if len(providers) == 1 else ""

    def _why_none(self, contains: str) -> str:
        wanted = f" with {contains}" if contains else ""
        lines = [f"there is no new webhook{wanted} yet; {len(self._arrived)} arrived before"
                 f"{self._sandbox._standstill()}. The sandbox's webhooks:"]
        for each in self._sandbox.control.pages("webhooks", "webhooks"):
            attempts = [str(attempt["status"] or attempt["error"]) for attempt in each["attempts"]]
            due = f", next attempt at {each['nextAttemptAt']}" if each["nextAttemptAt"] else ""
            lines.append(f"  {each['provider']} {each['kind']} to {each['url']}: {each['state']}{due} "
                         f"{each['why'] or ''} {' '.join(attempts)}".rstrip())
        return "\n".join(lines if len(lines) > 1 else [*lines, "  none: did the request name sandbox.webhooks.url?"])

    def _handler(self) -> type:
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                with receiver._changed:
                    answers = receiver._answers
                    status, answer = answers.pop(0) if len(answers) > 1 else answers[0], receiver._body
                    received = ReceivedWebhook(receiver._origin + self.path, headers, body)
                    receiver._arrived.append(received)
                    receiver._new.append(received)
                    receiver._changed.notify_all()
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_PUT = do_POST

            def log_message(self, *_: Any) -> None:
                pass

        return Handler
