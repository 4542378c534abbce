"""An app's side of webhooks, for each provider: it sends messages that cause them, and checks signatures as
the official libraries do; with the published key for Prelude, as the contract says for Sinch, whose libraries
have no check, and by the bearer token for CAMARA."""

import base64
import datetime
import hashlib
import hmac
import json
import urllib.parse

import jwt
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from telesign.util import verify_telesign_callback_signature
from twilio.request_validator import RequestValidator
from vonage_jwt import VonageVerifyJwtError, verify_signature
from vonage_sms import SmsMessage
from vonage_verify import SmsChannel, VerifyRequest

import camara_client
import receiver
import sinch_client

NUMBER, OTHER = "+12025550100", "+12025550101"


class TwilioSender:
    name, body = "twilio", {"MessageSid": "SM" + "0" * 32, "MessageStatus": "delivered", "To": NUMBER}
    time_of = None

    def __init__(self, fixture, up):
        self.client, self.sandbox, self.up = fixture("client"), fixture("sandbox"), up

    def send(self, number=NUMBER):
        self.client.messages.create(to=number, from_="+12025550199", body="Hello", status_callback=self.up.url)
        self.sandbox.advance("1s")

    def accepts(self, arrival):
        path, headers, body = arrival
        form = self.read(body)
        validator = RequestValidator(self.sandbox.credentials["twilio"]["authToken"])
        return validator.validate(f"http://127.0.0.1:{self.up.port}{path}", form, headers.get("X-Twilio-Signature", ""))

    @staticmethod
    def read(body):
        return dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True))

    @staticmethod
    def status_of(form):
        return form["MessageStatus"]


class TelesignSender:
    name, body = "telesign", {"reference_id": "0" * 32, "status": {"code": 200}}

    def __init__(self, fixture, up):
        self.telesign, self.up = fixture("telesign"), up
        self.sandbox = self.telesign.sandbox
        self.telesign.switch(account__callback_url=up.url)

    def send(self, number=NUMBER):
        assert self.telesign.vc.sms(number[1:]).status_code == 200
        self.sandbox.advance("60s")

    def accepts(self, arrival):
        _, headers, body = arrival
        headers = {name.lower(): value for name, value in headers.items()}
        signature = headers.get("x-ts-authorization")
        same = headers.get("authorization") == f"TSA {self.telesign.customer}:{signature}"
        return signature is not None and same and verify_telesign_callback_signature(
            self.telesign.key, signature, body.decode())

    read = staticmethod(json.loads)

    @staticmethod
    def status_of(body):
        return str(body["status"]["code"])

    @staticmethod
    def time_of(arrival):
        return json.loads(arrival[2])["submit_timestamp"]


class PreludeSender:
    name, body = "prelude", {"id": "evt_1", "type": "verify.attempt", "payload": {}, "created_at": "2026-01-05T10:20:30Z"}

    def __init__(self, fixture, up):
        self.prelude, self.sandbox, self.up = fixture("prelude"), fixture("sandbox"), up

    def send(self, number=NUMBER):
        self.prelude.verification.create(
            target={"type": "phone_number", "value": number}, options={"callback_url": self.up.url})
        self.sandbox.advance("1s")

    def accepts(self, arrival):
        _, headers, body = arrival
        key = serialization.load_pem_public_key(self.sandbox.control("GET", "webhooks/keys").content)
        text = headers.get("X-Webhook-Signature", "").partition("=")[2]
        try:
            key.verify(base64.urlsafe_b64decode(text), body, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())
        except InvalidSignature:
            return False
        return True

    read = staticmethod(json.loads)

    @staticmethod
    def status_of(body):
        return body["payload"].get("status") or body["type"].rpartition(".")[2]

    @staticmethod
    def time_of(arrival):
        return json.loads(arrival[2])["created_at"]


