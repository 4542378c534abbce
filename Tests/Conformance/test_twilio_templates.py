"""Templates and languages: checks 59, 60 and 73 of the Twilio Verify contract, section 20."""

import json

import pytest
from twilio.base.exceptions import TwilioException, TwilioRestException

NUMBER = "+12025550100"
GERMAN = "+4915112345678"


def latest(sandbox, number):
    """The newest message to a number, once it has arrived."""
    return sandbox.control("GET", f"inbox/{number}/latest").json()


def refusal(call):
    with pytest.raises(TwilioRestException) as error:
        call()
    return error.value.status, error.value.code


def named(client, name):
    (template,) = client.verify.v2.templates.list(friendly_name=name)
    return template


def test_templates_are_listed(connect, client):
    templates = client.verify.v2.templates.list(page_size=2)

    assert len(templates) == len({template.sid for template in templates}) > 3
    assert all(template.sid.startswith("HJ") for template in templates)
    english = templates[0].translations["en"]
    assert (english["is_default_translation"], english["status"], english["locale"]) == (True, "approved", "en")
    assert "{{code}}" in english["text"]
    assert client.verify.v2.templates.list(friendly_name="nothing") == []


def test_a_bad_page_size_of_templates_is_60200(client):
    with pytest.raises(TwilioException, match="60200"):
        client.verify.v2.templates.page(page_size=0)


def test_twilio_59_templates_word_the_text(sandbox, client, service):
    expiry = named(client, "Code with expiry")
    order = named(client, "Order confirmation")
    service.verifications.create(to=NUMBER, channel="sms", template_sid=expiry.sid)
    code = sandbox.code(NUMBER)
    assert latest(sandbox, NUMBER)["text"] == f"{code} is your Sandbox Service code. It expires in 10 minutes."

    service.update(default_template_sid=order.sid)
    service.verifications.create(
        to=NUMBER, channel="call", template_custom_substitutions=json.dumps({"order": "7"}))
    assert latest(sandbox, NUMBER)["text"] == f"Use {code} to confirm your Sandbox Service order 7."

    service.verifications.create(
        to=NUMBER, channel="sms", locale="de",
        templates=json.dumps([{"sid": "HJ" + "f" * 32}, {"sid": expiry.sid}]))
    assert latest(sandbox, NUMBER)["text"] == f"{code} ist Ihr Code für Sandbox Service. Er läuft in 10 Minuten ab."

    unknown = {"to": NUMBER, "channel": "sms", "template_sid": "HJ" + "f" * 32}
    assert refusal(lambda: service.verifications.create(**unknown)) == (400, 60228)


def test_templates_that_are_malformed_or_cannot_be_used(service):
    def create(templates):
        return refusal(lambda: service.verifications.create(to=NUMBER, channel="sms", templates=templates))

    assert create("{}") == (400, 60251)
    assert create(json.dumps([{"sid": "HJ" + "f" * 32}])) == (400, 60252)


def test_twilio_73_unknown_default_template_is_60228(sandbox, client, service):
    unknown, order = "HJ" + "f" * 32, named(client, "Order confirmation").sid
    service.update(default_template_sid=order)

    assert refusal(lambda: service.update(default_template_sid=unknown)) == (400, 60228)
    assert refusal(lambda: client.verify.v2.services.create(
        friendly_name="New", default_template_sid=unknown)) == (400, 60228)

    assert service.fetch().default_template_sid == order
    assert "GET /v2/Templates" in sandbox.journal(provider="twilio")[-2]["why"]
    assert service.update(default_template_sid="").default_template_sid is None
    assert [made.friendly_name for made in client.verify.v2.services.list()] == ["Sandbox Service"]


@pytest.mark.parametrize("code, more", [
    (60201, {"locale": "de"}), (60224, {}), (60227, {"channel": "call"}), (60229, {"locale": "fr"}),
    (60408, {"channel": "whatsapp"})])
def test_a_template_that_cannot_be_used(sandbox, service, code, more):
    own = "HJ" + "c" * 32
    sandbox.seed(twilio={"templates": [{
        "sid": own, "friendlyName": "Own", "channels": ["sms"], "translations": [
            {"locale": "en", "text": "{{code}} for {{thing}}"},
            {"locale": "de", "text": "{{code}}", "status": "pending"}]}]})

    assert refusal(lambda: service.verifications.create(
        **{"to": NUMBER, "channel": "sms", "template_sid": own, **more})) == (400, code)


def test_twilio_60_languages_of_locale_and_country(sandbox, service):
    service.verifications.create(to=NUMBER, channel="sms", locale="de")
    code = sandbox.code(NUMBER)
    assert latest(sandbox, NUMBER)["text"] == f"Ihr Sandbox Service-Bestätigungscode lautet: {code}"

    for channel in ("sms", "whatsapp", "call"):
        service.verifications.create(to=GERMAN, channel=channel)
        message = latest(sandbox, GERMAN)
        assert message["text"].startswith("Ihr Sandbox Service-Bestätigungscode lautet: ")
    assert message["call"]["language"] == "de"

    unknown = {"to": NUMBER, "channel": "sms", "locale": "xx-yy"}
    assert refusal(lambda: service.verifications.create(**unknown)) == (404, 20404)
    sandbox.seed(twilio={"settings": {"unsupportedLocale": "english"}})
    service.verifications.create(**unknown)
    assert latest(sandbox, NUMBER)["text"] == f"Your Sandbox Service verification code is: {code}"
