"""Checks V1 to V24, P1 to P12 and S1 to S3 of the Telesign contract, sections 17.1 and 17.2: one test for each number;
what follows them holds the rules of sections 4 to 6 that have none.

The clients are the official ones; their answers are held against the schema of the Verify API (teledocuments.py)."""

import datetime
import json
import re

import pytest

import receiver
from ringfence import different
from teleclients import NUMBER, REFERENCE, UNKNOWN, code_of
from tsa import JSON

OTHER_KEY = "QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl9gYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+fw=="
APP = "com.your.app:1.2.0"
TOKEN = "fcm-token-1"
LOGIN = [{"method": "push", "fallback_time": 60}, {"method": "sms"}]


def methods(process):
    """Method and state of each inner method."""
    return [(method["method"], method["state"]) for method in process["inner_methods"]]


# 17.1

def test_telesign_v01_create(telesign):
    answer = telesign.ov.createVerificationProcess(NUMBER, {})

    body = answer.json
    assert (answer.status_code, code_of(answer), body["state"]) == (200, 3901, "ONGOING")
    assert body["status"]["description"] == "Request in progress"
    assert re.fullmatch(REFERENCE, body["reference_id"])
    assert body["recipient"] == {"phone_number": NUMBER}
    assert [entry["method"] for entry in body["verification_policy"]] == ["sms"]
    assert type(body["verification_policy"][0]["fallback_time"]) is int
    assert "mobile_app_token" not in body and "errors" not in body


def test_telesign_v02_retrieve_at_once(telesign):
    process = telesign.process(telesign.begin())

    (method,) = process["inner_methods"]
    assert (method["method"], method["state"], method["err_code"]) == ("sms", "ONGOING", 3901)
    assert method["err_msg"] == "Request in progress"
    assert "status" not in process
    assert process["voice_lang"] == "en-US"


def test_telesign_v03_finalize_with_json_in_the_query(telesign):
    reference = telesign.begin()

    answer = telesign.finalize(reference, telesign.code())

    assert (answer.status_code, answer.json) == (200, {"status": {"code": 3900, "description": "Verified"}})
    assert telesign.process(reference)["state"] == "VERIFIED"


def test_telesign_v04_finalize_with_basic(telesign):
    reference = telesign.begin()

    answer = telesign.ov.updateVerificationProcess(
        reference, {"action": "finalize", "security_factor": telesign.code()}, use_basic_auth=True)

    assert (answer.status_code, answer.json()["status"]["code"]) == (200, 3900)


def test_telesign_v05_wrong_code(telesign):
    reference, code = telesign.begin(), telesign.code()

    answer = telesign.finalize(reference, different(code))

    assert (answer.status_code, code_of(answer)) == (200, 3909)
    assert answer.json["status"]["description"] == "Invalid code entered"
    assert telesign.process(reference)["state"] == "ONGOING"
    assert telesign.verdict(reference, code) == 3900


def test_telesign_v06_three_wrong_codes(telesign):
    reference, code = telesign.begin(), telesign.code()

    verdicts = [telesign.verdict(reference, different(code)) for _ in range(3)]
    afterwards = telesign.finalize(reference, code)

    assert verdicts == [3909, 3909, 3904]
    assert code_of(afterwards) == 3904  # the final wrong-code code: it ended by attempts (4.6)
    process = telesign.process(reference)
    assert (process["state"], methods(process)) == ("REJECTED", [("sms", "REJECTED")])


def test_telesign_v07_three_wrong_codes_by_the_openapi_document(telesign):
    telesign.switch(verify__wrong_code="openapi")
    reference, code = telesign.begin(), telesign.code()

    verdicts = [telesign.verdict(reference, different(code)) for _ in range(3)]

    assert verdicts == [3904, 3904, 3909]
    assert telesign.verdict(reference, code) == 3909
    assert telesign.process(reference)["state"] == "REJECTED"


def test_telesign_v08_code_too_old(telesign):
    telesign.switch(verify__code_ttl_s=60)
    reference, code = telesign.begin(), telesign.code()
    telesign.advance("61s")

    answer = telesign.finalize(reference, code)

    assert (answer.status_code, code_of(answer)) == (400, 3935)
    assert telesign.process(reference)["state"] != "VERIFIED"


def test_telesign_v09_process_too_old(telesign):
    reference, code = telesign.begin(), telesign.code()
    telesign.advance("301s")

    answer = telesign.finalize(reference, code)

    assert (answer.status_code, code_of(answer)) == (400, 3908)
    assert telesign.process(reference)["state"] == "FAILED"


