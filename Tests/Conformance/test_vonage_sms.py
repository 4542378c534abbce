"""Vonage SMS with the official client: senders.md, section 5. The others: Sources/Providers/Vonage/Checks."""

import json
import urllib.parse

import pytest
from vonage_http_client.errors import AuthenticationError, HttpRequestError
from vonage_messages import Sms
from vonage_sms import SmsMessage
from vonage_sms.errors import SmsError

import receiver
import vonage_client

NUMBER = "12025550150"


@pytest.fixture
def vonage(sandbox):
    return vonage_client.Clients(sandbox)


def message(to=NUMBER, text="Your code is 482913", **more):
    return SmsMessage(to=to, from_="Acme", text=text, **more)


def refusal(act):
    with pytest.raises(SmsError) as caught:
        act()
    return str(caught.value).partition("error code ")[2]


def signing(vonage, method="md5"):
    """A client with the signature secret only."""
    return vonage.client(
        api_key=vonage.own["apiKey"], signature_secret=vonage.own["signatureSecret"], signature_method=method)


def test_vonage_ns1_and_ns2_a_text(vonage):
    answer = vonage.account.sms.send(message(client_ref="r1", ttl=20000, status_report_req=True))

    assert answer.message_count == "1"
    (sent,) = answer.messages
    assert (sent.to, sent.status, sent.message_price, sent.client_ref) == (NUMBER, "0", "0.03330000", "r1")
    assert sent.remaining_balance == "9999.96670000"
    assert vonage.sandbox.code(f"+{NUMBER}") == "482913"
    balance = vonage.account.account.get_balance()
    assert (balance.value, balance.auto_reload) == (9999.9667, False)


def test_vonage_ns8_refusals(vonage):
    assert refusal(lambda: vonage.account.sms.send(message(to="banana"))) == "3: Invalid value for param: to"
    wrong = vonage.client(api_key=vonage.own["apiKey"], api_secret="wrong")
    assert refusal(lambda: wrong.sms.send(message())) == "4: Bad Credentials"
    with pytest.raises(AuthenticationError):
        wrong.account.get_balance()


def test_vonage_conversions(vonage):
    with pytest.raises(HttpRequestError) as caught:
        vonage.account.sms.submit_sms_conversion("1")
    assert caught.value.response.status_code == 402
    vonage.settings(conversions="accept")
    assert vonage.account.sms.submit_sms_conversion("1") is None


def test_vonage_ns7_the_sdk_signs_unset_parameters(vonage):
    assert refusal(lambda: signing(vonage).sms.send(message())) == "14: Invalid Signature"

    (why,) = [entry["why"] for entry in vonage.sandbox.entries("journal") if entry["why"]]
    assert "as None" in why and "Python SDK" in why


def test_vonage_ns9_each_part_has_an_entry(vonage):
    answer = vonage.account.sms.send(message(text="😀" * 40, type="unicode"))
    assert answer.message_count == "2" and len({part.message_id for part in answer.messages}) == 2


@pytest.mark.parametrize("method", ["POST-JSON", "POST", "GET"])
@pytest.mark.parametrize("signature", ["md5", "sha1", "sha256", "sha512"])
def test_vonage_ns11_and_ns12_signed_receipts(vonage, method, signature):
    with receiver.Receiver() as hook:
        vonage.settings(signWebhooks=True, signatureMethod=signature, smsWebhookMethod=method)
        sent = vonage.account.sms.send(message(callback=f"{hook.url}?a=1", client_ref="a&b=c")).messages[0]
        vonage.sandbox.advance("1s")
        path, headers, body = hook.next()
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(path).query))
    assert query.pop("a") == "1"
    members = {"GET": lambda: query, "POST": lambda: dict(urllib.parse.parse_qsl(body.decode())),
               "POST-JSON": lambda: json.loads(body)}[method]()

    assert headers["User-Agent"] == "Vonage/MessagingHUB/v1.0"
    assert (members["messageId"], members["status"], members["client-ref"]) == (
        sent.message_id, "delivered", "a&b=c")
    assert members["sig"] == members["sig"].upper()
    auth = signing(vonage, signature).http_client.auth
    assert auth.check_signature(dict(members))
    assert not auth.check_signature({**members, "status": "failed"})


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_vonage_a_wrong_signature_in_a_form_or_a_query(vonage, method):
    """In JSON: test_webhook_faults.py."""
    fault = {"provider": "vonage", "signature": "wrong"}
    with receiver.Receiver() as hook:
        vonage.settings(signWebhooks=True, signatureMethod="sha256", smsWebhookMethod=method)
        vonage.sandbox.control("PUT", "webhooks/faults", json={"webhookFaults": [fault]})
        vonage.account.sms.send(message(callback=hook.url))
        vonage.sandbox.advance("1s")
        path, _, body = hook.next()
    members = dict(urllib.parse.parse_qsl(body.decode() or urllib.parse.urlsplit(path).query))
    assert len(members["sig"]) == 64 and not signing(vonage, "sha256").http_client.auth.check_signature(members)


def test_vonage_ns14_receipts_are_repeated(vonage):
    with receiver.Receiver(answers=(500, 200)) as hook:
        vonage.account.sms.send(message(callback=hook.url))
        vonage.sandbox.advance("1s")
        first = hook.next()
        vonage.sandbox.advance("61s")
        assert hook.next()[2] == first[2]
        vonage.sandbox.advance("1d")
        assert hook.all() == []


def test_vonage_ns16_a_long_answer(vonage):
    with receiver.Receiver() as hook:
        vonage.settings(inboundUrl=hook.url)
        vonage.account.sms.send(message())
        vonage.sandbox.control("POST", f"inbox/+{NUMBER}/reply", json={"text": "Yes " * 50})
        parts = [json.loads(hook.next()[2]) for _ in range(2)]
    assert "".join(part["text"] for part in parts) == "Yes " * 50
    assert [(part["concat"], part["concat-total"], part["concat-part"]) for part in parts] == [
        ("true", "2", "1"), ("true", "2", "2")]
    assert parts[0]["concat-ref"] == parts[1]["concat-ref"] and parts[0]["keyword"] == "YES"


def test_vonage_ns17_demo_account(vonage):
    vonage.settings(demo=["+12025550151"])
    assert refusal(lambda: vonage.account.sms.send(message())).startswith("29: Non White-listed")
    assert vonage.account.sms.send(message(to="12025550151")).messages[0].status == "0"


def test_vonage_statuses_of_texts(vonage):
    """Each status that a scenario asks for is that of a receipt, or of Messages."""
    (options,) = vonage.sandbox.control(
        "GET", "faults/options", params={"provider": "vonage"}).json()["providers"]
    names = [status["name"] for status in options["statuses"] if "sms" in status["channels"]]
    with receiver.Receiver() as hook:
        vonage.settings(deliveryUrl=hook.url)
        for name in names:
            scenario = {"match": {"channel": "sms"}, "providerStatus": {"vonage": name}}
            vonage.sandbox.control("PUT", "scenarios", json={"scenarios": [scenario]})
            vonage.account.sms.send(message())
            vonage.account.messages.send(Sms(to=NUMBER, from_="Acme", text="Hello"))
            vonage.sandbox.advance("10m")
            told = [json.loads(body) for _, _, body in hook.all()]
            shown = {value for each in told for value in (
                each["status"], each.get("err-code"), each.get("error", {}).get("title"))}
            assert name in shown
