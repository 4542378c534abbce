"""Requests as Twilio's SDKs in other languages send them (`twilio-verify.md` 1.3 to 1.5)."""

import base64
import dataclasses
import http.client
import json
from urllib.parse import quote, urlencode, urlsplit


@dataclasses.dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    text: str

    def json(self):
        return json.loads(self.text)


@dataclasses.dataclass
class SDK:
    """How an SDK writes paths and headers."""

    name: str
    headers: dict
    escapes_path: bool = False

    def destination(self, to):
        """A phone number or an address as this SDK puts it into a path."""
        return quote(to, safe="" if self.escapes_path else "+@")

    def send(self, method, url, credentials=None, form=None, headers=()):
        """Sends one request on a new connection."""
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.putrequest(method, target, skip_accept_encoding=True)
        if credentials:
            pair = base64.b64encode(":".join(credentials).encode()).decode()
            connection.putheader("Authorization", f"Basic {pair}")
        body = None if form is None else urlencode(form).encode()
        for name, value in {**self.headers, **dict(headers)}.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Type", "application/x-www-form-urlencoded")
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return Answer(answer.status, answer.headers, text)

    def pages(self, url, credentials, key):
        """Follows `next_page_url` the way this SDK does: only 200 is a page (1.5)."""
        while url:
            answer = self.send("GET", url, credentials)
            assert answer.status == 200, f"{self.name}: {url} answered {answer.status}"
            page = answer.json()
            yield url, page[key]
            following = page["meta"]["next_page_url"]
            url = self.follow(url, following) if following else None

    def follow(self, current, following):
        if self.name != "ruby":
            return following  # verbatim
        at, to = urlsplit(current), urlsplit(following)  # Ruby keeps only the path and the query
        return f"{at.scheme}://{at.netloc}{to.path}?{to.query}"


_JSON = {"Accept": "application/json", "Accept-Charset": "utf-8"}

NODE = SDK("node", {"User-Agent": "twilio-node/5.10.0 (linux x64) node/v20.20.2", **_JSON})
RUBY = SDK("ruby", {"User-Agent": "twilio-ruby/7.8.0 (linux x86_64) Ruby/3.3.0", **_JSON,
                    "Accept-Encoding": "gzip;q=1.0,deflate;q=0.6,identity;q=0.3"})
GO = SDK("go", {"User-Agent": "twilio-go/1.28.0 (linux amd64) go/1.24.0", "Accept-Encoding": "gzip"})
PHP = SDK("php", {"User-Agent": "twilio-php/8.8.0 (Linux x86_64) PHP/8.3.0", **_JSON}, escapes_path=True)
JAVA = SDK("java", {"User-Agent": "twilio-java/11.0.0 (Linux amd64) java/17.0.15", "Accept": "application/json",
                    "Accept-Encoding": "utf-8"}, escapes_path=True)
