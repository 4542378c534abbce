"""The flows of Prove's guides, step by step: back end, device and phone (`prove.md` 4 and 5)."""

import re
from urllib.parse import urlsplit

import pytest

import prove_client
from prove_client import GO, TYPESCRIPT, Device

LORANT, LANEY, INGE, JESSE, PENNY = "2001004014", "2001004015", "2001004016", "2001004017", "2001004041"
TARGET = "https://app.example.com/done"


class Guide:
    """The three parties of a flow."""

    def __init__(self, sandbox, sdk=GO, **device):
        self.sandbox = sandbox
        self.back_end = sdk.client(sandbox)
        self.device = Device(**device)

    def start(self, possession="mobile", number=LORANT, **more):
        """1. The back end calls unify. 2. The app starts the client library with the auth token."""
        body = {"possessionType": possession, "clientRequestId": "guide", **more}
        unified = self.back_end.unify(**body, **({"phoneNumber": number} if number else {}))
        assert unified["success"] == "pending"
        self.session = unified["correlationId"]
        return self.device.authenticate(unified)

    def finish(self):
        """The app calls its back end, which calls unify-status."""
        assert self.device.step["step"] == "auth_finish"
        return self.back_end.status(self.session)

    def text(self, number=LORANT):
        """The newest text on the phone."""
        return self.sandbox.control("GET", f"inbox/+1{number}/latest").json()["text"]

    def code(self, number=LORANT):
        """The person reads the code from the text."""
        return re.search(r"\d{4}", self.text(number))[0]

    def click(self, number=LORANT):
        """The person opens the link of the newest text. Returns the URL that the browser goes to."""
        answer = prove_client.send("GET", re.search(r"http\S+", self.text(number))[0])
        assert answer.status == 302, answer
        return answer.headers["Location"]


@pytest.fixture
def mobile_web(sandbox):
    return Guide(sandbox, platform="web", features=["otp"])


@pytest.fixture
def app_with_links(sandbox):
    return Guide(sandbox, TYPESCRIPT, platform="ios", features=["instantLink"])


@pytest.fixture
def desktop(sandbox):
    return Guide(sandbox, TYPESCRIPT, role="secondary", features=["instantLink"])


def passed(status, number=LORANT):
    assert (status["success"], status["phoneNumber"]) == ("true", number), status
    assert status["proveId"]
    assert status["clientRequestId"] == "guide"
    return status


# Prove possession on mobile, by one-time code.

def test_mobile_otp_default(mobile_web):
    # The number is known, so the person only agrees to the SMS.
    step = mobile_web.start()
    assert (step["step"], step["phoneNumberNeeded"]) == ("otp_start", False)
    mobile_web.device.otp_start()
    mobile_web.device.otp(mobile_web.code())
    assert passed(mobile_web.finish())["deviceId"] == mobile_web.device.registration["deviceId"]

    # The person returns: the key on the device is enough.
    assert mobile_web.start()["step"] == "auth_finish"
    passed(mobile_web.finish())


def test_mobile_otp_prompt(mobile_web):
    # The back end does not know the number, so the page asks for it.
    step = mobile_web.start(number=None)
    assert step["phoneNumberNeeded"] is True
    step = mobile_web.device.otp_start("not a number")
    assert (step["step"], step["error"]["type"]) == ("otp_start", "phone_number_validation")
    mobile_web.device.otp_start(LORANT)
    mobile_web.device.otp(mobile_web.code())
    passed(mobile_web.finish())


def test_mobile_otp_resend(mobile_web):
    mobile_web.start()
    mobile_web.device.otp_start()
    step = mobile_web.device.otp_resend()
    assert (step["step"], step["sendsLeft"]) == ("otp_finish", 1)
    mobile_web.device.otp(mobile_web.code())
    passed(mobile_web.finish())


def test_mobile_otp_retry(mobile_web):
    mobile_web.start(allowOTPRetry=True)
    mobile_web.device.otp_start()
    step = mobile_web.device.otp("0000")
    assert (step["step"], step["error"]["type"], step["attemptsLeft"]) == ("otp_finish", "otp_validation", 2)
    mobile_web.device.otp(mobile_web.code())
    passed(mobile_web.finish())


def test_mobile_otp_phone_change(mobile_web):
    mobile_web.start()
    mobile_web.device.otp_start()
    step = mobile_web.device.otp_change_number()
    assert (step["step"], step["phoneNumberNeeded"]) == ("otp_start", True)
    mobile_web.device.otp_start(LANEY)
    mobile_web.device.otp(mobile_web.code(LANEY))
    passed(mobile_web.finish(), LANEY)


# Prove possession on mobile, by Instant Link.

def resume(guide, number=LORANT):
    """The link opens the app, which hands its URL to the client library."""
    url = guide.click(number)
    assert urlsplit(url).query == f"asc=true&authId={guide.device.step['authId']}"
    return guide.device.finish_link(url)


def test_mobile_link_default(app_with_links):
    assert app_with_links.start(finalTargetUrl=TARGET)["step"] == "instant_link_start"
    assert app_with_links.device.link_start()["step"] == "instant_link_wait"
    assert resume(app_with_links)["step"] == "auth_finish"
    assert passed(app_with_links.finish())["deviceId"]

    assert app_with_links.start(finalTargetUrl=TARGET)["step"] == "auth_finish"
    passed(app_with_links.finish())


