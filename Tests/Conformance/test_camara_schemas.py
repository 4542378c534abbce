"""Schemathesis against the CAMARA APIs: no answer is a 5xx, the official files allow every one, and what they
do not allow is refused. Source: camara.md 2 to 11.

Tests/Contracts/camara.json has the facts of the official files. SCHEMATHESIS_EXAMPLES=1000 searches for
longer.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

import jwt
import pytest
import requests

import ringfence

EXAMPLES = os.environ.get("SCHEMATHESIS_EXAMPLES", "20")
FILE = ringfence.ROOT / "Tests/Contracts/camara.json"
CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance",
          "response_headers_conformance", "response_schema_conformance", "negative_data_rejection")
# The files have no 405 (Commonalities r3.4 has it): an unknown method is not tried.
SETTINGS = """
[phases.coverage]
unexpected-methods = []
"""
# Schemathesis joins this pattern with a greatest length to one that it does not understand.
MESSAGE = "one-time-password-sms.Message"
# A line that does not exist: contract 4 has this for every API, the files of subscriptions do not list it.
NO_LINE = {"description": "", "content": {"application/json": {"schema": {
    "type": "object", "required": ["status", "code", "message"],
    "properties": {"status": {"enum": [404]}, "code": {"enum": ["IDENTIFIER_NOT_FOUND"]}, "message": {"type": "string"}}}}}}
A = "+12025550100"
FILLED = ringfence.ROOT / "Tests/Fuzz/filled-subscriber.json"
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
# Only the right code of a text message is valid.
UNREACHABLE = {"POST /one-time-password-sms/v1/validate-code"}
NUMBER_VERIFICATION = {"POST /number-verification/v2/verify", "GET /number-verification/v2/device-phone-number"}


def scopes(sandbox):
    found = requests.get(f"{sandbox.base}/camara/.well-known/openid-configuration", timeout=10).json()
    return " ".join(sorted(set(found["scopes_supported"]) - {"openid", "offline_access"}))


def of_nobody(sandbox):
    """A token with two legs."""
    own = sandbox.credentials["camara"]
    return {"form": {"grant_type": "client_credentials", "scope": scopes(sandbox)},
            "client": (own["clientId"], own["clientSecret"])}


def of_sim_card(sandbox):
    """A token of a subscriber, whose SIM card has proved the number."""
    own, now = sandbox.credentials["camara"], int(time.time())
    proof = sandbox.control("POST", f"subscribers/{A}/sim-token").json()["token"]
    claims = {"iss": own["clientId"], "sub": f"operatortoken:{proof}", "aud": f"{sandbox.base}/camara/oauth2/token",
              "iat": now, "exp": now + 60, "jti": "1", "scope": f"dpv:FraudPreventionAndDetection {scopes(sandbox)}"}
    assertion = jwt.encode(claims, own["privateKey"], algorithm="RS256")
    return {"form": {"grant_type": JWT_BEARER, "assertion": assertion}, "client": None}


def fill_every_second_record(sandbox):
    """Every optional fact of these lines is known, so that claims are compared with something."""
    facts = json.loads(FILLED.read_text(encoding="utf-8"))
    lines = [{"number": f"+120255501{ending:02}", **facts} for ending in range(0, 100, 2)]
    sandbox.control("POST", "seed", json={"subscribers": lines})


@pytest.fixture
def described(tmp_path):
    """The official files, as schemathesis takes them."""
    document = json.loads(FILE.read_text(encoding="utf-8"))
    del document["components"]["schemas"][MESSAGE]["maxLength"]
    for path, item in document["paths"].items():
        if path.endswith("/subscriptions"):
            assert "404" not in item["post"]["responses"]
            item["post"]["responses"]["404"] = NO_LINE
    file = tmp_path / "camara.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


@pytest.mark.timeout(300)
@pytest.mark.parametrize("token, refused, examples", [
    pytest.param(of_nobody, NUMBER_VERIFICATION, EXAMPLES, marks=pytest.mark.slow),
    pytest.param(of_sim_card, set(), EXAMPLES, marks=pytest.mark.slow),
    (of_sim_card, set(), "1")])
def test_every_answer_is_one_of_the_official_files(sandbox, described, token, refused, examples):
    fill_every_second_record(sandbox)
    asked = token(sandbox)
    answer = requests.post(f"{sandbox.base}/camara/oauth2/token", data=asked["form"], auth=asked["client"], timeout=10)
    (described.parent / "schemathesis.toml").write_text(SETTINGS)

    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "--config-file", "schemathesis.toml", "run", described,
         "--url", sandbox.base, "--header", f"Authorization: Bearer {answer.json()['access_token']}",
         "--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing", "--max-examples", examples, "--seed", "1",
         "--generation-database", "none", "--continue-on-failure", "--no-shrink", "--suppress-health-check", "all",
         "--no-color"],
        capture_output=True, text=True, check=False, cwd=described.parent,
        env={**os.environ, "SCHEMATHESIS_HOOKS": "camara_hooks", "CAMARA_TOKEN": token.__name__,
             "PYTHONPATH": str(pathlib.Path(ringfence.__file__).parent)})
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]

    statuses = json.loads((described.parent / "statuses.json").read_text())
    assert len(statuses) == sum(len(item) for item in json.loads(FILE.read_text())["paths"].values())
    assert {label for label, found in statuses.items() if min(found) > 299} == UNREACHABLE | refused
