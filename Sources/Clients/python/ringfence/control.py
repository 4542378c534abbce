"""The control API of a server, or of one sandbox, over HTTP."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, Iterator, Optional

from .errors import ControlError, RingfenceError

#: Longer than the server holds a request, or moves a clock, before it answers.
TIMEOUT = 90


class Control:
    """Sends requests to `URL/control/…`. Has no state, so that any thread may use it."""

    # Proxies are for the app under test. The control API is always reached directly.
    _opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def __init__(self, url: str, token: Optional[str] = None) -> None:
        self.url = url
        self.token = token

    def __call__(self, method: str, path: str, body: Optional[Dict[str, Any]] = None, /, **query: Any) -> Any:
        """The answer to `METHOD /control/PATH`: its JSON, its text, or else its bytes. A query of None is left out."""
        query = {name: value for name, value in query.items() if value is not None}
        url = f"{self.url}/control/{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        try:
            with self._opener.open(
                    urllib.request.Request(url, data, headers, method=method), timeout=TIMEOUT) as answer:
                content, kind = answer.read(), answer.headers.get_content_type()
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(error) from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise RingfenceError(f"no server answers at {self.url}: {reason}") from None
        if kind == "application/json":
            return json.loads(content)
        return content.decode() if kind.startswith("text/") else content

    def pages(self, path: str, name: str, /, **query: Any) -> Iterator[Any]:
        """All entries of a list, oldest first."""
        after = None
        while True:
            page = self("GET", path, limit=1000, after=after, **query)
            yield from page[name]
            if not page["hasMore"]:
                return
            after = page["cursor"]


def segment(text: str) -> str:
    """A text as one segment of a path."""
    return urllib.parse.quote(text, safe="+@")


def _refusal(error: urllib.error.HTTPError) -> ControlError:
    text = error.read().decode(errors="replace").strip()
    try:
        said = json.loads(text)
        return ControlError(said["error"], error.code, said.get("field"))
    except (ValueError, KeyError, TypeError):
        return ControlError(text or f"the server answered {error.code}", error.code)
