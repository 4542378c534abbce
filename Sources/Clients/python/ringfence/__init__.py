"""Tests of phone verification against a Ringfence sandbox: no account, no cost, no network.

    from ringfence import Ringfence

    with Ringfence() as server, server.sandbox() as sandbox:
        service = sandbox.twilio().verify.v2.services(sandbox.credentials["twilio"]["serviceSid"])
        service.verifications.create(to="+12025550100", channel="sms")
        code = sandbox.code("+12025550100")
        assert service.verification_checks.create(to="+12025550100", code=code).status == "approved"

With pytest, the fixtures `ringfence`, `sandbox` and `sandbox_env` do the first line; see `pytest_plugin`.
All methods may be called from any thread. The types of what they return are in `ringfence.types`.
"""

from .errors import ControlError, NotArrived, RingfenceError, WrongSignature
from .journal import Journal
from .phone import Phone
from .sandbox import Sandbox
from .server import Ringfence
from .webhooks import ReceivedWebhook, Webhooks

__all__ = [
    "ControlError", "Journal", "NotArrived", "Phone", "ReceivedWebhook", "Ringfence", "RingfenceError", "Sandbox",
    "Webhooks", "WrongSignature",
]
