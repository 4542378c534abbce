"""Checks P30 to P37 of the push contract, additions: facts from recorded answers of Google."""

import re

import pytest
import requests
from firebase_admin import messaging

from fcm_client import INVALID, UNREGISTERED, error_of

# Tokens are what the other languages' clients and the contract have; the client would like `fid` instead.
pytestmark = pytest.mark.filterwarnings("ignore:.* is deprecated. Use .*fids? instead")

TYPE = "type.googleapis.com/google."
INVALID_DETAIL = {"@type": TYPE + "firebase.fcm.v1.FcmError", "errorCode": INVALID}
SEND = {"method": "google.firebase.fcm.v1.FcmService.SendMessage", "service": "fcm.googleapis.com"}


def fcm_error(code):
    return {"@type": TYPE + "firebase.fcm.v1.FcmError", "errorCode": code}


def apns_error(status, reason):
    return {"@type": TYPE + "firebase.fcm.v1.ApnsError", "statusCode": status, "reason": reason}


@pytest.mark.parametrize("settings, unregistered, large", [
    ({}, "NotRegistered", "Message is too large. The maximum is 4K (4096 bytes)."),
    ({"errorTexts": "previous"}, "Requested entity was not found.", "Android message is too big"),
])
def test_push_30_texts_by_the_setting(fcm, settings, unregistered, large):
    fcm.settings(**settings)

    gone = error_of(fcm.post({"token": "sbx-a-gone"}), 404, "NOT_FOUND")
    too_large = error_of(fcm.post({"token": "sbx-a", "data": {"a": "x" * 5000}}), 400, INVALID)

    assert (gone["message"], gone["details"]) == (unregistered, [fcm_error(UNREGISTERED)])
    assert (too_large["message"], too_large["details"]) == (large, [INVALID_DETAIL])
    with pytest.raises(messaging.UnregisteredError):
        fcm.send(token="sbx-a-gone")


def test_push_31_details_of_bad_messages(fcm):
    malformed = error_of(fcm.post({"token": "free form"}), 400, INVALID)
    no_target = error_of(fcm.post({"data": {"a": "b"}}), 400, INVALID)

    assert (malformed["message"], malformed["details"]) == ("Invalid registration token", [INVALID_DETAIL])
    assert no_target["details"] == [
        {"@type": TYPE + "rpc.BadRequest", "fieldViolations": [
            {"field": "message", "description": "Recipient of the message is not set."}]},
        INVALID_DETAIL]


def test_push_31_details_of_bad_credentials(fcm):
    def info(reason):
        return [{"@type": TYPE + "rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com", "metadata": SEND}]

    token = fcm.token()
    missing = fcm.post({"token": "sbx-a"}, token="")
    foreign = fcm.post({"token": "sbx-a"}, token="somebody-elses")
    fcm.sandbox.advance("2h")
    expired = fcm.post({"token": "sbx-a"}, token=token)

    assert error_of(missing, 401, "UNAUTHENTICATED")["details"] == info("CREDENTIALS_MISSING")
    assert error_of(expired, 401, "UNAUTHENTICATED")["details"] == info("ACCESS_TOKEN_EXPIRED")
    assert "details" not in error_of(foreign, 401, "UNAUTHENTICATED")
    assert ["error=" in answer.headers["WWW-Authenticate"] for answer in (missing, foreign, expired)] == [
        False, True, True]


def test_push_31_answers_are_indented(fcm):
    answer = fcm.post({"token": "sbx-a"})
    refused = fcm.post({"token": "sbx-a-gone"})

    assert answer.text == f'{{\n  "name": "{answer.json()["name"]}"\n}}\n'
    assert refused.text.startswith('{\n  "error": {\n    "code": 404,\n')
    for one in answer, refused:
        assert one.headers["Content-Type"] == "application/json; charset=UTF-8"


def test_push_32_a_dead_ios_token(fcm):
    fcm.ios("sbx-i-gone")

    error = error_of(fcm.post({"token": "sbx-i-gone"}), 400, INVALID)
    fcm.settings(errorTexts="previous")
    previous = error_of(fcm.post({"token": "sbx-i-gone"}), 404, "NOT_FOUND")

    assert error["message"] == "APNs device token is disabled."
    assert error["details"] == [INVALID_DETAIL, apns_error(410, "Unregistered")]
    assert previous["fcm"] == [UNREGISTERED]


@pytest.mark.parametrize("reason", [
    "InvalidProviderToken", "BadEnvironmentKeyInToken", "BadEnvironmentKeyIdInToken", "UnrelatedKeyIdInToken"])
def test_push_32_apple_refuses_the_key(fcm, reason):
    fcm.settings(apnsKeyError=reason)
    fcm.ios("sbx-i-noapns")

    error = error_of(fcm.post({"token": "sbx-i-noapns"}), 401, "UNAUTHENTICATED")

    assert error["details"] == [
        fcm_error("THIRD_PARTY_AUTH_ERROR"), apns_error(403, reason)]
    with pytest.raises(messaging.ThirdPartyAuthError):
        fcm.send(token="sbx-i-noapns")


def test_push_33_project_quota(fcm):
    fcm.sandbox.faults({"provider": "fcm", "route": "sendMessage", "code": "RESOURCE_EXHAUSTED"})

    error = error_of(fcm.post({"token": "sbx-a"}), 429, "RESOURCE_EXHAUSTED")

    assert re.fullmatch(
        r"Quota exceeded for quota metric 'Send requests' and limit 'Send requests per minute' of service "
        r"'fcm.googleapis.com' for consumer 'project_number:\d{12}'\.", error["message"])
    assert [detail["@type"] for detail in error["details"]] == [TYPE + "rpc.ErrorInfo", TYPE + "rpc.Help"]
    info = error["details"][0]
    assert (info["reason"], info["domain"]) == ("RATE_LIMIT_EXCEEDED", "googleapis.com")
    assert info["metadata"]["service"] == "fcm.googleapis.com"
    assert error["fcm"] == []


