"""Failures by their names, which `ringfence failures` lists."""

import pytest
from twilio.base.exceptions import TwilioRestException

from ringfence import ControlError, NotArrived, RingfenceError

NUMBER, OTHER = "+12025550100", "+12025550101"


def refused(send, *arguments):
    """The status with which a request was refused; None if it was not."""
    try:
        send(*arguments)
    except TwilioRestException as error:
        return error.status
    return None


def test_a_text_is_lost(sandbox, send):
    failure = sandbox.fail("text-lost")
    send()

    assert failure["name"] == "Lost"
    with pytest.raises(NotArrived, match="the text is lost, because of the failure text-lost"):
        sandbox.code(NUMBER, within=0)


def test_a_failure_of_one_number_leaves_others_alone(sandbox, send):
    sandbox.fail("text-lost", to=NUMBER)
    send(NUMBER)
    send(OTHER)

    assert sandbox.messages(NUMBER) == []
    assert sandbox.code(OTHER)


def test_a_failure_of_one_provider_leaves_others_alone(sandbox, send):
    sandbox.fail("api-503", provider="prelude")
    client = sandbox.prelude().with_options(max_retries=0)

    assert refused(send) is None
    with pytest.raises(Exception, match="503"):
        client.verification.create(target={"type": "phone_number", "value": NUMBER})


def test_a_failure_happens_so_many_times(sandbox, send):
    sandbox.fail("api-500", times=2)

    assert [refused(send), refused(send), refused(send)] == [500, 500, None]


def test_the_newest_failure_wins(sandbox, send):
    sandbox.fail("api-500")
    sandbox.fail("api-503", times=1)

    assert [refused(send), refused(send)] == [503, 500]


def test_a_second_failure_does_not_repeat_the_first(sandbox, send):
    sandbox.fail("api-500", times=1)
    assert refused(send) == 500
    sandbox.fail("api-401", to=OTHER)

    assert [refused(send, NUMBER), refused(send, OTHER)] == [None, 401]


def test_a_second_failure_leaves_the_rest_of_the_first(sandbox, send):
    sandbox.fail("api-500", times=2)
    assert refused(send) == 500
    sandbox.fail("api-401", to=OTHER)

    assert [refused(send), refused(send)] == [500, None]


def test_a_failure_of_one_route(sandbox, send, service):
    sandbox.fail("api-429", route="checkVerification")
    send()

    assert refused(lambda: service.verification_checks.create(to=NUMBER, code="000000")) == 429


def test_a_country_narrows_a_scenario_down(sandbox, send):
    sandbox.fail("text-lost", country="FR")
    send()

    assert sandbox.code(NUMBER)


def test_a_failure_of_a_line_needs_a_number(sandbox):
    with pytest.raises(RingfenceError, match="number: missing; expected the phone number of the line"):
        sandbox.fail("text-landline")


def test_a_failure_of_a_line(sandbox, send):
    sandbox.fail("text-landline", to=NUMBER)
    send()
    with pytest.raises(NotArrived, match="its line takes no texts"):
        sandbox.code(NUMBER, within=0)

    sandbox.repair()
    send()
    assert sandbox.code(NUMBER)


def test_a_failure_of_a_line_takes_no_times(sandbox):
    with pytest.raises(RingfenceError, match="times: expected none, because text-landline is no rule"):
        sandbox.fail("text-landline", to=NUMBER, times=1)


def test_a_failure_that_is_an_expiry(sandbox, send, service):
    send()
    code = sandbox.code(NUMBER)
    sandbox.fail("code-expired")

    assert refused(lambda: service.verification_checks.create(to=NUMBER, code=code)) == 404


def test_an_expiry_is_about_no_number(sandbox):
    with pytest.raises(RingfenceError, match="number: expected none, because it is for everybody"):
        sandbox.fail("code-expired", to=NUMBER)


def test_repair_removes_all_rules(sandbox, send):
    for name in ("api-500", "text-lost", "webhook-lost"):
        sandbox.fail(name)
    sandbox.repair()
    send()

    assert sandbox.code(NUMBER)
    assert sandbox.control("GET", "webhooks/faults") == {"webhookFaults": []}


@pytest.mark.parametrize("wrong, right", [
    ("text-lots", "text-lost"), ("TEXT-LOST", "text-lost"), ("api-5000", "api-500"),
    ("webhook-wrong-signatur", "webhook-wrong-signature"), ("expired-code", "code-expired")])
def test_a_misspelt_failure_is_refused_with_the_nearest_name(sandbox, wrong, right):
    with pytest.raises(RingfenceError, match=f"there is no failure {wrong}; did you mean {right}"):
        sandbox.fail(wrong)


def test_what_the_test_does_itself_is_said(sandbox):
    with pytest.raises(RingfenceError, match="code-wrong is a step of a person or an app: Enter another code."):
        sandbox.fail("code-wrong")


def test_a_misspelt_member_is_refused_with_the_nearest_name(sandbox):
    with pytest.raises(ControlError, match='did you mean "route"'):
        sandbox.fail("api-500", rote="createVerification")
