"""Conformance check 41 of the Prove contract, section 11: each operation, called by each SDK."""

import json

import pytest

import prove_facts
import prove_schema
from prove_client import GO, JAVA, TYPESCRIPT, Device

MILO = {"firstName": "Milo", "lastName": "Pinson", "dob": "1981-01-17", "ssn": "847350596"}
BETTINA = {"firstName": "Bettina", "lastName": "Halbert", "phoneNumber": "2001004049", "verificationType": "accountOpening"}
ALF = {"firstName": "Alf", "lastName": "Novotni", "phoneNumber": "2001004054", "verificationType": "accountOpening"}


def start(client, number, **more):
    return client.call("POST", "/v3/start", {"flowType": "mobile", "phoneNumber": number, **more}, ("flowType",))


def follow(client, step, started, **members):
    return client.call("POST", f"/v3/{step}", {"correlationId": started["correlationId"], **members}, ("correlationId",))


def enroll(client, number, **more):
    return client.call("POST", "/v3/identity", {"phoneNumber": number, **more}, ("phoneNumber",))["proveId"]


def walk(client):
    """Calls every operation of the platform API once and more, with answers of each kind."""
    unified = client.unify(possessionType="mobile", phoneNumber="2001004018", clientRequestId="r", clientHumanId="h")
    client.status(unified["correlationId"])
    device = Device()
    device.authenticate(client.unify(possessionType="none", phoneNumber="2001004014"))
    supplied = client.unify(possessionType="none", phoneNumber="2001004018")
    client.status(supplied["correlationId"])
    client.bind(supplied["correlationId"], "2001004018")
    client.revoke("unknown")
    client.revoke(device.registration["deviceId"])
    started = start(client, "2001001695")
    for step, members in (("validate", {}), ("challenge", {"dob": "01-17"}), ("complete", {"individual": MILO})):
        follow(client, step, started, **members)
    client.call("POST", "/v3/verify", BETTINA)
    client.call("POST", "/v3/verify", {**BETTINA, "verificationType": "prefill"})
    client.call("POST", "/v3/verify", ALF)
    client.call("POST", "/v3/verify", {"phoneNumber": "2001004053", "verificationType": "humanAssurance"})
    client.call("POST", "/v3/verify/batch", {"items": [BETTINA, ALF, {**ALF, "phoneNumber": "2125550100"}]})
    attributes = [{"attributeType": "walletId", "attributeValue": "w"}]
    identity = enroll(client, "2001004031", identityAttributes=attributes)
    client.call("POST", "/v3/identity/batch", {"items": [{"phoneNumber": "2001004035"}, {"phoneNumber": "x"}]})
    client.call("GET", "/v3/identity?limit=1")
    for method, action in (("GET", ""), ("POST", "/cross-domain"), ("POST", "/deactivate"), ("POST", "/activate")):
        client.call(method, f"/v3/identity/{identity}{action}")
    client.call("GET", "/v3/identity/+12001004031/lookup")
    client.call("GET", "/v3/identity/2001004036/lookup")
    (listed,) = client.call("GET", f"/v3/discover?proveId={identity}")["results"]
    client.call("GET", f"/v3/fetch?proveId={identity}&attributeId={listed['attributeId']}")
    client.call("DELETE", f"/v3/identity/{identity}")
    walk_domains(client)
    mobile = {"claim": {"mobileNumber": "2001004014"}}
    request = {"requestId": "0d9e0c1c-6f43-4b44-9a52-6c6b6b0b9d10", "subjects": {"mobile": mobile}}
    auth = client.call("POST", "/v1/server/auth/start", request)["authId"]
    client.call("POST", "/v1/server/auth/continue", {**request, "authId": auth})
    client.call("POST", "/v1/server/auth/finish", {"authId": auth})


