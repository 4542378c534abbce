"""A story: Ana has an app on a virtual handset. Its back end sends the requests of Telesign's official
clients."""

import datetime

import pytest

import telesign_clients
import telesign_schemas
from telesign_flows import login, methods
from virtual_handset import VirtualHandset

NUMBER = telesign_clients.NUMBER


@pytest.fixture
def telesign(server):
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    sandbox = server.sandbox(clock=now)
    yield telesign_clients.Clients(sandbox, telesign_schemas.TelesignSchemas().check)
    sandbox.delete()


@pytest.fixture
def handset(telesign):
    return VirtualHandset(telesign.sandbox, f"+{NUMBER}", "telesign", pushToken="fcm-token-1")


def test_the_handset_registers_by_the_public_requests(telesign, handset):
    journal = telesign.sandbox.journal(provider="telesign")

    assert [entry["route"] for entry in journal] == ["createVerification", "registerDevice"]
    assert [header for header in journal[0]["request"]["headers"] if header.startswith("Authorization: TSA ")]
    (app,) = telesign.sandbox.control("GET", f"devices/+{NUMBER}").json()["apps"]
    assert app["id"] == handset.app["id"]


@pytest.mark.parametrize("action, state", [("approve", "VERIFIED"), ("deny", "REJECTED")])
def test_ana_decides(telesign, handset, action, state):
    sign_in = login(telesign)
    telesign.advance("5s")
    assert [push["data"]["reference_id"] for push in handset.pushes()] == [sign_in["reference_id"]]

    getattr(handset, action)()

    assert telesign.process(sign_in["reference_id"])["state"] == state
    assert handset.routes("telesign")[-2:] == ["decideOnDevice", "fetchVerification"]


@pytest.mark.parametrize("behaviour, state", [("approve", "VERIFIED"), ("deny", "REJECTED")])
def test_ana_needs_twenty_seconds(telesign, handset, behaviour, state):
    handset.set(behaviour=behaviour, answerAfterMs=20_000)
    sign_in = login(telesign)
    telesign.advance("19s")
    assert telesign.process(sign_in["reference_id"])["state"] != state

    telesign.advance("10s")

    assert telesign.process(sign_in["reference_id"])["state"] == state


def test_ana_ignores_it_and_gets_a_code_instead(telesign, handset):
    handset.set(behaviour="ignore")
    sign_in = login(telesign)

    telesign.advance("61s")

    assert methods(telesign.process(sign_in["reference_id"])) == [("push", "FAILED"), ("sms", "ONGOING")]
    assert "expired" in handset.approve(expect=(409,))["error"]
    telesign.advance("5m")
    assert telesign.process(sign_in["reference_id"])["state"] == "FAILED"


@pytest.mark.parametrize("change", [{"condition": "appDeleted"}, {"state": "unregistered"}])
def test_the_token_is_invalid(telesign, handset, change):
    handset.set(**change)

    sign_in = login(telesign)

    assert methods(telesign.process(sign_in["reference_id"])) == [("push", "FAILED"), ("sms", "ONGOING")]
    assert handset.pushes() == []


def test_a_refused_decision_is_visible(telesign, handset):
    sign_in = login(telesign)
    telesign.sandbox.faults({"provider": "telesign", "route": "decideOnDevice", "code": "3400"})

    answer = handset.approve(expect=(409,))

    assert "decision answered 401" in answer["error"] and "3400" in answer["error"]
    assert "challenge.refused" in handset.events()
    assert telesign.process(sign_in["reference_id"])["state"] != "VERIFIED"


def test_a_number_that_gets_no_texts_cannot_register(telesign):
    number = "+12025550101"
    telesign.sandbox.control("PUT", f"subscribers/{number}", json={"barring": ["smsIn"]})

    answer = telesign.sandbox.control(
        "POST", "devices", expect=(409,), json={"number": number, "provider": "telesign"}).json()

    assert "the app did not enrol: no code" in answer["error"]
    assert telesign.sandbox.control("GET", f"devices/{number}").json()["apps"] == []


def test_a_clock_has_no_effect(handset):
    assert handset.set(expect=(400,), clockOffsetSeconds=60)["field"].endswith("clockOffsetSeconds")
