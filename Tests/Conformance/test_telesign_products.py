"""Conformance checks of the Telesign contract, section 17.5, with the official clients; I2 and I4 are in
Sources/Providers/Telesign/Checks. Q1 to Q4 are in test_telesign_app_verify.py.

The clients' responses are checked against the provider's Swagger files
(telesign_schemas.py).
"""

import json
import os
import pathlib
import re
import subprocess
import sys

from telesign_clients import NUMBER, REFERENCE, UNKNOWN, code_of
from telesign_flows import omni


def data(answer):
    """The part of a response that describes the number, without members that describe the request."""
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


OLD_PACKAGE = pathlib.Path(sys.prefix) / "packages/telesign-3.0.1"  # make installs it
OLD_CLIENT = """
import json, sys
import telesign
from telesign.score import ScoreClient
customer, key, url, number = sys.argv[1:]
answer = ScoreClient(customer, key, rest_endpoint=url).score(number, "create")
print(json.dumps([telesign.__version__, answer.status_code, answer.json]))
"""


def test_telesign_i07_score_of_the_older_package(telesign):
    done = subprocess.run(
        [sys.executable, "-c", OLD_CLIENT, telesign.customer, telesign.key, telesign.url, NUMBER],
        capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(OLD_PACKAGE)})

    assert done.returncode == 0, done.stderr
    version, status, body = json.loads(done.stdout)
    assert (version, status, body["status"]["code"]) == ("3.0.1", 200, 300)
    assert body["risk"]["level"] and body["risk"]["recommendation"]
    assert telesign.sandbox.journal()[-1]["request"]["target"].endswith(f"/v1/score/{NUMBER}")
