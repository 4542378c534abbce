"""Failures with requests as Prove's SDK for Go sends them, and the sandbox's own device API."""

from failure_flows.shared import Flows, words
from prove_client import Device


class Prove(Flows):
    name = "prove"
    asks, sends_codes = "unify", False
    # Test users without special answers: Lorant, and Inge, whose number Mobile Auth finds.
    number, covered = "+12001004014", "+12001004016"
    unchanged = {
        "text-segment-lost": "Prove's texts have one part.",
        **dict.fromkeys(("text-no-receipt", "text-receipt-first"), "Prove shows no receipts."),
        **dict.fromkeys(
            ("line-sim-swapped", "line-recycled", "line-deactivated", "line-roaming", "line-forwarding",
             "line-device-changed", "line-prepaid", "line-risky", "line-other-person"),
            "Prove's Identity Manager does not tell."),
    }
    not_applicable = {
        "whatsapp": "Prove sends codes by SMS only.", "call": "Prove calls nobody.",
        "webhook": "Prove v3 sends no webhooks: a back end asks for the status.",
        "push": "Prove sends no pushes.", "passkey": "Prove v3 has no passkeys in its API."}

    def prepare(self, flow):
        self.go = self.fixture("go")
        # A proxy's page is no answer of the provider's.
        self.go.checks = flow != "request"
        if flow == "lookup":
            self.number = "+12001004031"
        self.device = None

    @property
    def digits(self):
        return self.number[2:]

    def unify(self, **more):
        return self.go.unify(possessionType="mobile", phoneNumber=self.digits, **more)

    def begin(self):
        unified = self.unify()
        if unified.status != 200:
            return verdict(unified)
        self.session = unified["correlationId"]
        self.device = Device()
        self.device.authenticate(unified)
        return self.device.otp_start()["step"]

    def enter(self, code):
        if code is None:
            return None
        if self.device is None:
            return verdict(self.go.status("unknown"))
        answer = self.device.try_to("otp/finish", {"resultType": 0, "input": {"otp": code}})
        if answer.status != 200:
            return verdict(answer)
        return words(answer["step"], "with status", self.result() if answer["step"] == "auth_finish" else None)

    def result(self):
        return verdict(self.go.status(self.session))

    def sms(self):
        begun = self.begin()
        # A session lasts a few minutes.
        shown = self.shown(time="70s")
        return {"device": begun, **shown, "check": self.enter(self.code()), "status": self.result()}

    def ask(self):
        return verdict(self.unify())

    def silent(self):
        unified = self.go.unify(possessionType="mobile")
        device = Device(platform="android", features=["mobileAuth", "otp"], cellularNumber=self.covered[2:])
        step = device.authenticate(unified)
        self.session = unified["correlationId"]
        if step["step"] == "mobile_auth" and self.failure["id"] != "silent-never-opened":
            step = device.mobile_auth()
        return {"device": step["step"], "status": self.result()}

    def lookup(self):
        number = "+12025550" if self.failure["id"] == "line-impossible" else self.number
        enrolled = self.go.call("POST", "/v3/identity", {"phoneNumber": number}, ("phoneNumber",))
        if enrolled.status != 200:
            return {"enroll": verdict(enrolled)}
        found = self.go.call("GET", f"/v3/identity/{enrolled['proveId']}").json()
        return {"Identity Manager": words(found["lineType"], found["carrier"], found["countryCode"])}


def verdict(answer):
    """The HTTP status, and the result or the error."""
    body = answer.json()
    return words(answer.status, body.get("success"), body.get("code"), body.get("message"))
