"""What the official client shows of checks P30, P32, P34 and P35 of the push contract, additions."""

import re

import pytest
from firebase_admin import messaging

# Tokens are what the other languages' clients and the contract have; the client would like `fid` instead.
pytestmark = pytest.mark.filterwarnings("ignore:.* is deprecated. Use .*fids? instead")


@pytest.mark.parametrize("settings", [{}, {"errorTexts": "previous"}])
def test_push_30_unregistered(fcm, settings):
    fcm.settings(**settings)

    with pytest.raises(messaging.UnregisteredError):
        fcm.send(token="sbx-a-gone")


@pytest.mark.parametrize("settings", [{}, {"apnsKeyError": "InvalidProviderToken"}])
def test_push_32_and_35_third_party_auth_error(fcm, settings):
    fcm.settings(**settings)
    fcm.ios("sbx-i-noapns")

    with pytest.raises(messaging.ThirdPartyAuthError, match="Auth error from APNS or Web Push Service"):
        fcm.send(token="sbx-i-noapns")


def test_push_34_names_of_messages(fcm):
    def name(**message):
        prefix, _, name = fcm.send(**message).rpartition("/")
        assert prefix == f"projects/{fcm.project}/messages"
        return name

    shown = name(token="sbx-a", notification=messaging.Notification("T", "B"))
    data = name(token="sbx-a", data={"a": "b"})

    assert re.fullmatch(r"0:\d{16}%([0-9a-f]{8})\1", shown)
    assert re.fullmatch(r"0:\d{16}%[0-9a-f]{8}f9fd7ecd", data)
    assert re.fullmatch(r"\d{19}", name(topic="news", data={"a": "b"}))
    assert re.fullmatch(r"\d{19}", name(condition="'news' in topics", data={"a": "b"}))
