"""Every provider after a crash: acknowledged changes are there, and due work is done at its time."""

import datetime
import json

import pytest
from twilio.rest import Client

import hyphen_client
import prove_client
import receiver
import ringfence
import telesign_clients
import telesign_flows
import telesign_schemas
import telesign_signing
import twilio_verify_push
from telesign_clients import NUMBER

PHONE = "+12025550101"
FRENCH = {"type": "phone_number", "value": "+33639980001"}
EMAIL = "mara@example.test"
# Telesign's clients sign with the time of this machine.
NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)


class Process:
    """A server with data, at the same address after each crash, and its default sandbox."""

    def __init__(self, data):
        self.data, self.address = data, "127.0.0.1:0"
        self.start()
        self.address = self.server.http.removeprefix("http://")
        self.sandbox = ringfence.Sandbox(self.server.sandbox_described("default"))
        self.own = self.sandbox.credentials

    def start(self):
        self.server = ringfence.Server("--data", self.data, "--clock", NOW.strftime("%Y-%m-%dT%H:%M:%SZ"), listeners=(
            "--http", self.address, "--https", "off", "--gateway", "off"))

    def crash(self):
        self.server.kill()
        self.start()

    def send(self, method, path, auth=None, **named):
        """The answer, a JSON document or None; a text as `auth` is a bearer token."""
        if isinstance(auth, str):
            auth, named["headers"] = None, {"Authorization": f"Bearer {auth}", **named.get("headers", {})}
        answer = self.sandbox.session.request(method, f"{self.server.http}{path}", auth=auth, timeout=10, **named)
        assert answer.ok, answer.text
        return answer.json() if answer.content else None

    def camara_token(self, scope):
        own = self.own["camara"]
        form = {"grant_type": "client_credentials", "scope": scope}
        return self.send("POST", "/oauth2/token", (own["clientId"], own["clientSecret"]), data=form)["access_token"]


@pytest.fixture
def process(tmp_path):
    process = Process(tmp_path / "data")
    yield process
    process.server.stop()


def test_a_silent_verification_of_prelude_continues(process):
    dispatch, token = "019c0000-0000-7000-8000-000000000001", process.own["prelude"]["apiToken"]
    process.send("OPTIONS", "/v1/signals", headers={
        "X-SDK-Key": process.own["prelude"]["sdkKey"], "X-SDK-DispatchID": dispatch, "X-SDK-Implemented-Features": "1"})
    made = process.send("POST", "/v2/verification", token, json={"target": FRENCH, "dispatch_id": dispatch})
    assert made["method"] == "silent", made

    process.crash()

    # The phone follows the chain of addresses to the code.
    code = process.sandbox.session.get(made["silent"]["request_url"], timeout=10).json()["code"]
    answer = process.send("POST", "/v2/verification/check", token, json={"target": FRENCH, "code": code})
    assert (answer["status"], answer["id"]) == ("success", made["id"])


