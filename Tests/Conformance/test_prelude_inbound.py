"""Messages from subscribers to a Prelude account: subscriptions, inbound messages and replies. Contract 10
and 12.3."""

import json

import pytest
from prelude_python_sdk import BadRequestError, NotFoundError

import receiver
from sdk_errors import refused

NUMBER = "+33639980050"
OTHER = "+33639980057"
LINE = "36184"
DEFAULT_STOP = "You have been unsubscribed and will not receive further messages. Reply START to resubscribe."


@pytest.fixture
def up():
    with receiver.Receiver() as up:
        yield up


@pytest.fixture
def news(sandbox, up):
    """A subscription with a French line and one member."""
    sandbox.seed(prelude={
        "templates": [{"id": "template_sale", "category": "marketing", "text": "Sale!"}],
        "subscriptions": [{
            "id": "subcfg_news", "name": "News", "callbackUrl": up.url, "messages": {"help_message": "Ask us."},
            "lines": [{"country": "FR", "number": LINE}],
            "members": [{"number": NUMBER, "state": "SUB", "source": "API", "at": "2026-01-02T00:00:00Z"}]}]})
    return "subcfg_news"


def write(sandbox, text, number=NUMBER, **more):
    """A subscriber sends a text. Returns the texts that the handset shows afterwards."""
    sandbox.control("POST", f"inbox/{number}/reply", json={"text": text, **more})
    sandbox.advance("1s")
    return [message["text"] for message in sandbox.control("GET", f"inbox/{number}").json()["messages"]]


def told(up):
    """The webhooks since the last call, by time."""
    return sorted((json.loads(body) for _, _, body in up.all()), key=lambda event: (event["created_at"], event["type"]))


def test_a_person_stops_and_starts(prelude, sandbox, news, up):
    prelude.notify.send(template_id="template_sale", to=NUMBER)
    sandbox.advance("1s")

    assert write(sandbox, "stop it please") == ["Sale!", DEFAULT_STOP]

    member = prelude.notify.get_subscription_phone_number(NUMBER, config_id=news)
    assert (member.state, member.source, member.reason) == ("UNSUB", "MO_KEYWORD", "STOP")
    with refused(BadRequestError, "unsubscribed", "to"):
        prelude.notify.send(template_id="template_sale", to=NUMBER)
    prelude.notify.send(template_id="template_x", to=NUMBER, from_=LINE)
    assert write(sandbox, "START", to=LINE)[-2:] == [
        "[template_x]", "You have been resubscribed and will receive messages again. Reply STOP to unsubscribe."]
    events = prelude.notify.list_subscription_phone_number_events(NUMBER, config_id=news).events
    assert [(event.state, event.source) for event in events] == [
        ("SUB", "MO_KEYWORD"), ("UNSUB", "MO_KEYWORD"), ("SUB", "API")]
    assert prelude.notify.send(template_id="template_sale", to=NUMBER).id
    stop, start = told(up)
    assert (stop["type"], start["type"]) == ("marketing.subscription.stop", "marketing.subscription.start")
    assert stop["payload"] == {
        "action": "STOP", "from": NUMBER, "to": LINE, "received_at": stop["created_at"]}


def test_a_person_asks_for_help(prelude, sandbox, news, up):
    assert write(sandbox, "Help", OTHER, to=LINE) == ["Ask us."]

    assert [event["type"] for event in told(up)] == ["marketing.subscription.help"]
    with refused(NotFoundError, "not_found"):
        prelude.notify.get_subscription_phone_number(OTHER, config_id=news)


def test_a_text_without_a_keyword_changes_nothing(prelude, sandbox, news, up):
    for text in ("please stop", "STOPPED", "help" * 5):
        assert write(sandbox, text, to=LINE) == []
    assert write(sandbox, "STOP", to="74454") == []

    assert prelude.notify.get_subscription_phone_number(NUMBER, config_id=news).state == "SUB"
    assert told(up) == []


@pytest.mark.parametrize("event", ["deactivate", "recycle"])
def test_a_deactivated_number_leaves_all_subscriptions(prelude, sandbox, news, up, event):
    for number in (NUMBER, OTHER):
        sandbox.control("POST", f"subscribers/{number}/events", json={"event": event})

    sandbox.advance("1ms")
    member = prelude.notify.get_subscription_phone_number(NUMBER, config_id=news)
    assert (member.state, member.source) == ("UNSUB", "CARRIER_DISCONNECT")
    told_of, = told(up)
    assert told_of["type"] == "marketing.subscription.carrier_disconnect"
    assert (told_of["payload"]["phone_number"], told_of["payload"]["config_id"]) == (NUMBER, news)