def test_push_34_names_of_messages(fcm):
    def name(**message):
        prefix, _, name = fcm.send(**message).rpartition("/")
        assert prefix == f"projects/{fcm.project}/messages"
        return name

    shown = name(token="sbx-a", notification=messaging.Notification("T", "B"))
    data = name(token="sbx-a", data={"a": "b"})

    assert re.fullmatch(r"0:\d{16}%([0-9a-f]{8})\1", shown)
    assert re.fullmatch(r"0:\d{16}%[0-9a-f]{8}f9fd7ecd", data)
    assert re.fullmatch(r"\d{19}", name(topic="news", data={"a": "b"}))
    assert re.fullmatch(r"\d{19}", name(condition="'news' in topics", data={"a": "b"}))


@pytest.mark.parametrize("code, status", [
    ("PERMISSION_DENIED", 403), ("UNAUTHENTICATED", 401), ("NOT_FOUND", 404), ("ALREADY_EXISTS", 409),
    ("FAILED_PRECONDITION", 400), ("UNIMPLEMENTED", 501), ("DEADLINE_EXCEEDED", 504)])
def test_push_34_faults_with_names_of_google(fcm, code, status):
    fcm.sandbox.faults({"provider": "fcm", "route": "sendMessage", "code": code})

    assert error_of(fcm.post({"token": "sbx-a"}), status, code)["fcm"] == []


def test_push_34_faults_with_unknown_names_are_refused(fcm):
    fault = {"provider": "fcm", "route": "sendMessage", "code": "PERMISSION_DENIE"}

    answer = fcm.sandbox.control("PUT", "faults", json={"faults": [fault]}, expect=(400,))

    assert 'unknown code "PERMISSION_DENIE"; did you mean "PERMISSION_DENIED"?' in answer.json()["error"]


@pytest.mark.parametrize("fault, text", [
    ({"status": 500}, "Internal error encountered."), ({"code": "INTERNAL"}, "Internal error encountered."),
    ({"status": 503}, "The service is currently unavailable.")])
def test_push_34_texts_of_server_errors(fcm, fault, text):
    fcm.sandbox.faults({"provider": "fcm", "route": "sendMessage", **fault})

    assert fcm.post({"token": "sbx-a"}).json()["error"]["message"] == text


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_push_35_third_party_auth_error_has_fcm_error_alone(fcm, platform):
    if platform == "ios":
        fcm.ios("sbx-p-noapns")

    error = error_of(fcm.post({"token": "sbx-p-noapns"}), 401, "UNAUTHENTICATED")

    assert error["message"] == "Auth error from APNS or Web Push Service"
    assert error["details"] == [fcm_error("THIRD_PARTY_AUTH_ERROR")]
    with pytest.raises(messaging.ThirdPartyAuthError, match="Auth error from APNS or Web Push Service"):
        fcm.send(token="sbx-p-noapns")


def test_push_35_injected_third_party_auth_error(fcm):
    fcm.sandbox.faults({"provider": "fcm", "route": "sendMessage", "code": "THIRD_PARTY_AUTH_ERROR"})

    error = error_of(fcm.post({"token": "sbx-a"}), 401, "UNAUTHENTICATED")

    assert error["details"] == [fcm_error("THIRD_PARTY_AUTH_ERROR")]


@pytest.mark.parametrize("body, finding", [
    (b"", "Unexpected end of string. Expected a value."), (b'{"message":', "Unexpected end of string. Expected a value."),
    (b"message=x", "Unexpected token."), (b'{"message":{"token":abc}}', "Unexpected token."),
    (b"<xml/>", "Expected a value."), (b'{"message":{', "Unexpected end of string. Expected an object key or }."),
    (b'{"message":{1:2}}', "Expected an object key or }."), (b'{"message" 1}', "Expected : between key:value pair."),
    (b'{"message":{"token":"a" "data":{}}}', "Expected , or } after key:value pair."),
    (b'{"message":{"token":"a"}', "Unexpected end of string. Expected , or } after key:value pair."),
    (b'{"message":{"token":"a', "Closing quote expected in string."), (b'{} x', "Parsing terminated before end of input.")])
def test_push_36_body_that_is_no_json(fcm, body, finding):
    answer = requests.post(fcm.url, data=body, headers={
        "Authorization": f"Bearer {fcm.token()}", "Content-Type": "application/json"}, timeout=20)

    error = error_of(answer, 400, "INVALID_ARGUMENT")
    assert error["message"].split("\n")[0] == f"Invalid JSON payload received. {finding}"
    assert "details" not in error
    assert [attempt["status"] for attempt in fcm.attempts()] == [400]


@pytest.mark.parametrize("operation", ["batchAdd", "batchRemove"])
def test_push_37_topic_management_without_a_credential(fcm, operation):
    url = f"{fcm.sandbox.base}/iid/v1:{operation}"
    body = {"to": "/topics/news", "registration_tokens": ["sbx-a"]}

    missing = requests.post(url, json=body, timeout=20)
    present = requests.post(url, json=body, headers={"Authorization": f"Bearer {fcm.token()}"}, timeout=20)

    assert missing.status_code == 401
    assert missing.headers["Content-Type"].startswith("text/html")
    assert re.search("<title>Unauthorized</title>", missing.text, re.IGNORECASE)
    assert (present.status_code, present.json()) == (200, {"results": [{}]})
