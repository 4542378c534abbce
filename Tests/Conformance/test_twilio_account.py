"""The SafeList, messaging configurations and forms of the Twilio Verify contract, with the official client:
conformance check 47, and each operation."""

from twilio_errors import refused

NUMBER = "+15551234567"
MESSAGING = f"MG{'1' * 32}"


def test_twilio_47_safe_list(connect, client):
    numbers = client.verify.v2.safelist

    made = numbers.create(phone_number=NUMBER)
    found = client.verify.v2.safelist(NUMBER).fetch()

    assert (made.sid[:2], made.phone_number, made.sid) == ("GN", NUMBER, found.sid)
    assert made.url.endswith(f"/v2/SafeList/Numbers/{NUMBER}")
    with refused(400, 60411):
        numbers.create(phone_number=NUMBER)
    assert client.verify.v2.safelist(NUMBER).delete() is True
    with refused(404, 20404):
        client.verify.v2.safelist(NUMBER).fetch()
    with refused(404, 20404):
        client.verify.v2.safelist(NUMBER).delete()
    with refused(400, 60200):
        numbers.create(phone_number="12")
    assert connect.statuses == [201, 200, 400, 204, 404, 404, 400]


def test_twilio_messaging_configurations(connect, service):
    configurations = service.messaging_configurations

    made = configurations.create(country="US", messaging_service_sid=MESSAGING)
    other = configurations.create(country="all", messaging_service_sid=MESSAGING)
    updated = service.messaging_configurations("US").update(messaging_service_sid=f"MG{'2' * 32}")

    assert (made.country, made.messaging_service_sid, other.country) == ("US", MESSAGING, "all")
    assert updated.messaging_service_sid == f"MG{'2' * 32}"
    assert service.messaging_configurations("US").fetch().date_created == made.date_created
    assert [found.country for found in configurations.list()] == ["US", "all"]
    with refused(400, 60213):
        configurations.create(country="US", messaging_service_sid=MESSAGING)
    with refused(400, 60200):
        configurations.create(country="USA", messaging_service_sid=MESSAGING)
    with refused(400, 60200):
        configurations.create(country="GB", messaging_service_sid="MG1")
    assert service.messaging_configurations("US").delete() is True
    gone = service.messaging_configurations("US")
    for call in gone.fetch, gone.delete, lambda: gone.update(messaging_service_sid=MESSAGING):
        with refused(404, 20404):
            call()


def test_twilio_forms(client):
    form = client.verify.v2.forms("form-push").fetch()

    assert (form.form_type, set(form.forms)) == ("form-push", {"create_factor", "verify_factor", "create_challenge"})
    assert form.url.endswith("/v2/Forms/form-push")
    with refused(404, 20404):
        client.verify.v2.forms("form-totp").fetch()
