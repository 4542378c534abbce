"""Each kind of failure with each provider: what an app sees is what Failures.json in the provider's folder
says, which `GET /control/failures/{id}` serves. `RECORD=1` writes the files."""

import functools
import json
import os

import pytest

import failure_flows
import ringfence

PROVIDERS = ringfence.ROOT / "Sources/Providers"
FLOWS = ("sms", "whatsapp", "call", "check", "request", "webhook", "silent", "push", "passkey", "lookup")


@pytest.fixture(scope="session")
def groups(server):
    """The failures of each flow."""
    sandbox = server.sandbox()
    found = sandbox.control("GET", "failures").json()["groups"]
    sandbox.delete()
    flows = [group["flow"] for group in found]
    assert len(flows) == len(set(flows)), "two groups with one flow"
    return {group["flow"]: group["failures"] for group in found}


@pytest.mark.parametrize("flow", FLOWS)
@pytest.mark.parametrize("provider", failure_flows.PROVIDERS)
def test_failures(request, groups, provider, flow):
    if reason := failure_flows.missing(provider, flow):
        seen = {"notApplicable": reason}
    else:
        flows = failure_flows.PROVIDERS[provider](request.getfixturevalue)
        seen = explained(flows.unchanged, {
            failure["id"]: flows.meet(flow, failure) for failure in [failure_flows.NONE, *groups[flow]]})

    if os.environ.get("RECORD"):
        record(provider, {**recorded(provider), flow: seen})
    assert seen == recorded(provider)[flow]


def file(provider):
    return next(path for path in PROVIDERS.glob("*/Failures.json") if path.parent.name.lower() == provider)


def recorded(provider):
    """The places of the provider's API, and the failures of each flow."""
    return json.loads(file(provider).read_text(encoding="utf-8"))


def record(provider, flows):
    """Writes a line for each failure."""
    encode = functools.partial(json.dumps, ensure_ascii=False)
    parts = []
    for name, members in flows.items():
        lines = ",\n".join(f"  {encode(key)}: {encode(value)}" for key, value in members.items())
        parts.append(f" {encode(name)}: {{\n{lines}\n }}")
    file(provider).write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def explained(reasons, seen):
    """The cells, with the reason in place of those that are as without a failure. Each has one, and no others
    have."""
    same = {failure for failure, cells in seen.items() if cells == seen["none"]} - {"none"}
    assert same == set(reasons) & set(seen), "cells as without a failure, and reasons for such cells"
    return {failure: {"no difference": reasons[failure]} if failure in same else cells
            for failure, cells in seen.items()}


@pytest.mark.parametrize("flow", ["sms", "call", "silent", "lookup"])
@pytest.mark.parametrize("provider", ["twilio", "telesign", "prelude"])
def test_numbers(request, groups, provider, flow):
    """A number has the effect of the failure that names it. Prove has numbers of its own."""
    flows = failure_flows.PROVIDERS[provider](request.getfixturevalue)
    known = recorded(provider)[flow]
    named = {failure["id"]: failure for failure in groups[flow] if "number" in failure}
    expected = {failure: known["none" if "no difference" in known[failure] else failure] for failure in named}

    seen = {failure: flows.meet(flow, named[failure], by_number=True) for failure in named}

    if flow == "lookup":
        # Dates and names of operators differ.
        seen, expected = ({failure: changed(known["none"], cells) for failure, cells in each.items()}
                          for each in (seen, expected))
    assert seen == expected


def changed(plain, cells):
    """The places that show something else than without a failure."""
    return {place for place in {*plain, *cells} if plain.get(place) != cells.get(place)}


def test_every_flow_is_tested(groups):
    assert set(groups) == set(FLOWS)
    ids = [failure["id"] for failures in groups.values() for failure in failures]
    assert len(ids) == len(set(ids))
