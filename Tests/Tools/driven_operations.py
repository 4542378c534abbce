"""Records which operations the official clients call: Tests/Contracts/driven.json, which the coverage ledger
reads.

The sandbox's journal says which operation a request reached; the request's headers say which client sent it.
"""

import json
import os

import ringfence

FILE = ringfence.ROOT / "Tests/Contracts/driven.json"
CONFORMANCE = ringfence.ROOT / "Tests/Conformance"

# A header that only the provider's official Python client sends.
CLIENT_HEADERS = {
    "twilio": "user-agent: twilio-python/",
    "prelude": "user-agent: prelude/python ",
    "telesign": "user-agent: telesignsdk/python",
    "vonage": "user-agent: vonage-python-sdk/",
    "sinch": ("x-timestamp: ", "user-agent: sinch-sdk/"),
    # Those of aggregators: Nokia's, Glide's and Vonage's.
    "camara": ("x-fern-language: python", "user-agent: python/", "user-agent: vonage-python-sdk/"),
    "fcm": ("x-firebase-client: fire-admin-python/", "x-goog-api-client: gl-python/"),
}


class DrivenOperations:
    """A set of operations for each provider."""

    def __init__(self):
        self.routes = {}

    def add(self, provider, routes):
        self.routes.setdefault(provider, set()).update(routes)

    def record(self, sandbox):
        """Adds the operations in a sandbox's journal, unless a test has deleted the sandbox already."""
        cursor, has_more = 0, True
        while has_more:
            url = f"{sandbox.base}/control/journal?limit=1000&after={cursor}"
            answer = sandbox.session.get(url, timeout=20)
            if not answer.ok:
                return
            page = answer.json()
            cursor, has_more = page["cursor"], page["hasMore"]
            for entry in page["requests"]:
                provider, route = entry["provider"], entry["route"]
                headers = [header.lower() for header in entry["request"]["headers"]]
                if route and any(header.startswith(CLIENT_HEADERS.get(provider, ())) for header in headers):
                    self.add(provider, [route])

    def as_json(self):
        """The providers and their operations, in alphabetical order."""
        return {provider: sorted(self.routes[provider]) for provider in sorted(self.routes)}

    def finish(self):
        """Writes the file if RECORD is set. Else returns how the file differs; empty if it does not."""
        found = self.as_json()
        if os.environ.get("RECORD"):
            FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
            return []
        recorded = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
        return [
            f"{provider}.{route}: {reason}"
            for one, other, reason in ((found, recorded, "called, not in the file"), (recorded, found, "in the file, not called"))
            for provider, routes in one.items()
            for route in routes if route not in other.get(provider, [])]


def is_whole_run(config):
    """True if every test of Tests/Conformance was selected."""
    option = config.option
    if option.keyword or option.markexpr or option.deselect or option.collectonly:
        return False
    paths = [(config.invocation_params.dir / argument).resolve() for argument in config.args]
    return any(path == CONFORMANCE or path in CONFORMANCE.parents for path in paths)
