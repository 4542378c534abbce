"""Twilio's hosts of edges and regions, and OAuth, with the official client: conformance checks 56 and 57 of
the contract."""

import json
import sys

import pytest
import requests
from twilio.base.exceptions import TwilioRestException

import running

NUMBER = "+12025550100"

# An app that knows nothing of the sandbox, except where it reads the code.
APP = """
import json, os, sys, urllib.request
from twilio.rest import Client
client = Client()
verifications = client.verify.v2.services(os.environ["TWILIO_VERIFY_SERVICE_SID"]).verifications
started = verifications.create(to=sys.argv[1], channel="sms")
page = client.verify.v2.services.page()
inbox = f"{os.environ['RINGFENCE_URL']}/control/inbox/{sys.argv[1]}/latest/code"
code = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(inbox).read().decode()
checks = client.verify.v2.services(os.environ["TWILIO_VERIFY_SERVICE_SID"]).verification_checks
print(json.dumps([started.url, checks.create(to=sys.argv[1], code=code).status]))
"""

OAUTH = """
import os, sys
from twilio.credential.client_credential_provider import ClientCredentialProvider
from twilio.rest import Client
client = Client(credential_provider=ClientCredentialProvider(sys.argv[1], sys.argv[2]))
service = client.verify.v2.services(os.environ["TWILIO_VERIFY_SERVICE_SID"])
print(service.verifications.create(to=sys.argv[3], channel="sms").status)
"""


def run(script, *words, flags=(), **environment):
    done = running.run(sys.executable, "-c", script, *words, flags=flags, environment=running.bare(**environment))
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("environment, host", [
    ({"TWILIO_EDGE": "dublin", "TWILIO_REGION": "ie1"}, "verify.dublin.ie1.twilio.com"),
    ({"TWILIO_REGION": "au1"}, "verify.au1.twilio.com"),
    ({"TWILIO_EDGE": "somewhere-new"}, "verify.somewhere-new.us1.twilio.com"),
], ids=["edge and region", "region", "edge"])
def test_twilio_56_edge_and_region_work_unchanged(environment, host):
    status, said, errors = run(APP, NUMBER, **environment)

    assert status == 0, errors
    url, result = json.loads(said)
    assert url.startswith(f"https://{host}/v2/Services/")
    assert result == "approved"


def test_edge_and_region_resolve_in_an_isolated_network():
    status, said, errors = run(
        APP, NUMBER, flags=["--isolated"], TWILIO_EDGE="dublin", TWILIO_REGION="ie1")
    if "--isolated" in errors and "namespace" in errors:
        pytest.skip("no namespaces here")

    assert status == 0, errors
    assert json.loads(said)[1] == "approved"


def test_twilio_57_client_credentials_get_a_token(connect, sandbox):
    own = sandbox.credentials["twilio"]
    status, said, errors = run(OAUTH, "OQ00000000000000000000000000000001", "SandboxOAuthSecret00000000000001", NUMBER)
    assert (status, said.strip()) == (0, "pending"), errors

    client = connect(sandbox)
    pair = {"client_id": own["oauthClientId"], "client_secret": own["oauthClientSecret"]}
    token = client.oauth.v2.token.create(grant_type="client_credentials", **pair)
    assert (token.token_type, token.expires_in) == ("Bearer", 3600)
    with pytest.raises(TwilioRestException) as refused:
        client.oauth.v2.token.create(grant_type="client_credentials", **{**pair, "client_secret": "wrong"})
    assert (refused.value.status, refused.value.code) == (401, 20003)

    services = f"{sandbox.base}/v2/Services"
    headers = {"Authorization": f"Bearer {token.access_token}"}
    assert requests.get(services, headers=headers, timeout=20).status_code == 200
    sandbox.advance("3601s")
    late = requests.get(services, headers=headers, timeout=20)
    assert (late.status_code, late.json()["code"]) == (401, 20003)


def test_a_wrong_client_secret_fails_in_the_app():
    status, _, errors = run(OAUTH, "OQ00000000000000000000000000000001", "wrong", NUMBER)

    assert status == 1 and "HTTP 401 error: Unable to create record: Authenticate" in errors