def test_telesign_v10_finalize_again(telesign):
    reference, code = telesign.begin(), telesign.code()
    telesign.finalize(reference, code)

    again = telesign.finalize(reference, code)

    assert (again.status_code, code_of(again)) == (400, 3931)
    assert again.json["status"]["description"] == "Invalid workflow"


def test_telesign_v11_own_code(telesign):
    reference = telesign.begin(security_factor="0042")

    assert telesign.code() == "0042"
    assert telesign.verdict(reference, "42") in (3110, 3909)
    assert telesign.verdict(reference, "0042") == 3900


@pytest.mark.parametrize("factor", ["12", "12345678901", "12a4", "", 1234])
def test_telesign_v12_own_code_that_is_none(telesign, factor):
    answer = telesign.create(security_factor=factor)

    assert answer.status_code == 400, answer.body
    assert telesign.inbox() == []


def test_telesign_v13_recipient_lacks_what_the_policy_needs(telesign):
    no_phone = telesign.generic(recipient={"email": "a@b.co"}, verification_policy=[{"method": "sms"}])
    no_email = telesign.generic(recipient={"phone_number": NUMBER}, verification_policy=[{"method": "email"}])

    assert (no_phone.status_code, code_of(no_phone)) == (400, 3302)
    assert (no_email.status_code, code_of(no_email)) == (400, 3309)


@pytest.mark.parametrize("number", ["abc", "1 555 867 5309", "123456", "1234567890123456"])
def test_telesign_v14_number_that_is_none(telesign, number):
    answer = telesign.create(number)

    assert (answer.status_code, code_of(answer)) == (400, 3101)


@pytest.mark.parametrize("external_id", ["x" * 101, "é"])
def test_telesign_v15_external_id(telesign, external_id):
    answer = telesign.create(external_id=external_id)

    assert (answer.status_code, code_of(answer)) == (400, 3103)


def test_telesign_v16_body_too_long(telesign):
    answer = telesign.create(padding="x" * 10_300)

    assert (answer.status_code, code_of(answer)) == (413, 3116)
    assert "reference_id" in answer.json
    assert code_of(telesign.create(padding="x" * 9_000)) == 3901


@pytest.mark.parametrize("policy", [
    [{"method": name} for name in ("sms", "whatsapp", "viber", "voice")],
    [{"method": "sms", "fallback_time": 151}, {"method": "voice", "fallback_time": 150}],
    [{"method": "sms", "fallback_time": 29}],
    [{"method": "sms"}, {"method": "silent"}],
    [{"method": "push"}, {"method": "silent"}, {"method": "sms"}],
    [{"method": "silent"}],
    [{"method": "sms"}, {"method": "sms"}],
    [{"method": "pigeon"}],
    [{"fallback_time": 60}],
    [],
    "sms",
], ids=["four", "301_s", "29_s", "silent_second", "push_and_silent", "silent_alone", "twice", "unknown", "no_method",
        "empty", "no_array"])
def test_telesign_v17_broken_policy(telesign, policy):
    answer = telesign.generic(
        recipient={"phone_number": NUMBER, "push_app_token": TOKEN}, verification_policy=policy)

    assert answer.status_code == 400, answer.body
    assert telesign.inbox() == []


WHATSAPP_FIRST = [{"method": "whatsapp", "fallback_time": 60}, {"method": "sms"}]


@pytest.mark.parametrize("later, verdict", [("240s", 3900), ("300s", 3908)])
def test_telesign_v18_fallback(telesign, later, verdict):
    """The same code over the next channel, valid for 300 s anew: till 361 s after the creation."""
    reference = telesign.begin(verification_policy=WHATSAPP_FIRST)
    first = telesign.code()
    telesign.advance("61s")

    process = telesign.process(reference)
    messages = telesign.inbox()
    telesign.advance(later)

    assert methods(process) == [("whatsapp", "FAILED"), ("sms", "ONGOING")]
    assert process["inner_methods"][0]["err_code"] == 3056
    assert [message["channel"] for message in messages] == ["whatsapp", "sms"]
    assert {message["code"] for message in messages} == {first}
    assert telesign.verdict(reference, first) == verdict


def test_telesign_v19_malformed_reference(telesign):
    for reference in ("not-an-id", "F" * 31, "f" * 32, "G" * 32):
        answer = telesign.ov.getVerificationProcess(reference)
        assert answer.status_code == 400, answer.body


def test_telesign_v20_wrong_key(telesign):
    answer = telesign.other(key=OTHER_KEY).create()

    assert (answer.status_code, code_of(answer)) == (401, 3400)
    assert {"reference_id", "status"} <= set(answer.json)


