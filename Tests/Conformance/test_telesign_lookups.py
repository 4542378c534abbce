"""PhoneID, Score and Intelligence: rules of sections 10 and 11 of the Telesign contract that have no numbered
check."""

import json
import re

import pytest
from telesign.score import ScoreClient as StandardScoreClient

from telesign_clients import NUMBER, code_of, error_of
from telesign_signing import FORM, JSON

# 10, rules without a numbered check

def addons(telesign, number=NUMBER, **asked):
    answer = telesign.pc.phone_id_body(number, addons=asked)
    assert answer.status_code == 200, answer.body
    return answer.json


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


def test_telesign_phone_id_of_another_country(telesign):
    body = telesign.pc.phoneid("447700900123").json

    assert body["location"]["country"] == {"name": "United Kingdom", "iso2": "GB", "iso3": "GBR"}
    assert body["numbering"]["original"]["country_code"] == "44"


@pytest.mark.parametrize("body, code", [
    ({}, 12000), ({"phone_number": "abc"}, 11000),
    ({"phone_number": NUMBER, "account_lifecycle_event": "party"}, 11003),
    ({"phone_number": NUMBER, "originating_ip": "nowhere"}, 11010)])
def test_telesign_phone_id_with_invalid_parameters(telesign, body, code):
    answer = telesign.raw("POST", "/v1/phoneid", {**telesign.basic, "Content-Type": JSON}, json.dumps(body))

    assert (answer.status_code, code_of(answer)) == (400, code), answer.text


def test_telesign_phone_id_scenarios(telesign):
    """Endings about sending have no effect on a look-up (15.1)."""
    assert telesign.pc.phoneid("15558670005").json["phone_type"] == {"code": "5", "description": "VOIP"}
    assert code_of(telesign.pc.phoneid("15558670207")) == 300


COMMON = {"reference_id", "resource_uri", "sub_resource", "errors", "status", "phone_type", "numbering", "location",
          "carrier", "blocklisting"}


@pytest.mark.parametrize("name, own", [
    ("standard", set()), ("live", {"live"}), ("score", {"risk"}), ("contact", {"contact"}),
    ("number_deactivation", {"number_deactivation"})])
def test_telesign_older_gets(telesign, name, own):
    telesign.sandbox.control("PUT", f"subscribers/+{NUMBER}", json={
        "kyc": {"givenName": "Ada", "familyName": "Lovelace"}})

    answer = telesign.rc.get(f"/v1/phoneid/{name}/{NUMBER}", ucid="ATCK")

    assert answer.status_code == 200, answer.body
    assert (answer.json["sub_resource"], answer.json["resource_uri"], answer.json["errors"]) == (name, None, [])
    assert answer.json["phone_type"]["code"] == "2"
    assert set(answer.json) == COMMON | own
    assert all(isinstance(answer.json[member], dict) for member in own)


def test_telesign_older_get_of_a_missing_contact(telesign):
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


# 11, rules without a numbered check

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


@pytest.mark.parametrize("ending, score, recommendation", [("0010", 959, "block"), ("0005", 451, "flag")])
def test_telesign_score_scenarios(telesign, ending, score, recommendation):
    risk = telesign.sc.score(f"1555867{ending}", "create").json["risk"]

    assert (risk["score"], risk["recommendation"]) == (score, recommendation)


def test_telesign_score_is_the_same_through_each_api(telesign):
    """A number has the same score through the standard client, the older JSON and the older path."""
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
def test_telesign_score_with_invalid_parameters(telesign, fields, code):
    sent = {"phone_number": NUMBER, "account_lifecycle_event": "create", **fields}

    answer = telesign.rc.post(
        "/intelligence/phone", **{name: value for name, value in sent.items() if value is not None})

    assert (answer.status_code, code_of(answer)) == (400, code), answer.body


@pytest.mark.parametrize("event", ["create", "sign-in", "transact", "update", "delete"])
def test_telesign_score_events(telesign, event):
    answer = telesign.raw("POST", f"/v1/score/{NUMBER}", {**telesign.basic, "Content-Type": FORM},
                          f"account_lifecycle_event={event}")

    assert answer.status_code == 200, answer.text
