"""A7: a seed that names a credential of another sandbox is refused, not ignored."""

import pytest
import requests

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
}


@pytest.mark.parametrize("path", SEEDS)
def test_a7_a_seed_with_a_credential_of_another_sandbox_is_refused(server, sandbox, path):
    with_secret = server.sandbox()
    seed = SEEDS[path](with_secret.credentials)
    before = sandbox.credentials

    refused = sandbox.control("POST", "seed", json=seed, expect=(400,))

    assert refused.json() == {
        "error": f"{path}: expected a credential that no other sandbox has; found one of another sandbox", "field": path}
    assert server.sandbox_described(sandbox.name)["credentials"] == before
    with_secret.control("POST", "seed", json=seed)
    with_secret.delete()


def test_a7_exports_and_the_seeds_of_new_sandboxes_are_loaded_as_before(server, sandbox):
    """Exports mask secrets, and many sandboxes load the default seed."""
    export = requests.get(f"{server.http}/control/sandboxes/default/export", timeout=10).json()

    sandbox.control("POST", "seed", json=export)
    again = server.sandbox()
    sandbox.control("POST", "reset")

    assert again.credentials["twilio"] != sandbox.credentials["twilio"]
    assert server.sandbox_described(sandbox.name)["credentials"]["telesign"]["customerId"]
    again.delete()
