"""Failures by their names, which `ringfence failures` lists."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from .control import segment
from .errors import RingfenceError
from .types import Failure

if TYPE_CHECKING:
    from .sandbox import Sandbox

_RULES = ("faults", "scenarios", "webhooks/faults")


def fail(
        sandbox: Sandbox, repairs: List[Dict[str, Any]], name: str, to: Optional[str], provider: Optional[str],
        times: Optional[int], narrower: Dict[str, Any]) -> Failure:
    failure = _named(sandbox, name)
    request = failure.get("request")
    if request is None:
        raise RingfenceError(f"{name} is not a rule but a thing that your test does: {failure.get('manual')}")
    path, body = request["path"].split("/control/", 1)[1], dict(request["body"])
    narrower = {key: value for key, value in {"provider": provider, "times": times, **narrower}.items() if value is not None}
    if path in _RULES:
        (rules,) = body
        rule = _narrowed(dict(body[rules][0]), path == "scenarios", to, narrower)
        # The first rule that matches wins, so the newest is the first.
        sandbox.control("PUT", path, {rules: [rule, *sandbox.control("GET", path)[rules]]})
        return failure
    if narrower:
        raise RingfenceError(f"{name} is no rule, so it takes no {' and no '.join(narrower)}: {failure['effect']}")
    if "{number}" in path:
        if to is None:
            raise RingfenceError(f"{name} is about one number: say which, with to=\"+12025550100\"")
        path = path.replace("{number}", segment(to))
    elif to is not None:
        raise RingfenceError(f"{name} is about no number, so it takes no to: {failure['effect']}")
    sandbox.control(request["method"], path, body)
    if (undo := failure.get("repair")) and to is not None:
        repairs.append({**undo, "path": undo["path"].split("/control/", 1)[1].replace("{number}", segment(to))})
    return failure


def repair(sandbox: Sandbox, repairs: List[Dict[str, Any]]) -> None:
    for path in (*_RULES, "chaos"):
        sandbox.control("DELETE", path)
    while repairs:
        request = repairs.pop()
        sandbox.control(request["method"], request["path"], request["body"])


def _named(sandbox: Sandbox, name: str) -> Failure:
    known: Dict[str, Failure] = {
        failure["id"]: failure
        for group in sandbox.server.control("GET", "failures")["groups"] for failure in group["failures"]}
    if name in known:
        return known[name]
    # The order of the words does not matter: `expired-code` is `code-expired`.
    ordered = {"-".join(sorted(each.split("-"))): each for each in known}
    near = difflib.get_close_matches("-".join(sorted(name.lower().split("-"))), ordered, 3, 0.5)
    meant = "; did you mean " + " or ".join(f'"{ordered[each]}"' for each in near) + "?" if near else "."
    raise RingfenceError(f"unknown failure \"{name}\"{meant} `ringfence failures` lists the names")


def _narrowed(rule: Dict[str, Any], is_scenario: bool, to: Optional[str], narrower: Dict[str, Any]) -> Dict[str, Any]:
    if to is not None:
        narrower = {"number": to, **narrower}
    if not is_scenario:
        return {**rule, **narrower}
    # Of a scenario, what narrows it down is in `match`, except how often it acts and what it does.
    outer = {key: value for key, value in narrower.items() if key in ("times", "afterMs", "err", "keys", "providerStatus")}
    inner = {key: value for key, value in narrower.items() if key not in outer}
    return {**rule, **outer, "match": {**rule.get("match", {}), **inner}}