def test_telesign_v21_callback_url_is_not_enabled(telesign):
    answer = telesign.create(callback_url="http://127.0.0.1:9/hook")

    assert (answer.status_code, code_of(answer)) == (401, 3203)
    telesign.switch(verify__callback_allowed=True)
    assert code_of(telesign.create(callback_url="http://127.0.0.1:9/hook")) == 3901


def test_telesign_v22_rate_limit(telesign):
    telesign.switch(rate__verify=10)

    codes = [code_of(telesign.create()) for _ in range(11)]
    last = telesign.answers[-1]
    telesign.advance("1s")

    assert codes == [3901] * 10 + [3204]
    assert last.status_code == 429
    assert code_of(telesign.create()) == 3901


def finalization(code):
    return json.dumps({"action": "finalize", "security_factor": code}, separators=(",", ":"))


def test_telesign_v23_what_csharp_sends(telesign):
    reference = telesign.begin()
    headers = {**telesign.basic, "Content-Type": f"{JSON}; charset=utf-8"}

    answer = telesign.raw("PATCH", f"/verification/{reference}", headers, finalization(telesign.code()))

    assert (answer.status_code, code_of(answer)) == (200, 3900)
    assert telesign.process(reference)["state"] == "VERIFIED"


def test_telesign_v24_charset(telesign):
    reference = telesign.begin()
    headers = {**telesign.basic, "Content-Type": f"{JSON}; charset=utf-8"}

    answer = telesign.raw("PATCH", f"/verification/{reference}/state", headers, finalization(telesign.code()))

    assert (answer.status_code, code_of(answer)) == (200, 3900)


# 4.2 to 4.9, where no number is

@pytest.mark.parametrize("policy, times", [
    (None, [300]),
    ([{"method": "voice"}], [300]),
    ([{"method": "sms", "fallback_time": 30}], [30]),
    ([{"method": "whatsapp"}, {"method": "sms"}], [60, 240]),
    ([{"method": "whatsapp", "fallback_time": 30}, {"method": "viber", "fallback_time": 40}, {"method": "sms"}],
     [30, 40, 230]),
    ([{"method": "email"}, {"method": "sms"}], [120, 180]),
    ([{"method": "rcs", "fallback_time": 60}, {"method": "voice", "fallback_time": 50}], [60, 50]),
])
def test_telesign_verify_policy_is_filled_in(telesign, policy, times):
    """The rest of 300 s for the last method, a default for any other; what was said is kept (4.3)."""
    recipient = {"phone_number": NUMBER, "email": "a@b.co"}
    answer = telesign.generic(recipient=recipient, **({"verification_policy": policy} if policy else {}))

    assert [entry["fallback_time"] for entry in answer.json["verification_policy"]] == times
    process = telesign.process(answer.json["reference_id"])
    assert process["verification_policy"] == answer.json["verification_policy"]
    assert [method["method"] for method in process["inner_methods"]] == [
        entry["method"] for entry in process["verification_policy"]]
    for later in process["inner_methods"][1:]:
        assert later == {"method": later["method"], "state": "CREATED"}


def test_telesign_verify_the_last_methods_time_ends_nothing(telesign):
    """C# and Ruby send sms with 30 s, and users still get the whole validity of the code (4.3)."""
    reference = telesign.begin(verification_policy=[{"method": "sms", "fallback_time": 30}])
    code = telesign.code()
    telesign.advance("290s")

    assert telesign.process(reference)["state"] == "ONGOING"
    assert telesign.verdict(reference, code) == 3900


def test_telesign_verify_echoes(telesign):
    answer = telesign.create(external_id="login-7781", voice_lang="fr-FR", message_template={"name": "my_template_1"},
                             unknown={"a": 1})

    assert (code_of(answer), answer.json["external_id"]) == (3901, "login-7781")
    process = telesign.process(answer.json["reference_id"])
    assert (process["external_id"], process["voice_lang"]) == ("login-7781", "fr-FR")
    assert "unknown" in " ".join(telesign.sandbox.journal(method="POST")[-1]["unread"])


