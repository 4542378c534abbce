"""Checks M1 to M5, I1 to I7 and Q1 to Q4 of the Telesign contract, section 17.5: one test for each number; then what
sections 8 to 11 say without one: omnichannel, capability, templates, voice, add-ons, the older GETs, intelligence.

The clients are the official ones; their answers are held against the vendor's Swagger files (teledocuments.py)."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest
from telesign.score import ScoreClient as StandardScoreClient

from teleclients import NUMBER, REFERENCE, UNKNOWN, code_of, error_of
from tsa import FORM, JSON

ADDONS = ["contact", "contact_plus", "contact_match", "sim_swap", "porting_status", "porting_history",
          "number_deactivation", "subscriber_status", "call_forward_detection", "breached_number_check",
          "active_call_status", "age_verify", "device_info"]


def data(answer):
    """What an answer says of the number: all but what is of the request itself."""
    return {name: value for name, value in answer.json.items() if name not in ("reference_id", "status")}


# 17.5: Messaging and Voice

def test_telesign_m01_message(telesign):
    answer = telesign.mc.message(NUMBER, "hello & co", "OTP")

    assert (answer.status_code, code_of(answer), answer.json["external_id"]) == (200, 290, None)
    assert answer.json["status"]["description"] == "Message in progress"
    assert "errors" not in answer.json and "sub_resource" not in answer.json
    reference = answer.json["reference_id"]
    assert re.fullmatch(REFERENCE, reference)
    assert telesign.text() == "hello & co"
    found = telesign.mc.status(reference)
    assert found.status_code == 200 and code_of(found) in (290, 203, 200)
    telesign.advance("60s")
    assert code_of(telesign.mc.status(reference)) == 200


def test_telesign_m02_broken_messages(telesign):
    kind = telesign.mc.message(NUMBER, "x", "XXX")
    number = telesign.mc.message("abc", "x", "OTP")
    missing = telesign.rc.post("/v1/messaging", phone_number=NUMBER, message_type="OTP")

    assert (kind.status_code, code_of(kind)) == (400, 11017)
    assert (missing.status_code, code_of(missing)) == (400, 12009)
    assert (number.status_code, code_of(number)) == (400, 11000)
    assert telesign.inbox() == []


def test_telesign_m03_unknown_reference(telesign):
    answer = telesign.mc.status(UNKNOWN)

    assert (answer.status_code, code_of(answer)) == (404, 10017)


def omni(**changed):
    return {"recipient": {"phone_number": NUMBER},
            "message": {"sms": {"template": "text", "parameters": {"text": "Your code is 123456"}}},
            "message_type": "ARN", "channels": [{"channel": "sms", "fallback_time": 300}], **changed}


def test_telesign_m04_omnichannel(telesign):
    answer = telesign.mc.omniMessage(omni())

    assert (answer.status_code, code_of(answer)) == (200, 3001)
    assert answer.json["status"]["description"] == "Message in progress"
    assert re.fullmatch(REFERENCE, answer.json["reference_id"])
    assert telesign.text() == "Your code is 123456"


def test_telesign_m05_voice(telesign):
    answer = telesign.voice.call(NUMBER, "hi", "ARN")

    assert (answer.status_code, code_of(answer)) == (200, 103)
    assert answer.json["voice"]["user_input"] == "" and re.fullmatch(r"\d+", answer.json["voice"]["caller_id"])
    (message,) = telesign.inbox()
    assert (message["channel"], message["text"]) == ("call", "hi")


# 17.5: PhoneID, Score, Intelligence

def test_telesign_i01_the_same_for_all_three_bodies(telesign):
    answers = [telesign.pc.phoneid(NUMBER), telesign.pc.phone_id_path(NUMBER), telesign.pc.phone_id_body(NUMBER)]

    for answer in answers:
        assert (answer.status_code, code_of(answer)) == (200, 300)
    first = data(answers[0])
    assert [data(answer) for answer in answers] == [first] * 3
    assert first["phone_type"] == {"code": "2", "description": "MOBILE"}
    assert first["numbering"]["original"] == {
        "phone_number": "5558675309", "complete_phone_number": NUMBER, "country_code": "1"}
    cleansed = {"cleansed_code": 100, "country_code": "1", "phone_number": "5558675309", "min_length": 10,
                "max_length": 10}
    assert first["numbering"]["cleansing"] == {"call": cleansed, "sms": cleansed}
    assert first["location"]["country"] == {"name": "United States", "iso2": "US", "iso3": "USA"}
    assert re.fullmatch(r"[+-]\d+(:\d\d)?", first["location"]["time_zone"]["utc_offset_min"])
    assert set(first["location"]) == {
        "city", "state", "zip", "county", "metro_code", "country", "coordinates", "time_zone"}
    assert first["carrier"]["name"] and first["external_id"] is None


def test_telesign_i02_add_ons(telesign):
    answer = telesign.pc.phone_id_body(NUMBER, addons={"sim_swap": {}, "bogus": {}})

    assert (answer.status_code, code_of(answer)) == (200, 301)
    assert answer.json["sim_swap"]["status"]["code"] == 2800
    assert answer.json["sim_swap"]["risk_indicator"] in (1, 2, 3, 4)
    assert answer.json["bogus"]["status"]["code"] == 2801


def test_telesign_i03_live_and_standard(telesign):
    live = telesign.pc.live(NUMBER, "ATCK")
    standard = telesign.pc.standard(NUMBER)

    for answer, resource in ((live, "live"), (standard, "standard")):
        assert (answer.status_code, code_of(answer), answer.json["errors"]) == (200, 300, [])
        assert (answer.json["sub_resource"], answer.json["resource_uri"]) == (resource, None)
        assert answer.json["phone_type"]["code"] == "2"
    assert live.json["live"] == {
        "subscriber_status": "ACTIVE", "device_status": "REACHABLE", "roaming": "UNKNOWN", "roaming_country": None,
        "roaming_country_iso2": None}
    assert "live" not in standard.json


def test_telesign_i04_invalid_number(telesign):
    """Parsed, and told to be invalid; no HTTP error (10.2)."""
    answer = telesign.pc.phoneid("15558670010")

    assert (answer.status_code, code_of(answer)) == (200, 300)
    assert answer.json["phone_type"] == {"code": "8", "description": "INVALID"}
    for cleansing in answer.json["numbering"]["cleansing"].values():
        assert (cleansing["cleansed_code"], cleansing["min_length"], cleansing["max_length"]) == (103, None, None)
    assert answer.json["location"]["country"]["iso2"] is None and answer.json["carrier"]["name"] == ""


def test_telesign_i05_score(telesign):
    number = telesign.sc.score(NUMBER, "create")
    address = telesign.sc.email_intelligence("a@b.co", "create")

    for answer in (number, address):
        assert (answer.status_code, code_of(answer)) == (200, 300)
        assert answer.json["risk"]["level"] and answer.json["risk"]["recommendation"] in ("allow", "flag", "block")
    assert number.json["phone_type"]["code"] == "2" and number.json["carrier"]["name"]


def test_telesign_i06_missing_event(telesign):
    answer = telesign.rc.post("/intelligence/phone", phone_number=NUMBER)

    assert (answer.status_code, code_of(answer)) == (400, 12003)


@pytest.fixture(scope="session")
def telesign_3_0_1():
    """The folder of a version whose Score is at the older path, installed once into this environment."""
    folder = pathlib.Path(sys.prefix) / "share/ringfence/telesign-3.0.1"
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            done = subprocess.run(
                [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                 "--retries", "1", "--timeout", "10", "--target", f"{scratch}/made", "telesign==3.0.1"],
                capture_output=True, text=True, timeout=100, check=False)
            if done.returncode != 0:
                pytest.skip(f"telesign 3.0.1 cannot be had from PyPI: {done.stderr.strip().splitlines()[-1]}")
            os.rename(f"{scratch}/made", folder)
    return folder


OLD_CLIENT = """
import json, sys
import telesign
from telesign.score import ScoreClient
customer, key, url, number = sys.argv[1:]
answer = ScoreClient(customer, key, rest_endpoint=url).score(number, "create")
print(json.dumps([telesign.__version__, answer.status_code, answer.json]))
"""


def test_telesign_i07_score_of_the_older_package(telesign, telesign_3_0_1):
    done = subprocess.run(
        [sys.executable, "-c", OLD_CLIENT, telesign.customer, telesign.key, telesign.url, NUMBER],
        capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(telesign_3_0_1)})

    assert done.returncode == 0, done.stderr
    version, status, body = json.loads(done.stdout)
    assert (version, status, body["status"]["code"]) == ("3.0.1", 200, 300)
    assert body["risk"]["level"] and body["risk"]["recommendation"]
    assert telesign.sandbox.journal()[-1]["request"]["target"].endswith(f"/v1/score/{NUMBER}")


# 17.5: App Verify

def initiate(telesign, **fields):
    answer = telesign.av.initiate(NUMBER, **fields)
    assert (answer.status_code, code_of(answer)) == (200, 2400), answer.body
    return answer.json


def test_telesign_q01_initiate(telesign):
    body = initiate(telesign)

    assert (body["sub_resource"], body["status"]["description"]) == ("auto_verify_initiate", "Pending")
    assert body["resource_uri"] == "/v1/auto/voice/finalize" and body["errors"] == []
    assert re.fullmatch(r"\d+", body["prefix"]) and re.fullmatch(r"\d{5}", body["verify_code"])
    (call,) = telesign.inbox()
    assert call["channel"] == "call"
    assert call["from"].lstrip("+") == body["prefix"] + body["verify_code"]


def test_telesign_q02_finalize(telesign):
    made = [initiate(telesign) for _ in range(3)]
    right = made[0]["verify_code"]
    wrong = str((int(made[1]["verify_code"]) + 1) % 100_000).zfill(5)

    answers = [telesign.av.finalize(made[0]["reference_id"], verify_code=right),
               telesign.av.finalize(made[1]["reference_id"], verify_code=wrong),
               telesign.av.finalize(made[2]["reference_id"])]

    assert [code_of(answer) for answer in answers] == [2401, 2402, 2401]
    for answer, begun in zip(answers, made):
        assert (answer.status_code, answer.json["sub_resource"]) == (200, "auto_verify_finalize")
        assert answer.json["resource_uri"] == f"/v1/verify/{begun['reference_id']}"
    assert [answer.json["verify_code"] for answer in answers[:2]] == [right, wrong]


def test_telesign_q03_finalize_again(telesign):
    begun = initiate(telesign)
    telesign.av.finalize(begun["reference_id"], verify_code=begun["verify_code"])

    answer = telesign.av.finalize(begun["reference_id"], verify_code=begun["verify_code"])

    assert (answer.status_code, code_of(answer), error_of(answer)) == (400, 500, -30014)


def test_telesign_q04_reports_and_status(telesign):
    caller, timeout, pending = initiate(telesign), initiate(telesign), initiate(telesign)

    reported = telesign.av.report_unknown_callerid(caller["reference_id"], "123456789")
    late = telesign.av.report_timeout(timeout["reference_id"])
    found = telesign.av.status(pending["reference_id"])

    assert (code_of(reported), reported.json["sub_resource"]) == (2407, "auto_verify_finalize_unknown")
    assert (code_of(late), late.json["sub_resource"]) == (2409, "auto_verify_finalize_timeout")
    assert found.status_code == 200 and code_of(found) in (2400, 2401)
    assert found.json["sub_resource"] == "app_verify_api"


# 8, where no number is

def test_telesign_app_verify_status_is_the_final_code(telesign):
    begun = initiate(telesign)
    telesign.av.report_timeout(begun["reference_id"])

    assert code_of(telesign.av.status(begun["reference_id"])) == 2409


def test_telesign_app_verify_own_code(telesign):
    assert initiate(telesign, verify_code="20085", verification_timeout="45")["verify_code"] == "20085"


@pytest.mark.parametrize("fields", [
    {"verify_code": "123"}, {"verify_code": "12a45"}, {"verification_timeout": "46"},
    {"verification_timeout": "soon"}])
def test_telesign_app_verify_broken_initiation(telesign, fields):
    answer = telesign.av.initiate(NUMBER, **fields)

    assert (answer.status_code, code_of(answer)) == (400, 500), answer.body
    assert telesign.inbox() == []


def test_telesign_app_verify_refusals(telesign):
    begun = initiate(telesign)
    number = telesign.av.initiate("abc")
    missing = telesign.rc.post("/v1/verify/auto/voice/finalize")
    unknown_caller = telesign.rc.post("/v1/verify/auto/voice/finalize/callerid", reference_id=begun["reference_id"])
    nobody = telesign.av.status(UNKNOWN)

    assert (number.status_code, error_of(number)) == (400, -10001)
    assert (missing.status_code, error_of(missing)) == (400, -10001)
    assert (unknown_caller.status_code, error_of(unknown_caller)) == (400, -10001)
    assert nobody.status_code == 404 and error_of(nobody) in (-40004, -10001, -10004)
    for answer in (telesign.av.finalize(UNKNOWN), telesign.av.report_timeout(UNKNOWN)):
        assert answer.status_code in (400, 404) and error_of(answer) < 0, answer.body


# 9.1, where no number is

@pytest.mark.parametrize("fields, code", [
    ({"phone_number": None}, 12000), ({"message_type": None}, 12017), ({"message": "x" * 1601}, 11009),
    ({"external_id": "x" * 101}, 11016), ({"originating_ip": "nowhere"}, 11010),
    ({"callback_url": "nowhere"}, 11004), ({"account_lifecycle_event": "party"}, 11003),
    ({"sender_id": "x" * 21}, 11013)])
def test_telesign_messaging_broken_field(telesign, fields, code):
    sent = {"phone_number": NUMBER, "message": "hi", "message_type": "OTP", **fields}

    answer = telesign.rc.post("/v1/messaging", **{name: value for name, value in sent.items() if value is not None})

    assert (answer.status_code, code_of(answer)) == (400, code), answer.body
    assert telesign.inbox() == []


def test_telesign_messaging_longest_message(telesign):
    assert code_of(telesign.mc.message(NUMBER, "x" * 1600, "MKT", external_id="y" * 100)) == 290
    assert telesign.text() == "x" * 1600


def test_telesign_messaging_success_status_is_a_switch(telesign):
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
def test_telesign_messaging_scenarios_of_refusal(telesign, ending, status, code):
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
    """A channel that fails hands over to the next."""
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


@pytest.mark.parametrize("changed", [
    {"recipient": {"phone_number": "abc"}}, {"recipient": None}, {"message_type": "XXX"}, {"message_type": None},
    {"channels": [{"channel": "pigeon"}]}, {"channels": None}, {"message": None}])
def test_telesign_omnichannel_broken(telesign, changed):
    fields = {name: value for name, value in omni(**changed).items() if value is not None}

    answer = telesign.mc.omniMessage(fields)

    assert answer.status_code == 400, answer.body
    assert 3100 <= code_of(answer) <= 3116 or 3300 <= code_of(answer) <= 3306
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
def test_telesign_voice_broken(telesign, fields, code):
    sent = {"phone_number": NUMBER, "message": "hi", "message_type": "ARN", **fields}

    answer = telesign.rc.post("/v1/voice", **{name: value for name, value in sent.items() if value is not None})

    assert (answer.status_code, code_of(answer)) == (400, code), answer.body


def test_telesign_voice_unknown_reference(telesign):
    answer = telesign.voice.status(UNKNOWN)

    assert (answer.status_code, code_of(answer)) == (404, 10017)


# 10, where no number is

def addons(telesign, number=NUMBER, **asked):
    answer = telesign.pc.phone_id_body(number, addons=asked)
    assert answer.status_code == 200, answer.body
    return answer.json


@pytest.mark.parametrize("name", ADDONS)
def test_telesign_phone_id_every_add_on_is_known(telesign, name):
    """Whatever is known of the number, each of the thirteen answers with a status of its own, and none is unknown."""
    body = addons(telesign, **{name: {}})

    assert body["status"]["code"] in (300, 301)
    assert 2800 <= body[name]["status"]["code"] <= 2812 and body[name]["status"]["code"] != 2801
    assert (body["status"]["code"] == 300) == (body[name]["status"]["code"] == 2800)


def test_telesign_phone_id_sim_swap(telesign):
    before = addons(telesign, sim_swap={})["sim_swap"]
    telesign.sandbox.control("POST", f"subscribers/+{NUMBER}/events", json={"event": "simSwap"})
    telesign.advance("1h")
    after = addons(telesign, sim_swap={})["sim_swap"]

    assert before["risk_indicator"] < after["risk_indicator"] == 4
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", after["swap_date"])
    assert re.fullmatch(r"\d\d:\d\d(:\d\d)?", after["swap_time"])


def test_telesign_phone_id_porting_status(telesign):
    before = addons(telesign, porting_status={})["porting_status"]
    telesign.sandbox.control("PUT", f"subscribers/+{NUMBER}", json={"ported": True, "mcc": "310", "mnc": "410"})
    after = addons(telesign, porting_status={})["porting_status"]

    assert not json.loads(str(before["ported"]).lower())
    assert json.loads(str(after["ported"]).lower())
    assert (after["mcc_current"], after["mnc_current"]) == ("310", "410")


def test_telesign_phone_id_number_deactivation(telesign):
    telesign.sandbox.control("POST", f"subscribers/+{NUMBER}/events", json={"event": "deactivate"})

    body = addons(telesign, number_deactivation={"last_verified": "2020-01-01T00:00:00Z"})["number_deactivation"]

    assert body["status"]["code"] == 2800
    assert {"carrier_name", "last_deactivated", "tracking_since", "recycled_since_last_verification"} <= set(body)
    assert body["last_deactivated"] is not None


def test_telesign_phone_id_contact(telesign):
    telesign.sandbox.control("PUT", f"subscribers/+{NUMBER}", json={
        "kyc": {"givenName": "Ada", "familyName": "Lovelace"}})

    body = addons(telesign, contact={}, contact_match={"first_name": "Ada", "last_name": "Nobody"})

    assert (body["contact"]["first_name"], body["contact"]["last_name"]) == ("Ada", "Lovelace")
    assert body["contact_match"]["first_name_score"] == 100
    assert 0 <= body["contact_match"]["last_name_score"] < 90


def test_telesign_phone_id_call_forwarding(telesign):
    telesign.sandbox.control("PUT", f"subscribers/+{NUMBER}", json={"forwarding": ["unconditional"]})

    body = addons(telesign, call_forward_detection={})["call_forward_detection"]

    assert json.loads(str(body["call_forward_enabled"]).lower()) is True


def test_telesign_phone_id_external_id_and_json_on_the_path(telesign):
    answer = telesign.pc.phoneid(NUMBER, external_id="mine", addons={"porting_status": {}})

    assert (code_of(answer), answer.json["external_id"]) == (300, "mine")
    assert answer.json["porting_status"]["status"]["code"] == 2800


@pytest.mark.parametrize("line, code, description", [
    ("landline", "1", "FIXED_LINE"), ("non_fixed_voip", "5", "VOIP"), ("toll_free", "4", "TOLL_FREE"),
    ("pager", "6", "PAGER"), ("voicemail", "11", "VOICEMAIL"), ("personal", "10", "PERSONAL")])
def test_telesign_phone_id_types(telesign, line, code, description):
    telesign.sandbox.control("PUT", f"subscribers/+{NUMBER}", json={"lineType": line})

    assert telesign.pc.phoneid(NUMBER).json["phone_type"] == {"code": code, "description": description}


def test_telesign_phone_id_elsewhere(telesign):
    body = telesign.pc.phoneid("447700900123").json

    assert body["location"]["country"] == {"name": "United Kingdom", "iso2": "GB", "iso3": "GBR"}
    assert body["numbering"]["original"]["country_code"] == "44"


@pytest.mark.parametrize("body, code", [
    ({}, 12000), ({"phone_number": "abc"}, 11000),
    ({"phone_number": NUMBER, "account_lifecycle_event": "party"}, 11003),
    ({"phone_number": NUMBER, "originating_ip": "nowhere"}, 11010)])
def test_telesign_phone_id_broken(telesign, body, code):
    answer = telesign.raw("POST", "/v1/phoneid", {**telesign.basic, "Content-Type": JSON}, json.dumps(body))

    assert (answer.status_code, code_of(answer)) == (400, code), answer.text


def test_telesign_phone_id_scenarios(telesign):
    assert telesign.pc.phoneid("15558670005").json["phone_type"] == {"code": "5", "description": "VOIP"}
    slow = telesign.pc.phoneid("15558670429")
    assert (slow.status_code, code_of(slow)) == (429, 10019)


@pytest.mark.parametrize("name", ["standard", "live", "score", "contact", "number_deactivation"])
def test_telesign_older_gets(telesign, name):
    telesign.sandbox.control("PUT", f"subscribers/+{NUMBER}", json={
        "kyc": {"givenName": "Ada", "familyName": "Lovelace"}})

    answer = telesign.rc.get(f"/v1/phoneid/{name}/{NUMBER}", ucid="ATCK")

    assert answer.status_code == 200, answer.body
    assert (answer.json["sub_resource"], answer.json["resource_uri"], answer.json["errors"]) == (name, None, [])
    assert answer.json["phone_type"]["code"] == "2"
    assert name not in ("live", "contact", "number_deactivation") or isinstance(answer.json[name], dict)
    assert name != "score" or answer.json["risk"]["level"]


def test_telesign_older_get_of_a_contact_that_nobody_has(telesign):
    answer = telesign.rc.get(f"/v1/phoneid/contact/{NUMBER}", ucid="ATCK")

    assert error_of(answer) == -60001
    assert answer.json["errors"][0]["description"] == "Phone ID Contact data not found"


def test_telesign_older_gets_are_family_a(telesign):
    number = telesign.pc.standard("abc")
    nobody = telesign.other(customer="0").pc.standard(NUMBER)

    assert (number.status_code, error_of(number)) == (400, -10001)
    assert (nobody.status_code, error_of(nobody)) == (401, -30000)


def test_telesign_older_get_of_a_line_that_is_off(telesign):
    telesign.sandbox.control("POST", f"subscribers/+{NUMBER}/events", json={"event": "detach"})

    assert telesign.pc.live(NUMBER, "ATCK").json["live"]["device_status"] == "UNREACHABLE"


# 11, where no number is

@pytest.mark.parametrize("score, recommendation", [
    (0, "allow"), (200, "allow"), (201, "allow"), (400, "allow"), (401, "flag"), (600, "flag"), (601, "block"),
    (801, "block"), (1000, "block")])
def test_telesign_score_scale(telesign, score, recommendation):
    telesign.sandbox.control("PUT", f"subscribers/+{NUMBER}", json={"risk": {"score": score, "reasons": []}})

    risk = telesign.sc.score(NUMBER, "create").json["risk"]

    assert (risk["score"], risk["recommendation"]) == (score, recommendation)
    level = next(name for most, name in (
        (200, "very-low"), (400, "low"), (600, "medium"), (800, "high"), (1000, "very-high")) if score <= most)
    assert risk["level"] == level


@pytest.mark.parametrize("ending, score, recommendation", [("0010", 959, "block"), ("0005", None, "flag")])
def test_telesign_score_scenarios(telesign, ending, score, recommendation):
    risk = telesign.sc.score(f"1555867{ending}", "create").json["risk"]

    assert risk["recommendation"] == recommendation
    assert score is None or risk["score"] == score


def test_telesign_score_all_ways(telesign):
    """The standard package's client, the older JSON, the older path: one number has one score."""
    client = telesign._make(StandardScoreClient)
    fields = {"phone_number": NUMBER, "account_lifecycle_event": "sign-in"}
    older = telesign.raw("POST", "/intelligence", {**telesign.basic, "Content-Type": JSON}, json.dumps(fields))
    answers = [telesign.sc.score(NUMBER, "sign-in"), client.score(NUMBER, "sign-in"), older,
               telesign.rc.post(f"/v1/score/{NUMBER}", account_lifecycle_event="sign-in")]

    for answer in answers:
        assert (answer.status_code, code_of(answer)) == (200, 300)
    assert len({answer.json["risk"]["score"] for answer in answers}) == 1


