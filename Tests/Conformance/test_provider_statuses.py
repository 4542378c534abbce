"""Every status that a provider can show for a message or call is shown when a scenario asks for it, by the
provider's official client."""

import pytest

NUMBER = "+12025550170"
SENDER = "+15005550006"


def statuses(sandbox, provider, channel):
    """The names of the provider's statuses on a channel, with their texts."""
    (options,) = sandbox.control("GET", "faults/options", params={"provider": provider}).json()["providers"]
    return {status["name"]: status["text"] for status in options["statuses"] if channel in status["channels"]}


def ask(sandbox, provider, channel, name):
    """Each message on the channel gets the status in the end."""
    scenario = {"match": {"channel": channel}, "providerStatus": {provider: name}}
    sandbox.control("PUT", "scenarios", json={"scenarios": [scenario]})


def number(name):
    return int(name) if name.isdecimal() else name


def test_telesign_texts(telesign):
    for name, text in statuses(telesign.sandbox, "telesign", "sms").items():
        if len(name) > 3:
            continue
        ask(telesign.sandbox, "telesign", "sms", number(name))
        answer = telesign.mc.message(NUMBER[1:], "hi", "OTP")
        telesign.advance("2m")

        found = telesign.mc.status(answer.json["reference_id"]).json["status"]
        assert (found["code"], found["description"]) == (int(name), text)


def test_telesign_inner_methods_and_omnichannel(telesign):
    from telesign_flows import omni

    for name, text in statuses(telesign.sandbox, "telesign", "whatsapp").items():
        ask(telesign.sandbox, "telesign", "sms", number(name))
        sent = telesign.mc.omniMessage(omni(recipient={"phone_number": NUMBER[1:]}))
        reference = telesign.begin(NUMBER[1:])
        telesign.advance("2m")

        found = telesign.rc.get(f"/v1/omnichannel/{sent.json['reference_id']}").json["status"]
        assert (found["code"], found["description"]) == (int(name), text)
        (method,) = telesign.process(reference)["inner_methods"]
        # The Verify API calls everything before the end "in progress".
        expected = 3901 if name in ("3001", "3002", "3040") else int(name)
        assert method["err_code"] == expected


def test_telesign_calls(telesign):
    for name, text in statuses(telesign.sandbox, "telesign", "call").items():
        ask(telesign.sandbox, "telesign", "call", number(name))
        answer = telesign.voice.call(NUMBER[1:], "hi", "ARN")
        telesign.advance("2m")

        found = telesign.voice.status(answer.json["reference_id"]).json["status"]
        assert (found["code"], found["description"]) == (int(name), text)


@pytest.mark.parametrize("channel, prefix", [("sms", ""), ("whatsapp", "whatsapp:")])
def test_twilio_messages_and_attempts(sandbox, client, service, channel, prefix):
    for name, text in statuses(sandbox, "twilio", channel).items():
        ask(sandbox, "twilio", channel, number(name))
        message = client.messages.create(to=prefix + NUMBER, from_=prefix + SENDER, body="Hello")
        sandbox.advance("11m")
        service.verifications.create(to=NUMBER, channel=channel)
        sandbox.advance("2m")

        found = client.messages(message.sid).fetch()
        attempt = client.verify.v2.verification_attempts.list(channel_data_to=NUMBER, limit=1)[0].channel_data
        if name.isdecimal():
            assert (found.error_code, found.error_message) == (int(name), text)
            assert attempt["error_code"] == name
            assert found.status == attempt["message_status"] in ("failed", "undelivered")
        else:
            assert (found.status, attempt["message_status"]) == (name, name)


def test_twilio_calls(sandbox, client, service):
    for name in statuses(sandbox, "twilio", "call"):
        ask(sandbox, "twilio", "call", name)
        service.verifications.create(to=NUMBER, channel="call")
        sandbox.advance("2m")

        attempt = client.verify.v2.verification_attempts.list(channel_data_to=NUMBER, limit=1)[0].channel_data
        assert attempt["call_status"] == name
        sandbox.advance("11m")


FINER = {"expired": "undeliverable"}


def test_prelude_attempts(sandbox, prelude):
    for name in statuses(sandbox, "prelude", "whatsapp"):
        channel = "whatsapp" if name == "read" else "sms"
        ask(sandbox, "prelude", channel, name)
        made = prelude.verification.create(
            target={"type": "phone_number", "value": NUMBER}, options={"preferred_channel": channel})
        sandbox.advance("2m")

        events = prelude.verification.phone.history.retrieve(made.id).lifecycle.events
        (attempt,) = (event.attempt for event in events if event.type == "attempt")
        state = name if name in ("in_transit", "delivered", "read", "unknown", "expired") else "undeliverable"
        assert attempt.delivery_events[-1].status == state
        assert attempt.delivery_status == FINER.get(state, state)
        sandbox.advance("2h")