@pytest.mark.parametrize("fields", [
    {}, {"recipient": {}}, {"recipient": {"phone_number": NUMBER, "name": "Jo"}}, {"recipient": "15558675309"},
    {"recipient": {"phone_number": 15558675309}},
    {"recipient": {"phone_number": NUMBER}, "message_template": {"name": "No Such"}},
    {"recipient": {"phone_number": NUMBER}, "device_registration": "other"},
    {"recipient": {"phone_number": NUMBER}, "push_registration": "yes"},
    {"recipient": {"phone_number": NUMBER}, "verification_policy": [{"method": "sms", "fallback_time": "60"}]},
])
def test_telesign_verify_broken_creation(telesign, fields):
    answer = telesign.raw("POST", "/verification", {**telesign.basic, "Content-Type": JSON}, json.dumps(fields))

    assert answer.status_code == 400, answer.text
    assert telesign.inbox() == []


@pytest.mark.parametrize("body", ["", "{", "[]", "null", "\"x\"", "action=finalize"])
def test_telesign_verify_body_that_is_no_object(telesign, body):
    reference = telesign.begin()
    for method, path in (("POST", "/verification"), ("PATCH", f"/verification/{reference}/state")):
        answer = telesign.raw(method, path, {**telesign.basic, "Content-Type": JSON}, body)
        assert (answer.status_code, code_of(answer)) == (400, 3110), answer.text


@pytest.mark.parametrize("fields", [
    {"action": "finalize"}, {"security_factor": "123456"}, {"action": "cancel", "security_factor": "123456"},
    {"action": "finalize", "security_factor": 123456}, {"action": "finalize", "security_factor": "abc"}])
def test_telesign_verify_broken_finalization_counts_no_attempt(telesign, fields):
    reference = telesign.begin()
    for _ in range(4):
        answer = telesign.raw("PATCH", f"/verification/{reference}/state",
                              {**telesign.basic, "Content-Type": JSON}, json.dumps(fields))
        assert (answer.status_code, code_of(answer)) == (400, 3110), answer.text

    assert telesign.verdict(reference, telesign.code()) == 3900


def test_telesign_verify_unknown_reference(telesign):
    for answer in (telesign.ov.getVerificationProcess(UNKNOWN), telesign.finalize(UNKNOWN, "123456")):
        assert (answer.status_code, answer.json) == (
            400, {"status": {"code": 3110, "description": "Invalid request"}})

    telesign.switch(verify__unknown_reference_http=404)
    assert telesign.ov.getVerificationProcess(UNKNOWN).status_code == 404
    assert telesign.ov.getVerificationProcess("not-an-id").status_code == 400


def test_telesign_verify_expired_http_is_a_switch(telesign):
    telesign.switch(verify__expired_http=200)
    reference, code = telesign.begin(), telesign.code()
    telesign.advance("301s")

    answer = telesign.finalize(reference, code)

    assert (answer.status_code, code_of(answer)) == (200, 3908)


@pytest.mark.parametrize("attempts", [1, 5])
def test_telesign_verify_attempts_are_a_setting(telesign, attempts):
    telesign.switch(verify__attempts=attempts)
    reference, code = telesign.begin(), telesign.code()

    verdicts = [telesign.verdict(reference, different(code)) for _ in range(attempts)]

    assert verdicts == [3909] * (attempts - 1) + [3904]
    assert telesign.verdict(reference, code) == 3904


@pytest.mark.parametrize("length", [3, 10])
def test_telesign_verify_code_length_is_a_setting(telesign, length):
    assert telesign.begin() and re.fullmatch(r"\d{6}", telesign.code())
    telesign.switch(verify__code_length=length)

    assert telesign.begin() and re.fullmatch(r"\d{%d}" % length, telesign.code())


def test_telesign_verify_delivery_comes_after_its_delay(telesign):
    """Not in the same tick: the official Node test wants 3901 right after the creation (4.5)."""
    reference = telesign.begin()
    telesign.advance("900ms")
    before = telesign.process(reference)["inner_methods"][0]
    telesign.advance("200ms")
    after = telesign.process(reference)["inner_methods"][0]

    assert before["err_code"] == 3901
    assert (after["state"], after["err_code"], after["err_msg"]) == ("ONGOING", 3000, "Delivered")


def test_telesign_verify_delivery_delay_is_a_switch(telesign):
    telesign.switch(verify__delivered_after_s=30)
    reference = telesign.begin()
    telesign.advance("29s")
    assert telesign.process(reference)["inner_methods"][0]["err_code"] == 3901
    telesign.advance("2s")

    assert telesign.process(reference)["inner_methods"][0]["err_code"] == 3000


def test_telesign_verify_right_code_leaves_later_methods_out(telesign):
    reference = telesign.begin(verification_policy=WHATSAPP_FIRST)
    telesign.finalize(reference, telesign.code())
    telesign.advance("400s")

    process = telesign.process(reference)
    assert (process["state"], methods(process)) == ("VERIFIED", [("whatsapp", "VERIFIED"), ("sms", "SKIPPED")])
    assert [message["channel"] for message in telesign.inbox()] == ["whatsapp"]


