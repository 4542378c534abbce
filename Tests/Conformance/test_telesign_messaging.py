"""Messaging over all channels, and Voice: rules of section 9 of the Telesign contract that have no numbered
check."""

import pytest

from telesign_clients import NUMBER, UNKNOWN, code_of
from telesign_flows import omni


# 9.1, rules without a numbered check

@pytest.mark.parametrize("fields, code", [
    ({"phone_number": None}, 12000), ({"message_type": None}, 12017), ({"message": "x" * 1601}, 11009),
    ({"external_id": "x" * 101}, 11016), ({"originating_ip": "nowhere"}, 11010),
    ({"callback_url": "nowhere"}, 11004), ({"account_lifecycle_event": "party"}, 11003),
    ({"sender_id": "x" * 21}, 11013)])
def test_telesign_messaging_invalid_field(telesign, fields, code):
    telesign.switch(verify__callback_allowed=True)
    sent = {"phone_number": NUMBER, "message": "hi", "message_type": "OTP", **fields}

    answer = telesign.rc.post("/v1/messaging", **{name: value for name, value in sent.items() if value is not None})

    assert (answer.status_code, code_of(answer)) == (400, code), answer.body
    assert telesign.inbox() == []


def test_telesign_messaging_longest_message(telesign):
    assert code_of(telesign.mc.message(NUMBER, "x" * 1600, "MKT", external_id="y" * 100)) == 290
    assert telesign.text() == "x" * 1600


def test_telesign_messaging_success_status_is_a_setting(telesign):
    telesign.switch(messaging__http_success=201)

    answer = telesign.mc.message(NUMBER, "hi", "OTP", external_id="mine")

    assert (answer.status_code, answer.json["external_id"]) == (201, "mine")
    assert telesign.mc.status(answer.json["reference_id"]).json["external_id"] == "mine"


def test_telesign_messaging_reference_too_old(telesign):
    telesign.switch(auth__date_tolerance_s=0)
    reference = telesign.mc.message(NUMBER, "hi", "OTP").json["reference_id"]
    telesign.advance("25h")

    answer = telesign.mc.status(reference)

    assert (answer.status_code, code_of(answer)) == (404, 10036)


@pytest.mark.parametrize("ending, status, code", [("0429", 429, 10019), ("0503", 503, 10000), ("0033", 401, 10033)])
def test_telesign_messaging_scenarios_that_reject_the_request(telesign, ending, status, code):
    number = f"1555867{ending}"

    for answer in (telesign.mc.message(number, "hi", "OTP"), telesign.voice.call(number, "hi", "ARN")):
        assert (answer.status_code, code_of(answer)) == (status, code)
    assert telesign.inbox(number) == []


@pytest.mark.parametrize("ending, final", [("0207", 207), ("0221", 221), ("0250", 250), ("0290", 290)])
def test_telesign_messaging_scenarios_of_delivery(telesign, ending, final):
    answer = telesign.mc.message(f"1555867{ending}", "hi", "OTP")
    telesign.advance("120s")

    assert code_of(telesign.mc.status(answer.json["reference_id"])) == final


# 9.2

def test_telesign_omnichannel_status(telesign):
    reference = telesign.mc.omniMessage(omni()).json["reference_id"]
    telesign.advance("60s")

    answer = telesign.rc.get(f"/v1/omnichannel/{reference}")

    assert (answer.status_code, code_of(answer)) == (200, 3000)


def test_telesign_omnichannel_falls_back(telesign):
    """If a channel fails, the next one is used."""
    telesign.sandbox.control("PUT", "scenarios", json={"scenarios": [
        {"match": {"channel": "whatsapp"}, "outcome": "undeliverable"}]})
    text = {"template": "text", "parameters": {"text": "Hi"}}
    telesign.mc.omniMessage(omni(
        message={"whatsapp": text, "sms": text},
        channels=[{"channel": "whatsapp", "fallback_time": 60}, {"channel": "sms", "fallback_time": 60}]))
    telesign.advance("120s")

    assert [message["channel"] for message in telesign.inbox()] == ["sms"]


@pytest.mark.parametrize("channel", ["sms", "rcs", "rbm", "whatsapp", "viber", "mms"])
def test_telesign_omnichannel_channels(telesign, channel):
    answer = telesign.mc.omniMessage(omni(
        message={channel: {"template": "text", "parameters": {"text": "Hi"}}}, channels=[{"channel": channel}]))

    assert (answer.status_code, code_of(answer)) == (200, 3001), answer.body


