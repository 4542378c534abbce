"""Solves the tasks of the shipped workshop stories, as participants do: with official SDKs, or a provider's
public HTTP."""

import json
import re

import requests
from prelude_python_sdk import Prelude
from telesignenterprise import omniverify, phoneid
from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client
from twilio.rest.verify.v2.service.approve_challenge import ApproveChallengeList
from twilio.rest.verify.v2.service.new_challenge import NewChallengeInstance
from twilio.rest.verify.v2.service.new_factor import NewFactorList
from twilio.rest.verify.v2.service.new_verify_factor import NewVerifyFactorList

import passkeys
import prove_client
import totp
from operator_solvers import AsksTheOperator, VonageSolver
from ringfence import ROOT, different
from virtual_handset import VirtualHandset

NUMBER, PERSON = "+12025550100", "+12025550101"
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


class Twilio(AsksTheOperator):
    def __init__(self, sandbox, hook=None):
        own = sandbox.credentials["twilio"]
        self.sandbox, self.hook = sandbox, hook
        self.client = Client(own["accountSid"], own["authToken"])
        self.client.verify.base_url = self.client.lookups.base_url = sandbox.base
        self.service = self.client.verify.v2.services(own["serviceSid"])

    def send(self, to=NUMBER, channel="sms"):
        return self.service.verifications.create(to=to, channel=channel)

    def check(self, code, to=NUMBER):
        return self.service.verification_checks.create(to=to, code=code).status

    # first-sign-in

    def send_a_code(self):
        self.send()

    def read_the_code(self):
        self.sandbox.code(NUMBER)

    def check_the_code(self):
        assert self.check(self.sandbox.code(NUMBER)) == "approved"

    def enter_a_wrong_code(self):
        self.send()
        assert self.check(different(self.sandbox.code(NUMBER))) == "pending"

    def send_it_again(self):
        self.send()
        self.check_the_code()

    # when-it-goes-wrong

    def a_code_expires(self):
        self.send()
        code = self.sandbox.code(NUMBER)
        self.sandbox.advance("10m")
        assert refused(self.check, code) == 404

    def too_many_wrong_codes(self):
        self.send()
        wrong = different(self.sandbox.code(NUMBER))
        for _ in range(5):
            assert self.check(wrong) == "pending"
        assert refused(self.check, wrong) == 429
        self.sandbox.advance("10m")
        self.send()

    def a_text_gets_lost(self):
        self.sandbox.advance("10m")
        self.sandbox.control("DELETE", f"inbox/{NUMBER}")
        self.send()
        self.sandbox.advance("1s")
        assert self.sandbox.control("GET", f"inbox/{NUMBER}").json()["messages"] == []
        self.send(channel="call")
        self.sandbox.advance("10s")
        self.check_the_code()

    def a_sim_swap_before_a_payout(self):
        found = self.client.lookups.v2.phone_numbers(PERSON).fetch(fields="sim_swap")
        assert found.sim_swap["last_sim_swap"]["swapped_in_period"] is True

    def the_provider_is_down(self):
        for _ in range(3):
            try:
                return self.send()
            except TwilioRestException as error:
                assert error.status == 503
        raise AssertionError("down for too long")

    def a_webhook_waits_for_an_answer(self):
        self.service.webhooks.create(
            friendly_name="tasks", event_types=["*"], webhook_url=self.hook, status="enabled")
        entity = self.service.entities("user-webhook")
        entity.new_factors.create(
            friendly_name="App", factor_type="push", binding_alg="ES256", binding_public_key=PUBLIC_KEY,
            config_app_id="com.example", config_sdk_version="1.0.0", config_notification_platform="none")
        self.sandbox.advance("1m")

    # without-a-code

    def silent_verification(self):
        url = self.send(PERSON, "sna").sna["url"]
        self.sandbox.control("POST", f"devices/{PERSON}/open", json={"url": url})
        assert self.service.verification_checks.create(to=PERSON).status == "approved"

    def approve_on_the_phone(self):
        self.handset = VirtualHandset(self.sandbox, PERSON, "twilio", identity="user-0001")
        self._ask()
        self.handset.approve()

    def deny_on_the_phone(self):
        self._ask()
        self.handset.deny()

    def _ask(self):
        entity = self.service.entities("user-0001")
        (factor,) = entity.factors.list()
        entity.challenges.create(factor_sid=factor.sid, details_message="Sign in?")

    def an_authenticator_app(self):
        entity = self.service.entities("user-totp")
        factor = entity.new_factors.create(friendly_name="Ana", factor_type="totp", binding_secret=SECRET)
        assert entity.factors(factor.sid).update(auth_payload=self._totp()).status == "verified"
        self.sandbox.advance("30s")
        assert entity.challenges.create(factor_sid=factor.sid, auth_payload=self._totp()).status == "approved"

    # same-person

    def send_to_person(self):
        self.send(PERSON)
        assert self.check(self.sandbox.code(PERSON), PERSON) == "approved"

    def _totp(self):
        return totp.code(SECRET, seconds(self.sandbox))

    def a_passkey(self):
        party = {"id": "example.com", "name": "Example", "origins": ["https://example.com"]}
        config = {"relying_party": party, "authenticator_attachment": "platform",
                  "discoverable_credentials": "preferred", "user_verification": "preferred"}
        factor = self.service.new_factors.create(NewFactorList.CreateNewPasskeysFactorRequest(
            {"friendly_name": "Ana's laptop", "identity": "user-passkey", "config": config}))
        key = passkeys.Authenticator()
        self.service.new_verify_factors.update(
            NewVerifyFactorList.VerifyPasskeysFactorRequest(key.create(factor.options["publicKey"])))
        asked = self.service.new_challenge().create(
            NewChallengeInstance.CreatePasskeysChallengeRequest({"identity": "user-passkey"}))
        answer = key.get(asked.options["publicKey"])
        assert self.service.approve_challenge.update(
            ApproveChallengeList.ApprovePasskeysChallengeRequest(answer)).status == "approved"