def test_telesign_verify_attempts_are_counted_over_all_methods(telesign):
    reference = telesign.begin(verification_policy=WHATSAPP_FIRST)
    code = telesign.code()
    verdicts = [telesign.verdict(reference, different(code)) for _ in range(2)]
    telesign.advance("61s")

    assert [*verdicts, telesign.verdict(reference, different(code))] == [3909, 3909, 3904]


def test_telesign_verify_times_of_a_method(telesign):
    process = telesign.process(telesign.begin(verification_policy=WHATSAPP_FIRST))

    method = process["inner_methods"][0]
    begun = telesign.moment.isoformat()[:19]
    assert method["tried_on"].startswith(begun) and process["created_on"].startswith(begun)
    assert method["expires_on"][:19] == (telesign.moment + datetime.timedelta(seconds=60)).isoformat()[:19]


def test_telesign_verify_wrong_verb(telesign):
    answer = telesign.raw("DELETE", f"/verification/{telesign.begin()}", telesign.basic)

    assert answer.status_code == 405, answer.text


def test_telesign_verify_email(telesign):
    answer = telesign.generic(recipient={"email": "a@b.co"}, verification_policy=[{"method": "email"}])
    code = telesign.sandbox.control("GET", "inbox/a@b.co/latest/code").text.strip()

    assert telesign.verdict(answer.json["reference_id"], code) == 3900
    bad = telesign.generic(recipient={"email": "nowhere"}, verification_policy=[{"method": "email"}])
    assert (bad.status_code, code_of(bad)) == (400, 3119)


def test_telesign_verify_voice(telesign):
    reference = telesign.begin(verification_policy=[{"method": "voice"}])

    assert telesign.inbox()[-1]["channel"] == "call"
    assert telesign.verdict(reference, telesign.code()) == 3900


# 15.1: what the last four digits bring about

@pytest.mark.parametrize("ending, inner", [("0207", 3003), ("0221", 3033), ("0230", 3053)])
def test_telesign_scenario_message_fails(telesign, ending, inner):
    """The failure starts the next method at once (4.7)."""
    number = f"1555867{ending}"
    alone = telesign.begin(number)
    first = telesign.begin(number, verification_policy=[{"method": "sms"}, {"method": "whatsapp"}])
    telesign.advance("5s")

    failed = telesign.process(alone)
    assert (failed["state"], failed["inner_methods"][0]["err_code"]) == ("FAILED", inner)
    went_on = telesign.process(first)
    assert (went_on["state"], methods(went_on)) == ("ONGOING", [("sms", "FAILED"), ("whatsapp", "ONGOING")])


@pytest.mark.parametrize("ending, inner", [("0250", 3039), ("0290", 3901)])
def test_telesign_scenario_message_stays_undecided(telesign, ending, inner):
    reference = telesign.begin(f"1555867{ending}")
    telesign.advance("100s")

    process = telesign.process(reference)
    assert (process["state"], process["inner_methods"][0]["err_code"]) == ("ONGOING", inner)


@pytest.mark.parametrize("ending, statuses, codes", [
    ("0429", {429}, {3204}), ("0503", {503}, {3500, 3041}), ("0033", {400, 401}, {3071})])
def test_telesign_scenario_creation_is_refused(telesign, ending, statuses, codes):
    """The contract names no HTTP status for a trial account's refusal."""
    answer = telesign.create(f"1555867{ending}")

    assert answer.status_code in statuses and code_of(answer) in codes, answer.body
    assert telesign.inbox(f"1555867{ending}") == []


def test_telesign_number_with_a_plus_sign_is_for_the_lenient(telesign):
    telesign.switch(phone__lenient=False)
    telesign.switch(phone__lenient=False)
    assert code_of(telesign.create(f"+{NUMBER}")) == 3101
    telesign.switch(phone__lenient=True)

    assert code_of(telesign.create(f"+{NUMBER}")) == 3901
    assert telesign.code()


# 17.2: Push

def register(telesign, flag="push_registration", value=True, number=NUMBER):
    """A process that registers a device, and the body of the handset's call that ends it."""
    answer = telesign.generic(
        recipient={"phone_number": number}, verification_policy=LOGIN, **{flag: value})
    assert code_of(answer) == 3901, answer.body
    made = answer.json
    return made, {"phone_number": number, "app_id": APP, "otp_code": telesign.code(number),
                  "push_app_token": TOKEN, "platform": "android"}


