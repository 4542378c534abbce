"""Messaging over all channels, and Voice, with the official clients: the Telesign contract, section 9. Other
rules are in Sources/Providers/Telesign/Checks."""

from telesign_clients import NUMBER, UNKNOWN, code_of
from telesign_flows import omni


# 9.2

def test_telesign_omnichannel_status(telesign):
    reference = telesign.mc.omniMessage(omni()).json["reference_id"]
    telesign.advance("60s")

    answer = telesign.rc.get(f"/v1/omnichannel/{reference}")

    assert (answer.status_code, code_of(answer)) == (200, 3000)


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


def test_telesign_voice_unknown_reference(telesign):
    answer = telesign.voice.status(UNKNOWN)

    assert (answer.status_code, code_of(answer)) == (404, 10017)


# `senders.md` 8. The clients have no name for it.

def test_telesign_tb1_bulk_sms(telesign):
    answer = telesign.rc.post("/v1/verify/bulk_sms", recipients=f"{NUMBER}:a1,+12025550101:b2", template="Your code is 482913")
    refused = telesign.rc.post("/v1/verify/bulk_sms", recipients=f"{NUMBER}:a1")

    assert (answer.status_code, code_of(answer)) == (200, 290), answer.body
    for number in (NUMBER, "12025550101"):
        assert telesign.sandbox.control("GET", f"inbox/+{number}/latest/code").text.strip() == "482913"
    assert (refused.status_code, refused.json["errors"][0]["code"]) == (400, -10001)