def test_an_inbound_message_is_reported_and_answered(prelude, sandbox, up):
    sandbox.seed(prelude={"settings": {"inboundCallbackUrl": up.url, "inboundMessages": "seeded"}})
    prelude.notify.send(template_id="template_x", to=NUMBER, preferred_channel="whatsapp")
    sandbox.advance("1s")

    write(sandbox, "Is it open?")

    event, = told(up)
    came = event["payload"]
    assert (event["type"], came["channel"], came["from"], came["to"], came["text"]) == (
        "inbound.message.received", "whatsapp", NUMBER, "PRELUDE", "Is it open?")
    reply = prelude.notify.reply(reply_to=came["id"], text="Until six.", to=NUMBER)
    assert reply.reply_to == came["id"]
    sandbox.advance("1s")
    latest = sandbox.control("GET", f"inbox/{NUMBER}/latest").json()
    assert (latest["text"], latest["channel"], latest["from"]) == ("Until six.", "whatsapp", "PRELUDE")
    with refused(BadRequestError, "phone_number_mismatch", "to"):
        prelude.notify.reply(reply_to=came["id"], text="Yes.", to=OTHER)
    with refused(BadRequestError, "invalid_reply_context", "reply_to"):
        prelude.notify.reply(reply_to="im_unheard", text="Yes.", to=NUMBER)
    with refused(BadRequestError, "missing_text", "text"):
        prelude.notify.reply(reply_to=came["id"], text="", to=NUMBER)


def test_each_message_restarts_the_reply_window(prelude, sandbox, up):
    sandbox.seed(prelude={
        "settings": {"inboundCallbackUrl": up.url}, "senderIds": [{"name": "+33756000001", "status": "approved"}]})
    for _ in range(2):
        write(sandbox, "Hello", to="+33756000001", channel="whatsapp")
        sandbox.advance("20h")
    first = told(up)[0]["payload"]

    assert prelude.notify.reply(reply_to=first["id"], text="Hello!", to=NUMBER).id
    sandbox.advance("5h")
    with refused(BadRequestError, "window_expired", "reply_to"):
        prelude.notify.reply(reply_to=first["id"], text="Hello?", to=NUMBER)


def test_rcs_has_no_reply_window(prelude, sandbox, up):
    sandbox.seed(prelude={
        "settings": {"inboundCallbackUrl": up.url}, "senderIds": [{"name": "Acme", "status": "approved"}]})
    write(sandbox, "Hello", to="Acme", channel="rcs")
    came = told(up)[0]["payload"]
    assert "window_expires_at" not in came

    sandbox.advance("72h")
    prelude.notify.reply(reply_to=came["id"], text="Hello!", to=NUMBER)
    sandbox.advance("1s")
    assert sandbox.control("GET", f"inbox/{NUMBER}/latest").json()["channel"] == "rcs"


def test_replies_to_codes_are_ignored_and_texts_to_other_numbers_refused(prelude, sandbox, up):
    sandbox.seed(prelude={"settings": {"inboundCallbackUrl": up.url}})
    prelude.verification.create(target={"type": "phone_number", "value": NUMBER})
    sandbox.advance("1s")

    write(sandbox, "Who are you?")
    for more in ({"channel": "whatsapp"}, {}):
        answer = sandbox.control(
            "POST", f"inbox/{NUMBER}/reply", json={"text": "Who are you?", "to": "Strange", **more}, expect=(400,))
        assert answer.json()["field"] == "$.to"

    assert told(up) == []


def test_a_released_message_is_reported_as_delivered(prelude, sandbox, up):
    sandbox.control("POST", f"subscribers/{NUMBER}/events", json={"event": "detach"})
    prelude.notify.send(template_id="template_x", to=NUMBER, callback_url=up.url)
    target = {"type": "phone_number", "value": NUMBER}
    prelude.verification.create(target=target, options={"callback_url": up.url})
    sandbox.advance("1m")
    told(up)

    sandbox.control("POST", f"subscribers/{NUMBER}/events", json={"event": "attach"})
    sandbox.advance("1ms")
    released = told(up)
    sandbox.advance("25h")

    assert [(event["type"], event["payload"].get("status")) for event in released] == [
        ("transactional.message.delivered", None), ("verify.delivery_status", "delivered")]
    assert {event["created_at"] for event in released} == {"2026-01-05T10:21:30.000000000Z"}
    assert told(up) == []
