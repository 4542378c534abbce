"""Conformance checks X1 to X3 and X5 to X7 of the Telesign contract, "Additions"; X4 is in
test_telesign_handset.py. X7 replays telesign_examples.json, which lists the examples in the provider's SDK
repositories."""

import datetime
import json
import pathlib
import urllib.parse

import pytest

import telesign_clients
import telesign_signing
from telesign_clients import NUMBER, PUBLISHED, code_of, error_of
from telesign_signing import FORM, JSON

EXAMPLES = json.loads(pathlib.Path(__file__).with_name("telesign_examples.json").read_text(encoding="utf-8"))["examples"]
CASES = [pytest.param(example, id=source) for example in EXAMPLES for source in example["sources"]]
CONTACT = {"contact_details": {"email": "ghopper@gmail.com", "phone_number": "15555551212"}, "external_id": "REG432538",
           "account_lifecycle_event": "create", "ip": "1.1.1.1", "device_id": "2e4fa042234d"}


def member(body, path):
    """The member of a JSON object at a path such as `status.code`."""
    for name in path.split("."):
        body = body[name]
    return body


# X1

def test_telesign_x01_intelligence_example_of_the_node_client(telesign):
    answer = telesign.raw("POST", "/intelligence", {**telesign.basic, "Content-Type": JSON},
                          json.dumps(CONTACT, separators=(",", ":")))

    assert (answer.status_code, code_of(answer)) == (200, 300), answer.text
    body = answer.json
    assert body["external_id"] == "REG432538"
    assert body["phone_details"]["numbering"]["original"]["phone_number"] == "5555551212"
    assert {"numbering", "phone_type", "location", "carrier"} <= set(body["phone_details"])
    assert {"level", "recommendation", "score"} <= set(body["risk"])
    assert body["email_details"]["cleansed"]["email_address"] == "ghopper@gmail.com"
    assert "phone_type" not in body


@pytest.mark.parametrize("change, code", [
    ({"contact_details": {"email": "a@b.co"}}, 12000), ({"contact_details": {"phone_number": "abc"}}, 11000),
    ({"contact_details": {"phone_number": NUMBER, "email": "nowhere"}}, 11007), ({"ip": "nowhere"}, 11010),
    ({"account_lifecycle_event": None}, 12003), ({"account_lifecycle_event": "party"}, 11003)])
def test_telesign_x01_invalid_contact_details(telesign, change, code):
    answer = telesign.rc.post("/intelligence", json_fields={**CONTACT, **change})

    assert (answer.status_code, code_of(answer)) == (400, code), answer.body


def test_telesign_x01_flat_parameters_work_too(telesign):
    fields = {"phone_number": NUMBER, "account_lifecycle_event": "create"}

    answer = telesign.rc.post("/intelligence", json_fields=fields)

    assert (answer.status_code, code_of(answer)) == (200, 300)
    assert "numbering" in answer.json and "phone_details" not in answer.json


# X2

def test_telesign_x02_app_verify_status_by_external_id(telesign):
    begun = telesign.av.initiate(NUMBER, external_id="order 7/é").json
    path = "/v1/mobile/verification/status/" + urllib.parse.quote("order 7/é", safe="")

    pending = telesign.rc.get(path)
    telesign.av.finalize(begun["reference_id"], verify_code=begun["verify_code"])
    finished = telesign.rc.get(path)

    assert (pending.status_code, code_of(pending), pending.json["reference_id"]) == (200, 2400, begun["reference_id"])
    assert code_of(finished) == 2401
    assert finished.json == telesign.av.status(begun["reference_id"]).json


def test_telesign_x02_an_unknown_external_id(telesign):
    answer = telesign.rc.get("/v1/mobile/verification/status/nobody")

    assert (answer.status_code, error_of(answer)) == (404, -40004)


def test_telesign_x02_the_newest_verification_counts(telesign):
    telesign.av.initiate(NUMBER, external_id="mine")
    newest = telesign.av.initiate(NUMBER, external_id="mine").json["reference_id"]

    assert telesign.rc.get("/v1/mobile/verification/status/mine").json["reference_id"] == newest


# X3

def families(telesign):
    """A signed call of each client family (2.5)."""
    return [telesign.vc.sms(NUMBER), telesign.mc.message(NUMBER, "hi", "ARN"), telesign.voice.call(NUMBER, "hi", "ARN"),
            telesign.pc.phoneid(NUMBER), telesign.sc.score(NUMBER, "create"), telesign.av.initiate(NUMBER),
            telesign.create(), telesign.rc.post("/silent/initiate", json_fields={"phone_number": NUMBER})]


