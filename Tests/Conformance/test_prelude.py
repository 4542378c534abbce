"""Conformance checks 1 to 23, 28 and 42 to 47 of the Prelude contract, section 17: one test for each
number."""

import concurrent.futures
import json
import re

import prelude_python_sdk
import pytest
import requests

import ringfence
from ringfence import different

HAPPY = "+33639980050"
US = "+12025550150"
VERIFICATION = r"vrf_[0-9a-hjkmnp-tv-z]{26}"


def target(number):
    return {"type": "phone_number", "value": number}


def create(client, number=HAPPY, **more):
    return client.verification.create(target=target(number), **more)


def check(client, code, number=HAPPY, **more):
    return client.verification.check(target=target(number), code=code, **more)


def refused(kind, code):
    """Expects the SDK's exception of this class with this code in its body."""
    return _Refused(kind, code)


class _Refused:
    def __init__(self, kind, code):
        self.kind, self.code = kind, code

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        assert isinstance(error, getattr(prelude_python_sdk, self.kind)), f"expected {self.kind}, got {error!r}"
        assert error.body["code"] == self.code, error.body
        assert set(error.body) >= {"code", "message", "type", "request_id"}
        self.body = error.body
        return True


def test_prelude_01_first_creation_opens_a_window(prelude):
    first = create(prelude)

    assert re.fullmatch(VERIFICATION, first.id)
    assert (first.status, first.method) == ("success", "message")
    assert first.channels
    assert first.request_id


def test_prelude_02_second_creation_is_a_retry(prelude):
    first, second = create(prelude), create(prelude)

    assert (second.id, second.status) == (first.id, "retry")


@pytest.mark.quick
def test_prelude_03_right_code_is_success(prelude, sandbox):
    first = create(prelude)

    answer = check(prelude, sandbox.code(HAPPY))

    assert (answer.status, answer.id) == ("success", first.id)


def test_prelude_04_window_is_closed_by_success(prelude, sandbox):
    first = create(prelude)
    code = sandbox.code(HAPPY)
    check(prelude, code)

    again = check(prelude, code)
    fresh = create(prelude)

    assert again.status == "expired_or_not_found"
    assert fresh.status == "success" and fresh.id != first.id


def test_prelude_05_wrong_code_is_failure(prelude, sandbox):
    create(prelude)

    assert check(prelude, different(sandbox.code(HAPPY))).status == "failure"


def test_prelude_06_check_without_a_window(prelude):
    answer = check(prelude, "123456")

    assert answer.status == "expired_or_not_found"
    assert prelude.statuses == [200]


def test_prelude_07_window_ends_with_its_time(prelude, sandbox):
    create(prelude)
    code = sandbox.code(HAPPY)
    sandbox.advance("601s")

    assert check(prelude, code).status == "expired_or_not_found"


def test_prelude_08_correlation_id_is_echoed(prelude, sandbox):
    first = create(prelude, metadata={"correlation_id": "abc"})
    answer = check(prelude, sandbox.code(HAPPY))

    assert first.metadata.correlation_id == "abc"
    assert answer.metadata.correlation_id == "abc"


def test_prelude_09_code_of_the_first_attempt_is_still_right(prelude, sandbox):
    create(prelude)
    first = sandbox.code(HAPPY)
    create(prelude)

    # A retry goes through another channel; the newest code is not the first one's.
    assert sandbox.code(HAPPY) != first
    assert check(prelude, first).status == "success"


def test_prelude_10_one_attempt_too_many(prelude):
    for _ in range(5):
        create(prelude)
    asked = len(prelude.statuses)

    with refused("RateLimitError", "too_many_attempts"):
        create(prelude)

    assert len(prelude.statuses) == asked + 1
    assert prelude.answers[-1].headers["x-should-retry"] == "false"


def test_prelude_11_after_five_wrong_checks_no_code_is_right(prelude, sandbox):
    create(prelude)
    code = sandbox.code(HAPPY)
    for _ in range(5):
        assert check(prelude, different(code)).status == "failure"

    assert check(prelude, code).status == "failure"
    sandbox.seed(prelude={"settings": {"checkLimit": "error"}})
    with refused("RateLimitError", "too_many_checks"):
        check(prelude, code)


