"""Each kind of failure with each provider: what an app sees is what Tests/Contracts/failures says, from which
Docs/Failures.md is made. `RECORD=1` writes the files."""

import json
import os

import pytest

import failure_flows
import ringfence

FOLDER = ringfence.ROOT / "Tests/Contracts/failures"
FLOWS = ("sms", "whatsapp", "call", "check", "request", "webhook", "silent", "push", "passkey", "lookup")


@pytest.fixture(scope="session")
def groups(server):
    """The failures of each flow."""
    sandbox = server.sandbox()
    found = sandbox.control("GET", "failures").json()["groups"]
    sandbox.delete()
    return {group["flow"]: group["failures"] for group in found}


@pytest.mark.parametrize("flow", FLOWS)
@pytest.mark.parametrize("provider", failure_flows.PROVIDERS)
def test_failures(request, groups, provider, flow):
    if reason := failure_flows.missing(provider, flow):
        seen = {"notApplicable": reason}
    else:
        flows = failure_flows.PROVIDERS[provider](request.getfixturevalue)
        seen = {failure["id"]: flows.meet(flow, failure) for failure in [failure_flows.NONE, *groups[flow]]}

    file = FOLDER / flow / f"{provider}.json"
    if os.environ.get("RECORD"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(seen, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert seen == json.loads(file.read_text(encoding="utf-8"))


def test_every_flow_is_tested(groups):
    assert set(groups) == set(FLOWS)
    ids = [failure["id"] for failures in groups.values() for failure in failures]
    assert len(ids) == len(set(ids))
