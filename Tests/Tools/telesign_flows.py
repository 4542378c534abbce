"""Steps that several Telesign tests share: registering a handset, logging in by push, verifying silently."""

import json

import telesign_schemas
from telesign_clients import NUMBER, code_of, error_of
from telesign_signing import FORM, JSON

APP = "com.your.app:1.2.0"
TOKEN = "fcm-token-1"
LOGIN = [{"method": "push", "fallback_time": 60}, {"method": "sms"}]

SMS, MESSAGE, CREATE = "/v1/verify/sms", "/v1/messaging", "/verification"
# A valid request of three families: content type and body.
BODIES = {SMS: (FORM, f"phone_number={NUMBER}"),
          MESSAGE: (FORM, f"phone_number={NUMBER}&message=hi&message_type=OTP"),
          CREATE: (JSON, json.dumps({"recipient": {"phone_number": NUMBER}}))}


def number_of(resource, answer):
    """The code of a 401, which each family has at another place (2.5)."""
    assert answer.status_code == 401, answer.text
    return error_of(answer) if telesign_schemas.family(resource) == "A" else code_of(answer)


def methods(process):
    """Method and state of each inner method."""
    return [(method["method"], method["state"]) for method in process["inner_methods"]]


def register(telesign, flag="push_registration", value=True, number=NUMBER):
    """Starts a process that registers a device; returns it and the body of the handset's call that completes
    it."""
    answer = telesign.generic(
        recipient={"phone_number": number}, verification_policy=LOGIN, **{flag: value})
    assert code_of(answer) == 3901, answer.body
    made = answer.json
    return made, {"phone_number": number, "app_id": APP, "otp_code": telesign.code(number),
                  "push_app_token": TOKEN, "platform": "android"}


def registered(telesign, number=NUMBER):
    """Registers a handset and returns its device id."""
    made, body = register(telesign, number=number)
    answer = telesign.handset("POST", "registrations", made["mobile_app_token"], json=body)
    assert answer.status_code == 201, answer.text
    telesign.sandbox.control("DELETE", f"inbox/+{number}")
    return answer.json()["device_id"]


def login(telesign, number=NUMBER, token=TOKEN, **fields):
    """A login by push (5.2)."""
    answer = telesign.generic(recipient={"phone_number": number, "push_app_token": token},
                              verification_policy=LOGIN, **fields)
    assert code_of(answer) == 3901, answer.body
    return answer.json


def decide(telesign, process, decision, device):
    return telesign.handset(
        "POST", f"verifications/{process['reference_id']}/decision", process["mobile_app_token"],
        json={"decision": decision, "device_id": device})


def initiate(telesign, number=NUMBER, **fields):
    answer = telesign.rc.post("/silent/initiate", json_fields={"phone_number": number, **fields})
    assert answer.status_code == 200, answer.body
    return answer.json


def complete(telesign, begun, text):
    return telesign.rc.post("/silent/finalize", json_fields={
        "initiate_reference_id": begun["reference_id"], "verification": text})


def walk(telesign, begun):
    answer = telesign.sandbox.session.get(begun["verification_url"], timeout=20)
    assert answer.status_code == begun["expected_response_code"], answer.text
    return answer.text


def omni(**changed):
    """The fields of a message over one channel (9.2), with changes."""
    return {"recipient": {"phone_number": NUMBER},
            "message": {"sms": {"template": "text", "parameters": {"text": "Your code is 123456"}}},
            "message_type": "ARN", "channels": [{"channel": "sms", "fallback_time": 300}], **changed}
