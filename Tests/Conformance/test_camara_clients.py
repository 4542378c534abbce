"""Conformance checks M59 and M60 of the CAMARA contract, section 17: the clients of aggregators."""

import urllib.parse

import pytest
import requests
from network_as_code import NetworkAsCodeApi
from network_as_code.core.api_error import ApiError

import ringfence
from inside import Inside

A, SWAPPED, NOBODY = "+12025550100", "+12025550102", "+12025550132"
REDIRECT = "http://127.0.0.1:8080/callback"


def code(sandbox, handset):
    """The code with which a browser on a handset comes back to the client."""
    query = urllib.parse.urlencode({
        "client_id": sandbox.credentials["camara"]["clientId"], "redirect_uri": REDIRECT, "response_type": "code",
        "state": "s", "nonce": "n", "scope": "openid dpv:FraudPreventionAndDetection number-verification:verify"})
    url = f"{sandbox.base}/camara/oauth2/authorize?{query}"
    for _ in range(10):
        answer = requests.get(url, headers={"X-Sandbox-Handset": handset}, allow_redirects=False, timeout=10)
        url = answer.headers["Location"]
        if url.startswith(REDIRECT):
            return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))["code"]
    raise AssertionError(f"the chain does not end at {REDIRECT}: {url}")


@pytest.fixture
def nokia(sandbox):
    return NetworkAsCodeApi(
        base_url=f"{sandbox.base}/camara", api_key=sandbox.credentials["camara"]["clientSecret"])


def test_camara_m59_sim_swap(nokia):
    checks = [nokia.sim_swap.check(phone_number=SWAPPED, **more).swapped for more in ({}, {"max_age": 71}, {"max_age": 73})]

    assert checks == [True, False, True]
    with pytest.raises(ApiError) as refused:
        nokia.sim_swap.check(phone_number=NOBODY)
    assert refused.value.status_code == 404


def test_camara_m59_the_server_exchanges_the_code(nokia, sandbox):
    own = code(sandbox, A)

    assert nokia.number_verification.verify(code=own, state="s", phone_number=A).device_phone_number_verified is True
    with pytest.raises(ApiError) as refused:
        nokia.number_verification.verify(code=own, state="s", phone_number=A)
    assert refused.value.status_code == 401


def test_camara_m59_credentials_and_metadata(nokia, sandbox):
    own = sandbox.credentials["camara"]
    found = nokia.oauth.get_client_credentials()

    assert (found.client_id, found.client_secret) == (own["clientId"], own["clientSecret"])


@pytest.fixture(scope="module")
def inside():
    run = Inside(ringfence.binary())
    yield run
    run.close()


VONAGE = """
import json, os, urllib.parse
import requests, vonage
from vonage_network_auth import CreateOidcUrl
from vonage_network_number_verification import NumberVerificationRequest
from vonage_network_sim_swap import SimSwapCheckRequest

url = os.environ["RINGFENCE_URL"]
own = requests.get(f"{url}/control/sandboxes/default").json()["credentials"]["camara"]
client = vonage.Vonage(vonage.Auth(application_id=own["clientId"], private_key=own["privateKey"]))
"""


def test_camara_m60_vonage(inside):
    if "vonage" not in inside.control("GET", "sandboxes/default")["credentials"]:
        pytest.skip("api-eu.vonage.com is a host of the provider Vonage, which this build does not have")
    found = inside.python(VONAGE + """
checks = [client.network_sim_swap.check(SimSwapCheckRequest(phone_number=n, max_age=h))["swapped"]
          for n, h in (("+12025550102", 73), ("12025550102", 71))]
start = client.network_number_verification.get_oidc_url(CreateOidcUrl(
    redirect_uri="http://127.0.0.1:8080/callback", state="s", login_hint="+12025550100"))
while not start.startswith("http://127.0.0.1:8080/"):
    start = requests.get(start, headers={"X-Sandbox-Handset": "+12025550100"}, allow_redirects=False).headers["Location"]
code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(start).query))["code"]
verified = client.network_number_verification.verify(NumberVerificationRequest(
    code=code, redirect_uri="http://127.0.0.1:8080/callback", phone_number="+12025550100"))
print(json.dumps([checks, verified.device_phone_number_verified]))
""")

    assert found == [[True, False], True]
