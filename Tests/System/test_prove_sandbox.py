"""The sandbox's own tools work for Prove as for other providers: inbox, journal, faults, scenarios,
exports."""

from prove_client import Device

NUMBER = "2001004014"
INBOX = f"inbox/+1{NUMBER}"


def asking_for_a_code(go, **unify):
    unified = go.unify(possessionType="mobile", phoneNumber=NUMBER, **unify)
    device = Device(features=["otp"])
    device.authenticate(unified)
    device.otp_start()
    return device, unified["correlationId"]


def test_the_inbox_has_the_code(go, sandbox):
    asking_for_a_code(go, smsMessage="Your code for the shop: ######")

    assert sandbox.control("GET", f"{INBOX}/latest/code").text.strip() == "123456"
    assert sandbox.control("GET", f"{INBOX}/latest").json()["text"] == "Your code for the shop: 123456"


def test_the_journal_says_why_a_status_is_false(go, sandbox):
    device, session = asking_for_a_code(go)
    device.otp("0000")

    assert go.status(session)["success"] == "false"
    entry = sandbox.entries("journal")[-1]
    assert entry["route"] == "fetchUnifyStatus"
    assert "code" in entry["why"]


def test_the_verification_ends_as_the_session_does(go, sandbox):
    device, _ = asking_for_a_code(go)
    device.otp("1234")

    verification = sandbox.entries("verifications")[-1]
    assert (verification["provider"], verification["state"]) == ("prove", "approved")


def test_a_fault_gives_the_providers_error(go, sandbox):
    sandbox.control("PUT", "faults", json={"faults": [
        {"provider": "prove", "route": "createUnify", "code": "8000", "times": 1}]})

    assert go.call("POST", "/v3/unify", {"possessionType": "mobile", "phoneNumber": NUMBER}).status == 500
    assert go.unify(possessionType="mobile", phoneNumber=NUMBER)["success"] == "pending"


def test_a_scenario_loses_the_message(go, sandbox):
    sandbox.control("PUT", "scenarios", json={"scenarios": [
        {"match": {"provider": "prove"}, "outcome": "undeliverable"}]})

    asking_for_a_code(go)

    assert sandbox.control("GET", f"{INBOX}/latest", expect=(404,)).status_code == 404


def test_an_export_is_a_seed_of_another_sandbox(go, sandbox, server):
    settings = {"prove": {"settings": {"otpSeconds": 60}, "testUsers": [{"number": "+12001005000"}]}}
    sandbox.control("POST", "seed", json=settings)
    exported = sandbox.control("GET", f"sandboxes/{sandbox.name}/export").json()
    other = server.sandbox()

    other.control("POST", "seed", json={"isExport": True, "prove": exported["prove"]})

    again = other.control("GET", f"sandboxes/{other.name}/export").json()["prove"]
    assert again["settings"] == exported["prove"]["settings"]
    assert again["testUsers"] == exported["prove"]["testUsers"]
    assert again["settings"]["otpSeconds"] == 60
    other.delete()
