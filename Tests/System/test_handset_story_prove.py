"""A story: Ana has an app on a virtual handset. Its back end sends the requests of Prove's SDK for Go."""

import pytest

from virtual_handset import VirtualHandset

LORANT = "2001004014"
NUMBER = "+12001004014"


@pytest.fixture
def handset(sandbox):
    return VirtualHandset(sandbox, NUMBER, "prove")


def sign_in(go):
    answer = go.unify(possessionType="mobile", phoneNumber=LORANT)
    assert answer["success"] == "pending"
    return answer["correlationId"]


def texts(sandbox):
    return sandbox.control("GET", f"inbox/{NUMBER}").json()["messages"]


def failure(answer):
    return list(answer["evaluation"]["authentication"]["failureReasons"])


def test_the_handset_registers_by_the_public_requests(sandbox, handset):
    assert handset.routes("prove") == [
        "createToken", "createUnify", "authenticateDevice", "startOTP", "finishOTP", "fetchUnifyStatus"]


def test_ana_approves_with_her_key(sandbox, handset, go):
    session = sign_in(go)

    handset.approve()

    status = go.status(session)
    assert (status["success"], texts(sandbox)) == ("true", [])
    assert handset.routes("prove")[-2:] == ["authenticateDevice", "fetchUnifyStatus"]


def test_ana_denies(sandbox, handset, go):
    session = sign_in(go)

    handset.deny()

    status = go.status(session)
    assert (status["success"], failure(status)) == ("false", ["9100"])


@pytest.mark.parametrize("behaviour, success", [("approve", "true"), ("deny", "false")])
def test_ana_needs_twenty_seconds(sandbox, handset, go, behaviour, success):
    handset.set(behaviour=behaviour, answerAfterMs=20_000)
    session = sign_in(go)
    sandbox.advance("19s")
    (asked,) = [entry for entry in sandbox.journal(provider="prove") if entry["route"] == "authenticateDevice"]
    assert asked["response"]["status"] == 200  # that of the registration

    sandbox.advance("1s")

    assert go.status(session)["success"] == success


def test_ana_ignores_it_until_it_expires(sandbox, handset, go):
    handset.set(behaviour="ignore")
    session = sign_in(go)

    sandbox.advance("901s")

    assert go.status(session).status == 400
    assert "expired" in handset.approve(expect=(409,))["error"]


def test_a_revoked_key_needs_a_code_again(sandbox, handset, go):
    first = sign_in(go)
    handset.approve()
    go.revoke(go.status(first)["deviceId"])
    session = sign_in(go)

    handset.approve()

    assert go.status(session)["success"] == "true"
    assert len(texts(sandbox)) == 1


def test_the_app_was_deleted(sandbox, handset, go):
    handset.set(condition="appDeleted", behaviour="approve")
    session = sign_in(go)

    sandbox.advance("10s")

    assert "deleted" in handset.approve(expect=(409,))["error"]
    assert failure(go.status(session)) == ["9100"]


def test_a_used_token_is_refused(sandbox, handset, go):
    """The auth token is for one device: here a browser took it first."""
    import prove_client
    unified = go.unify(possessionType="mobile", phoneNumber=LORANT)
    prove_client.Device().authenticate(unified)

    answer = handset.approve(expect=(409,))

    assert "authenticate answered 401" in answer["error"]
    assert "challenge.refused" in handset.events()


def test_a_number_that_is_no_test_user_cannot_register(sandbox):
    answer = sandbox.control("POST", "devices", expect=(409,), json={"number": "+12025550100", "provider": "prove"}).json()

    assert "8007" in answer["error"]
    assert "device.refused" in [event["kind"] for event in sandbox.entries("events")]
