"""Conformance checks of verifications with the official client of Prelude: contract, section 17."""

import concurrent.futures

import prelude_python_sdk
import pytest

import ringfence
from ringfence import different

HAPPY = "+33639980050"


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


@pytest.mark.quick
def test_prelude_03_right_code_is_success(prelude, sandbox):
    first = create(prelude)

    answer = check(prelude, sandbox.code(HAPPY))

    assert (answer.status, answer.id) == ("success", first.id)


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


def test_prelude_14_a_key_that_nobody_has():
    with ringfence.Server("--auth", "strict") as strict:
        client = prelude_python_sdk.Prelude(api_token="unheard-of", base_url=strict.http)
        with refused("AuthenticationError", "invalid_api_key"):
            create(client)


def test_prelude_15_code_size_out_of_range(prelude):
    with refused("BadRequestError", "invalid_code_size") as refusal:
        create(prelude, options={"code_size": 9})

    assert refusal.body["param"] == "options.code_size"
    assert prelude.statuses == [400]


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


def test_prelude_43_scenario_from_the_environment(sandbox, monkeypatch):
    monkeypatch.setenv("API_TOKEN", sandbox.credentials["prelude"]["apiToken"])
    monkeypatch.setenv("PRELUDE_BASE_URL", sandbox.base)
    monkeypatch.setenv("PRELUDE_CUSTOM_HEADERS", "X-Sandbox-Scenario: blocked_suspicious")

    answer = create(prelude_python_sdk.Prelude())

    assert (answer.status, answer.reason) == ("blocked", "suspicious")


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
