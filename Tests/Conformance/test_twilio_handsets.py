"""Virtual handsets beside real phones and other providers. What a handset with a push factor does:
Sources/Providers/Twilio/Checks/Handsets.http."""

import pytest

from twilio_phones import ask, clock, enrolled, entity, new_phone  # noqa: F401


@pytest.mark.parametrize("more, field", [
    ({"provider": "telesign", "identity": "a"}, "identity"), ({"provider": "prelude", "service": "a"}, "service")])
def test_other_providers_have_no_identities(sandbox, more, field):
    answer = sandbox.control("POST", "devices", expect=(400,), json={"number": "+12025550100", **more}).json()

    assert answer["field"].endswith(field)


def test_only_its_app_answers_for_a_real_phone(sandbox, entity, new_phone):
    phone = new_phone(push_token="f3c1a7d05e2b4c8f9a6d7e0b1c2d3e4f")
    phone.verify_factor()
    challenge = ask(entity, phone)

    answer = sandbox.control("POST", f"devices/{challenge.sid}/approve", expect=(409,)).json()

    assert "whose key the sandbox has" in answer["error"]
    assert entity.challenges(challenge.sid).fetch().status == "pending"
    phone.respond(challenge.sid, "approved")
    assert entity.challenges(challenge.sid).fetch().status == "approved"
