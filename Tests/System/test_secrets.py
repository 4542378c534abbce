"""What clients present and what providers issue is masked in everything that a sandbox shows. Source: issue
22, A4."""

import pytest
import requests

import ringfence
from provider_tokens import Keys

# Links and addresses of phones, which people have to see.
SHOWN = ("twilio_silent_url", "telesign_silent_url", "vonage_silent_url", "sinch_target",
         "push_token", "apns_token", "prove_session")
PATHS = ("control/journal?limit=1000", "control/events", "control/webhooks", "control/records/{provider}", "control/verifications",
         "control/sandboxes/{name}/export", "control/sandboxes/{name}/report", "console/timeline", "console/phones",
         "console/verifications")
PROVIDERS = ("apns", "camara", "fcm", "hyphen", "prelude", "prove", "sinch", "telesign", "twilio", "vonage")


@pytest.fixture(scope="module")
def signed_in(tmp_path_factory):
    """A sandbox in which every kind of client has signed in, and the server's log."""
    log = tmp_path_factory.mktemp("log") / "log"
    with ringfence.Server(log=log) as server:
        yield Keys(server.sandbox(name="secrets")), log


def outputs(sandbox):
    """Every text that the sandbox shows, by its path."""
    for path in PATHS:
        for provider in PROVIDERS if "{provider}" in path else ("",):
            place = path.format(provider=provider, name=sandbox.name)
            answer = requests.get(f"{sandbox.base}/{place}", timeout=20)
            yield place, answer.text
    for entry in sandbox.journal():
        number = entry["id"].removeprefix("req_")
        yield f"request {number}", requests.get(f"{sandbox.base}/console/requests/{number}", timeout=20).text
    with requests.get(f"{sandbox.base}/control/events/stream?after=0.0.0", stream=True, timeout=20) as stream:
        yield "stream", next(stream.iter_content(1 << 20)).decode()


def test_nothing_shows_what_clients_hold(signed_in):
    keys, log = signed_in
    secrets = {name: getattr(keys, name) for name in keys.MADE if name not in SHOWN}
    secrets |= {name: value["Authorization"] for name, value in secrets.items() if isinstance(value, dict)}
    secrets["prove_secret"] = keys.own["prove"]["clientSecret"]
    secrets["twilio_oauth_secret"] = keys.own["twilio"]["oauthClientSecret"]

    texts = [*outputs(keys.sandbox), ("log", log.read_text())]

    shown = [(place, name) for place, text in texts for name, secret in secrets.items() if secret in text]
    assert not shown
    assert sum("********" in text for _, text in texts) > 10
