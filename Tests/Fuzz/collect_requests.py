#!/usr/bin/env python3
"""Writes the base requests of FuzzDispatcher: Targets/Dispatcher/Requests.json.

Reads the goldens of all routes (Tests/**/Golden/**/*.http) and the seeds of Seeds/default and of the
providers. Adds changes of the clock, resets, creations of sandboxes, and lists of everything.
`Tests/Fuzz/run` calls this before it builds. Also writes one input for each request, to .build-fuzz/inputs.
"""

import json
import pathlib
import re
from urllib.parse import parse_qsl

FUZZ = pathlib.Path(__file__).resolve().parent
TOP = FUZZ.parent.parent
OUTPUT = FUZZ / "Targets/Dispatcher/Requests.json"
INPUTS = TOP / ".build-fuzz/inputs"
PROVIDERS = sorted(seed.parent.name.lower() for seed in TOP.glob("Sources/Providers/*/Seed.json"))
# The size of a record, and the first byte of a step by its pool, as in Record.swift.
RECORD = 20
POOLS = {"control": 160, "carrier": 160, "world": 208}
FOLDERS = ["Tests/Providers/Golden", "Tests/CarrierTests/Golden", "Tests/ControlTests/Golden"]
PRELUDE = json.loads((TOP / "Tests/Contracts/prelude.json").read_text())
REACHABLE = "+33639980050"
# Fictional providers of the tests.
SKIPPED = {"acme", "toy", "demo", "nobody"}
TIMES = ["2026-01-05T10:20:30Z", "1960-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]
LISTS = ["verifications", "messages", "events", "journal", "webhooks", "pushes", "subscribers", "sandboxes"]
STEPS = ["11m", "1h", "30d", "87600h"]


def read_golden(file):
    """The request of a golden; None for a file without one."""
    text = file.read_bytes().decode("utf-8", errors="replace")
    text = re.sub(r"\A(# [^\n]*\n)+", "", text)
    head, _, rest = text.partition("\r\n\r\n")
    lines = head.split("\r\n")
    if not (match := re.fullmatch(r"([A-Z]+) (\S+) HTTP/1\.1", lines[0])):
        return None
    headers = [line.split(": ", 1) for line in lines[1:]]
    length = next((int(value) for name, value in headers if name == "Content-Length"), 0)
    return {
        "group": file.parent.parent.name.lower(),
        "name": f"{file.parent.name}/{file.stem}",
        "method": match[1],
        "target": match[2],
        "headers": [{"name": name, "value": value} for name, value in headers if name != "Content-Length"],
        "body": rest.encode()[:length].decode("utf-8", errors="replace"),
        "status": int(status[1]) if (status := re.search(r"\n\nHTTP/1.1 (\d+)", text)) else 0,
    }


def control(group, name, target, body=None):
    return {
        "group": group,
        "name": name,
        "method": "GET" if body is None else "POST",
        "target": target,
        "headers": [
            {"name": "Host", "value": "127.0.0.1:5550"},
            {"name": "Content-Type", "value": "application/json"},
        ],
        "body": "" if body is None else json.dumps(body),
        "status": 200,
    }


def read_seeds():
    files = sorted(TOP.glob("Seeds/default/*.json")) + sorted(TOP.glob("Sources/Providers/*/Seed.json"))
    for file in files:
        seed = json.loads(file.read_text())
        seed.pop("$schema", None)
        yield (file.stem if file.stem != "Seed" else file.parent.name).lower(), seed


def changes_of_the_world():
    for time in TIMES:
        yield control("world", f"set {time}", "/control/clock", {"mode": "frozen", "set": time})
    for step in STEPS:
        yield control("world", f"advance {step}", "/control/clock", {"advance": step})
    yield control("world", "reset", "/control/reset", {})
    for seeds in [[], ["default"], ["story"], ["default", "story"]]:
        name = " ".join(["create", *seeds])
        yield control("world", name, "/control/sandboxes", {"name": "ci", "entropySeed": 7, "seeds": seeds})
    for name in LISTS:
        yield control("world", f"list {name}", f"/control/{name}")
    for name, seed in read_seeds():
        yield control("world", f"seed {name}", "/control/seed", seed)


def example(schema, definitions):
    """A value of a JSON schema: objects with the required members, lists with one item."""
    schema = next(iter(schema.get("anyOf", [])), schema)
    if "$ref" in schema:
        return example(definitions[schema["$ref"].split("/")[-1]], definitions)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            members = schema.get("properties", {})
            return {name: example(members[name], definitions) for name in schema.get("required", [])}
        case "array":
            return [example(schema.get("items", {}), definitions)]
        case "integer" | "number":
            return 4
        case "boolean":
            return True
        case _:
            return "2026-01-05T10:20:30Z" if schema.get("format") == "date-time" else "a"


def extended(value, schema, definitions, path=""):
    """The path of each optional member that the value has not, with the value that has it."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].split("/")[-1]]
    if not isinstance(value, dict):
        return
    for name, member in schema.get("properties", {}).items():
        if name not in value:
            yield f"{path}.{name}", {**value, name: example(member, definitions)}
        base = value.get(name, {})
        for longer, changed in extended(base, member, definitions, f"{path}.{name}"):
            yield longer, {**value, name: changed}


def filled(value):
    """The value, with the same members in all items of a list."""
    if isinstance(value, dict):
        return {name: filled(member) for name, member in value.items()}
    if isinstance(value, list):
        items = [filled(item) for item in value]
        objects = [item for item in items if isinstance(item, dict)]
        common = {name: member for item in objects for name, member in item.items()}
        return [{**common, **item} if isinstance(item, dict) else item for item in items]
    return value


def variants(request, known):
    """The request with the same members in all items of its lists, and with one more member each. `known` are
    the methods, paths and members that other requests have."""
    try:
        body = json.loads(request["body"])
    except ValueError:
        return
    if (complete := filled(body)) != body:
        yield {**request, "name": request["name"] + "/filled", "body": json.dumps(complete)}
    for operation in PRELUDE["operations"].values():
        pattern = re.sub(r"{\w+}", "[^/]+", operation["path"])
        if operation["method"] != request["method"] or not re.fullmatch(pattern, request["target"]):
            continue
        schema = operation.get("body", {})
        for path, changed in extended(body, schema, schema.get("$defs", {})):
            if (pattern, path) not in known:
                known.add((pattern, path))
                yield {**request, "name": request["name"] + path, "body": json.dumps(changed)}


def names_in(value):
    """The names of all members of a JSON value."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from names_in(item)


def form_names(document):
    """The fields of all forms in an OpenAPI document."""
    for operations in document["paths"].values():
        for operation in operations.values():
            content = operation.get("requestBody", {}).get("content", {}) if isinstance(operation, dict) else {}
            for body in content.values():
                yield from body["schema"].get("properties", {})


def query_names(request):
    _, _, query = request["target"].partition("?")
    return [name for name, _ in parse_qsl(query, keep_blank_values=True)]


def body_names(request):
    try:
        return list(names_in(json.loads(request["body"])))
    except ValueError:
        return [name for name, _ in parse_qsl(request["body"], keep_blank_values=True)]


def hash_of(name):
    """As `Ring` in BaseRequests.swift: 32 bits of FNV-1a, folded to 16."""
    value = 2166136261
    for byte in name.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return (value ^ value >> 16) & 0xFFFF


def write_inputs(requests):
    """One input for each base request, so that fuzzing starts with all routes: the story, then one step."""
    for provider in PROVIDERS:
        folder = INPUTS / provider
        folder.mkdir(parents=True, exist_ok=True)
        for request in requests:
            group = request["group"]
            if group in PROVIDERS and group != provider:
                continue
            choice = hash_of(f"{group}/{request['name']}")
            step = bytes([POOLS.get(group, 0)]) + choice.to_bytes(2, "big")
            (folder / f"{POOLS.get(group, 0)}-{choice}").write_bytes(bytes(RECORD) + step.ljust(RECORD, b"\0"))


def main():
    goldens = [file for folder in FOLDERS for file in sorted((TOP / folder).rglob("*.http"))]
    requests = [request for file in goldens if (request := read_golden(file))]
    requests = [request for request in requests if request["group"] not in SKIPPED]
    unique = {}
    for request in requests + list(changes_of_the_world()):
        key = json.dumps([request["method"], request["target"], request["headers"], request["body"]])
        unique.setdefault(key, request)
    known = set()
    # Successful requests, so that only the added member can be wrong; a number that can be reached first.
    successful = [request for request in requests if request["status"] < 300]
    for request in sorted(successful, key=lambda request: REACHABLE not in request["body"]):
        for variant in variants(request, known):
            unique[variant["group"] + variant["name"]] = variant
    values = unique.values()
    names_of = {}
    for request in values:
        names_of.setdefault(request["group"], set()).update(body_names(request))
    names_of["twilio"].update(form_names(json.loads((TOP / "Tests/Contracts/twilio-verify.json").read_text())))
    output = {
        "requests": list(values),
        "bodyNames": [{"group": group, "names": sorted(names)} for group, names in names_of.items()],
        "queryNames": sorted({name for request in values for name in query_names(request)}),
        "stories": [{"name": name, "body": json.dumps(seed)} for name, seed in read_seeds()],
    }
    write_inputs(values)
    text = json.dumps(output, ensure_ascii=False, indent=0) + "\n"
    if not OUTPUT.exists() or OUTPUT.read_text() != text:
        OUTPUT.write_text(text)
    print(f"{OUTPUT.relative_to(TOP)}: {len(unique)} requests")


if __name__ == "__main__":
    main()
