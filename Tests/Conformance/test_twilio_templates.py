"""Templates with the official client: check 59 of the Twilio Verify contract, section 20."""

import json

import pytest
from twilio.base.exceptions import TwilioException

from twilio_errors import refused

NUMBER = "+12025550100"


def named(client, name):
    (template,) = client.verify.v2.templates.list(friendly_name=name)
    return template


def test_templates_are_listed(client):
    templates = client.verify.v2.templates.list(page_size=2)

    assert len(templates) == len({template.sid for template in templates}) > 3
    english = templates[0].translations["en"]
    assert (english["is_default_translation"], english["status"], english["locale"]) == (True, "approved", "en")
    assert "{{code}}" in english["text"]
    with pytest.raises(TwilioException, match="60200"):
        client.verify.v2.templates.page(page_size=0)


def test_twilio_59_templates_word_the_text(sandbox, client, service):
    expiry, order = named(client, "Code with expiry"), named(client, "Order confirmation")
    service.update(default_template_sid=order.sid)
    service.verifications.create(
        to=NUMBER, channel="sms", template_custom_substitutions=json.dumps({"order": "7"}))
    service.verifications.create(
        to=NUMBER, channel="sms", locale="de",
        templates=json.dumps([{"sid": "HJ" + "f" * 32}, {"sid": expiry.sid}]))

    code = sandbox.code(NUMBER)
    assert [message["text"] for message in sandbox.entries(f"inbox/{NUMBER}")] == [
        f"Use {code} to confirm your Sandbox Service order 7.",
        f"{code} ist Ihr Code für Sandbox Service. Er läuft in 10 Minuten ab."]
    with refused(400, 60228):
        service.verifications.create(to=NUMBER, channel="sms", template_sid="HJ" + "f" * 32)
