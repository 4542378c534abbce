"""Checks Prove's responses as strictly as the strictest official SDK would (`prove.md` 10.1)."""

import functools
import json
import re

import jsonschema

import ringfence
import schemas

FILE = ringfence.ROOT / "Tests/Contracts/prove.json"


@functools.cache
def _facts():
    return json.loads(FILE.read_text(encoding="utf-8"))


@functools.cache
def _patterns():
    """Patterns of method and path, those without captures first, with the names of their operations."""
    found = []
    for name in sorted(_facts()["operations"], key=lambda name: name.count("{")):
        method, path = name.split(" ")
        found.append((re.compile(f"{method} (/prove)?" + re.sub(r"\{\w+\}", "[^/]+", path)), name))
    return found


@functools.cache
def _validator(name):
    schema = {**_facts()["operations"][name]["response"], "$defs": _facts()["$defs"]}
    return jsonschema.Draft202012Validator(schema)


def operations():
    """The names of all operations of the contract."""
    return list(_facts()["operations"])


def operation(method, url):
    """The operation of a request, such as `POST /v3/unify`; None if the contract has no such operation."""
    path = schemas.without_sandbox(url)
    return next((name for pattern, name in _patterns() if pattern.fullmatch(f"{method} {path}")), None)


def check(method, url, status, content_type, text):
    """Fails if an SDK would reject the response. Returns the operation, or None for other paths."""
    where = f"{method} {url} {status}"
    assert (content_type or "").split(";")[0].strip() == "application/json", f"{where}: {content_type}"
    body = json.loads(text)
    assert not _nulls(body), f"{where}: null at {_nulls(body)}"
    name = operation(method, url)
    if status != 200:
        _check_error(where, status, body)
    elif name:
        errors = [f"{error.json_path}: {error.message[:300]}" for error in _validator(name).iter_errors(body)]
        assert not errors, f"{where}: {errors}"
    return name


def _check_error(where, status, body):
    """Success is 200 only. An error has a text, and a number that belongs to its status."""
    assert status >= 400, where
    assert isinstance(body.get("message"), str) and body["message"], f"{where}: {body}"
    code = body.get("code")
    if code is None:
        return
    assert type(code) is int, f"{where}: {body}"
    known = _facts()["codes"].get(str(code))
    # 8000 is also the code of other errors of the gateway, such as 429.
    assert known == status or code in (8000, 1000), f"{where}: code {code} belongs to {known}"


def _nulls(value, path="$"):
    """The paths of all nulls."""
    if value is None:
        return [path]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for name, inner in items for found in _nulls(inner, f"{path}.{name}")]
