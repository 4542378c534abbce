"""The four requests of Twilio's passkeys, by the official client."""

from twilio.rest.verify.v2.service.approve_challenge import ApproveChallengeList
from twilio.rest.verify.v2.service.new_challenge import NewChallengeInstance
from twilio.rest.verify.v2.service.new_factor import NewFactorList
from twilio.rest.verify.v2.service.new_verify_factor import NewVerifyFactorList

IDENTITY = "user-00000001"
PARTY = {"id": "example.com", "name": "Example", "origins": ["https://example.com"]}
CONFIG = {"relying_party": PARTY, "authenticator_attachment": "platform", "discoverable_credentials": "preferred",
          "user_verification": "preferred"}


def create(service, **more):
    body = {"friendly_name": "Ana's laptop", "identity": IDENTITY, "config": CONFIG, **more}
    return service.new_factors.create(NewFactorList.CreateNewPasskeysFactorRequest(body))


def verify(service, answer):
    return service.new_verify_factors.update(NewVerifyFactorList.VerifyPasskeysFactorRequest(answer))


def challenge(service, **body):
    return service.new_challenge().create(NewChallengeInstance.CreatePasskeysChallengeRequest(body))


def approve(service, answer):
    return service.approve_challenge.update(ApproveChallengeList.ApprovePasskeysChallengeRequest(answer))