class PreludeSolver:
    def __init__(self, sandbox, hook=None):
        self.sandbox, self.target = sandbox, {"type": "phone_number", "value": NUMBER}
        self.client = Prelude(api_token=sandbox.credentials["prelude"]["apiToken"], base_url=sandbox.base, max_retries=0)

    def send_a_code(self):
        assert self.client.verification.create(target=self.target).status == "success"

    def read_the_code(self):
        self.sandbox.code(NUMBER)

    def check_the_code(self):
        code = self.sandbox.code(NUMBER)
        assert self.client.verification.check(target=self.target, code=code).status == "success"

    def enter_a_wrong_code(self):
        self.client.verification.create(target=self.target)
        wrong = different(self.sandbox.code(NUMBER))
        assert self.client.verification.check(target=self.target, code=wrong).status == "failure"

    def send_it_again(self):
        self.sandbox.advance("30s")
        assert self.client.verification.create(target=self.target).status == "retry"
        self.check_the_code()


class Telesign:
    def __init__(self, sandbox, hook=None):
        own = sandbox.credentials["telesign"]
        about = (own["customerId"], own["apiKey"])
        endpoint = {"rest_endpoint": f"{sandbox.base}/telesign"}
        self.sandbox, self.hook = sandbox, hook
        self.verify = omniverify.OmniVerify(*about, **endpoint)
        self.phones = phoneid.PhoneIdClient(*about, **endpoint)

    def begin(self, method="sms"):
        answer = self.verify.post("/verification", json_fields={
            "recipient": {"phone_number": NUMBER[1:]}, "verification_policy": [{"method": method}]})
        return answer.status_code, answer.json.get("reference_id")

    def verdict(self, reference, code):
        body = {"action": "finalize", "security_factor": code}
        return self.verify.updateVerificationProcess(reference, body).json["status"]["code"]

    def a_code_expires(self):
        _, reference = self.begin()
        self.sandbox.advance("2s")
        code = self.sandbox.code(NUMBER)
        self.sandbox.advance("5m")
        assert self.verdict(reference, code) == 3908

    def too_many_wrong_codes(self):
        _, reference = self.begin()
        self.sandbox.advance("2s")
        wrong = different(self.sandbox.code(NUMBER))
        while self.verdict(reference, wrong) != 3904:
            pass
        assert self.begin()[0] == 200

    def a_text_gets_lost(self):
        self.sandbox.control("DELETE", f"inbox/{NUMBER}")
        self.begin()
        self.sandbox.advance("2s")
        assert self.sandbox.control("GET", f"inbox/{NUMBER}").json()["messages"] == []
        _, reference = self.begin("voice")
        self.sandbox.advance("10s")
        assert self.verdict(reference, self.sandbox.code(NUMBER)) == 3900

    def a_sim_swap_before_a_payout(self):
        found = self.phones.phone_id_body(PERSON[1:], addons={"sim_swap": {}})
        assert found.json["sim_swap"]["risk_indicator"] == 4

    def the_provider_is_down(self):
        statuses = [self.begin()[0] for _ in range(3)]
        assert statuses == [503, 503, 200]

    def a_webhook_waits_for_an_answer(self):
        self.sandbox.seed(telesign={"settings": {"account.callback_url": self.hook}})
        self.begin()
        self.sandbox.advance("1m")


