"""TeleBureau and the legacy push paths: the Telesign contract, sections 12 and 5.6."""

import pytest

from telesign_clients import NUMBER, error_of
from telesign_flows import APP


# 12: TeleBureau

def test_telesign_telebureau(telesign):
    made = telesign.tb.create_event(
        NUMBER, "chargeback", "2026-11-20T08:00:00Z", verified_by="telesign", impact="high", fraud_ip="192.0.2.7")
    reference = made.json["reference_id"]
    found = telesign.tb.retrieve_event(reference)
    gone = telesign.tb.delete_event(reference)
    after = telesign.tb.retrieve_event(reference)

    assert (made.status_code, made.json["errors"]) == (200, [])
    for answer in (made, found):
        event = answer.json["fraud_event"]
        assert (event["phone_number"], event["fraud_type"], event["occurred_at"]) == (
            NUMBER, "chargeback", "2026-11-20T08:00:00Z")
        assert (event["verified_by"], event["impact"], event["fraud_ip"]) == ("telesign", "high", "192.0.2.7")
    assert gone.status_code == 200, gone.body
    assert after.status_code == 404 and error_of(after) == -10001


# 5.6: the push API until 2023

def test_telesign_legacy_push_without_a_registration(telesign):
    push = telesign.rc.post("/v2/verify/push", phone_number=NUMBER, ucid="BACF", notification_type="SIMPLE",
                notification_value="Log in?", template="x")
    token = telesign.rc.post("/v2/verify/soft_token", bundle_id="com.your.app", phone_number=NUMBER,
                 soft_token_id="x", verify_code="123456", session_id="1")
    found = telesign.rc.get(f"/v2/verify/registration/{NUMBER}", bundle_id="com.your.app")

    for answer in (push, token, found):
        assert answer.status_code == 400 and error_of(answer) == -50058, answer.body
        assert answer.json["errors"][0]["description"] == "Application is not registered for push notification"


def test_telesign_legacy_push_to_a_registration(telesign):
    made = telesign.generic(recipient={"phone_number": NUMBER}, device_registration="stamp",
                            verification_policy=[{"method": "push"}, {"method": "sms"}]).json
    telesign.handset("POST", "registrations", made["mobile_app_token"], json={
        "phone_number": NUMBER, "app_id": APP, "otp_code": telesign.code(), "push_app_token": "fcm-token-1",
        "platform": "android"})

    found = telesign.rc.get(f"/v2/verify/registration/{NUMBER}", bundle_id=APP)
    push = telesign.rc.post("/v2/verify/push", phone_number=NUMBER, ucid="BACF", notification_type="SIMPLE")

    assert found.status_code == 200 and {"device", "app", "status"} <= set(found.json), found.body
    assert push.status_code == 200 and push.json["sub_resource"] == "push", push.body
    assert push.json["reference_id"] in telesign.sandbox.control("GET", "pushes").text


@pytest.mark.parametrize("path", ["/v2/verify/push", "/v2/verify/soft_token"])
def test_telesign_legacy_push_needs_a_number(telesign, path):
    answer = telesign.rc.post(path, ucid="BACF")

    assert (answer.status_code, error_of(answer)) == (400, -10001)
