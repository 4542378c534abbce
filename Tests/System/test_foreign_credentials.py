"""C7: an account that is seeded without its secrets. Others: `Sources/Control/Checks/Credentials.http`."""

import json

import requests

import ringfence


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
