"""Push Verify step by step: registering a device on Android and iOS, and logging in by push, through the
handset API alone and through the control API alone. Telesign contract, sections 5.1 and 5.2.

The back end is the official client. Source: issue 4.
"""

import contextlib
import json

import pytest

import receiver
from telesign_clients import NUMBER, code_of
from telesign_flows import LOGIN, TOKEN, methods

VERSION = "1.2.0"


class TsPush:
    """A minimal copy of the mobile SDK: its state, and its calls to Telesign (5.4)."""

    def __init__(self, telesign, platform):
        self.telesign, self.platform = telesign, platform
        self.number = self.app_id = self.token = self.device = None

    def init(self, app):
        """Android only (step 2)."""
        assert self.platform == "android"
        self.app = app

    def is_registered(self):
        """Asks Telesign if it has a credential. Without one, nothing can be registered."""
        if self.token is None:
            return False
        answer = self.telesign.handset("GET", "registrations", self.token, params={
            "phone_number": self.number, "app_id": self.app_id})
        assert answer.status_code == 200, answer.text
        return answer.json()["registered"]

    def register(self, number, app_id, token, code, push_token):
        """Returns the SDK's final event."""
        self.number, self.app_id, self.token = number, app_id, token
        answer = self.telesign.handset("POST", "registrations", token, json={
            "phone_number": number, "app_id": app_id, "otp_code": code, "push_app_token": push_token,
            "platform": self.platform})
        assert answer.status_code == 201, answer.text
        assert answer.json()["status"] == {"code": 3900, "description": "Verified"}
        self.device = answer.json()["device_id"]
        return "TsPushEvent.RegistrationCompleted"

    def report(self, push, status):
        return self.telesign.handset(
            "POST", f"verifications/{push['reference_id']}/push-status", push["mobile_app_token"],
            json={"push_status": status})

    def decide(self, push, decision):
        return self.telesign.handset(
            "POST", f"verifications/{push['reference_id']}/decision", push["mobile_app_token"],
            json={"decision": decision, "device_id": self.device})


class Backend:
    """The customer's server, with its users and the official client."""

    def __init__(self, telesign):
        self.telesign = telesign
        self.passwords = {"jo": "secret"}
        self.push_tokens = {}

    def log_in(self, name, password):
        """Returns a `customer_auth_token` in the customer's own format."""
        assert self.passwords[name] == password
        return f"auth-{name}"

    def registration(self, auth):
        return self.push_tokens.get(auth)

    def begin_registration(self, number):
        answer = self.telesign.generic(
            recipient={"phone_number": number}, verification_policy=LOGIN, push_registration=True)
        assert (answer.status_code, code_of(answer)) == (200, 3901), answer.body
        return answer.json

    def begin_login(self, number, push_token, **fields):
        answer = self.telesign.generic(
            recipient={"phone_number": number, "push_app_token": push_token}, verification_policy=LOGIN, **fields)
        assert (answer.status_code, code_of(answer)) == (200, 3901), answer.body
        return answer.json


class Steps:
    """The numbered steps of the table, in order and each once. A failure names its step."""

    def __init__(self, platform):
        # iOS has no `init`: its steps are Android's without step 2.
        self.numbers = iter(number for number in range(1, 25) if platform == "android" or number != 2)
        self.taken = 0

    @contextlib.contextmanager
    def __call__(self, number, what):
        assert next(self.numbers) == number, f"step {number} is not the next one"
        try:
            yield
        except Exception as error:
            error.add_note(f"in step {number} of the registration: {what}")
            raise
        self.taken += 1