@pytest.mark.parametrize("ending,reason", [
    (10, "suspicious"), (11, "in_block_list"), (12, "invalid_phone_line"), (13, "invalid_phone_number"),
    (14, "repeated_attempts"), (15, "expired_signature"), (16, "invalid_signature"),
])
@pytest.mark.parametrize("stem", ["+336399800", "+120255501"])
def test_prelude_12_blocked_numbers(prelude, sandbox, stem, ending, reason):
    number = f"{stem}{ending}"

    answer = create(prelude, number)

    assert (answer.status, answer.reason) == ("blocked", reason)
    assert sandbox.control("GET", "webhooks").json()["webhooks"] == []
    assert check(prelude, "123456", number).status == "expired_or_not_found"


def test_prelude_13_shadow_blocked_number_works(prelude, sandbox):
    number = "+33639980017"

    assert create(prelude, number).status == "shadow_blocked"
    assert check(prelude, sandbox.code(number), number).status == "success"


def test_prelude_14_authentication(sandbox):
    answer = requests.post(f"{sandbox.base}/v2/verification", json={"target": target(HAPPY)}, timeout=10)
    assert answer.status_code == 401
    assert answer.json()["code"] == "missing_api_key"

    with ringfence.Server("--auth", "strict") as strict:
        client = prelude_python_sdk.Prelude(api_token="unheard-of", base_url=strict.http)
        with refused("AuthenticationError", "invalid_api_key"):
            create(client)


def test_prelude_15_code_size_out_of_range(prelude):
    with refused("BadRequestError", "invalid_code_size") as refusal:
        create(prelude, options={"code_size": 9})

    assert refusal.body["param"] == "options.code_size"
    assert prelude.statuses == [400]


def test_prelude_16_custom_codes(prelude, sandbox):
    with refused("BadRequestError", "custom_size_conflict"):
        create(prelude, options={"code_size": 5, "custom_code": "12345"})
    with refused("BadRequestError", "custom_code_not_allowed"):
        create(prelude, options={"custom_code": "12345"})

    sandbox.seed(prelude={"settings": {"customCodes": True}})
    create(prelude, options={"custom_code": "12345"})

    assert check(prelude, "12345").status == "success"


def test_prelude_17_channels_and_preferred_channel(prelude):
    with refused("BadRequestError", "channels_conflict"):
        create(prelude, options={"channels": ["sms"], "preferred_channel": "whatsapp"})


def test_prelude_18_number_without_country(prelude):
    with refused("BadRequestError", "invalid_phone_number"):
        create(prelude, "0612345678")


def test_prelude_19_short_dispatch_id(prelude):
    with refused("BadRequestError", "invalid_request") as refusal:
        create(prelude, dispatch_id="short")

    assert refusal.body["param"] == "dispatch_id"


def test_prelude_20_unknown_members_are_ignored_and_journalled(prelude, sandbox):
    assert create(prelude, extra_body={"unknown": {"a": 1}}).status == "success"
    assert "unknown" in " ".join(sandbox.journal()[-1]["unread"])


def test_prelude_21_code_size(prelude, sandbox):
    create(prelude, options={"code_size": 8})

    assert re.fullmatch(r"\d{8}", sandbox.code(HAPPY))


def test_prelude_22_flaky_before_is_retried_by_the_sdk(prelude):
    answer = create(prelude, "+33639980024")

    assert answer.status == "success"
    assert prelude.statuses == [503, 503, 200]
    counts = [answer.request.headers["x-stainless-retry-count"] for answer in prelude.answers]
    assert counts == ["0", "1", "2"]


def test_prelude_23_flaky_after_starts_the_verification_at_the_first_request(prelude):
    answer = create(prelude, "+33639980025")

    assert answer.status == "retry"
    assert prelude.statuses == [500, 200]


def test_prelude_28_history(prelude, sandbox):
    first = create(prelude)
    check(prelude, sandbox.code(HAPPY))
    sandbox.advance("1m")
    second = create(prelude)

    listed = prelude.verification.phone.history.list(phone_number=HAPPY, channels=["sms", "silent"])
    found = prelude.verification.phone.history.retrieve(first.id)

    assert "channels=sms%2Csilent" in str(prelude.answers[-2].request.url)
    assert [entry.id for entry in listed.verifications] == [second.id, first.id]
    assert [entry.status for entry in listed.verifications][1] == "converted"
    assert found.lifecycle.events[0].type == "create"
    assert [event.type for event in found.lifecycle.events].count("check") == 1


