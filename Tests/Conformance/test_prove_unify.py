"""Conformance checks 8 to 26 and 30 to 34 of the Prove contract, section 11: one test for each number."""

import re

import pytest

import prove_client
from prove_client import GO, Device

LORANT, LANEY, SHORT_TERM = "2001004014", "2001004015", "2001004018"
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}"
TARGET = "https://example.com/done"


def unify(client, number=LORANT, possession="mobile", **more):
    body = {"possessionType": possession, **({"phoneNumber": number} if number else {}), **more}
    answer = client.unify(**body)
    assert answer.status == 200, answer
    return answer


def refused(answer, status, code):
    assert (answer.status, answer["code"]) == (status, code), answer
    return answer


def reasons(answer, category="authentication"):
    """The codes of a failed category. SDKs drop them, so the raw body is read."""
    outcome = answer["evaluation"][category]
    assert outcome["result"] == "fail"
    return list(outcome["failureReasons"])


def pass_otp(device, unified, code="1234"):
    assert device.authenticate(unified)["step"] == "otp_start"
    assert device.otp_start()["step"] == "otp_finish"
    return device.otp(code)


def inbox(sandbox, number=LORANT):
    """The texts that were sent to a number, oldest first."""
    e164 = number if number.startswith("+") else f"+1{number}"
    return [message["text"] for message in sandbox.control("GET", f"inbox/{e164}").json()["messages"]]


@pytest.mark.quick
def test_prove_08_unify_answers_pending(go):
    answer = unify(go)

    assert answer["success"] == "pending"
    assert re.fullmatch(UUID, answer["correlationId"])
    claims = prove_client.claims(answer["authToken"])
    assert answer["authToken"].count(".") == 2
    assert claims["exp"] - claims["iat"] == 900
    assert claims["sub"] != answer["correlationId"]


def test_prove_09_missing_possession_type(go, typescript):
    for answer in (go.unify(), typescript.unify(), typescript.call("POST", "/v3/unify"), go.call("POST", "/v3/unify")):
        refused(answer, 400, 8001)
        assert answer["message"] == "field 'possessionType' is missing"


def test_prove_10_desktop_needs_a_final_target_url(go):
    def answer(**more):
        return go.unify(possessionType="desktop", phoneNumber=LORANT, **more)

    refused(answer(), 400, 8001)
    refused(answer(finalTargetUrl="https://" + 121 * "a"), 400, 8001)
    refused(answer(finalTargetUrl="https://example.com/?a=1&b=2"), 400, 8001)
    assert answer(finalTargetUrl="https://" + 120 * "a").status == 200


def test_prove_11_unknown_number(go):
    answer = refused(go.unify(possessionType="mobile", phoneNumber="2125550100"), 400, 8007)

    assert answer["message"] == "no test user found matching the phone number"


def test_prove_11_number_of_another_solution(go):
    refused(go.unify(possessionType="mobile", phoneNumber="2001001695"), 401, 8009)


def test_prove_12_body_over_4_kilobytes(go):
    body = {"possessionType": "mobile", "phoneNumber": LORANT, "clientRequestId": ""}
    size = len(GO.encode(body, ()))

    assert go.unify(**{**body, "clientRequestId": (4096 - size) * "a"}).status == 200
    refused(go.unify(**{**body, "clientRequestId": (4097 - size) * "a"}), 400, 8001)


def test_prove_13_status_before_the_client_ran(go):
    answer = go.status(unify(go)["correlationId"])

    assert answer["success"] == "false"
    assert reasons(answer) == ["9100"]


def test_prove_14_short_term_user(go, java):
    passed = go.status(unify(go, SHORT_TERM)["correlationId"])
    assert passed["success"] == "true"
    assert re.fullmatch(UUID, passed["proveId"])
    assert "deviceId" not in passed.json()

    for number in (SHORT_TERM, "+2001004029"):
        session = unify(go, number, "none")["correlationId"]
        assert go.status(session)["success"] == "possession_required"
        bound = java.bind(session, number)
        assert (bound["success"], bound["phoneNumber"]) == ("true", number)
        assert go.status(session)["success"] == "true"