class VonageSender:
    name, body = "vonage", {"request_id": "0" * 36, "type": "event", "status": "completed"}

    def __init__(self, fixture, up):
        self.vonage, self.up = fixture("vonage"), up
        self.sandbox = self.vonage.sandbox
        self.vonage.receive_at(up.url)

    def send(self, number=NUMBER):
        started = self.vonage.application.verify.start_verification(
            VerifyRequest(brand="Acme", workflow=[SmsChannel(to=number[1:])]))
        self.vonage.application.verify.check_code(started.request_id, self.sandbox.code(number))
        self.sandbox.advance("1s")

    def accepts(self, arrival):
        _, headers, body = arrival
        token = headers.get("Authorization", "").removeprefix("Bearer ")
        try:
            claims = jwt.decode(token, options={"verify_signature": False})
            same = claims["payload_hash"] == hashlib.sha256(body).hexdigest()
            return same and verify_signature(token, self.vonage.own["signatureSecret"])
        except (VonageVerifyJwtError, jwt.InvalidTokenError):
            return False

    read = staticmethod(json.loads)

    @staticmethod
    def status_of(body):
        return f"{body['type']} {body['status']}"

    # The time is in the token.
    time_of = None


class VonageSMSSender:
    """Receipts of the SMS API, whose signature is a member of their body."""

    name = "vonage"
    kind = "sms_receipt"
    body = {"msisdn": NUMBER[1:], "to": "Acme", "messageId": "1", "status": "delivered", "err-code": "0"}
    time_of = None

    def __init__(self, fixture, up):
        self.vonage, self.up = fixture("vonage"), up
        self.sandbox = self.vonage.sandbox
        self.vonage.settings(signWebhooks=True, signatureMethod="sha256", deliveryUrl=up.url)

    def send(self, number=NUMBER):
        self.vonage.account.sms.send(SmsMessage(to=number[1:], from_="Acme", text="Hello"))
        self.sandbox.advance("1s")

    def accepts(self, arrival):
        client = self.vonage.client(
            api_key=self.vonage.own["apiKey"], signature_secret=self.vonage.own["signatureSecret"], signature_method="sha256")
        members = json.loads(arrival[2])
        return "sig" in members and client.http_client.auth.check_signature(members)

    read = staticmethod(json.loads)

    @staticmethod
    def status_of(body):
        return body["status"]


class SinchSMSSender:
    """Delivery reports of a batch, which the plan's secret signs."""

    name, kind = "sinch", "recipient_delivery_report_sms"
    body = {"type": kind, "batch_id": "1", "recipient": NUMBER[1:], "code": 0, "status": "Delivered"}
    secret = "shared secret"

    def __init__(self, fixture, up):
        self.sandbox, self.up = fixture("sandbox"), up
        plan = {"id": self.sandbox.credentials["sinch"]["servicePlanId"], "token": "********", "hmacSecret": self.secret}
        self.sandbox.seed(sinch={"plans": [plan]})
        self.batches = sinch_client.connect_sms(self.sandbox, "plan").sms.batches

    def send(self, number=NUMBER):
        self.batches.send(body="Hello", to=[number[1:]], from_="12025550199",
                          delivery_report="per_recipient_final", callback_url=self.up.url)
        self.sandbox.advance("1s")

    def accepts(self, arrival):
        _, headers, body = arrival
        name = "x-sinch-webhook-signature"
        text = body + f".{headers.get(name + '-nonce')}.{headers.get(name + '-timestamp')}".encode()
        signature = hmac.new(self.secret.encode(), text, hashlib.sha256).digest()
        return headers.get(name) == base64.b64encode(signature).decode()

    read = staticmethod(json.loads)

    @staticmethod
    def status_of(body):
        return body["status"]

    @staticmethod
    def time_of(arrival):
        return json.loads(arrival[2])["at"]


class SinchSender:
    """Sends results only: the application has no callback URL at the start, whose callback would decide."""

    name = "sinch"
    body = {"id": "1234567890", "event": "VerificationResultEvent", "method": "sms", "status": "SUCCESSFUL",
            "identity": {"type": "number", "endpoint": NUMBER}}

    def __init__(self, fixture, up):
        self.client, self.sandbox, self.up = fixture("sinch").verification.verifications, fixture("sandbox"), up

    def send(self, number=NUMBER):
        self.call_back("")
        self.client.start_sms(identity=sinch_client.identity(number))
        code = self.sandbox.control("GET", f"inbox/{number}/latest/code").text.strip()
        self.call_back(self.up.url)
        assert self.client.report_sms_by_identity(number, code).status == "SUCCESSFUL"
        self.sandbox.advance("1s")

    def call_back(self, url):
        self.sandbox.control("POST", "seed", json={"sinch": {"settings": {"callbackUrl": url}}})

    def accepts(self, arrival):
        return sinch_client.is_signed(self.sandbox, *arrival)

    read = staticmethod(json.loads)

    @staticmethod
    def status_of(body):
        return body["status"]

    @staticmethod
    def time_of(arrival):
        return arrival[1]["x-timestamp"]


