"""Conformance check 46 of the Twilio Verify contract with the official client: the list of attempts, and the
summary."""

import datetime

from twilio_errors import refused

NUMBER = "+15551234567"
EARLIER = datetime.datetime(2026, 1, 5, 10, 20, 0, tzinfo=datetime.timezone.utc)


def test_twilio_46_list_and_summary_agree(client, sandbox, service):
    for number in range(3):
        service.verifications.create(to=f"+1555123{1000 + number}", channel="call")
        service.verifications.create(to=NUMBER, channel="sms")
    service.verification_checks.create(to=NUMBER, code=sandbox.code(NUMBER))
    listed = client.verify.v2.verification_attempts.list

    attempts = listed(page_size=4)
    summary = client.verify.v2.verification_attempts_summary().fetch(date_created_after=EARLIER)

    assert len({attempt.sid for attempt in attempts}) == 6
    converted = [attempt for attempt in attempts if attempt.conversion_status == "converted"]
    assert (summary.total_attempts, summary.total_converted) == (len(attempts), len(converted)) == (6, 1)
    assert summary.conversion_rate_percentage == "16.666666666"
    assert len(listed(channel_data_to=NUMBER, date_created_after=EARLIER)) == 3
    assert listed(date_created_before=EARLIER) == []
    assert client.verify.v2.verification_attempts(attempts[0].sid).fetch().sid == attempts[0].sid
    with refused(400, 60200):
        listed(status="maybe")
    with refused(400, 60200):
        client.verify.v2.verification_attempts_summary().fetch(country="USA")
    with refused(404, 20404):
        client.verify.v2.verification_attempts(f"VL{'0' * 32}").fetch()