def test_mobile_link_prompt(app_with_links):
    assert app_with_links.start(number=None, finalTargetUrl=TARGET)["phoneNumberNeeded"] is True
    app_with_links.device.link_start(LORANT)
    resume(app_with_links)
    passed(app_with_links.finish())


def test_mobile_link_resend(app_with_links):
    app_with_links.start(finalTargetUrl=TARGET)
    app_with_links.device.link_start()
    first = re.search(r"http\S+", app_with_links.text())[0]
    assert app_with_links.device.link_resend()["sendsLeft"] == 1
    assert prove_client.send("GET", first).status == 410
    resume(app_with_links)
    passed(app_with_links.finish())


def test_mobile_link_phone_change(app_with_links):
    app_with_links.start(finalTargetUrl=TARGET)
    app_with_links.device.link_start()
    assert app_with_links.device.link_change_number()["step"] == "instant_link_start"
    app_with_links.device.link_start(LANEY)
    resume(app_with_links, LANEY)
    passed(app_with_links.finish(), LANEY)


# Prove possession on desktop, by Instant Link.

def wait_for_the_click(guide, number=LORANT):
    """The desktop browser waits while the person opens the link on the phone."""
    assert guide.device.step["step"] == "instant_link_wait"
    assert guide.click(number).startswith(f"{TARGET}?asc=true&authId=")
    guide.device.step = prove_client.send("GET", f"{guide.device.url}/{guide.device.step['authId']}").json()
    return guide.finish()


def test_desktop_link_default(desktop):
    assert desktop.start("desktop", finalTargetUrl=TARGET)["step"] == "instant_link_start"
    desktop.device.link_start()
    status = passed(wait_for_the_click(desktop))
    assert "deviceId" not in status.json()


def test_desktop_link_prompt(desktop):
    assert desktop.start("desktop", number=None, finalTargetUrl=TARGET)["phoneNumberNeeded"] is True
    desktop.device.link_start(LORANT)
    passed(wait_for_the_click(desktop))


def test_desktop_link_resend(desktop):
    desktop.start("desktop", finalTargetUrl=TARGET)
    desktop.device.link_start()
    desktop.device.link_resend()
    passed(wait_for_the_click(desktop))


def test_desktop_link_phone_change(desktop):
    desktop.start("desktop", finalTargetUrl=TARGET)
    desktop.device.link_start()
    desktop.device.link_change_number()
    desktop.device.link_start(LANEY)
    passed(wait_for_the_click(desktop, LANEY), LANEY)


# Mobile Auth before code or link.

def test_mobile_auth(sandbox):
    guide = Guide(sandbox, platform="android", features=["mobileAuth", "otp"], cellularNumber=INGE)
    assert guide.start(number=None)["step"] == "mobile_auth"
    guide.device.mobile_auth()
    passed(guide.finish(), INGE)


def test_mobile_auth_falls_back_to_a_code(sandbox):
    guide = Guide(sandbox, platform="android", features=["mobileAuth", "otp"], cellularNumber=JESSE)
    guide.start(number=JESSE)
    assert guide.device.mobile_auth()["step"] == "otp_start"
    guide.device.otp_start()
    guide.device.otp(guide.code(JESSE))
    passed(guide.finish(), JESSE)


# Customer-supplied possession with force bind.

def test_customer_supplied_possession(sandbox):
    guide = Guide(sandbox, platform="android", features=[])

    # The device has no key yet: the customer checks the number, and binds it.
    guide.start("none")
    status = guide.finish()
    assert status["success"] == "possession_required"
    assert status["deviceId"] == guide.device.registration["deviceId"]
    passed(guide.back_end.bind(guide.session, LORANT, clientRequestId="guide"))

    # The person returns: the key is enough.
    guide.start("none")
    passed(guide.finish())

    # The person has a new number: the key must be bound again, and the old number loses it.
    guide.start("none", LANEY)
    assert guide.finish()["success"] == "possession_required"
    passed(guide.back_end.bind(guide.session, LANEY, clientRequestId="guide"), LANEY)
    guide.start("none")
    assert guide.finish()["success"] == "possession_required"


def test_customer_supplied_possession_forced(sandbox):
    guide = Guide(sandbox, platform="android", features=[])
    guide.start("none")
    guide.finish()
    guide.back_end.bind(guide.session, LORANT)

    guide.start("none", rebind=True)
    assert guide.finish()["success"] == "possession_required"
    passed(guide.back_end.bind(guide.session, LORANT, clientRequestId="guide"))


# Passive authentication with the customer-supplied fallback.

def test_passive_by_mobile_auth(sandbox):
    guide = Guide(sandbox, platform="ios", features=["mobileAuth"], cellularNumber=PENNY)
    guide.start("none", None)
    guide.device.mobile_auth()
    passed(guide.finish(), PENNY)

    # The person returns over Wi-Fi: the key is enough.
    assert guide.start("none", None)["step"] == "auth_finish"
    passed(guide.finish(), PENNY)


def test_passive_falls_back_to_the_customer(sandbox):
    guide = Guide(sandbox, platform="ios", features=["mobileAuth"], cellularNumber=JESSE)
    guide.start("none", None)
    guide.device.mobile_auth()
    assert guide.finish()["success"] == "possession_required"
    passed(guide.back_end.bind(guide.session, JESSE, clientRequestId="guide"), JESSE)
