"""Failures of passkeys with Twilio's official client and an authenticator of its own."""

from twilio.rest.verify.v2.service.approve_challenge import ApproveChallengeList
from twilio.rest.verify.v2.service.new_challenge import NewChallengeInstance
from twilio.rest.verify.v2.service.new_factor import NewFactorList
from twilio.rest.verify.v2.service.new_verify_factor import NewVerifyFactorList

from cryptography.hazmat.primitives.asymmetric import ec

from passkeys import USER_PRESENT, Authenticator, encode

IDENTITY = "user-00000001"
CONFIG = {"relying_party": {"id": "example.com", "name": "Example", "origins": ["https://example.com"]},
          "authenticator_attachment": "platform", "discoverable_credentials": "preferred",
          "user_verification": "required"}


def sign_in(flows):
    """A person signs in with a passkey, and something is wrong."""
    service, case = flows.service, flows.failure["id"].removeprefix("passkey-")
    authenticator = Authenticator(sign_count=5)
    factor = service.new_factors.create(NewFactorList.CreateNewPasskeysFactorRequest(
        {"friendly_name": "Laptop", "identity": IDENTITY, "config": CONFIG}))
    registration = authenticator.create(factor.options["publicKey"])
    service.new_verify_factors.update(NewVerifyFactorList.VerifyPasskeysFactorRequest(registration))
    asked = service.new_challenge().create(NewChallengeInstance.CreatePasskeysChallengeRequest({"identity": IDENTITY}))
    options = asked.options["publicKey"]
    if case == "canceled":
        flows.sandbox.advance("30m")
        return {"challenge": service.entities(IDENTITY).challenges(asked.sid).fetch().status}
    authenticator.sign_count = 6
    spoil(authenticator, case)
    if case == "old-challenge":
        options = {**options, "challenge": encode(b"YC04" + 32 * b"0")}
    if case == "expired":
        flows.produce()

    def approve():
        answer = authenticator.get(options)
        done, error = flows.attempt(
            lambda: service.approve_challenge.update(ApproveChallengeList.ApprovePasskeysChallengeRequest(answer)))
        return error or done.status

    first = approve()
    again = approve() if case == "used" else None
    status = service.entities(IDENTITY).challenges(asked.sid).fetch().status
    return {"approve": first, "again": again, "challenge": status}


def spoil(authenticator, case):
    if case == "wrong-origin":
        authenticator.origin = "https://examp1e.com"
    elif case == "wrong-party":
        authenticator.domain = "examp1e.com"
    elif case == "unverified":
        authenticator.flags = USER_PRESENT
    elif case == "absent":
        authenticator.flags = 0
    elif case == "stolen":
        authenticator.key = ec.generate_private_key(ec.SECP256R1())
    elif case == "unknown":
        authenticator.credential = bytes(32)
    elif case == "cloned":
        authenticator.sign_count = 3