def test_prove_15_otp_success(typescript, sandbox):
    unified = unify(typescript, clientRequestId="order-1207", clientHumanId="human")
    device = Device()

    assert device.authenticate(unified)["step"] == "otp_start"
    assert inbox(sandbox) == []
    assert typescript.status(unified["correlationId"])["success"] == "pending"
    assert device.otp_start()["step"] == "otp_finish"
    assert re.search(r"\b1234\b", inbox(sandbox)[0])
    assert sandbox.code("+12001004014") == "1234"
    assert device.otp("1234")["step"] == "auth_finish"

    status = typescript.status(unified["correlationId"])
    assert status["success"] == "true"
    assert status["phoneNumber"] == LORANT
    assert status["deviceId"] == device.registration["deviceId"]
    assert re.fullmatch(UUID, status["proveId"])
    assert (status["clientRequestId"], status["clientHumanId"]) == ("order-1207", "human")
    assert status["evaluation"] == {"authentication": {"result": "pass"}}
    assert typescript.status(unified["correlationId"]).json() == status.json()


def test_prove_16_otp_wrong_without_retry(go):
    unified = unify(go)

    assert pass_otp(Device(), unified, "0000")["step"] == "auth_finish"
    status = go.status(unified["correlationId"])
    assert (status["success"], reasons(status)) == ("false", ["9100"])


def test_prove_17_otp_retry(go):
    unified = unify(go, allowOTPRetry=True)
    device = Device()
    for left, code in ((2, "0000"), (1, "1111")):
        step = pass_otp(device, unified, code) if left == 2 else device.otp(code)
        assert (step["step"], step["error"]["type"], step["attemptsLeft"]) == ("otp_finish", "otp_validation", left)
    assert device.otp("1234")["step"] == "auth_finish"
    assert go.status(unified["correlationId"])["success"] == "true"

    unified = unify(go, LANEY, allowOTPRetry=True)
    device = Device()
    pass_otp(device, unified, "0000")
    device.otp("1111")
    assert device.otp("2222")["step"] == "auth_finish"
    assert go.status(unified["correlationId"])["success"] == "false"


def test_prove_18_otp_timeout(go, sandbox):
    unified = unify(go)
    device = Device()
    device.authenticate(unified)
    device.otp_start()

    sandbox.advance("121s")

    step = device.otp("1234")
    assert (step["step"], step["error"]["type"]) == ("auth_finish", "otp_validation")
    assert go.status(unified["correlationId"])["success"] == "false"


def test_prove_19_resend_limit(go, sandbox):
    unified = unify(go)
    device = Device()
    device.authenticate(unified)
    device.otp_start()
    assert [device.otp_resend()["sendsLeft"] for _ in range(2)] == [1, 0]
    assert len(inbox(sandbox)) == 3

    step = device.otp_resend()

    assert (step["step"], step["error"]["type"]) == ("auth_finish", "resend_limit")
    assert len(inbox(sandbox)) == 3
    assert go.status(unified["correlationId"])["success"] == "false"


def test_prove_20_passive(go, sandbox):
    device = Device()
    first = unify(go)
    pass_otp(device, first)
    before = go.status(first["correlationId"])

    second = unify(go)
    assert device.authenticate(second)["step"] == "auth_finish"

    after = go.status(second["correlationId"])
    assert after["success"] == "true"
    assert (after["proveId"], after["deviceId"]) == (before["proveId"], before["deviceId"])
    assert len(inbox(sandbox)) == 1


def bound_device(go, number=LORANT):
    device = Device()
    pass_otp(device, unify(go, number))
    return device


def test_prove_21_key_of_another_number(go):
    device = bound_device(go)
    unified = unify(go, LANEY)

    assert device.authenticate(unified)["step"] == "auth_finish"

    status = go.status(unified["correlationId"])
    assert (status["success"], reasons(status)) == ("false", ["9101"])
    again = unify(go)
    device.authenticate(again)
    assert go.status(again["correlationId"])["success"] == "true"


def test_prove_22_rebind(go):
    device = bound_device(go)

    rebound = unify(go, LANEY, rebind=True)
    pass_otp(device, rebound)
    assert go.status(rebound["correlationId"])["success"] == "true"

    passive = unify(go, LANEY)
    assert device.authenticate(passive)["step"] == "auth_finish"
    assert go.status(passive["correlationId"])["success"] == "true"
    former = unify(go)
    device.authenticate(former)
    assert reasons(go.status(former["correlationId"])) == ["9101"]