def registered(telesign, number=NUMBER):
    """The device id of a handset that went through it."""
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


@pytest.mark.parametrize("flag, value", [("push_registration", True), ("device_registration", "stamp")],
                         ids=["p01", "p02"])
def test_telesign_p01_p02_registration_sends_an_sms_at_once(telesign, flag, value):
    made, _ = register(telesign, flag, value)

    assert made["mobile_app_token"] and made[flag] == value
    assert [message["channel"] for message in telesign.inbox()] == ["sms"]
    process = telesign.process(made["reference_id"])
    assert (process["state"], methods(process)) == ("ONGOING", [("push", "SKIPPED"), ("sms", "ONGOING")])


def test_telesign_p03_handset_registers(telesign):
    made, body = register(telesign)
    token = made["mobile_app_token"]

    answer = telesign.handset("POST", "registrations", token, json=body)

    assert answer.status_code == 201
    assert re.fullmatch(r"[0-9a-fA-F-]{36}", answer.json()["device_id"])
    assert answer.json()["registered"] is True
    assert answer.json()["status"] == {"code": 3900, "description": "Verified"}
    assert telesign.process(made["reference_id"])["state"] == "VERIFIED"
    found = telesign.handset("GET", "registrations", token, params={"phone_number": NUMBER, "app_id": APP})
    assert (found.status_code, found.json()["registered"]) == (200, True)
    again = telesign.handset("POST", "registrations", token, json=body)
    assert (again.status_code, again.json()) == (200, answer.json())


def test_telesign_p04_handset_registers_with_a_wrong_code(telesign):
    made, body = register(telesign)
    token = made["mobile_app_token"]
    wrong = {**body, "otp_code": different(body["otp_code"])}

    verdicts = [telesign.handset("POST", "registrations", token, json=wrong) for _ in range(2)]
    found = telesign.handset("GET", "registrations", token, params={"phone_number": NUMBER, "app_id": APP})

    assert [(answer.status_code, answer.json()["status"]["code"]) for answer in verdicts] == [(200, 3909)] * 2
    assert found.json()["registered"] is False
    assert telesign.verdict(made["reference_id"], wrong["otp_code"]) == 3904  # two attempts were counted


def test_telesign_p05_handset_registers_too_late(telesign):
    made, body = register(telesign)
    telesign.advance("301s")

    answer = telesign.handset("POST", "registrations", made["mobile_app_token"], json=body)

    assert (answer.status_code, answer.json()) == (
        401, {"status": {"code": 3400, "description": "Not authorized"}})


def test_telesign_p06_login_by_push(telesign):
    registered(telesign)

    made = login(telesign, external_id="login-7781")

    assert (made["state"], made["external_id"]) == ("CREATED", "login-7781")
    assert made["mobile_app_token"]
    assert [entry["fallback_time"] for entry in made["verification_policy"]] == [60, 240]
    assert telesign.inbox() == [] or [message["channel"] for message in telesign.inbox()] == ["push"]
    pushes = telesign.sandbox.control("GET", "pushes").text
    assert made["reference_id"] in pushes and TOKEN in pushes


def test_telesign_p07_approve(telesign):
    device = registered(telesign)
    made = login(telesign)

    answer = decide(telesign, made, "approve", device)

    assert (answer.status_code, answer.json()["status"]["code"], answer.json()["state"]) == (200, 3900, "VERIFIED")
    process = telesign.process(made["reference_id"])
    assert (process["state"], methods(process)) == ("VERIFIED", [("push", "VERIFIED"), ("sms", "SKIPPED")])


def test_telesign_p08_deny(telesign):
    device = registered(telesign)
    made = login(telesign)

    answer = decide(telesign, made, "deny", device)
    telesign.advance("61s")

    assert (answer.status_code, answer.json()["status"]["code"], answer.json()["state"]) == (200, 3904, "REJECTED")
    process = telesign.process(made["reference_id"])
    assert (process["state"], methods(process)[0]) == ("REJECTED", ("push", "REJECTED"))
    assert [message for message in telesign.inbox() if message["channel"] == "sms"] == []


def test_telesign_p08_deny_with_fallback_is_a_switch(telesign):
    telesign.switch(verify__push_deny_fallback=True)
    device = registered(telesign)
    made = login(telesign)
    decide(telesign, made, "deny", device)

    assert telesign.process(made["reference_id"])["state"] == "ONGOING"
    assert telesign.verdict(made["reference_id"], telesign.code()) == 3900


