"""A7 and C7: a seed that names a credential of another sandbox is refused, not ignored."""

import json

import pytest
import requests

import ringfence

MASKED = "*" * 8
SEEDS = {
    "$.twilio.account.accountSid": lambda own: {"twilio": {"account": {
        "accountSid": own["twilio"]["accountSid"], "authToken": "f" * 32}}},
    "$.twilio.account.apiKeySid": lambda own: {"twilio": {"account": {
        "accountSid": "AC" + "7" * 32, "authToken": "f" * 32, "apiKeySid": own["twilio"]["apiKeySid"], "apiKeySecret": "s"}}},
    "$.telesign.accounts[0].customerId": lambda own: {"telesign": {"accounts": [
        {"customerId": own["telesign"]["customerId"], "apiKeys": ["AAAA"]}]}},
    "$.prelude.account.apiToken": lambda own: {"prelude": {"account": {"apiToken": own["prelude"]["apiToken"]}}},
    "$.prelude.account.sdkKey": lambda own: {"prelude": {"account": {"sdkKey": own["prelude"]["sdkKey"]}}},
    "$.vonage.account.apiKey": lambda own: {"vonage": {"account": {"apiKey": own["vonage"]["apiKey"], "apiSecret": "s"}}},
    "$.prove.clients[0].clientId": lambda own: {"prove": {"clients": [
        {"clientId": own["prove"]["clientId"], "clientSecret": "another"}]}},
    "$.sinch.applications[0].key": lambda own: {"sinch": {"applications": [
        {"key": own["sinch"]["applicationKey"], "secret": "c2VjcmV0"}]}},
    "$.camara.clients[0].clientId": lambda own: {"camara": {"clients": [
        {"clientId": own["camara"]["clientId"], "clientSecret": "another"}]}},
    "$.hyphen.apps[0].appSecret": lambda own: {"hyphen": {"apps": [{"appId": "app", "appSecret": own["hyphen"]["appSecret"]}]}},
    "$.vonage.applications[0].id": lambda own: {"vonage": {"applications": [{"id": own["vonage"]["applicationId"].upper()}]}},
    "$.fcm.serviceAccounts[0].clientEmail": lambda own: {"fcm": {"serviceAccounts": [
        {"projectId": "my-project", "clientEmail": own["fcm"]["clientEmail"]}]}},
    "$.fcm.serviceAccounts[0].projectId": lambda own: {"fcm": {"serviceAccounts": [
        {"projectId": own["fcm"]["projectId"], "clientEmail": "me@example.com"}]}},
    "$.apns.keys[0].keyId": lambda own: {"apns": {"keys": [{"teamId": "A" * 10, "keyId": own["apns"]["keyId"]}]}},
}
MASKED_SEEDS = {
    "$.twilio.account.accountSid": lambda own: {"twilio": {"account": {
        "accountSid": own["twilio"]["accountSid"], "authToken": MASKED}}},
    "$.telesign.accounts[0].customerId": lambda own: {"telesign": {"accounts": [
        {"customerId": own["telesign"]["customerId"], "apiKeys": [MASKED]}]}},
    "$.prove.clients[0].clientId": lambda own: {"prove": {"clients": [
        {"clientId": own["prove"]["clientId"], "clientSecret": MASKED}]}},
    "$.sinch.applications[0].key": lambda own: {"sinch": {"applications": [
        {"key": own["sinch"]["applicationKey"], "secret": MASKED}]}},
    "$.camara.clients[0].clientId": lambda own: {"camara": {"clients": [
        {"clientId": own["camara"]["clientId"], "clientSecret": MASKED}]}},
}


@pytest.mark.parametrize("path, make", [*SEEDS.items(), *MASKED_SEEDS.items()])
def test_a7_a_seed_with_a_credential_of_another_sandbox_is_refused(server, sandbox, path, make):
    with_secret = server.sandbox()
    seed = make(with_secret.credentials)
    before = sandbox.credentials

    refused = sandbox.control("POST", "seed", json=seed, expect=(400,))

    assert refused.json() == {
        "error": f"{path}: expected a credential that no other sandbox has; found one of another sandbox", "field": path}
    assert server.sandbox_described(sandbox.name)["credentials"] == before
    with_secret.control("POST", "seed", json=seed)
    with_secret.delete()


def test_a7_exports_and_the_seeds_of_new_sandboxes_are_loaded_as_before(server, sandbox):
    """Exports say what they are, and many sandboxes load the default seed."""
    export = requests.get(f"{server.http}/control/sandboxes/default/export", timeout=10).json()

    assert export["isExport"] is True
    sandbox.control("POST", "seed", json=export)
    again = server.sandbox()
    sandbox.control("POST", "reset")

    assert again.credentials["twilio"] != sandbox.credentials["twilio"]
    assert server.sandbox_described(sandbox.name)["credentials"]["telesign"]["customerId"]
    again.delete()


def test_c7_an_account_that_is_seeded_without_its_secrets_gets_some(tmp_path):
    """Else every caller that sends none would have the right one."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "vonage.json").write_text(json.dumps({"vonage": {"account": {"apiKey": "key-alone"}}}))
    with ringfence.Server("--seeds", tmp_path) as server:
        made = requests.post(f"{server.http}/control/sandboxes", json={"name": "own", "seeds": ["own"]}, timeout=10).json()
        own = made["credentials"]["vonage"]
        answers = [requests.post(
            f"{server.http}/s/own/vonage/verify/json", timeout=10,
            params={"api_key": "key-alone", "number": "12025550150", "brand": "b", **more}).json()["status"]
            for more in ({}, {"api_secret": ""}, {"api_secret": "other"}, {"api_secret": own["apiSecret"]})]

    assert (own["apiKey"], len(own["apiSecret"]), len(own["signatureSecret"])) == ("key-alone", 16, 32)
    assert answers == ["2", "2", "4", "0"]