class Prove:
    TARGET = "https://app.example.com/done"

    def __init__(self, sandbox, hook=None):
        self.sandbox, self.go = sandbox, prove_client.GO.client(sandbox)

    def silent_verification(self):
        unified = self.go.unify(possessionType="none")
        device = prove_client.Device(features=["mobileAuth"], cellularNumber="2001004016")
        assert device.authenticate(unified)["step"] == "mobile_auth"
        device.mobile_auth()
        assert self._success(unified) == "true"

    def approve_on_the_phone(self):
        self.handset = VirtualHandset(self.sandbox, "+12001004014", "prove")
        self.first = self._ask()
        self.handset.approve()
        assert self._success(self.first) == "true"

    def deny_on_the_phone(self):
        unified = self._ask()
        self.handset.deny()
        assert self._success(unified) == "false"

    def a_link_in_a_text(self):
        unified = self.go.unify(possessionType="desktop", phoneNumber="2001004014", finalTargetUrl=self.TARGET)
        device = prove_client.Device(features=["instantLink"])
        device.authenticate(unified)
        device.link_start()
        text = self.sandbox.control("GET", "inbox/+12001004014/latest").json()["text"]
        prove_client.send("GET", re.search(r"http\S+", text)[0])
        assert self._success(unified) == "true"

    def a_key_on_the_device(self):
        self.go.revoke(self.go.status(self.first["correlationId"])["deviceId"])
        self._ask()
        self.handset.approve()

    def _ask(self):
        return self.go.unify(possessionType="mobile", phoneNumber="2001004014")

    def _success(self, unified):
        return self.go.status(unified["correlationId"])["success"]


SOLVERS = {"twilio": Twilio, "vonage": VonageSolver, "prelude": PreludeSolver, "telesign": Telesign, "prove": Prove}
# A fixed public key on P-256, in DER and Base64: that of the app whose registration causes the webhook.
PUBLIC_KEY = ("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7Lt"
              "kBoN79R9Q==")


STORIES = sorted((ROOT / "Seeds/workshops").glob("*.json"))
FLAVOURS = [(path.stem, flavour["name"]) for path in STORIES for flavour in json.loads(path.read_text())["flavours"]]


def method_of(title):
    """`Send a code` is solved by `send_a_code`."""
    return re.sub(r"\W+", "_", title.lower())


def refused(call, *arguments):
    """The status of a refused call of Twilio's client."""
    try:
        call(*arguments)
    except TwilioRestException as error:
        return error.status
    raise AssertionError("not refused")


def seconds(sandbox):
    """The sandbox's time since 1970."""
    import datetime
    return datetime.datetime.fromisoformat(sandbox.control("GET", "clock").json()["now"]).timestamp()


class Workshop:
    """A workshop of a server, by the control API."""

    def __init__(self, server, name, story, participants, flavour=None, clock="2026-01-05T10:20:30Z"):
        self.url, self.server = f"{server.http}/control/workshops/{name}", server
        body = {"name": name, "story": story, "participants": participants, **({"clock": clock} if clock else {})}
        if flavour:
            body["flavour"] = flavour
        answer = requests.post(f"{server.http}/control/workshops", json=body, timeout=60)
        assert answer.status_code == 201, answer.text
        self.created = answer.json()
        self.tasks = self.created["tasks"]
        self.phrases = {one["name"]: one["phrase"] for one in self.created["participants"]}
        self.sandboxes = {one["name"]: one["sandbox"] for one in self.created["participants"]}

    def board(self):
        return requests.get(self.url, timeout=30).json()

    def states(self):
        """The states of each participant's tasks."""
        return {one["name"]: [result["state"] for result in one["results"]] for one in self.board()["participants"]}

    def act(self, action, **body):
        answer = requests.post(f"{self.url}/{action}", json=body, timeout=30)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def delete(self):
        requests.delete(self.url, timeout=60)
