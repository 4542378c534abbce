"""Every error code of the Twilio Verify contract, sections 13.1 to 13.4, produced without a fault.

`CAUSES` has one function for each code: it does what the code is documented for. `ELSEWHERE` names the test
of another file, `EXCEPTIONS` of twilio_errors the reason why there is none. A code of the contract that is in
no list fails a test.
"""

import pathlib
import re
import types
import zlib

import pytest
import requests
from twilio.base.exceptions import TwilioRestException

import ringfence
from ringfence import different
from twilio_errors import EXCEPTIONS, refused

NUMBER = "+15551234567"
CHINA = "+8613912345678"
AUSTRALIA = "+61412345678"
SENEGAL = "+221771234567"
CONTRACT = ringfence.ROOT / "Docs/Contracts/twilio-verify.md"
HERE = pathlib.Path(__file__).parent

CAUSES = {}

ELSEWHERE = {
    **dict.fromkeys([20005, 60218, 60219, 60222, 60603, 60604], "test_twilio_account.py"),
    **dict.fromkeys([60251, 60252], "test_twilio_templates.py"),
    60201: "test_twilio_templates.py", 60224: "test_twilio_templates.py", 60227: "test_twilio_templates.py",
    60228: "test_twilio_templates.py", 60229: "test_twilio_templates.py", 60408: "test_twilio_templates.py",
    21211: "test_twilio_messages.py", 21408: "test_twilio_messages.py", 21610: "test_twilio_messages.py",
    21612: "test_twilio_messages.py", 21614: "test_twilio_messages.py",
    **dict.fromkeys(
        [60600, 60606, 60607, 60608, 60611, 60612, 60616, 60617, 60618, 60620, 60621, 60622, 60623, 60626],
        "test_twilio_lookup_errors.py"),
    **dict.fromkeys(
        [60300, 60301, 60305, 60308, 60310, 60312, 60314, 60315, 60317, 60318, 60322, 60323, 60326, 60369, 60373, 60374],
        "test_twilio_factors.py"),
    **dict.fromkeys([60307, 60309], "test_twilio_push.py"),
    **dict.fromkeys([60306, 60311, 60313, 60324], "test_twilio_push_refusals.py"),
    60329: "test_twilio_verify.py",
    **dict.fromkeys(
        [60362, 60364, 60367, *range(60370, 60373), *range(60375, 60389), *range(60390, 60394)],
        "test_twilio_passkeys.py"),
}

def cause(code, status):
    """Registers a function that must get this error."""
    def register(function):
        CAUSES[code] = (status, function)
        return function
    return register


@pytest.fixture
def world(client, connect, sandbox, service, raw):
    """The clients, and shorthand for what most causes need."""
    def start(to=NUMBER, channel="sms", **more):
        return service.verifications.create(to=to, channel=channel, **more)

    def restrict(**settings):
        sandbox.seed(twilio={"settings": settings})

    return types.SimpleNamespace(
        client=client, connect=connect, sandbox=sandbox, service=service, raw=raw, start=start, restrict=restrict,
        services=client.verify.v2.services)


def documented():
    """The codes of the contract's tables. A row can have a list or a range: `60215, 60216`,
    `60227 to 60229`."""
    codes = set()
    for section in ("13.1", "13.2", "13.3", "13.4"):
        (text,) = re.findall(rf"\n### {re.escape(section)} .*?\n(.*?)\n##", CONTRACT.read_text("utf-8"), re.S)
        for cell in re.findall(r"^\| ([0-9][0-9a-z, ]*?) \|", text, re.M):
            for part in cell.split(","):
                first, *last = [int(number) for number in part.split(" to ")]
                codes.update(range(first, (last or [first])[0] + 1))
    return codes


@pytest.mark.parametrize("code", sorted(ELSEWHERE))
def test_twilio_errors_a_code_of_another_file_is_there(code):
    file = HERE / ELSEWHERE[code]
    assert str(code) in file.read_text("utf-8")


@cause(20003, 401)
def wrong_token(world):
    world.connect(world.sandbox, "f" * 32).verify.v2.services.list()


