"""Clients of the CAMARA APIs with fixed hosts, unchanged, over HTTPS inside `ringfence run`: Vonage's (check
M60 of the contract, section 17) and Telefónica's (section 15)."""

import pytest

import camara_browser
import ringfence
from inside import Inside

A, NOBODY = "+12025550100", "+12025550132"


@pytest.fixture(scope="module")
def inside():
    run = Inside(ringfence.binary())
    yield run
    run.close()


@pytest.fixture
def own(inside):
    return inside.control("GET", "sandboxes/default")["credentials"]["camara"]


VONAGE = """
import json, os, urllib.parse
import requests, vonage
from vonage_http_client.errors import HttpRequestError
from vonage_network_auth import CreateOidcUrl
from vonage_network_number_verification import NumberVerificationRequest
from vonage_network_sim_swap import SimSwapCheckRequest

url = os.environ["RINGFENCE_URL"]
own = requests.get(f"{url}/control/sandboxes/default").json()["credentials"]["vonage"]
client = vonage.Vonage(vonage.Auth(application_id=own["applicationId"], private_key=own["privateKey"]))

def status(call):
    try:
        call()
    except HttpRequestError as error:
        return error.response.status_code
"""


def test_camara_m60_vonage(inside):
    """46 B6: with the application that Verify has, too."""
    if "vonage" not in inside.control("GET", "sandboxes/default")["credentials"]:
        pytest.skip("api-eu.vonage.com is a host of the provider Vonage, which this build does not have")
    found = inside.python(VONAGE + """
swaps = client.network_sim_swap
checks = [swaps.check(SimSwapCheckRequest(phone_number=n, max_age=h))["swapped"]
          for n, h in (("+12025550102", 73), ("12025550102", 71))]
date = swaps.get_last_swap_date("+12025550102")["latestSimChange"]
start = client.network_number_verification.get_oidc_url(CreateOidcUrl(
    redirect_uri="http://127.0.0.1:8080/callback", state="s", login_hint="+12025550100"))
while not start.startswith("http://127.0.0.1:8080/"):
    start = requests.get(start, headers={"X-Sandbox-Handset": "+12025550100"}, allow_redirects=False).headers["Location"]
code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(start).query))["code"]
verification = NumberVerificationRequest(
    code=code, redirect_uri="http://127.0.0.1:8080/callback", phone_number="+12025550100")
verified = client.network_number_verification.verify(verification).device_phone_number_verified
refused = [status(lambda: swaps.check(SimSwapCheckRequest(phone_number="+12025550132"))),
           status(lambda: swaps.get_last_swap_date("+12025550112")),
           status(lambda: client.network_number_verification.verify(verification))]
print(json.dumps([checks, date[-1], verified, refused]))
""")

    assert found == [[True, False], "Z", True, [400, 422, 400]]


TELEFONICA = """
import json, os
import requests
from opengateway_sandbox_sdk import ClientCredentials, NumberVerification, SimSwap, Simswap

url = os.environ["RINGFENCE_URL"]
own = requests.get(f"{url}/control/sandboxes/default").json()["credentials"]["camara"]
credentials = ClientCredentials(own["clientId"], own["clientSecret"])

def status(call):
    try:
        call()
    except requests.HTTPError as error:
        return error.response.status_code
"""


def test_telefonica_sim_swap(inside):
    found = inside.python(TELEFONICA + """
swaps = SimSwap(credentials, phone_number="+12025550102")
older = Simswap(own["clientId"], own["clientSecret"], phone_number="+12025550102")
seconds = (swaps.retrieve_date() - older.retrieve_date()).total_seconds()
refused = [status(lambda: swaps.check(2401)), status(lambda: swaps.retrieve_date("+12025550101")),
           status(lambda: SimSwap(credentials, phone_number="+12025550132")),
           status(lambda: SimSwap(ClientCredentials(own["clientId"], "wrong"), phone_number="+12025550102"))]
print(json.dumps([swaps.check(73), swaps.check(71), older.check(73), seconds, refused]))
""")

    assert found == [True, False, True, 0, [400, 422, 400, 401]]


def test_telefonica_number_verification(inside, own):
    base = inside.python("import json, os; print(json.dumps(os.environ['RINGFENCE_URL']))")
    codes = [camara_browser.code(base, own["clientId"], A) for _ in range(3)]
    found = inside.python(TELEFONICA + f"""
one, other, third = [NumberVerification(credentials, code) for code in {codes!r}]
print(json.dumps([one.verify("{A}"), other.verify("{NOBODY}"), status(lambda: third.verify("12")),
                  status(lambda: third.verify("{A}"))]))
""")

    assert found == [True, False, 400, 400]


def test_telefonicas_location_and_quality_are_not_served(inside):
    found = inside.python(TELEFONICA + """
from opengateway_sandbox_sdk import DeviceLocation, QoDHome
print(json.dumps([status(lambda: DeviceLocation(credentials, phone_number="+12025550100")),
                  status(lambda: QoDHome(own["clientId"], own["clientSecret"], "203.0.113.7"))]))
""")

    assert found == [400, 400]
