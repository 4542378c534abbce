"""Solves the tasks of the story same-person: over CAMARA, and with Vonage's client."""

import requests
from vonage_verify import SmsChannel, VerifyRequest

import vonage_client

PERSON = "+12025550101"


class AsksTheOperator:
    """The tasks of same-person. How a code reaches the person and is checked is its subclass's."""

    @property
    def camara(self):
        return self.sandbox.credentials["camara"]

    def ask_the_network(self):
        card = self.sandbox.control("POST", f"subscribers/{PERSON}/sim-token").json()["token"]
        asked = self._oauth(
            "bc-authorize", scope="openid dpv:FraudPreventionAndDetection number-verification:verify",
            login_hint=f"operatortoken:{card}")
        token = self._token(grant_type="urn:openid:params:grant-type:ciba", auth_req_id=asked["auth_req_id"])
        assert self._ask_operator("number-verification/v2/verify", token) == {"devicePhoneNumberVerified": True}

    def before_a_payout(self):
        assert self._was_swapped(within=240)

    def a_code_that_proves_nothing(self):
        self.send_to_person()
        assert self._was_swapped(within=240)

    def who_is_it(self):
        token = self._token(grant_type="client_credentials", scope="kyc-match:match")
        for name, birthdate, matches in (("Lund", "1990-01-01", "false"), ("Lind", "1988-04-12", "true")):
            answer = self._ask_operator(
                "kyc-match/v0.4/match", token, givenName="Ana", familyName=name, birthdate=birthdate)
            assert (answer["givenNameMatch"], answer["birthdateMatch"]) == ("true", matches)

    def back_to_codes(self):
        self.sandbox.advance("72h")
        assert not self._was_swapped(within=72)
        self.send_to_person()

    def _was_swapped(self, within):
        token = self._token(grant_type="client_credentials", scope="sim-swap:check")
        return self._ask_operator("sim-swap/v2/check", token, maxAge=within)["swapped"]

    def _token(self, **form):
        return self._oauth("token", **form)["access_token"]

    def _oauth(self, endpoint, **form):
        client = (self.camara["clientId"], self.camara["clientSecret"])
        answer = requests.post(f"{self.sandbox.base}/camara/oauth2/{endpoint}", data=form, auth=client, timeout=20)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def _ask_operator(self, path, token, **body):
        answer = requests.post(
            f"{self.sandbox.base}/{path}", json={"phoneNumber": PERSON, **body},
            headers={"Authorization": f"Bearer {token}"}, timeout=20)
        assert answer.status_code == 200, answer.text
        return answer.json()


class VonageSolver(AsksTheOperator):
    def __init__(self, sandbox, hook=None):
        self.sandbox = sandbox
        self.verify = vonage_client.Clients(sandbox).application.verify

    def send_to_person(self):
        workflow = [SmsChannel(to=PERSON.removeprefix("+"))]
        started = self.verify.start_verification(VerifyRequest(brand="Acme", workflow=workflow))
        assert self.verify.check_code(started.request_id, self.sandbox.code(PERSON)).status == "completed"