NODE = {"User-Agent": "Prelude/JS 0.9.0", "X-Stainless-Lang": "js", "X-Stainless-Retry-Count": "0",
        "Accept": "application/json", "Content-Type": "application/json"}
GO = {"User-Agent": "Prelude/Go 0.12.1", "X-Stainless-Lang": "go", "X-Stainless-Retry-Count": "0",
      "Accept": "application/json", "Content-Type": "application/json"}
JAVA = {"User-Agent": "Prelude/Java 0.7.0", "X-Stainless-Lang": "java", "X-Stainless-Retry-Count": "0",
        "X-Stainless-Read-Timeout": "60", "Accept": "application/json", "Content-Type": "application/json"}


@pytest.mark.parametrize("headers", [NODE, GO, JAVA], ids=["node", "go", "java"])
def test_prelude_42_other_sdks(sandbox, headers):
    token = sandbox.credentials["prelude"]["apiToken"]

    answer = requests.post(
        f"{sandbox.base}/v2/verification", data=json.dumps({"target": target(HAPPY)}),
        headers={**headers, "Authorization": f"Bearer {token}"}, timeout=10)

    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/json")
    body = answer.json()
    assert re.fullmatch(VERIFICATION, body["id"])
    assert (body["status"], body["method"]) == ("success", "message")
    assert body["channels"] and body["request_id"]


def test_prelude_43_scenario_from_the_environment(sandbox, monkeypatch):
    monkeypatch.setenv("API_TOKEN", sandbox.credentials["prelude"]["apiToken"])
    monkeypatch.setenv("PRELUDE_BASE_URL", sandbox.base)
    monkeypatch.setenv("PRELUDE_CUSTOM_HEADERS", "X-Sandbox-Scenario: blocked_suspicious")

    answer = create(prelude_python_sdk.Prelude())

    assert (answer.status, answer.reason) == ("blocked", "suspicious")


def test_prelude_44_unknown_path_and_wrong_method(sandbox):
    token = {"Authorization": f"Bearer {sandbox.credentials['prelude']['apiToken']}"}

    unknown = requests.get(f"{sandbox.base}/prelude/v2/nothing", headers=token, timeout=10)
    wrong = requests.delete(f"{sandbox.base}/v2/verification", headers=token, timeout=10)

    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
    assert wrong.status_code == 405 and isinstance(wrong.json(), dict)
    assert "POST" in wrong.headers["Allow"]


def test_prelude_45_invalid_bodies(sandbox, server):
    headers = {"Authorization": f"Bearer {sandbox.credentials['prelude']['apiToken']}"}

    def post(body):
        return requests.post(f"{sandbox.base}/v2/verification", data=body, headers=headers, timeout=20)

    answers = [post(b'{"target":'), post(b""), post(b" " * (2 << 20))]

    assert [answer.status_code for answer in answers] == [400, 400, 413]
    assert all(answer.json()["code"] for answer in answers)
    assert server.is_alive()


def test_prelude_46_psd2(prelude, sandbox):
    paid = {"amount": "12.50", "currency": "EUR", "recipient": "Tern"}
    options = {"template_id": "prelude:psd2", "variables": paid}
    create(prelude, options=options)
    code = sandbox.code(HAPPY)

    assert check(prelude, code).status == "transaction_missing"
    assert check(prelude, code, psd2={**paid, "amount": "99.00"}).status == "transaction_mismatch"
    assert check(prelude, code, psd2=paid).status == "failure"

    create(prelude, US, options=options)
    assert check(prelude, sandbox.code(US), US, psd2=paid).status == "success"


def test_prelude_47_fifty_at_once(prelude):
    number = "+33639980051"

    def once(_):
        try:
            answer = create(prelude, number)
            return answer.status, answer.id
        except prelude_python_sdk.RateLimitError as error:
            return error.body["code"], None

    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        outcomes = list(pool.map(once, range(50)))

    statuses = [status for status, _ in outcomes]
    assert statuses.count("success") == 1
    assert set(statuses) <= {"success", "retry", "too_many_attempts"}
    assert len({name for _, name in outcomes if name}) == 1