def walk_domains(client):
    client.call("GET", "/v3/domain/linked")
    client.call("POST", "/v3/domain/link", {"pcid": "other-pcid", "scopes": ["identity"]})
    client.call("GET", "/v3/domain/linked")
    own = client.call("GET", "/v3/domain/id")["pcid"]
    other = GO.client(client.sandbox, client_id=f"other-{client.sandbox.name}", client_secret="s")
    other.call("POST", "/v3/domain/confirm-link", {"pcid": own})
    client.call("GET", "/v3/domain/linked")
    other.call("GET", "/v3/domain/linked")
    client.call("POST", "/v3/domain/unlink", {"pcidTo": "other-pcid"})


@pytest.mark.parametrize("sdk", (GO, TYPESCRIPT, JAVA), ids=lambda sdk: sdk.name)
def test_prove_41_strictness(sandbox, sdk):
    other = f"other-{sandbox.name}"
    sandbox.seed(prove={
        "clients": [{"clientId": other, "clientSecret": "s"}],
        "domains": [{"clientId": other, "pcid": "other-pcid", "name": "Other", "issuerId": "Other"}]})
    client = sdk.client(sandbox)
    client.sandbox = sandbox
    walk(client)

    called = set()
    for entry in sandbox.journal(provider="prove"):
        response = entry["response"]
        types = [line.split(":", 1)[1].strip() for line in response["headers"] if line.lower().startswith("content-type:")]
        called.add((response["status"] == 200, prove_schema.check(
            entry["request"]["method"], entry["request"]["target"], response["status"], types[0], response["body"])))
    assert {name for is_success, name in called if is_success and name} == set(prove_schema.operations())


def test_the_facts_are_those_of_the_contract():
    written = prove_schema.FILE.read_text(encoding="utf-8")
    assert json.loads(written) == json.loads(json.dumps(prove_facts.facts(prove_facts.CONTRACT.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("method, path, body, complaint", [
    ("POST", "/v3/unify-status", {"success": True}, "True is not one of"),
    ("POST", "/v3/unify-status", {"success": "true", "evaluation": {"success": True}}, "'success' was unexpected"),
    ("POST", "/v3/unify-status", {"success": "true", "evaluation": {"risk": []}}, "[] is not of type 'object'"),
    ("POST", "/v3/unify-status", {"success": "true", "proveId": None}, "null at ['$.proveId']"),
    ("POST", "/v3/verify", {"success": "true", "correlationId": "c", "phoneNumber": "1", "identity": {"assuranceLevel": "AL2"}},
     "'reasons' is a required property"),
    ("POST", "/v3/validate", {"success": True, "next": {"done": "done"}}, "'challengeMissing' is a required property"),
    ("POST", "/v3/complete", {"success": True, "next": {"done": None}}, "null at ['$.next.done']"),
    ("GET", "/v3/identity", {}, "'results' is a required property"),
    ("POST", "/v3/identity/x/activate", {}, "'success' is a required property"),
    ("POST", "/token", {"access_token": "a", "token_type": "bearer", "expires_in": 1}, "'Bearer' was expected"),
    ("POST", "/token", {"access_token": "a", "token_type": "Bearer"}, "'expires_in' is a required property"),
])
def test_the_checker_knows_the_matrix(method, path, body, complaint):
    """What the strictest SDK rejects, by the contract's table 10.1."""
    with pytest.raises(AssertionError, match=".") as failure:
        prove_schema.check(method, path, 200, "application/json", json.dumps(body))
    assert complaint in str(failure.value)


@pytest.mark.parametrize("status, content_type, body", [
    (201, "application/json", {"success": True}), (200, "application/problem+json", {"success": True}),
    (400, "application/json", {"code": 8001}), (400, "application/json", {"code": "8001", "message": "m"})])
def test_the_checker_knows_the_matrix_of_statuses_and_errors(status, content_type, body):
    with pytest.raises(AssertionError):
        prove_schema.check("POST", "/v3/domain/link", status, content_type, json.dumps(body))