@pytest.mark.parametrize("platform, count", [("android", 24), ("ios", 23)])
def test_telesign_push_registration_step_by_step(telesign, platform, count):
    """The table of 5.1. Step numbers are Android's."""
    step = Steps(platform)
    backend, sdk = Backend(telesign), TsPush(telesign, platform)

    with step(1, "USER installs and opens APP"):
        app = {"screen": "welcome", "storage": {}}
    if platform == "android":
        with step(2, "APP → SDK: TsPush.init(AppContext)"):
            sdk.init(app)
    with step(3, "APP → USER: asks for phone number, user name, password"):
        app["screen"] = "sign in"
    with step(4, "USER → APP: types them"):
        typed = {"number": NUMBER, "name": "jo", "password": "secret"}
    with step(5, "APP → BACKEND: login"):
        auth = backend.log_in(typed["name"], typed["password"])
    with step(6, "BACKEND → APP: customer_auth_token"):
        app["storage"]["auth"] = auth
    with step(7, "APP → SDK: TsPush.isRegistered() → false"):
        assert sdk.is_registered() is False
    with step(8, "APP → Firebase SDK: getToken() → push_app_token"):
        push_token = TOKEN
    with step(9, "APP → BACKEND: asks to register with the auth token, push_app_token and phone number"):
        asked = (app["storage"]["auth"], push_token, typed["number"])
    with step(10, "BACKEND has no registration for this auth token"):
        assert backend.registration(asked[0]) is None
    with step(11, "BACKEND → TELESIGN: creates a process with push_registration=true"):
        made = backend.begin_registration(asked[2])
        assert made["state"] == "ONGOING"
    with step(12, "TELESIGN → USER: SMS with the code, at once"):
        assert [message["channel"] for message in telesign.inbox()] == ["sms"]
        process = telesign.process(made["reference_id"])
        assert methods(process) == [("push", "SKIPPED"), ("sms", "ONGOING")]
    with step(13, "TELESIGN → BACKEND: reference_id and mobile_app_token"):
        backend.push_tokens[asked[0]] = asked[1]
        assert made["reference_id"] and made["mobile_app_token"]
    with step(14, "BACKEND → APP: mobile_app_token"):
        mobile_app_token = made["mobile_app_token"]
    with step(15, "APP → USER: asks for the code"):
        app["screen"] = "code"
    with step(16, "USER → APP: reads it off the SMS and types it"):
        code = telesign.code()
        assert code in telesign.text()
    with step(17, "APP builds and stores an app ID"):
        app["storage"]["app_id"] = f"com.your.app:{VERSION}"
    with step(18, "APP → SDK: TsPush.register(phone_number, app_id, mobile_app_token, otp_code)"):
        register = (typed["number"], app["storage"]["app_id"], mobile_app_token, code, push_token)
    with step(19, "SDK stores the number in app data"):
        app["storage"]["number"] = typed["number"]
    with step(20, "SDK → TELESIGN: code and app ID, by the mobile app token"):
        event = sdk.register(*register)
    with step(21, "TELESIGN → SDK: the code matches"):
        assert sdk.device is not None
        assert telesign.process(made["reference_id"])["state"] == "VERIFIED"
    with step(22, "SDK → APP: TsPushEvent.RegistrationCompleted"):
        assert event == "TsPushEvent.RegistrationCompleted"
    with step(23, "APP → SDK: TsPush.isRegistered() → true"):
        assert sdk.is_registered() is True
    with step(24, "APP lets USER in"):
        app["screen"] = "home"

    assert (step.taken, app["screen"]) == (count, "home")


# 5.2, by the handset API alone

@pytest.fixture
def phone(telesign):
    """A handset with a registered app, and its back end."""
    backend, sdk = Backend(telesign), TsPush(telesign, "android")
    made = backend.begin_registration(NUMBER)
    sdk.register(NUMBER, f"com.your.app:{VERSION}", made["mobile_app_token"], telesign.code(), TOKEN)
    telesign.sandbox.control("DELETE", f"inbox/+{NUMBER}")
    return backend, sdk


def texts(telesign):
    """The messages on a handset, without pushes."""
    return [message["channel"] for message in telesign.inbox() if message["channel"] != "push"]


@pytest.mark.parametrize("decision, state, inner", [
    ("approve", "VERIFIED", [("push", "VERIFIED"), ("sms", "SKIPPED")]),
    ("deny", "REJECTED", [("push", "REJECTED"), ("sms", "SKIPPED")])])
def test_telesign_push_login_is_decided(telesign, phone, decision, state, inner):
    backend, sdk = phone
    push = backend.begin_login(NUMBER, TOKEN, external_id="login-7781")
    assert (push["state"], telesign.process(push["reference_id"])["state"]) == ("CREATED", "CREATED")
    assert [entry["fallback_time"] for entry in push["verification_policy"]] == [60, 240]

    assert sdk.report(push, "delivered").status_code == 200
    telesign.advance("5s")  # the website asks every 5 s at most
    assert telesign.process(push["reference_id"])["state"] == "ONGOING"
    answer = sdk.decide(push, decision)
    telesign.advance("5m")

    assert answer.status_code == 200, answer.text
    process = telesign.process(push["reference_id"])
    assert (process["state"], methods(process)) == (state, inner)
    assert process["external_id"] == "login-7781"
    assert texts(telesign) == []


def test_telesign_push_login_is_ignored_and_falls_back(telesign, phone):
    backend, sdk = phone
    push = backend.begin_login(NUMBER, TOKEN)
    telesign.advance("59s")
    assert (telesign.process(push["reference_id"])["state"], texts(telesign)) == ("CREATED", [])
    telesign.advance("2s")

    late = sdk.decide(push, "approve")

    process = telesign.process(push["reference_id"])
    assert (process["state"], methods(process)) == ("ONGOING", [("push", "FAILED"), ("sms", "ONGOING")])
    assert process["inner_methods"][0]["err_code"] == 3056
    assert texts(telesign) == ["sms"]
    assert (late.status_code, late.json()["status"]["code"]) == (400, 3908)
    assert telesign.verdict(push["reference_id"], telesign.code()) == 3900
    assert telesign.process(push["reference_id"])["state"] == "VERIFIED"


def test_telesign_push_login_is_ignored_till_the_end(telesign, phone):
    backend, _ = phone
    push = backend.begin_login(NUMBER, TOKEN)
    telesign.advance("10m")

    assert telesign.process(push["reference_id"])["state"] == "FAILED"
    assert telesign.verdict(push["reference_id"], telesign.code()) == 3908


