"""Glide's client `glide-sdk` against the CAMARA APIs, over HTTP. Source: camara.md 15."""

import asyncio

import glide_sdk
import pydantic
import pytest
from glide_sdk.src.glide_sdk.services import kyc_match, sim_swap
from glide_sdk.src.glide_sdk.utils import FetchError

import camara_browser

A, B, SWAPPED, NOBODY, WARY = "+12025550100", "+12025550101", "+12025550102", "+12025550132", "+12025550146"


@pytest.fixture
def glide(sandbox, monkeypatch):
    own = sandbox.credentials["camara"]
    for name, value in (("CLIENT_ID", own["clientId"]), ("CLIENT_SECRET", own["clientSecret"]),
                        ("REDIRECT_URI", camara_browser.REDIRECT), ("AUTH_BASE_URL", f"{sandbox.base}/camara"),
                        ("API_BASE_URL", f"{sandbox.base}/camara")):
        monkeypatch.setenv(f"GLIDE_{name}", value)
    return glide_sdk.GlideClient()


def status(call):
    """The status with which a call is refused. Where the client looks for a reason, it fails: its error has
    no `response`."""
    with pytest.raises((FetchError, AttributeError)) as refused:
        asyncio.run(call)
    error = refused.value if isinstance(refused.value, FetchError) else refused.value.__context__
    assert isinstance(error, FetchError)
    return error.status


async def swaps(glide, number, hours):
    user = await glide.sim_swap.for_user(phone_number=number)
    found = await user.check(sim_swap.SimSwapCheckParams(phoneNumber=number, maxAge=hours))
    return found.swapped, (await user.retrieve_date()).latestSimChange


def test_glide_sim_swap(glide):
    assert asyncio.run(swaps(glide, SWAPPED, 73)) == (True, "2026-01-02T10:20:30.000Z")
    assert asyncio.run(swaps(glide, SWAPPED, 71)) == (False, "2026-01-02T10:20:30.000Z")
    assert status(swaps(glide, SWAPPED, 2401)) == 400
    assert status(swaps(glide, NOBODY, 71)) == 400


async def date_of_another(glide):
    user = await glide.sim_swap.for_user(phone_number=A)
    await user.retrieve_date(sim_swap.SimSwapRetrieveDateParams(phoneNumber=B))


def test_glide_swap_date_of_another_number_than_the_tokens(glide):
    assert status(date_of_another(glide)) == 422


async def verify(glide, handset, number):
    url = await glide.number_verify.get_auth_url(state="st-1")
    query = camara_browser.returned(url, handset)
    assert query["state"] == "st-1"
    user = await glide.number_verify.for_user(query["code"], number)
    return (await user.verify_number()).devicePhoneNumberVerified


def test_glide_number_verification(glide):
    assert asyncio.run(verify(glide, A, A)) is True
    assert asyncio.run(verify(glide, A, B)) is False
    assert status(verify(glide, A, "12")) == 400
    assert status(glide.number_verify.for_user("no-code")) == 400
    url = asyncio.run(glide.number_verify.get_auth_url(state="st-1"))
    assert camara_browser.returned(url, WARY)["error"] == "consent_required"


async def match(glide, **claims):
    user = await glide.kyc_match.for_user(phone_number=A)
    unknown = dict.fromkeys(kyc_match.KycMatchPayload.model_fields)
    await user.match(kyc_match.KycMatchPayload(**{**unknown, "phoneNumber": A, "idDocument": "66", "name": "Ada", **claims}))


def test_glide_kyc_match_is_answered_but_the_client_wants_a_member_that_no_operator_has(glide, sandbox):
    with pytest.raises(pydantic.ValidationError, match="giventNameMatch"):
        asyncio.run(match(glide))
    assert sandbox.journal()[-1]["response"]["status"] == 200
    # It has postal codes as integers, the official file as texts.
    assert status(match(glide, postalCode=12345)) == 400


def test_glides_own_products_are_not_served(glide):
    assert status(glide.telco_finder.lookup_number(A)) == 400
    assert status(glide.magic_auth.start_auth(phone_number=A)) == 400