@pytest.mark.parametrize("mode", ["frozen", "real"])
@pytest.mark.parametrize("span", ["2h", "30d"])
def test_telesign_x03_signed_calls_after_the_clock_was_moved(telesign, mode, span):
    telesign.sandbox.control("POST", "clock", json={"mode": mode})
    telesign.advance(span)

    assert [answer.status_code for answer in families(telesign)] == [200] * 8

    telesign.switch(auth__strict_dates=True)
    refused = families(telesign)
    assert [answer.status_code for answer in refused] == [401] * 8
    assert error_of(refused[0]) == error_of(refused[5]) == -30010
    assert [code_of(answer) for answer in refused[1:5]] == [10004] * 4
    assert [code_of(answer) for answer in refused[6:]] == [3400, 40002]


def test_telesign_x03_a_frozen_clock_in_the_past(server, telesign_checker):
    sandbox = server.sandbox(clock="2020-01-05T10:20:30Z")
    try:
        assert telesign_clients.Clients(sandbox, telesign_checker.check).vc.sms(NUMBER).status_code == 200
    finally:
        sandbox.delete()


def test_telesign_x03_dates_by_the_sandboxes_clock_stay_right(telesign):
    telesign.advance("30d")
    kind, body = FORM, f"phone_number={NUMBER}&message=hi&message_type=ARN"

    assert telesign.caller.post("/v1/messaging", body, kind).status_code == 200


def test_telesign_x03_a_wrong_date_is_refused_though_the_clock_was_moved(telesign):
    telesign.advance("30d")
    caller = telesign.caller
    caller.moment = telesign_signing.instant("2021-01-05T10:20:30Z")

    answer = caller.post("/v1/messaging", f"phone_number={NUMBER}&message=hi&message_type=ARN")

    assert (answer.status_code, code_of(answer)) == (401, 10004)


# X5

def deactivation(telesign, number):
    answer = telesign.rc.get(f"/v1/phoneid/number_deactivation/{number}", ucid="ATCK")
    assert (answer.status_code, code_of(answer)) == (200, 300), answer.body
    return answer.json["number_deactivation"]


def test_telesign_x05_email_intelligence(telesign):
    answer = telesign.sc.email_intelligence("U.Ser7+shop@Mailinator.com", "create", external_id="mine")

    assert (answer.status_code, code_of(answer), answer.json["external_id"]) == (200, 300, "mine")
    details = answer.json["email_address_details"]
    assert details["original"] == {"email_address": "U.Ser7+shop@Mailinator.com", "is_valid": True}
    assert details["cleansed"] == {"email_address": "u.ser7@mailinator.com", "is_valid": True, "username": "u.ser7",
                                   "domain": "mailinator.com"}
    assert details["cleansing_details"] == {"is_modified": True, "gibberish_probability": 0.0, "tag": "shop"}
    assert details["domain_details"] == {"general_info": {
        "registered_domain": "mailinator.com", "tld": "com", "tld_type": "general", "is_disposable": True}}
    assert set(answer.json["intelligence_details"]["risk"]) == {"level", "recommendation", "score"}
    insights = answer.json["intelligence_details"]["insights"]
    assert {name: set(value) for name, value in insights.items() if name != "category"} == {
        "phone_number": {"activity", "static"}, "ip_address": {"activity", "static"},
        "email_address": {"activity", "static", "domain"}}
    assert answer.json["risk"] == answer.json["intelligence_details"]["risk"]
    assert not {"risk_insights", "phone_type"} & set(answer.json)


def test_telesign_x05_number_deactivation(telesign):
    telesign.sandbox.control("PUT", f"subscribers/+{NUMBER}", json={"mcc": "310", "mnc": "410"})
    before = deactivation(telesign, NUMBER)
    telesign.sandbox.control("POST", f"subscribers/+{NUMBER}/events", json={"event": "deactivate"})
    after = deactivation(telesign, NUMBER)

    assert (before["number"], before["mcc"], before["mnc"], before["last_deactivated"]) == (NUMBER, 310, 410, None)
    assert after["last_deactivated"] is not None


def test_telesign_x05_number_deactivation_of_an_invalid_number(telesign):
    found = deactivation(telesign, "15558670010")

    assert (found["number"], found["last_deactivated"]) == ("15558670010", None)


# X6

@pytest.mark.parametrize("text", [
    "Hello, your code is 1, 2, 3, 4, 5. Once again, your code is 1, 2, 3, 4, 5. Goodbye.", "1 2 3 4 5", "1-2-3-4-5"])
