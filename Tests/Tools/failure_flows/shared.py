"""Parts of the flows that do not depend on a provider."""

from ringfence import different

NUMBER = "+12025550170"
# The gateway recognises this one.
COVERED = "+12025550101"
# Longer than every delay, receipt and time limit of a delivery, and shorter than the life of most codes.
SETTLED = "6m"


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

    def __init__(self, fixture):
        self.fixture = fixture
        self.sandbox = fixture("sandbox")
        self.failure = None

    def meet(self, flow, failure):
        """Starts from the seeds, produces the failure, and goes through the flow."""
        self.sandbox.control("POST", "reset")
        self.failure = failure
        self.prepare(flow)
        if request := failure.get("request"):
            number = self.covered if flow == "silent" else self.number
            path = request["path"].removeprefix("/control/").replace("{number}", number)
            self.sandbox.control(request["method"], path, json=request["body"])
        return {place: value for place, value in getattr(self, flow)().items() if value is not None}

    def prepare(self, flow):
        """What must be there before the failure."""

    def settle(self, time=SETTLED):
        """Waits until nothing more happens."""
        self.sandbox.advance("16m" if self.failure["id"].endswith("too-late") else time)

    def handset(self, channel=None, number=None):
        """What the person sees."""
        number = number or self.number
        query = {"channel": channel} if channel else {}
        shown = self.sandbox.control("GET", f"inbox/{number}", params=query).json()["messages"]
        if not shown:
            return "nothing"
        what = "the code" if self.code(number) else "no readable code"
        return what if len(shown) == 1 else f"{what}, {len(shown)} times"

    def code(self, number=None):
        """The code that the person reads; None if there is none."""
        answer = self.sandbox.control("GET", f"inbox/{number or self.number}/latest/code", expect=(200, 404, 409))
        return answer.text.strip() if answer.status_code == 200 else None

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
            self.sandbox.advance("2h")
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
        seen = {self.asks: outcome(self.ask)}
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


def outcome(act):
    """The result, or the name of what the client's HTTP library or its JSON parser raises."""
    try:
        return act()
    except Exception as error:
        return type(error).__name__


def words(*parts):
    """The parts that there are, as one text."""
    return " ".join(str(part) for part in parts if part not in (None, ""))


def trip(opened):
    """How the redirects of a silent URL ended."""
    return words(opened["ending"], opened.get("why"))
