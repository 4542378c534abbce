"""Hooks of schemathesis for the CAMARA APIs, which `python -m schemathesis.cli` loads by SCHEMATHESIS_HOOKS.

Valid requests name lines and subscriptions of the sandbox, times to come and scopes that exist; else almost
all would be refused. Requests that are meant to be wrong stay as they are. At the end, `statuses.json` in the
working folder has the statuses that each operation has answered.
"""

import atexit
import collections
import itertools
import json
import os
import re

import schemathesis

NUMBER = re.compile(r"\+[1-9][0-9]{4,14}")
CONSENT = "POST /consent-info/v0.2/retrieve"
FUTURE = "2100-01-01T00:00:00Z"
# In every request, so that what is wrong elsewhere is found.
LINES = {
    "phoneNumber": lambda text: f"+120255501{text[-2:]}" if NUMBER.fullmatch(text) else text,
    "publicAddress": lambda _: "203.0.113.7", "privateAddress": lambda _: "10.0.0.1"}
VALID = {
    **LINES, "sink": lambda _: "https://127.0.0.1:9/sink", "callbackUrl": lambda _: "https://example.com/callback",
    "subscriptionExpireTime": lambda _: FUTURE, "accessTokenExpiresUtc": lambda _: FUTURE,
    "specifiedDate": lambda _: "2025-01-01"}
# What names a line, unless the token does: then every second request has none.
SUBJECTS = {"phoneNumber", "device"}
TOKEN_NAMES_LINE = os.environ.get("CAMARA_TOKEN") == "of_sim_card"

subscriptions = collections.defaultdict(list)
statuses = collections.defaultdict(set)
names_line = itertools.cycle((True, False))


def reachable(value, texts):
    """The same value with such texts, by the names of members."""
    if isinstance(value, list):
        return [reachable(item, texts) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: texts[name](item) if name in texts and isinstance(item, str) else reachable(item, texts)
            for name, item in value.items()}


def without_subject(value):
    """The same value without what names a line."""
    if not isinstance(value, dict):
        return value
    return {name: without_subject(item) for name, item in value.items() if name not in SUBJECTS}


def collection(case):
    """The path of the list that a subscription is in."""
    return case.path.removesuffix("/{subscriptionId}")


@schemathesis.hook
def before_call(context, case, kwargs):
    is_valid = case.meta is not None and case.meta.generation.mode.is_positive
    case.body = reachable(case.body, VALID if is_valid else LINES)
    if is_valid and TOKEN_NAMES_LINE and not next(names_line):
        case.body = without_subject(case.body)
    if is_valid and case.operation.label == CONSENT and isinstance(case.body.get("scopes"), list):
        case.body["scopes"] = ["sim-swap:check"]
    known = subscriptions[collection(case)]
    if is_valid and known and "subscriptionId" in (case.path_parameters or {}):
        case.path_parameters["subscriptionId"] = known.pop() if case.method == "DELETE" else known[-1]


@schemathesis.hook
def after_call(context, case, response):
    statuses[case.operation.label].add(response.status_code)
    if response.status_code == 201:
        subscriptions[collection(case)].append(response.json()["id"])


@atexit.register
def write_statuses():
    with open("statuses.json", "w", encoding="utf-8") as file:
        json.dump({label: sorted(found) for label, found in statuses.items()}, file)