def test_test_numbers_and_scheduled_messages_of_prelude_stay(process):
    token, numbers = process.own["prelude"]["apiToken"], "/v2/verification/management/phone-numbers/sandbox"
    process.send("PUT", numbers, token, json={"phone_number": "+33639980057", "attempt_code": "424242"})
    process.send("POST", "/v2/notify", token, json={
        "template_id": "template_x", "to": FRENCH["value"],
        "schedule_at": (NOW + datetime.timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")})

    process.crash()

    listed = process.send("GET", numbers, token)["phone_numbers"]
    assert [entry["attempt_code"] for entry in listed] == ["424242"]
    assert process.sandbox.entries(f"inbox/{FRENCH['value']}") == []
    process.sandbox.advance("1h1s")
    assert [message["text"] for message in process.sandbox.entries(f"inbox/{FRENCH['value']}")] == ["[template_x]"]


def vonage_verification(process):
    pair = (process.own["vonage"]["apiKey"], process.own["vonage"]["apiSecret"])
    workflow = [{"channel": "sms", "to": PHONE[1:]}]
    made = process.send("POST", "/v2/verify", pair, json={"brand": "Acme", "workflow": workflow})
    return lambda code: process.send("POST", f"/v2/verify/{made['request_id']}", pair, json={"code": code})["status"] == "completed"


def sinch_verification(process):
    pair, path = (process.own["sinch"]["applicationKey"], process.own["sinch"]["applicationSecret"]), "/verification/v1/verifications"
    made = process.send("POST", path, pair, json={"identity": {"type": "number", "endpoint": PHONE}, "method": "sms"})
    report = {"method": "sms"}
    return lambda code: process.send(
        "PUT", f"{path}/id/{made['id']}", pair, json={**report, "sms": {"code": code}})["status"] == "SUCCESSFUL"


def camara_code(process):
    """The token survives too."""
    token, path = process.camara_token("one-time-password-sms:send-validate"), "/one-time-password-sms/v1"
    made = process.send("POST", f"{path}/send-code", token, json={"phoneNumber": PHONE, "message": "{{code}}"})
    return lambda code: process.send(
        "POST", f"{path}/validate-code", token, json={"authenticationId": made["authenticationId"], "code": code}) is None


@pytest.mark.parametrize("begin", [vonage_verification, sinch_verification, camara_code])
def test_a_code_is_checked(process, begin):
    check = begin(process)

    process.crash()

    assert check(process.sandbox.code(PHONE))


def test_a_subscription_of_camara_stays(process):
    swaps = "sim-swap-subscriptions"
    swapped = f"org.camaraproject.{swaps}.v0.swapped"
    with receiver.Receiver() as up:
        made = process.send("POST", f"/{swaps}/v0.3/subscriptions", process.camara_token(f"{swaps}:{swapped}:create"), json={
            "protocol": "HTTP", "sink": up.url, "types": [swapped], "config": {"subscriptionDetail": {"phoneNumber": PHONE}}})

        process.crash()

        process.sandbox.control("POST", f"subscribers/{PHONE}/events", json={"event": "simSwap"})
        _, _, body = up.next()
    assert json.loads(body)["data"]["subscriptionId"] == made["id"]


def test_accounts_tokens_and_requests_of_hyphen_stay(process):
    old = hyphen_client.Phone(process.sandbox, "old-iphone", "iOS", email=EMAIL).sign_up()
    new = hyphen_client.Phone(process.sandbox, "new-iphone", "iOS", email=EMAIL)
    new.request_approval()
    before = new.fetch().text

    process.crash()
    assert new.fetch().text == before
    assert old.approve(new.request_id).status == 200

    process.crash()
    new.keep(new.finish().json())
    assert [push["data"]["hyphen:type"] for push in new.pushes()] == ["2fa-status-change"]


def test_a_person_answers_hyphen_later(process):
    new = hyphen_client.Phone(process.sandbox, "new-iphone", "iOS", email="auto-ok@example.test")
    new.request_approval()

    process.crash()

    assert new.fetch()["twoFactorAuth"]["status"] == "pending"
    process.sandbox.advance("2s")
    assert hyphen_client.two_factor_auth(new.fetch()["twoFactorAuth"])["status"] == "approved"


def test_a_session_of_prove_continues(process):
    number, go = "2001004014", prove_client.GO.client(process.sandbox)
    unified = go.unify(possessionType="mobile", phoneNumber=number, allowOTPRetry=True)
    device = prove_client.Device()
    device.authenticate(unified)
    device.otp_start()
    assert device.otp("0000")["attemptsLeft"] == 2

    process.crash()
    assert go.status(unified["correlationId"])["success"] == "pending"
    assert device.otp("1111")["attemptsLeft"] == 1
    assert device.otp("1234")["step"] == "auth_finish"
    passed = go.status(unified["correlationId"])
    assert passed["success"] == "true"

    process.crash()
    assert go.status(unified["correlationId"]).json() == passed.json()
    again = go.unify(possessionType="mobile", phoneNumber=number)
    assert device.authenticate(again)["step"] == "auth_finish"
    process.sandbox.advance("901s")
    assert go.status(unified["correlationId"]).status == 400
    assert prove_client.send("GET", f"{device.url}/{device.step['authId']}").json()["step"] == "auth_finish"


def test_factors_challenges_and_tokens_of_twilio_stay(process):
    own = process.own["twilio"]
    client = Client(own["accountSid"], own["authToken"])
    client.verify.base_url = process.sandbox.base
    service = client.verify.v2.services(own["serviceSid"])
    entity = service.entities("user-ana-0001")

    def phone():
        return twilio_verify_push.Phone(process.sandbox.base, own["serviceSid"], "user-ana-0001", lambda: int(NOW.timestamp()))

    def token():
        return service.access_tokens.create(identity="user-ana-0001", factor_type="push").token

    ana, second = phone(), phone()
    ana.create_factor(token(), push_token="ana-phone-0123456789abcdef0123456789abcdef")
    ana.verify_factor()
    answered, pending = [entity.challenges.create(factor_sid=ana.factor["sid"], details_message=place) for place in ("Lima", "Cusco")]
    ana.respond(answered.sid, "approved")
    unused = token()

    process.crash()

    assert [challenge.fetch().status for challenge in (answered, pending)] == ["approved", "pending"]
    assert process.sandbox.entries("pushes")[-1]["data"]["challenge_sid"] == pending.sid
    assert ana.challenge(pending.sid)[0]["details"]["message"] == "Cusco"
    ana.respond(pending.sid, "denied")
    assert pending.fetch().status == "denied"
    second.create_factor(unused)
    assert [factor.status for factor in entity.factors.list()] == ["verified", "unverified"]


def test_a_push_of_telesign_is_answered(process):
    pair = (process.own["telesign"]["customerId"], process.own["telesign"]["apiKey"])
    process.sandbox.control("POST", "devices", json={"number": PHONE, "provider": "telesign", "pushToken": "fcm-1"})
    made = process.send("POST", "/verification", pair, json={
        "recipient": {"phone_number": PHONE[1:], "push_app_token": "fcm-1"},
        "verification_policy": [{"method": "push"}, {"method": "sms"}]})
    devices = process.sandbox.control("GET", f"devices/{PHONE}").json()

    process.crash()

    assert process.sandbox.control("GET", f"devices/{PHONE}").json() == devices
    process.sandbox.control("POST", f"devices/{PHONE}/approve")
    state = process.send("GET", f"/verification/{made['reference_id']}", pair)["state"]
    assert (made["state"], state) == ("CREATED", "VERIFIED")


@pytest.fixture
def telesign(process):
    return telesign_clients.Clients(process.sandbox, telesign_schemas.TelesignSchemas().check)


def test_a_process_of_telesign_continues(process, telesign):
    reference = telesign.begin(verification_policy=[{"method": "whatsapp", "fallback_time": 60}, {"method": "sms"}])
    code = telesign.code()
    assert telesign.verdict(reference, ringfence.different(code)) == 3909
    telesign.advance("30s")

    process.crash()

    assert telesign_flows.methods(telesign.process(reference)) == [("whatsapp", "ONGOING"), ("sms", "CREATED")]
    telesign.advance("31s")
    assert telesign_flows.methods(telesign.process(reference)) == [("whatsapp", "FAILED"), ("sms", "ONGOING")]
    assert [message["channel"] for message in telesign.inbox()] == ["whatsapp", "sms"]
    # The attempt before the crash counts, and the code is still valid.
    assert telesign.verdict(reference, ringfence.different(code)) == 3909
    assert telesign.verdict(reference, code) == 3900


def test_a_code_a_setting_and_a_used_nonce_of_telesign_stay(process, telesign):
    kind, body = telesign_flows.BODIES[telesign_flows.SMS]
    telesign.switch(sms_verify__attempts=2)
    reference = telesign.vc.sms(NUMBER, verify_code="4242").json["reference_id"]
    assert telesign.vc.status(reference, verify_code="1").json["verify"]["code_state"] == "INVALID"
    headers = telesign.caller.headers("POST", telesign_flows.SMS, content_type=kind, body=body)
    assert telesign.raw("POST", telesign_flows.SMS, headers, body).status_code == 200

    process.crash()

    replayed = telesign.raw("POST", telesign_flows.SMS, headers, body)
    assert (replayed.status_code, telesign_clients.error_of(replayed)) == (401, -30012)
    states = [telesign.vc.status(reference, verify_code=code).json["verify"]["code_state"] for code in ("2", "4242")]
    assert states == ["INVALID", "MAX_ATTEMPTS_EXCEEDED"]


def test_a_due_callback_of_telesign_is_sent_once(process, telesign):
    port = receiver.free_port()
    telesign.switch(account__callback_url=f"http://127.0.0.1:{port}/hook")
    reference = telesign.vc.sms(NUMBER).json["reference_id"]
    telesign.advance("3s")  # delivered, and nobody listens

    process.server.kill()
    with receiver.Receiver(port) as up:
        process.start()
        telesign.advance("1m")
        (arrived,) = up.all()
        telesign.advance("1h")
        assert up.all() == []

    assert json.loads(arrived[2])["reference_id"] == reference
    signed = {name.lower(): value for name, value in arrived[1].items()}["x-ts-authorization"]
    assert signed == telesign_signing.signature(telesign_signing.decoded(telesign_clients.PUBLISHED[1]), arrived[2].decode())
