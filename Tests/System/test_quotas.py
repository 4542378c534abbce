"""Limits of sandboxes on a shared server, as official clients meet them. Source: issue 16, deliverable 3."""

import pytest
import requests
import twilio.rest
from twilio.base.exceptions import TwilioRestException

import ringfence

TOKEN = "admin-token-of-these-tests"


@pytest.fixture(scope="module")
def shared():
    with ringfence.Server("--max-sandboxes", "8", "--sandbox-ttl", "12h",
                          environment={"RINGFENCE_ADMIN_TOKEN": TOKEN}) as server:
        yield server


def create(server, **members):
    return requests.post(f"{server.http}/control/sandboxes", json=members, timeout=10,
                         headers={"Authorization": f"Bearer {TOKEN}"})


def verify_service(described):
    """Twilio's client for a sandbox; it tries each request once."""
    own = described["credentials"]["twilio"]
    client = twilio.rest.Client(own["accountSid"], own["authToken"])
    client.verify.base_url = described["urls"]["prefixed"]
    return client.verify.v2.services(own["serviceSid"])


def test_a_twilio_client_gets_429_and_the_neighbour_does_not(shared):
    busy, quiet = (create(shared, name=name, limits={"requestsPerSecond": rate}).json()
                   for name, rate in (("busy", 2), ("quiet", 50)))
    service = verify_service(busy)

    with pytest.raises(TwilioRestException) as refused:
        for number in range(100, 160):
            service.verifications.create(to=f"+12025550{number}", channel="sms")
    started = verify_service(quiet).verifications.create(to="+12025550100", channel="sms")

    assert (refused.value.status, refused.value.code) == (429, 20429)
    assert started.status == "pending"


def test_a_message_beyond_the_limit_is_not_sent(shared):
    small = create(shared, name="small", limits={"messages": 1}).json()
    service = verify_service(small)
    service.verifications.create(to="+12025550100", channel="sms")

    with pytest.raises(TwilioRestException) as refused:
        service.verifications.create(to="+12025550101", channel="sms")
    own = {"Authorization": f"Bearer {small['token']}"}
    said = requests.get(f"{small['urls']['prefixed']}/control/journal/latest", headers=own, timeout=10).json()
    shown = requests.get(f"{shared.http}/control/sandboxes/small", headers=own, timeout=10).json()

    assert refused.value.status == 503
    assert said["why"] == "limits.messages: expected at most 1 messages in this sandbox; reset it to delete them"
    assert shown["use"] == {"messages": {"used": 1, "limit": 1}}


REFUSED = {
    "telesign": ("GET", "/v1/phoneid/standard/12025550100", 429),
    "prelude": ("POST", "/v2/verification", 429),
    "prove": ("POST", "/token", 429),
    "sinch": ("POST", "/verification/v1/verifications", 429),
    "vonage": ("POST", "/v2/verify", 429),
    "camara": ("POST", "/sim-swap/v2/check", 429),
    "hyphen": ("POST", "/api/sms", 429),
    "fcm": ("POST", "/v1/projects/x/messages:send", 429),
}


@pytest.mark.parametrize("provider", REFUSED)
def test_every_provider_refuses_in_its_own_format(shared, provider):
    method, path, status = REFUSED[provider]
    described = create(shared, name=f"rate-{provider}", limits={"requestsPerSecond": 1}).json()
    url = f"{described['urls']['prefixed']}/{provider}{path}"

    answers = [requests.request(method, url, timeout=10) for _ in range(20)]
    limited = [answer for answer in answers if answer.status_code == status]

    requests.delete(f"{shared.http}/control/sandboxes/rate-{provider}", timeout=10,
                    headers={"Authorization": f"Bearer {TOKEN}"})
    assert limited and "limits." not in limited[0].text and "sandbox" not in limited[0].text


def test_one_team_cannot_see_use_or_delete_the_other(shared):
    first, second = (create(shared, name=name).json() for name in ("team-a", "team-b"))
    own = {"Authorization": f"Bearer {first['token']}"}

    seen = [requests.request(method, f"{shared.http}{path}", headers=own, timeout=10).status_code
            for method, path in (("GET", "/control/sandboxes/team-b"), ("DELETE", "/control/sandboxes/team-b"),
                                 ("GET", "/s/team-b/control/inbox"), ("GET", "/control/sandboxes"))]

    assert seen == [404, 403, 404, 403]
    assert second["ttl"] == "12h" and second["removedAt"].endswith("Z")


def test_the_server_takes_no_more_sandboxes_than_it_may(shared):
    answers = [create(shared) for _ in range(8)]

    assert answers[-1].status_code == 507
    assert answers[-1].json()["error"].startswith("sandboxes: expected at most 8; delete sandboxes")


@pytest.mark.parametrize("flags, said", [
    (("--max-sandboxes", "0"), "--max-sandboxes: expected an integer from 1 to 100000; found 0"),
    (("--sandbox-ttl", "soon"), "--sandbox-ttl: expected a duration from 1s to 3650d, such as 90m or 2d; found soon"),
])
def test_options_that_cannot_take_effect_are_refused(flags, said):
    assert said in ringfence.command("serve", *flags, expect=64)
