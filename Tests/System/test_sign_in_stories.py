"""Sign-ins with passkeys and TOTP on the console: a story each, and the sequence diagram."""

import pytest
from playwright.sync_api import expect
from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client

import chromium
import totp
import twilio_passkeys
from passkeys import Authenticator
from workshop_solvers import seconds

pytestmark = chromium.MARKS

SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


@pytest.fixture
def service(sandbox):
    own = sandbox.credentials["twilio"]
    client = Client(own["accountSid"], own["authToken"])
    client.verify.base_url = sandbox.base
    return client.verify.v2.services(own["serviceSid"])


def steps(page):
    return page.locator("#sequence-list li").all_text_contents()


def stories(page):
    return [" ".join(text.split()) for text in page.locator("#stories .story").all_inner_texts()]


def test_a_passkey_is_registered_and_signs_in(sandbox, service, open_page):
    authenticator = Authenticator(sign_count=5)
    factor = twilio_passkeys.create(service)
    twilio_passkeys.verify(service, authenticator.create(factor.options["publicKey"]))
    asked = twilio_passkeys.challenge(service, identity=twilio_passkeys.IDENTITY)
    options = asked.options["publicKey"]
    authenticator.sign_count = 6
    authenticator.origin = "https://examp1e.com"
    with pytest.raises(TwilioRestException):
        twilio_passkeys.approve(service, authenticator.get(options))
    page = open_page("console/timeline")

    # The reason of the refusal stands in the story, not in one of its own.
    sign_in, registration = stories(page)
    assert sign_in.startswith("Twilio pending") and "origin" in sign_in and "passkey" in sign_in
    assert registration.startswith("Twilio approved") and "new passkey" in registration

    authenticator.origin = "https://example.com"
    twilio_passkeys.approve(service, authenticator.get(options))
    page.goto("console/timeline")
    assert stories(page)[0].startswith("Twilio approved")
    page.locator("#stories .story a").first.click()

    expect(page.locator("#state")).to_have_text("approved")
    expect(page.locator("h1")).to_contain_text(twilio_passkeys.IDENTITY)
    told = steps(page)
    assert [line.count("Your app to Twilio") for line in told] == [1, 0] * 3
    assert "createPasskeysChallenge" in told[0]
    assert "approvePasskeysChallenge" in told[2] and "approvePasskeysChallenge" in told[4]
    assert "origin" in told[3]

    page.goto("console/timeline")
    page.locator("#stories .story a").last.click()
    told = steps(page)
    assert len(told) == 4 and "createPasskeysFactor" in told[0] and "verifyPasskeysFactor" in told[2]


def test_an_authenticator_app_signs_in(sandbox, service, open_page):
    def code():
        return totp.code(SECRET, seconds(sandbox))

    entity = service.entities("user-totp")
    factor = entity.new_factors.create(friendly_name="Ana", factor_type="totp", binding_secret=SECRET)
    entity.factors(factor.sid).update(auth_payload=code())
    sandbox.advance("30s")
    entity.challenges.create(factor_sid=factor.sid, auth_payload=code())
    page = open_page("console/timeline")

    sign_in, registration = stories(page)
    assert sign_in.startswith("Twilio approved") and sign_in.count("TOTP") == 1
    assert "new TOTP" in registration
    page.locator("#stories .story a").first.click()
    assert len(steps(page)) == 2
    page.goto("console/timeline")
    page.locator("#stories .story a").last.click()
    assert len(steps(page)) == 4


def test_a_push_has_one_story(sandbox, service, open_page):
    sandbox.control("POST", "devices", json={"number": chromium.NUMBER, "provider": "twilio", "identity": "user-0001"})
    entity = service.entities("user-0001")
    (factor,) = entity.factors.list()
    entity.challenges.create(factor_sid=factor.sid, details_message="Sign in?")
    page = open_page("console/timeline")

    (story,) = stories(page)
    assert "push" in story