def test_telesign_omnichannel_older_recipient(telesign):
    fields = omni(phone_number=NUMBER)
    del fields["recipient"]

    assert code_of(telesign.mc.omniMessage(fields)) == 3001
    assert telesign.text() == "Your code is 123456"


@pytest.mark.parametrize("changed, code", [
    ({"recipient": {"phone_number": "abc"}}, 3101), ({"recipient": None}, 3302), ({"message_type": "XXX"}, 3102),
    ({"message_type": None}, 3304), ({"channels": [{"channel": "pigeon"}]}, 3100), ({"channels": None}, 3300),
    ({"message": None}, 3303)])
def test_telesign_omnichannel_with_invalid_parameters(telesign, changed, code):
    fields = {name: value for name, value in omni(**changed).items() if value is not None}

    answer = telesign.mc.omniMessage(fields)

    assert (answer.status_code, code_of(answer)) == (400, code), answer.body
    assert telesign.inbox() == []


def test_telesign_capability(telesign):
    sms = telesign.rc.get(f"/capability/sms/{NUMBER}")
    rcs = telesign.rc.get(f"/capability/rcs/{NUMBER}/my-agent")
    telesign.sandbox.control("PUT", f"subscribers/+{NUMBER}", json={"rcs": False})
    without = telesign.rc.get(f"/capability/rcs/{NUMBER}")

    assert (sms.status_code, code_of(sms)) == (200, 3060)
    assert code_of(rcs) == 3060
    assert (without.status_code, code_of(without)) == (200, 3055)


def test_telesign_templates(telesign):
    paths = "/v1/omnichannel/templates"
    assert telesign.rc.get(paths).json == []

    made = telesign.rc.post(paths, json_fields={"channel": "whatsapp", "name": "welcome", "content": {"text": "Hi"}})
    listed = telesign.rc.get(paths)
    found = telesign.rc.get(f"{paths}/whatsapp/welcome")
    gone = telesign.rc.delete(f"{paths}/whatsapp/welcome")

    assert made.status_code == 200, made.body
    assert [template["name"] for template in listed.json] == ["welcome"]
    assert (found.status_code, found.json["name"], found.json["channel"]) == (200, "welcome", "whatsapp")
    assert gone.status_code == 200
    assert telesign.rc.get(paths).json == []
    assert telesign.rc.get(f"{paths}/whatsapp/welcome").status_code in (400, 404)


# 9.3

def test_telesign_voice_status(telesign):
    reference = telesign.voice.call(NUMBER, "hi", "ARN", voice="f-en-US", external_id="mine").json["reference_id"]
    telesign.advance("120s")

    answer = telesign.voice.status(reference)

    assert (answer.status_code, code_of(answer)) == (200, 100)


@pytest.mark.parametrize("outcome, code", [("busy", 107), ("noAnswer", 101)])
def test_telesign_voice_outcomes(telesign, outcome, code):
    telesign.sandbox.control("PUT", "scenarios", json={"scenarios": [
        {"match": {"channel": "call"}, "outcome": outcome}]})
    reference = telesign.voice.call(NUMBER, "hi", "ARN").json["reference_id"]
    telesign.advance("120s")

    assert code_of(telesign.voice.status(reference)) == code


@pytest.mark.parametrize("fields, code", [
    ({"phone_number": "abc"}, 11000), ({"message": None}, 12009), ({"message_type": "XXX"}, 11017),
    ({"voice": "parrot"}, 11018)])
def test_telesign_voice_with_invalid_parameters(telesign, fields, code):
    sent = {"phone_number": NUMBER, "message": "hi", "message_type": "ARN", **fields}

    answer = telesign.rc.post("/v1/voice", **{name: value for name, value in sent.items() if value is not None})

    assert (answer.status_code, code_of(answer)) == (400, code), answer.body


def test_telesign_voice_unknown_reference(telesign):
    answer = telesign.voice.status(UNKNOWN)

    assert (answer.status_code, code_of(answer)) == (404, 10017)


# 9.1: with the setting, the status has the details that callbacks have

def test_telesign_additional_info(telesign):
    reference = telesign.mc.message(NUMBER, "x" * 200, "ARN").json["reference_id"]
    assert "additional_info" not in telesign.mc.status(reference).json
    telesign.switch(messaging__additional_info=True)

    info = telesign.mc.status(reference).json["additional_info"]

    assert info["message_parts_count"] == 2
    assert info.keys() == {"message_parts_count", "mcc", "mnc", "price", "currency"}
