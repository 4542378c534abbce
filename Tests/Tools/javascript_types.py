"""Writes what the client for JavaScript takes from the program: types of the control API, and the variables
of `ringfence env`. `make clients` and `make dist` run it.

    javascript_types.py PROGRAM
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import served

CLIENT = pathlib.Path(__file__).resolve().parents[2] / "Sources/Clients/javascript"
MARK = "// Written by Tests/Tools/javascript_types.py.\n"
WIDTH = 110
PRIMITIVES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def files(program):
    """The content of each generated file, by its path in the client's folder."""
    with served.running(program) as url:
        document = served.get(f"{url}/control/openapi.json")
        failures = served.get(f"{url}/control/failures")
        return {"api.d.ts": types(document, failures), "lib/variables.js": variables(program, url)}


def types(document, failures):
    ids = [failure["id"] for group in failures["groups"] for failure in group["failures"] if "request" in failure]
    parts = [MARK, documented("The failures of `GET /control/failures` that a request produces.", ""),
             f"export type FailureId ={union(map(json.dumps, ids))};\n"]
    for name, schema in document["components"]["schemas"].items():
        parts.append("\n" + documented(schema.get("description"), ""))
        if schema.get("type") == "object" and "properties" in schema:
            parts.append(f"export interface {name} {members(schema, '')}\n")
        else:
            parts.append(f"export type {name} = {type_of(schema, '')};\n")
    return "".join(parts)


def union(types):
    """The alternatives, one after the other in lines that are not too wide."""
    lines, line = [], ""
    for one in types:
        if len(line) + len(one) > WIDTH - 8:
            lines.append(line)
            line = ""
        line += f" | {one}" if line else f"| {one}"
    return "".join(f"\n  {each}" for each in [*lines, line])


def documented(text, indent):
    if not text:
        return ""
    text = text.replace("*/", "*\\/")
    if len(indent) + len(text) + 7 <= WIDTH:
        return f"{indent}/** {text} */\n"
    lines, line = [], ""
    for word in text.split(" "):
        if len(indent) + len(line) + len(word) + 4 > WIDTH:
            lines.append(line)
            line = ""
        line += f" {word}" if line else word
    return f"{indent}/**\n" + "".join(f"{indent} * {each}\n" for each in [*lines, line]) + f"{indent} */\n"


def members(schema, indent):
    inner, required, lines = f"{indent}  ", schema.get("required", ()), []
    for name, member in schema["properties"].items():
        key = name if re.fullmatch(r"[A-Za-z_$][\w$]*", name) else json.dumps(name)
        lines.append(documented(member.get("description"), inner))
        lines.append(f"{inner}{key}{'' if name in required else '?'}: {type_of(member, inner)};\n")
    return "{\n" + "".join(lines) + indent + "}"


def type_of(schema, indent):
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema and "type" not in schema:
        return " | ".join(dict.fromkeys(type_of(each, indent) for each in schema["anyOf"]))
    kinds = schema.get("type", "unknown")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return " | ".join(type_of_kind(kind, schema, indent) for kind in kinds)


def type_of_kind(kind, schema, indent):
    if kind == "array":
        items = type_of(schema["items"], indent) if "items" in schema else "unknown"
        return f"{items}[]" if re.fullmatch(r"\w+", items) else f"Array<{items}>"
    if kind != "object":
        return PRIMITIVES.get(kind, "unknown")
    if "properties" in schema:
        return members(schema, indent)
    values = schema.get("additionalProperties")
    return f"Record<string, {type_of(values, indent) if isinstance(values, dict) else 'unknown'}>"


def variables(program, url):
    """Where the value of each variable of `ringfence env` comes from: the URL, or a credential."""
    sandbox = served.get(f"{url}/control/sandboxes/default")
    owners = {}  # (provider, member) of each value: some have the same key
    for provider, own in sandbox["credentials"].items():
        for member, value in own.items():
            owners.setdefault(value, []).append((provider, member))
    with tempfile.TemporaryDirectory() as folder:
        printed = json.loads(subprocess.run(
            [program, "env", "--format", "json", "--url", url, "--data", folder], check=True, capture_output=True).stdout)
        lines = [f"  {name}: {source(name, value, url, owners)},\n" for name, value in printed.items()]
    return (f'"use strict";\n\n{MARK}/** Where the value of each variable comes from: the URL of the sandbox, or a '
            f"credential. */\nexports.VARIABLES = {{\n{''.join(lines)}}};\n")


def source(name, value, url, owners):
    if value == url:
        return "{}"
    is_file = value not in owners
    found = owners[pathlib.Path(value).read_text(encoding="utf-8") if is_file else value]
    provider, member = next((each for each in found if name.lower().startswith(each[0])), found[0])
    return f'{{ provider: "{provider}", member: "{member}"{", isFile: true" if is_file else ""} }}'


if __name__ == "__main__":
    for path, text in files(sys.argv[1]).items():
        (CLIENT / path).write_text(text, encoding="utf-8")