def bind(client, device, number):
    """The customer checks the possession, and binds the number."""
    unified = unify(client, number, "none")
    assert device.authenticate(unified)["step"] == "auth_finish"
    assert client.status(unified["correlationId"])["success"] == "possession_required"
    return client.bind(unified["correlationId"], number)


def test_prove_23_customer_supplied_bind(java):
    device = Device()

    bound = bind(java, device, LORANT)
    assert bound["success"] == "true"
    assert bound["deviceId"] == device.registration["deviceId"]

    again = unify(java, LORANT, "none")
    device.authenticate(again)
    assert java.status(again["correlationId"])["success"] == "true"


def test_prove_24_one_number_for_each_key(java):
    device = Device()
    bind(java, device, LORANT)

    assert bind(java, device, LANEY)["success"] == "true"

    former = unify(java, LORANT, "none")
    device.authenticate(former)
    status = java.status(former["correlationId"])
    assert status["success"] == "possession_required"
    assert reasons(status) == ["9101"]


def test_prove_25_bind_out_of_order(go):
    early = unify(go, LORANT, "none")
    refused(go.bind(early["correlationId"], LORANT), 403, 8003)

    mobile = unify(go)
    go.status(mobile["correlationId"])
    refused(go.bind(mobile["correlationId"], LORANT), 403, 8003)

    refused(go.bind("0d9e0c1c-6f43-4b44-9a52-6c6b6b0b9d10", LORANT), 400, 8008)

    device, open_session = Device(), unify(go, None, "none")
    device.authenticate(open_session)
    assert go.status(open_session["correlationId"])["success"] == "possession_required"
    wrong = go.bind(open_session["correlationId"], "2125550100")
    assert (wrong.status, wrong["success"], wrong["phoneNumber"]) == (200, "false", "2125550100")
    assert go.bind(open_session["correlationId"], LORANT)["success"] == "true"


def test_prove_26_passive_variant(go):
    def run(cellular):
        unified = unify(go, None, "none")
        device = Device(features=["mobileAuth"], cellularNumber=cellular)
        assert device.authenticate(unified)["step"] == "mobile_auth"
        device.mobile_auth()
        return go.status(unified["correlationId"])

    passed = run("2001004016")
    assert (passed["success"], passed["phoneNumber"]) == ("true", "2001004016")
    assert run("2001004017")["success"] == "possession_required"


def test_prove_30_session_expiry(go, sandbox):
    unified = unify(go)

    sandbox.advance("901s")

    refused(go.status(unified["correlationId"]), 400, 8008)
    device = Device()
    device.token, device.url = unified["authToken"], prove_client.claims(unified["authToken"])["deviceUrl"]
    refused(device._post("authenticate", {}), 401, 8002)


def test_prove_31_auth_token_is_for_one_use(go):
    unified = unify(go)
    device = Device()
    device.authenticate(unified)

    refused(device._post("authenticate", {}), 401, 8002)


def test_prove_32_reputation(go):
    risky = go.status(unify(go, "2001009001", checkReputation=True)["correlationId"])
    assert (risky["success"], reasons(risky, "risk")) == ("false", ["9133"])

    unified = unify(go, "2001009001")
    pass_otp(Device(), unified)
    assert go.status(unified["correlationId"])["success"] == "true"


def test_prove_33_revoke(go):
    device = bound_device(go)
    assert go.revoke(device.registration["deviceId"]).json() == {"success": True}
    assert go.revoke(device.registration["deviceId"]).json() == {"success": True}

    assert device.authenticate(unify(go))["step"] == "otp_start"

    refused(go.revoke("0d9e0c1c-6f43-4b44-9a52-6c6b6b0b9d10"), 404, 8011)


def test_prove_34_wrong_path_or_method(go, sandbox):
    # The paths are those of the provider's hosts, where no other provider's paths exist.
    prefixed = GO.client(sandbox)
    prefixed.base = f"{sandbox.base}/prove"

    for answer in (prefixed.call("GET", "/v3/unify"), prefixed.call("POST", "/v3/token")):
        assert (answer.status, answer["message"]) == (403, "Forbidden")
