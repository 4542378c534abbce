"""The trace of a request continues in the webhooks that it causes. Source: issue 27, deliverable 6; W3C,
Trace Context."""

import json

import requests

import receiver
import ringfence

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
STATE = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"
NUMBER = "+12025550100"
START = "2026-01-05T10:20:30Z"


def send_message(server, hook, **headers):
    """A message whose statuses Twilio reports, when the carrier has delivered it."""
    own = server.sandbox_described("default")["credentials"]["twilio"]
    answer = requests.post(
        f"{server.http}/2010-04-01/Accounts/{own['accountSid']}/Messages.json", timeout=10, headers=headers,
        auth=(own["accountSid"], own["authToken"]),
        data={"To": NUMBER, "From": "+12025550199", "Body": "hello", "StatusCallback": hook})
    assert answer.status_code == 201, answer.text


def advance(server, span, **headers):
    answer = requests.post(f"{server.http}/control/clock?wait=30", json={"advance": span}, headers=headers, timeout=40)
    assert answer.ok, answer.text


def traces(arrivals):
    return [(headers.get("traceparent"), headers.get("tracestate")) for _, headers, _ in arrivals]


def test_the_trace_of_a_request_is_in_its_later_webhooks_also_after_a_restart(tmp_path):
    flags = ("--data", tmp_path / "data", "--clock", START)
    other = "00-11111111111111111111111111111111-2222222222222222-00"
    with receiver.Receiver() as hook:
        with ringfence.Server(*flags) as server:
            send_message(server, hook.url, traceparent=TRACE, tracestate=STATE)
            server.kill()
        with ringfence.Server(*flags) as server:
            # The request that moves the clock does not cause what was due.
            advance(server, "1m", traceparent=other)
            arrivals = [hook.next(), *hook.all()]
            shown = requests.get(f"{server.http}/control/webhooks", timeout=10).json()["webhooks"]

    found = traces(arrivals)
    assert len(found) == len(shown) and set(found) == {(TRACE, STATE)}
    assert json.dumps(shown).count(TRACE) >= len(shown)


def test_a_webhook_that_is_due_at_once_has_the_trace_too():
    with ringfence.Server() as server, receiver.Receiver() as hook:
        token = server.sandbox_described("default")["credentials"]["prelude"]["apiToken"]
        answer = requests.post(
            f"{server.http}/v2/verification", headers={"Authorization": f"Bearer {token}", "traceparent": TRACE}, timeout=10,
            json={"target": {"type": "phone_number", "value": NUMBER}, "options": {"callback_url": hook.url}})
        assert answer.ok, answer.text
        assert traces([hook.next()]) == [(TRACE, None)]


def test_requests_without_a_trace_cause_webhooks_without_one_also_after_others(tmp_path):
    with ringfence.Server("--clock", START) as server, receiver.Receiver() as hook:
        send_message(server, hook.url, traceparent=TRACE)
        advance(server, "1m")
        traced = [hook.next(), *hook.all()]
        send_message(server, hook.url)
        advance(server, "1m")
        untraced = [hook.next(), *hook.all()]
    assert set(traces(traced)) == {(TRACE, None)} and set(traces(untraced)) == {(None, None)}