def test_telesign_push_login_calls_the_back_end(telesign, phone):
    """Callbacks report delivered, read and the end to the customer (5.2, 13.4)."""
    backend, sdk = phone
    with receiver.Receiver() as hook:
        telesign.switch(account__callback_url=hook.url)
        push = backend.begin_login(NUMBER, TOKEN)
        sdk.report(push, "delivered")
        sdk.report(push, "read")
        sdk.decide(push, "approve")
        # They come one after the other, each with the state of its event.
        bodies = [json.loads(hook.next()[2]) for _ in range(3)]

    assert {body["reference_id"] for body in bodies} == {push["reference_id"]}
    states = [(body["inner_methods"][0]["err_code"], body["state"]) for body in bodies]
    assert states == [(3000, "ONGOING"), (3005, "ONGOING"), (3900, "VERIFIED")]


def test_telesign_push_of_another_token_finds_no_device(telesign, phone):
    backend, _ = phone

    push = backend.begin_login(NUMBER, "another-token")

    assert methods(telesign.process(push["reference_id"])) == [("push", "FAILED"), ("sms", "ONGOING")]
    assert texts(telesign) == ["sms"]


# 5.2, by the control API alone

@pytest.fixture
def handset(telesign):
    """A device that the control API registered, without an app."""
    made = telesign.sandbox.control("POST", "devices", json={
        "number": f"+{NUMBER}", "provider": "telesign", "app": f"com.your.app:{VERSION}", "pushToken": TOKEN,
        "platform": "ios"}).json()
    assert made["id"] in telesign.sandbox.control("GET", "devices").text
    telesign.sandbox.control("DELETE", "inbox")  # the code of the registration
    return made["id"]


def pushes(telesign, **filters):
    return telesign.sandbox.control("GET", "pushes", params=filters).json()["pushes"]


def control(telesign, device, answer, expect=(200,)):
    return telesign.sandbox.control("POST", f"devices/{device}/{answer}", expect=expect)


@pytest.mark.parametrize("by", ["device", "number", "reference", "latest"])
@pytest.mark.parametrize("answer, state", [("approve", "VERIFIED"), ("deny", "REJECTED")])
def test_telesign_push_login_by_control_is_decided(telesign, handset, by, answer, state):
    push = Backend(telesign).begin_login(NUMBER, TOKEN)
    (sent,) = pushes(telesign)
    assert (sent["to"], sent["number"], sent["provider"]) == (TOKEN, f"+{NUMBER}", "telesign")
    assert {name: sent["data"][name] for name in ("provider", "type", "reference_id")} == {
        "provider": "telesign", "type": "push_verify", "reference_id": push["reference_id"]}
    assert sent["data"]["mobile_app_token"] == push["mobile_app_token"]
    assert sent["data"]["expires_on"].endswith("Z")

    control(telesign, {"device": handset, "number": f"+{NUMBER}", "reference": push["reference_id"],
                       "latest": "latest"}[by], answer)

    assert telesign.process(push["reference_id"])["state"] == state
    assert pushes(telesign, state="pending") == []
    assert texts(telesign) == []
    control(telesign, handset, "approve", expect=(409,))


def test_telesign_push_login_by_control_is_ignored_and_falls_back(telesign, handset):
    push = Backend(telesign).begin_login(NUMBER, TOKEN)
    telesign.advance("61s")

    control(telesign, handset, "approve", expect=(409,))

    assert methods(telesign.process(push["reference_id"])) == [("push", "FAILED"), ("sms", "ONGOING")]
    assert telesign.verdict(push["reference_id"], telesign.code()) == 3900


def test_telesign_push_login_by_control_on_a_device_of_the_handset_api(telesign, phone):
    """Both APIs work on the same device and the same challenge."""
    backend, sdk = phone
    push = backend.begin_login(NUMBER, TOKEN)

    control(telesign, sdk.device, "approve")

    assert telesign.process(push["reference_id"])["state"] == "VERIFIED"
    again = sdk.decide(push, "deny")
    assert (again.status_code, again.json()["status"]["code"]) == (400, 3931)


def test_telesign_push_device_that_is_removed_gets_nothing(telesign, handset):
    telesign.sandbox.control("DELETE", f"devices/{handset}")

    push = Backend(telesign).begin_login(NUMBER, TOKEN)

    assert methods(telesign.process(push["reference_id"])) == [("push", "FAILED"), ("sms", "ONGOING")]
    assert pushes(telesign) == []


def test_telesign_qr_by_control_is_scanned(telesign, handset):
    """The registered app scans the website's QR code and approves (5.5)."""
    answer = telesign.generic(recipient={"phone_number": NUMBER},
                              verification_policy=[{"method": "stamp"}, {"method": "sms"}])
    made = answer.json
    assert pushes(telesign) == []

    telesign.sandbox.control("POST", f"devices/{handset}/scan", json={
        "text": f"https://acme.example/qr?ref={made['reference_id']}"})
    control(telesign, made["reference_id"], "approve")

    assert telesign.process(made["reference_id"])["state"] == "VERIFIED"