def test_telesign_score_insights(telesign):
    answer = telesign.sc.score(NUMBER, "create", external_id="mine", request_risk_insights="true",
                               originating_ip="192.0.2.7", email_address="a@b.co", device_id="d", account_id="a")

    insights = answer.json["risk_insights"]
    assert answer.json["external_id"] == "mine"
    assert insights["status"] in (800, 801, 803)
    assert all(type(number) is int for name in ("category", "a2p", "p2p", "number_type", "ip", "email")
               for number in insights[name])


@pytest.mark.parametrize("fields, code", [
    ({"account_lifecycle_event": "party"}, 11003), ({"phone_number": "abc"}, 11000), ({"phone_number": None}, 12000),
    ({"email_address": "nowhere"}, 11007), ({"originating_ip": "nowhere"}, 11010)])
def test_telesign_score_broken(telesign, fields, code):
    sent = {"phone_number": NUMBER, "account_lifecycle_event": "create", **fields}

    answer = telesign.rc.post(
        "/intelligence/phone", **{name: value for name, value in sent.items() if value is not None})

    assert (answer.status_code, code_of(answer)) == (400, code), answer.body


@pytest.mark.parametrize("event", ["create", "sign-in", "transact", "update", "delete"])
def test_telesign_score_events(telesign, event):
    answer = telesign.raw("POST", f"/v1/score/{NUMBER}", {**telesign.basic, "Content-Type": FORM},
                          f"account_lifecycle_event={event}")

    assert answer.status_code == 200, answer.text
