"""Sign-ins that wait for an approval by a virtual handset, for each provider: `ask` starts one, and `state`
says what has become of it."""

from twilio.rest import Client

import telesign_clients
import telesign_schemas
from hyphen_client import Phone
from telesign_flows import login
from virtual_handset import VirtualHandset

NUMBER = "+12025550100"
EMAIL = "ana@example.test"
LORANT = "2001004014"


class Twilio:
    def __init__(self, sandbox):
        own = sandbox.credentials["twilio"]
        client = Client(own["accountSid"], own["authToken"])
        client.verify.base_url = sandbox.base
        self.person = client.verify.v2.services(own["serviceSid"]).entities("user-12025550100")
        self.sandbox = sandbox
        self.handset = VirtualHandset(sandbox, NUMBER, "twilio")

    def ask(self):
        factor = self.person.factors.list()[0].sid
        self.sid = self.person.challenges.create(factor_sid=factor, details_message="Sign in?").sid

    def state(self):
        return self.person.challenges(self.sid).fetch().status


class Telesign:
    def __init__(self, sandbox):
        self.sandbox = sandbox
        self.clients = telesign_clients.Clients(sandbox, telesign_schemas.TelesignSchemas().check)
        self.handset = VirtualHandset(sandbox, f"+{telesign_clients.NUMBER}", "telesign", pushToken="fcm-token-1")

    def ask(self):
        self.reference = login(self.clients)["reference_id"]

    def state(self):
        state = self.clients.process(self.reference)["state"]
        return {"VERIFIED": "approved", "REJECTED": "denied"}.get(state, "pending")


class Hyphen:
    def __init__(self, sandbox):
        self.sandbox = sandbox
        self.handset = VirtualHandset(sandbox, NUMBER, "hyphen", identity=EMAIL)
        self.phone = Phone(sandbox, "anas-new-iphone", "iOS", email=EMAIL)

    def ask(self):
        assert self.phone.sign_in() == "2fa"

    def state(self):
        return "approved" if self.phone.finish().status == 200 else "pending"


class Prove:
    def __init__(self, sandbox, go):
        self.sandbox, self.go = sandbox, go
        self.handset = VirtualHandset(sandbox, "+12001004014", "prove")

    def ask(self):
        self.session = self.go.unify(possessionType="mobile", phoneNumber=LORANT)["correlationId"]

    def state(self):
        return {"true": "approved", "false": "denied", "pending": "pending"}[self.go.status(self.session)["success"]]