def test_telesign_p09_no_decision(telesign):
    registered(telesign)
    made = login(telesign)
    telesign.advance("61s")

    process = telesign.process(made["reference_id"])
    assert (process["state"], methods(process)) == ("ONGOING", [("push", "FAILED"), ("sms", "ONGOING")])
    assert telesign.verdict(made["reference_id"], telesign.code()) == 3900


def test_telesign_p10_finalize_while_push_is_active(telesign):
    registered(telesign)
    made = login(telesign)

    answer = telesign.finalize(made["reference_id"], "123456")

    assert (answer.status_code, code_of(answer)) == (400, 3931)


def test_telesign_p11_no_device(telesign):
    made = login(telesign)

    process = telesign.process(made["reference_id"])
    assert methods(process) == [("push", "FAILED"), ("sms", "ONGOING")]
    assert [message["channel"] for message in telesign.inbox()] == ["sms"]
    assert telesign.verdict(made["reference_id"], telesign.code()) == 3900


def test_telesign_p12_push_receipts(telesign):
    registered(telesign)
    with receiver.Receiver() as hook:
        telesign.switch(account__callback_url=hook.url)
        made = login(telesign)
        path = f"verifications/{made['reference_id']}/push-status"
        codes = []
        for status in ("delivered", "read"):
            answer = telesign.handset("POST", path, made["mobile_app_token"], json={"push_status": status})
            assert answer.status_code == 200, answer.text
            codes.append(telesign.process(made["reference_id"])["inner_methods"][0]["err_code"])
            _, _, body = hook.next()
            assert json.loads(body)["inner_methods"][0]["err_code"] == codes[-1]

    assert codes == [3000, 3005]


# 5.4, where no number is

def test_telesign_handset_token(telesign):
    """Bound to one process, and nothing without it."""
    device = registered(telesign)
    first, second = login(telesign), login(telesign)

    for token in (None, "nobody", second["mobile_app_token"]):
        answer = telesign.handset("POST", f"verifications/{first['reference_id']}/decision", token,
                                  json={"decision": "approve", "device_id": device})
        assert answer.status_code in (401, 403), answer.text
        assert answer.json()["status"]["code"] == 3400
    assert telesign.process(first["reference_id"])["state"] == "CREATED"


def test_telesign_handset_decides_once(telesign):
    device = registered(telesign)
    made = login(telesign)
    decide(telesign, made, "approve", device)

    again = decide(telesign, made, "deny", device)

    assert (again.status_code, again.json()["status"]["code"]) == (400, 3931)
    assert telesign.process(made["reference_id"])["state"] == "VERIFIED"


def test_telesign_handset_decides_too_late(telesign):
    device = registered(telesign)
    made = login(telesign)
    telesign.advance("61s")

    answer = decide(telesign, made, "approve", device)

    assert (answer.status_code, answer.json()["status"]["code"]) == (400, 3908)


def test_telesign_handset_that_is_not_registered_decides_nothing(telesign):
    registered(telesign)
    made = login(telesign)

    answer = decide(telesign, made, "approve", "00000000-0000-4000-8000-000000000000")

    assert answer.status_code == 404, answer.text
    assert telesign.process(made["reference_id"])["state"] == "CREATED"


@pytest.mark.parametrize("changed, status, code", [
    ({"phone_number": "15558675310"}, 400, 3101), ({"app_id": ""}, 400, None), ({"app_id": "x" * 256}, 400, None),
    ({"otp_code": None}, 400, None), ({"phone_number": None}, 400, None)])
def test_telesign_handset_registers_wrongly(telesign, changed, status, code):
    made, body = register(telesign)

    answer = telesign.handset("POST", "registrations", made["mobile_app_token"], json={**body, **changed})

    assert answer.status_code == status, answer.text
    assert code is None or answer.json()["status"]["code"] == code
    assert telesign.process(made["reference_id"])["state"] == "ONGOING"


def test_telesign_handset_registers_where_no_registration_is(telesign):
    registered(telesign)
    made = login(telesign)

    answer = telesign.handset("POST", "registrations", made["mobile_app_token"], json={
        "phone_number": NUMBER, "app_id": APP, "otp_code": "123456", "push_app_token": TOKEN, "platform": "android"})

    assert (answer.status_code, answer.json()["status"]["code"]) == (400, 3931)


def test_telesign_handset_back_end_finalizes_and_no_device_comes_about(telesign):
    made, body = register(telesign)

    assert telesign.verdict(made["reference_id"], body["otp_code"]) == 3900
    found = telesign.handset(
        "GET", "registrations", made["mobile_app_token"], params={"phone_number": NUMBER, "app_id": APP})
    assert found.json()["registered"] is False