@cause(20004, 405)
def wrong_method(world):
    """The client has no such request."""
    answer = requests.put(world.raw.verifications, auth=world.raw.pair, timeout=20)
    raise TwilioRestException(answer.status_code, answer.url, answer.json()["message"], answer.json()["code"], "PUT")


@cause(20008, 403)
def credentials_for_tests(world):
    account, token = f"AC{zlib.crc32(world.sandbox.name.encode()):032x}", "7" * 32
    own = world.sandbox.credentials["twilio"]
    world.sandbox.seed(twilio={"account": {
        "accountSid": own["accountSid"], "authToken": own["authToken"], "testAccountSid": account,
        "testAuthToken": token}})
    world.connect(world.sandbox, token, account).verify.v2.services(own["serviceSid"]).fetch()


@cause(20404, 404)
def unknown_verification(world):
    world.service.verifications(NUMBER).fetch()


@cause(20429, 429)
def full_bucket(world):
    world.service.rate_limits.create(unique_name="user")
    world.service.rate_limits("user").buckets.create(max=1, interval=60)
    for _ in range(2):
        world.start(rate_limits={"user": "a"})


@cause(575001, 403)
def trial_without_verify(world):
    world.restrict(accountType="trialWithoutVerify")
    world.start()


@cause(60200, 400)
def malformed_number(world):
    world.start(to="12")


@cause(60202, 429)
def sixth_check(world):
    world.start()
    code = world.sandbox.code(NUMBER)
    for _ in range(5):
        world.service.verification_checks.create(to=NUMBER, code=different(code))
    world.service.verification_checks.create(to=NUMBER, code=code)


@cause(60203, 429)
def sixth_send(world):
    for _ in range(6):
        world.start()


@cause(60204, 403)
def custom_code_while_off(world):
    world.start(custom_code="8312")


@cause(60205, 403)
def text_to_landline(world):
    world.sandbox.control("PUT", f"subscribers/{NUMBER}", json={"lineType": "landline"})
    world.service.update(lookup_enabled=True, skip_sms_to_landlines=True)
    world.start()


@cause(60206, 400)
def payment_without_payee(world):
    world.service.update(psd2_enabled=True)
    world.start(amount="€39.99")


@cause(60207, 400)
def eleventh_rate_limit(world):
    for number in range(11):
        world.service.rate_limits.create(unique_name=f"limit-{number}")


@cause(60208, 400)
def rate_limit_name_taken(world):
    for _ in range(2):
        world.service.rate_limits.create(unique_name="user")


@cause(60209, 400)
def rate_limit_name_with_a_space(world):
    world.service.rate_limits.create(unique_name="end user")


@cause(60210, 400)
def sixth_bucket(world):
    world.service.rate_limits.create(unique_name="user")
    for interval in range(1, 7):
        world.service.rate_limits("user").buckets.create(max=1, interval=interval)


@cause(60211, 400)
def bucket_interval_taken(world):
    world.service.rate_limits.create(unique_name="user")
    for maximum in 1, 2:
        world.service.rate_limits("user").buckets.create(max=maximum, interval=60)


@cause(60212, 429)
def concurrent_creates(world):
    world.restrict(concurrencyWindowMs=500)
    world.start()
    world.sandbox.advance("500ms")
    world.start()
    world.sandbox.advance("499ms")
    world.start()


@cause(60213, 400)
def messaging_configuration_taken(world):
    for _ in range(2):
        world.service.messaging_configurations.create(country="US", messaging_service_sid=f"MG{'1' * 32}")


@cause(60214, 400)
def payment_by_call(world):
    world.service.update(psd2_enabled=True)
    world.start(channel="call", amount="€39.99", payee="Acme")


@cause(60217, 400)
def email_without_mailer(world):
    world.restrict(missingSetup=["mailer"])
    world.start()
    world.start(to="ana@example.com", channel="email")


@cause(60220, 400)
def china_without_vetting(world):
    world.restrict(missingSetup=["chinaUseCase"])
    world.start()
    world.start(to=CHINA)


@cause(60221, 400)
def check_of_nothing(world):
    world.service.verification_checks.create(code="123456")


