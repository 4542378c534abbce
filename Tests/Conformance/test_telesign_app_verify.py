"""App Verify with the official client: the Telesign contract, section 8. Checks Q1 to Q4 and other rules are
in Sources/Providers/Telesign/Checks."""

from telesign_clients import NUMBER, UNKNOWN, code_of, error_of


def initiate(telesign, **fields):
    answer = telesign.av.initiate(NUMBER, **fields)
    assert (answer.status_code, code_of(answer)) == (200, 2400), answer.body
    return answer.json


def test_telesign_app_verify(telesign):
    right, caller, late = initiate(telesign, external_id="mine"), initiate(telesign), initiate(telesign)

    finished = telesign.av.finalize(right["reference_id"], verify_code=right["verify_code"])
    reported = telesign.av.report_unknown_callerid(caller["reference_id"], "123456789")
    missed = telesign.av.report_timeout(late["reference_id"])
    found = telesign.av.status(right["reference_id"])
    same = telesign.rc.get("/v1/mobile/verification/status/mine")
    unknown = telesign.rc.get("/v1/mobile/verification/status/nobody")

    assert (code_of(finished), finished.json["resource_uri"]) == (2401, f"/v1/verify/{right['reference_id']}")
    assert [code_of(answer) for answer in (reported, missed, found)] == [2407, 2409, 2401]
    assert (same.json, error_of(unknown)) == (found.json, -40004)


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