@pytest.mark.parametrize("kind", ["OTP", "ARN"])
def test_telesign_x06_a_code_that_is_read_out_digit_by_digit(telesign, text, kind):
    telesign.voice.call(NUMBER, text, kind)

    assert telesign.code() == "12345"
    assert telesign.inbox()[-1]["code"] == "12345"


@pytest.mark.parametrize("text", ["You have an appointment at 2:30PM.", "1, 2, 3", "Press 1, 2 or 3, 4 or 5", "1, 2, 3, 4 or 5, 6, 7, 8"])
def test_telesign_x06_other_digits_are_no_code(telesign, text):
    telesign.voice.call(NUMBER, text, "ARN")

    assert telesign.inbox()[-1].get("code") is None


# X7

@pytest.mark.parametrize("example", CASES)
def test_telesign_x07_examples_of_the_providers_repositories(telesign, example):
    known = {"phone_number": NUMBER}

    def fill(value):
        if isinstance(value, str):
            for name, text in known.items():
                value = value.replace(f"{{{name}}}", text)
            return value
        if isinstance(value, dict):
            return {name: fill(one) for name, one in value.items()}
        return [fill(one) for one in value] if isinstance(value, list) else value

    for request in example["requests"]:
        if "{code}" in json.dumps(request):
            known["code"] = telesign.code()
        answer = send(telesign, {**request, **{name: fill(request[name]) for name in ("path", "form", "json") if name in request}})
        assert answer.status_code == 200, f"{request['path']}: {answer.status_code} {answer.text}"
        for path in request["reads"]:
            assert member(answer.json, path) is not None or path in example.get("nullable", []), f"{path}: {answer.text}"
        if isinstance(answer.json, dict):
            known.update({name: answer.json[name] for name in ("reference_id", "prefix") if answer.json.get(name)})
    if "code" in example:
        assert telesign.code() == example["code"]


def send(telesign, request):
    """Sends a request as an SDK does: signed, or with Basic authentication."""
    method, (path, mark, query) = request["method"], request["path"].partition("?")
    body = json.dumps(request["json"]) if "json" in request else urllib.parse.urlencode(request.get("form", {}))
    kind = JSON if "json" in request else FORM if method in ("POST", "PUT") else ""
    if request.get("basic"):
        headers = {**telesign.basic, "Content-Type": kind}
    else:
        headers = telesign.caller.headers(method, path, content_type=kind, body=body)
    return telesign.raw(method, path, headers, body, mark + query)


# Other facts of the additions

@pytest.mark.parametrize("voice, language", [("f-FR-fr", "fr-FR"), ("f-fr-FR", "fr-FR"), ("m-EN-us", "en-US")])
def test_telesign_voices_in_both_spellings(telesign, voice, language):
    answer = telesign.voice.call(NUMBER, "Bonjour", "ARN", voice=voice)

    assert (answer.status_code, code_of(answer)) == (200, 103)


def test_telesign_the_providers_example_key_is_let_in(server):
    """An example that is pasted with its own key works in the default sandbox (default credentials)."""
    for key in ("ABC12345yusumoN6BYsBVkh+yRJ5czgsnCehZaOYldPJdmFh6NeX8kunZ2zU1YWaUw/0wV6xfw==",
                "EXAMPLE----TE8sTgg45yusumoN6BYsBVkh+yRJ5czgsnCehZaOYldPJdmFh6NeX8kunZ2zU1YWaUw/0wV6xfw=="):
        caller = telesign_signing.Caller(
            f"{server.http}/telesign", PUBLISHED[0], telesign_signing.without_foreign(key),
            datetime.datetime.now(datetime.timezone.utc))
        body = f"phone_number={NUMBER}&message=hi&message_type=ARN"
        signed = caller.post("/v1/messaging", body)
        basic = caller.send("POST", "/v1/messaging", {**caller.basic(key), "Content-Type": FORM}, body)

        assert (signed.status_code, basic.status_code) == (200, 200), signed.text


def test_telesign_the_last_of_repeated_members_counts(telesign):
    """An enterprise Ruby call sends a member twice."""
    body = '{"recipient":{"phone_number":"abc"},"recipient":{"phone_number":"%s"}}' % NUMBER

    answer = telesign.raw("POST", "/verification", {**telesign.basic, "Content-Type": JSON}, body)

    assert (answer.status_code, answer.json["recipient"]) == (200, {"phone_number": NUMBER}), answer.text
