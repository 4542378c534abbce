"""Parts of the flows that do not depend on a provider."""

import http.client
import time

import google.auth.exceptions
import requests

from ringfence import different

NUMBER = "+12025550170"
# The gateway recognises this one.
COVERED = "+12025550101"
# Longer than every delay, receipt and time limit of a delivery, and shorter than the life of most codes.
SETTLED = "6m"
# Shorter than the delay of a late message.
AT_FIRST = "5s"
# An answer that takes as long is slow.
SLOW = 2.9  # seconds
# Two parts of a text: the second one has the code.
LONG_TEXT = "This is a long text. " * 8 + "Your code is 123456."
CODE_OF_LONG_TEXT = "123456"
# A code that the app has made itself, and its text.
OWN_CODE = "482913"
OWN_TEXT = f"Your code is {OWN_CODE}"

# Failures whose request is part of the flow, which calls `produce` itself.
WITHIN_FLOW = ("code-expired", "push-wrong-key", "push-wrong-clock", "push-no-biometrics", "passkey-expired",
               "webhook-forged")


class Flows:
    """One sandbox and a failure in it.

    `fixture` returns the test's fixtures by name; `failure` is an entry of GET /control/failures.
    """

    number, covered = NUMBER, COVERED
    # What `ask` does, and the failures after which it is done again.
    asks, retried = "create", ("api-once",)
    sends_codes = True
    # True if the app signs the time of the phone's clock.
    signs_times = False
    # Why the provider shows the same as without a failure, by the failure's id.
    unchanged = {}

    def __init__(self, fixture):
        self.fixture = fixture
        self.sandbox = fixture("sandbox")
        self.failure = self.flow = None

    def meet(self, flow, failure, by_number=False):
        """Starts from the seeds, produces the failure, by its request or by its number, and goes through the
        flow. A rule must have acted, unless `unchanged` says why it cannot."""
        self.sandbox.control("POST", "reset")
        self.failure, self.flow = failure, flow
        self.prepare(flow)
        if by_number:
            self.use(failure["number"])
        elif "request" in failure and failure["id"] not in WITHIN_FLOW:
            self.produce()
        seen = {place: value for place, value in getattr(self, flow)().items() if value is not None}
        if not by_number and "not applicable" not in seen:
            acted = self.has_acted()
            assert acted or failure["id"] in self.unchanged, f"{self.name}: {failure['id']} has not acted"
            if "repair" in failure:
                self.perform(failure["repair"])
        return seen

    def prepare(self, flow):
        """What must be there before the failure."""

    def use(self, number):
        """Goes through the flow with another number."""
        self.number = self.covered = number

    def produce(self, expect=(200, 201)):
        """Sends the failure's request; returns the answer."""
        return self.perform(self.failure["request"], expect)

    def perform(self, request, expect=(200, 201)):
        """Sends a request of the control API about the flow's number."""
        number = self.covered if self.flow == "silent" else self.number
        path = request["path"].removeprefix("/control/").replace("{number}", number)
        return self.sandbox.control(request["method"], path, expect=expect, json=request["body"]).json()

    def has_acted(self):
        """False if the failure is a rule that has changed nothing yet."""
        request = self.failure.get("request", {})
        lists = [name for name, value in request.get("body", {}).items() if isinstance(value, list)]
        if request.get("method") != "PUT" or not lists or "{number}" in request["path"]:
            return True
        rules = self.sandbox.control("GET", request["path"].removeprefix("/control/")).json()[lists[0]]
        return rules[0]["applied"] > 0

    def settle(self, time=SETTLED):
        """Waits until nothing more happens."""
        self.sandbox.advance("16m" if self.failure["id"].endswith("too-late") else time)

    def shown(self, channel=None, time=SETTLED):
        """Waits until nothing more happens. Returns what the handset shows then, and at first if it is
        something else."""
        late = self.failure["id"] == "text-out-of-order"
        if late:
            self.begin()
        self.sandbox.advance(AT_FIRST)
        first = self.handset(channel)
        self.settle(time)
        last = self.handset(channel)
        return {"handset at first": first if first != last else None, "handset": last,
                "order": self.order() if late else None}

    def handset(self, channel=None, number=None):
        """What the person sees."""
        number = number or self.number
        query = {"channel": channel} if channel else {}
        shown = self.sandbox.control("GET", f"inbox/{number}", params=query).json()["messages"]
        if not shown:
            return "nothing"
        what = "the code" if self.code(number) else "no readable code"
        return what if len(shown) == 1 else f"{what}, {len(shown)} times"

    def order(self):
        """The order in which the handset got the texts, by their order of submission."""
        shown = self.sandbox.control("GET", f"inbox/{self.number}").json()["messages"]
        places = sorted(message["id"] for message in shown)
        return ", ".join(str(places.index(message["id"]) + 1) for message in shown)

    def code(self, number=None):
        """The code that the person reads; None if there is none."""
        answer = self.sandbox.control("GET", f"inbox/{number or self.number}/latest/code", expect=(200, 404, 409))
        return answer.text.strip() if answer.status_code == 200 else None

    def long_text(self, send):
        """What arrives of LONG_TEXT; None unless the failure is about long texts."""
        if self.failure["id"] != "text-segment-lost":
            return None
        send(LONG_TEXT)
        shown = self.sandbox.control("GET", f"inbox/{self.number}").json()["messages"][-1]["text"]
        return f"{'with' if CODE_OF_LONG_TEXT in shown else 'without'} the code"

    def check(self):
        """Enters codes. A provider's `begin` sends a code, and its `enter` checks one."""
        case = self.failure["id"].removeprefix("code-")
        if case == "sent-often":
            results = [self.begin() for _ in range(12)]
            refusals = [result for result in results if result != results[0] and result != results[1]]
            return {"send": results[0], "again": refusals[0] if refusals else results[1],
                    "codes sent": str(self.sent())}
        if case == "unknown":
            return {"check": self.enter("123456")}
        self.begin()
        code = self.code()
        if case == "expired":
            self.produce()
        if case == "used":
            self.enter(code)
        if case == "none":
            return {"check": self.enter(code)}
        if case == "wrong-often":
            results = [self.enter(different(code)) for _ in range(8)]
            return {"check": results[0], "in the end": results[-1], "the right code": self.enter(code)}
        return {"check": self.enter(different(code) if case == "wrong" else code)}

    def request(self):
        """Sends one request, and again where that may help: a provider's `ask`, which returns the result."""
        start = time.monotonic()
        seen = {self.asks: outcome(self.ask)}
        # Other failures are repeated by some clients, after a while.
        if self.failure["id"] == "api-slow" and time.monotonic() - start > SLOW:
            seen["time"] = "3 s"
        if self.failure["id"] in self.retried:
            seen["again"] = outcome(self.ask)
        if self.sends_codes:
            seen["codes sent"] = str(self.sent())
        return seen

    def sent(self):
        """How many messages were sent."""
        return len(self.sandbox.control("GET", "messages").json()["messages"])

    def open(self, url, **more):
        """What an app gets from a silent URL."""
        return self.sandbox.control(
            "POST", f"devices/{self.covered}/open", json={"url": url, "as": "android", **more}).json()


# What HTTP libraries and their JSON parsers raise. JSON errors are ValueErrors.
UNREADABLE = (requests.RequestException, google.auth.exceptions.GoogleAuthError, http.client.HTTPException,
              ConnectionError, ValueError)


def outcome(act):
    """The result, or the name of what the client's HTTP library or its JSON parser raises."""
    try:
        return act()
    except UNREADABLE as error:
        return type(error).__name__


def words(*parts):
    """The parts that there are, as one text."""
    return " ".join(str(part) for part in parts if part not in (None, ""))


def trip(opened):
    """How the redirects of a silent URL ended."""
    return words(opened["ending"], opened.get("why"))
