"""Limits of sandboxes on a shared server, as clients meet them. Source: issue 16, deliverable 3."""

import pytest
import requests

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


@pytest.mark.parametrize("flags, said", [
    (("--max-sandboxes", "0"), "--max-sandboxes: expected an integer from 1 to 100000; found 0"),
    (("--sandbox-ttl", "soon"), "--sandbox-ttl: expected a duration from 1s to 3650d, such as 90m or 2d; found soon"),
])
def test_options_that_cannot_take_effect_are_refused(flags, said):
    assert said in ringfence.command("serve", *flags, expect=64)
