"""Conformance checks Q1 to Q4 of the Telesign contract, section 17.5, with the official client; the rest of
section 8 is in Sources/Providers/Telesign/Checks."""

import re

from telesign_clients import NUMBER, UNKNOWN, code_of, error_of


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