def test_telesign_handset_registering_again_replaces_the_device(telesign):
    first, second = registered(telesign), registered(telesign)
    made = login(telesign)

    assert first != second
    assert decide(telesign, made, "approve", first).status_code == 404
    assert decide(telesign, made, "approve", second).status_code == 200


@pytest.mark.parametrize("method", ["stamp", "qr"])
def test_telesign_qr_is_a_push_without_its_message(telesign, method):
    device = registered(telesign)
    answer = telesign.generic(recipient={"phone_number": NUMBER},
                              verification_policy=[{"method": method}, {"method": "sms"}])
    assert answer.status_code == 200, answer.body
    made = answer.json

    assert made["state"] == "CREATED" and made["mobile_app_token"]
    assert made["reference_id"] not in telesign.sandbox.control("GET", "pushes").text
    assert decide(telesign, made, "approve", device).status_code == 200
    assert telesign.process(made["reference_id"])["state"] == "VERIFIED"


@pytest.mark.parametrize("ending, state", [("0700", "VERIFIED"), ("0701", "REJECTED"), ("0702", "ONGOING")])
def test_telesign_scenario_push(telesign, ending, state):
    number = f"1555867{ending}"
    registered(telesign, number)
    made = login(telesign, number)
    telesign.advance("61s")

    assert telesign.process(made["reference_id"])["state"] == state


# 17.2 and 6: Silent

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


def test_telesign_s01_silent(telesign):
    begun = initiate(telesign, external_id="mine")

    answer = complete(telesign, begun, walk(telesign, begun))

    assert begun["status"]["code"] == 4501 and begun["external_id"] == "mine"
    assert (answer.status_code, code_of(answer)) == (200, 4501)
    flat = {name: begun[name] for name in (
        "verification_url", "method", "expected_response_code", "post_body", "query_string_params")}
    assert begun["verification"] == flat and flat["method"] == "GET"


def test_telesign_s02_silent_mismatch(telesign):
    begun = initiate(telesign, "15558670450")

    answer = complete(telesign, begun, walk(telesign, begun))

    assert (answer.status_code, code_of(answer)) == (200, 4502)
    assert answer.json["status"]["description"] == "The phone number does not match"


def test_telesign_s03_silent_without_verification(telesign):
    begun = initiate(telesign)

    answer = telesign.rc.post("/silent/finalize", json_fields={"initiate_reference_id": begun["reference_id"]})

    assert (answer.status_code, code_of(answer)) == (400, 40004)


def test_telesign_silent_wrong_token(telesign):
    begun, other = initiate(telesign), initiate(telesign)
    walk(telesign, begun)

    assert code_of(complete(telesign, begun, "guessed")) == 4502
    third = initiate(telesign)
    assert code_of(complete(telesign, third, walk(telesign, other))) == 4502


def test_telesign_silent_refusals(telesign):
    number = telesign.rc.post("/silent/initiate", json_fields={"phone_number": "abc"})
    missing = telesign.rc.post("/silent/initiate", json_fields={"external_id": "x"})
    unknown = telesign.rc.post("/silent/finalize", json_fields={
        "initiate_reference_id": "0b6f6a0e-6d0e-4d0b-9a0e-3f2a6c1d9e77", "verification": "x"})
    wrong_key = telesign.other(key=OTHER_KEY).rc.post("/silent/initiate", json_fields={"phone_number": NUMBER})

    assert (number.status_code, code_of(number)) == (400, 11000)
    assert missing.status_code == 400 and code_of(missing) in (10004, 11000)
    assert (unknown.status_code, code_of(unknown)) == (404, 10011)
    assert (wrong_key.status_code, code_of(wrong_key)) == (401, 40002)


@pytest.mark.parametrize("result, state", [("match", "VERIFIED"), ("mismatch", "ONGOING"), ("unreachable", "ONGOING")])
def test_telesign_silent_within_a_process(telesign, result, state):
    answer = telesign.create(verification_policy=[{"method": "silent"}, {"method": "sms"}])
    made = answer.json
    assert (made["state"], telesign.inbox()) == ("CREATED", [])

    told = telesign.handset(
        "POST", f"verifications/{made['reference_id']}/silent", made["mobile_app_token"], json={"result": result})

    assert told.status_code == 200, told.text
    process = telesign.process(made["reference_id"])
    assert process["state"] == state
    if state == "ONGOING":
        assert methods(process) == [("silent", "FAILED"), ("sms", "ONGOING")]
        assert telesign.verdict(made["reference_id"], telesign.code()) == 3900