class CAMARASender:
    """A SIM swap, which ends the subscription. Nothing signs a notification: the receiver knows it by the
    token that it has given."""

    name = "camara"
    body = {"id": "1", "source": "/sim-swap", "type": camara_client.SWAPPED, "specversion": "1.0",
            "time": "2026-01-05T10:20:30.000Z", "data": {"subscriptionId": "1"}}
    token = "receiver-token"

    def __init__(self, fixture, up):
        self.sandbox, self.up = fixture("sandbox"), up
        self.client = camara_client.Plain(self.sandbox)
        self.subscribe(NUMBER)

    def subscribe(self, number):
        scope = f"{camara_client.SWAPS}:{camara_client.SWAPPED}:create"
        made = self.client.subscribe(self.up.url, number, self.client.token(scope), self.token)
        assert made.status_code == 201, made.text

    def send(self, number=NUMBER):
        if number != NUMBER:
            self.subscribe(number)
        self.sandbox.control("POST", f"subscribers/{number}/events", json={"event": "simSwap"})
        self.sandbox.advance("1s")

    def accepts(self, arrival):
        return arrival[1].get("Authorization") == f"Bearer {self.token}"

    read = staticmethod(json.loads)

    @staticmethod
    def status_of(body):
        return body["type"].rpartition(".")[2]

    @staticmethod
    def time_of(arrival):
        return json.loads(arrival[2])["time"]


SENDERS = {each.__name__.removesuffix("Sender").lower(): each for each in (
    TwilioSender, TelesignSender, PreludeSender, VonageSender, VonageSMSSender, SinchSender, SinchSMSSender,
    CAMARASender)}


def receipts_flow(flows, sender):
    """What a receiver gets of the receipts of a plain text, in a few words."""
    seen = webhook_flow(flows, sender)
    parts = [seen["webhooks"], seen["signature"] and f"signature {seen['signature']}",
             seen["timestamp"] and f"timestamp {seen['timestamp']}"]
    return "; ".join(part for part in parts if part)


def webhook_flow(flows, sender=None):
    """What a receiver gets of a message's webhooks, for a provider's failure flows."""
    fails = flows.failure["id"] == "webhook-receiver-fails"
    with receiver.Receiver(answers=(500, 200) if fails else (200,)) as up:
        sender = (sender or flows.sender)(flows.fixture, up)
        start = time_in(sender.sandbox.control("GET", "clock").json()["now"])
        sender.send()
        on_time = up.all()
        if flows.failure["id"] == "webhook-forged":
            flows.produce()
            on_time = up.all()
        sender.sandbox.advance("10m")
        arrivals = on_time + up.all()
    verdicts = {"valid" if sender.accepts(each) else "refused" for each in arrivals}
    bodies = [sender.read(body) for _, _, body in arrivals]
    return {
        "webhooks": f"{len(arrivals)}, of them {len(on_time)} on time",
        "order": ", ".join(map(sender.status_of, bodies)) or None,
        "signature": " and ".join(sorted(verdicts)) or None,
        "timestamp": ages(arrivals, sender.time_of, start),
        "content type": " and ".join(sorted({each[1].get("Content-Type", "none") for each in arrivals})) or None,
    }


def time_in(text):
    return datetime.datetime.fromisoformat(text)


def ages(arrivals, time_of, start):
    """How old the timestamps are; None without timestamps."""
    if time_of is None or not arrivals:
        return None
    hours = {round((start - time_in(time_of(arrival))).total_seconds() / 3600) for arrival in arrivals}
    return " and ".join("current" if age == 0 else f"{age} h old" for age in sorted(hours))