@cause(60223, 400)
def channel_switched_off(world):
    world.restrict(disabledChannels=["whatsapp"])
    world.start()
    with refused(400, 60223, "Delivery channel disabled: WHATSAPP"):
        world.start(channel="whatsapp")
    world.start(channel="whatsapp")


@cause(60226, 400)
def china_without_friendly_name(world):
    world.restrict(missingSetup=["chinaFriendlyName"])
    world.start(to=CHINA, custom_friendly_name="Acme")
    world.start(to=CHINA)


@cause(60238, 403)
def blocked_number(world):
    world.restrict(blockedNumbers=[NUMBER])
    world.client.verify.v2.safelist.create(phone_number=NUMBER)
    world.start()
    world.client.verify.v2.safelist(NUMBER).delete()
    world.start()


@cause(60242, 400)
def whatsapp_template_missing(world):
    world.restrict(missingSetup=["whatsappTemplate"])
    world.start()
    world.start(channel="whatsapp")


@cause(60243, 400)
def custom_message(world):
    world.start(custom_message="Your code")
    world.restrict(missingSetup=["customMessages"])
    world.start(custom_message="Your code")


@cause(60245, 429)
def too_many_messages_in_a_day(world):
    world.restrict(sendsPerDay=2)
    for _ in range(2):
        world.start()
    with refused(429, 60245):
        world.start()
    world.sandbox.advance("24h")
    for _ in range(3):
        world.start()


@cause(60246, 400)
def service_name_taken(world):
    world.restrict(uniqueServiceNames=True)
    for _ in range(2):
        world.services.create(friendly_name="Twice")


@cause(60247, 400)
def long_message(world):
    world.start(custom_friendly_name="A" * 460)
    with refused(400, 60247):
        world.start(custom_message="A" * 501)
    world.start(custom_friendly_name="A" * 480)


@cause(60248, 400)
def restricted_word(world):
    world.restrict(restrictedWords=["bank"])
    world.services.create(friendly_name="Acme")
    with refused(400, 60248):
        world.start(custom_friendly_name="Acme Bank")
    world.services.create(friendly_name="Acme Bank")


@cause(60250, 400)
def australia_without_registration(world):
    world.restrict(missingSetup=["australianSender"])
    world.start(to=AUSTRALIA, channel="call")
    world.start(to=AUSTRALIA)


@cause(60410, 403)
def blocked_prefix(world):
    world.restrict(blockedPrefixes=["+221"])
    world.start()
    world.start(to=SENEGAL)


@cause(60411, 400)
def safe_number_twice(world):
    for _ in range(2):
        world.client.verify.v2.safelist.create(phone_number=NUMBER)


@cause(60412, 403)
def fraudulent_signup(world):
    world.restrict(blockedSignups=[NUMBER])
    world.client.verify.v2.safelist.create(phone_number=NUMBER)
    world.start()


@cause(60602, 400)
def app_hash_in_a_call(world):
    world.start(channel="call", app_hash="A" * 11)


@cause(60605, 403)
def blocked_country(world):
    world.restrict(blockedCountries=["SN"])
    world.start()
    world.start(to=SENEGAL)


@cause(68008, 400)
def whatsapp_without_sender(world):
    world.restrict(missingSetup=["whatsappSender"])
    world.service.update(whatsapp_msg_service_sid=f"MG{'1' * 32}")
    world.start(channel="whatsapp")
    world.service.update(whatsapp_msg_service_sid="")
    world.start(channel="whatsapp")


@cause(21608, 403)
def unverified_number_on_a_trial(world):
    world.restrict(accountType="trial", verifiedNumbers=[NUMBER])
    world.start()
    world.start(to=SENEGAL)


@pytest.mark.parametrize("code", sorted(CAUSES))
def test_twilio_errors_are_produced_without_a_fault(world, code):
    status, act = CAUSES[code]
    with refused(status, code):
        act(world)
    why = world.sandbox.journal()[-1]["why"]
    assert why and not why.startswith("broken on purpose")


def test_twilio_errors_every_documented_code_is_listed_once():
    lists = [set(CAUSES), set(ELSEWHERE), set(EXCEPTIONS)]

    assert documented() - set().union(*lists) == set()
    assert sum(map(len, lists)) == len(set().union(*lists)), "a code is in two lists"
