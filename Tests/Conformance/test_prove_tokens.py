"""What clients show of checks 3 to 7 of the Prove contract, section 11, and the transport rules of 1.4."""

import ssl

import pytest

import ringfence
from prove_client import GO, JAVA, SDKS

UNIFY = {"possessionType": "mobile", "phoneNumber": "2001004014"}


def error_of(answer):
    return answer.status, answer.json().get("code")


def token_requests(sandbox):
    return sandbox.journal(route="createToken")


def test_prove_03_wrong_grant(sandbox):
    for sdk in SDKS:
        assert error_of(sdk.client(sandbox).explicit_token(grant="password")) == (400, 8001)


def test_prove_04_token_reuse_and_refresh(sandbox):
    go = GO.client(sandbox)
    for _ in range(2):
        assert go.unify(**UNIFY).status == 200
    assert len(token_requests(sandbox)) == 1

    sandbox.advance("3541s")
    go.now += 3541
    assert go.unify(**UNIFY).status == 200
    assert len(token_requests(sandbox)) == 2


def test_prove_04_token_of_a_minute_is_asked_for_with_each_call(sandbox):
    sandbox.seed(prove={"settings": {"accessTokenSeconds": 60}})
    go = GO.client(sandbox)
    for _ in range(3):
        assert go.unify(**UNIFY).status == 200
    assert len(token_requests(sandbox)) == 3


def test_prove_05_expired_bearer(sandbox):
    go = GO.client(sandbox)
    go.unify(**UNIFY)
    sandbox.advance("3600s")

    # The client's own clock has not moved, so it sends the token that the server no longer accepts.
    assert error_of(go.unify(**UNIFY)) == (401, 8002)
    assert "expired" in sandbox.journal()[-1]["why"]
    assert go.unify(**UNIFY).status == 200


@pytest.mark.parametrize("sdk", SDKS, ids=lambda sdk: sdk.name)
def test_prove_06_prefix(sandbox, sdk):
    client = sdk.client(sandbox)
    client.base += "/prove"

    assert client.unify(**UNIFY).status == 200
    assert [entry["request"]["target"].split("/s/")[0] for entry in token_requests(sandbox)] == ["/token"]
    assert client.explicit_token().status == 200


def test_prove_07_java_h2c_and_chunked_token(sandbox):
    java = JAVA.client(sandbox)
    assert java.unify(**UNIFY)["success"] == "pending"

    (token,) = token_requests(sandbox)
    headers = [header.lower() for header in token["request"]["headers"]]
    assert "upgrade: h2c" in headers
    assert "transfer-encoding: chunked" in headers
    assert token["response"]["status"] == 200
    assert "grant_type=client_credentials" in token["request"]["body"]


@pytest.mark.parametrize("sdk", SDKS, ids=lambda sdk: sdk.name)
def test_requests_of_each_sdk_are_understood(sandbox, sdk):
    """Empty bodies with and without a content type, GET with Content-Length 0, empty cookies, raw and encoded
    plus signs."""
    client = sdk.client(sandbox)
    enrolled = client.call("POST", "/v3/identity", {"phoneNumber": "2001004031"}, ("phoneNumber",))
    path = f"/v3/identity/{enrolled['proveId']}"
    plus = "+" if sdk is GO else "%2B"

    assert client.call("POST", f"{path}/deactivate")["success"] is True
    assert client.call("POST", f"{path}/activate")["success"] is True
    assert client.call("POST", f"{path}/cross-domain").json() == {"count": 0, "identities": []}
    assert client.call("GET", path)["active"] is True
    assert client.call("GET", f"/v3/identity/{plus}12001004031/lookup")["items"][0]["proveId"] == enrolled["proveId"]
    assert client.call("DELETE", path)["success"] is True


@pytest.mark.parametrize("sdk", SDKS, ids=lambda sdk: sdk.name)
def test_secrets_are_decoded_as_each_sdk_writes_them(sandbox, sdk):
    sandbox.seed(prove={"clients": [{"clientId": f"own-{sandbox.name}", "clientSecret": "sec ret&="}]})
    client = sdk.client(sandbox, client_id=f"own-{sandbox.name}", client_secret="sec ret&=")

    assert client.unify(**UNIFY).status == 200


def test_prove_over_tls(tmp_path):
    listeners = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")
    with ringfence.Server("--data", tmp_path / "data", listeners=listeners) as server:
        sandbox = server.sandbox()
        go = GO.client(sandbox)
        go.base = sandbox.base.replace(server.http, server.https)
        go.tls = ssl.create_default_context(cafile=tmp_path / "data" / "authority.pem")
        assert go.base.startswith("https://")
        assert go.unify(**UNIFY).status == 200
