"""Writes the types of the Python package from the OpenAPI document of the control API. `make clients` and
`make dist` run it with the program as argument."""

import json
import keyword
import pathlib
import sys
import textwrap

import served

FILE = pathlib.Path(__file__).resolve().parents[2] / "Sources/Clients/python/ringfence/types.py"
# What the methods of the package return. Types that these contain follow.
RETURNED = (
    "Sandbox", "Clock", "Message", "Verification", "Exchange", "Webhook", "Failure", "Challenge", "WalkResult", "Handset",
    "Device")
SIMPLE = {
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", "object": "Dict[str, Any]",
    "array": "List[Any]"}
HEAD = '''"""What the control API answers. Written by Tests/Tools/python_types.py from its OpenAPI document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired
'''


class Types:
    def __init__(self, schemas):
        self.schemas = schemas
        self.written = {}  # the text of each type by its name; None while it is made

    def add(self, name, schema):
        """Writes a type, unless it is written already."""
        if name in self.written:
            return
        self.written[name] = None
        members = {
            member: self.expression(each, f"{name}{member[0].upper()}{member[1:]}")
            for member, each in schema["properties"].items()}
        required = schema.get("required", [])
        members = {
            member: text if member in required else f"NotRequired[{text}]" for member, text in members.items()}
        described = {member: each.get("description") for member, each in schema["properties"].items()}
        text = class_text if not any(map(keyword.iskeyword, members)) else call_text
        self.written[name] = text(name, schema["description"], members, described)

    def expression(self, schema, name):
        """A schema as a type; `name` is for an object with members of its own."""
        if "$ref" in schema:
            referred = schema["$ref"].rsplit("/", 1)[1]
            self.add(referred, self.schemas[referred])
            return referred
        if "enum" in schema:
            literal = ", ".join(json.dumps(value) for value in schema["enum"] if value is not None)
            return optional(f"Literal[{literal}]", None in schema["enum"])
        if "anyOf" in schema:
            found = dict.fromkeys(self.expression(each, name) for each in schema["anyOf"])
            kinds = [each for each in found if each != "None"]
            return optional(kinds[0] if len(kinds) == 1 else "Any", "None" in found)
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        named = [kind for kind in kinds if kind != "null"]
        if len(named) != 1:
            return "None" if kinds == ["null"] else "Any"
        return optional(self.simple(named[0], schema, name), "null" in kinds)

    def simple(self, kind, schema, name):
        if kind == "array" and "items" in schema:
            return f"List[{self.expression(schema['items'], name.removesuffix('s'))}]"
        if kind == "object" and "properties" in schema:
            self.add(name, {"description": "One of them.", **schema})
            return name
        if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            return f"Dict[str, {self.expression(schema['additionalProperties'], name)}]"
        return SIMPLE[kind]


def optional(text, is_optional):
    return f"Optional[{text}]" if is_optional and text != "Any" else text


def lines(text, comment):
    """A member with its description: behind it, or above it if that is too long."""
    one = f"    {text}  # {comment}"
    if not comment or len(one) <= 118:
        return [one if comment else f"    {text}"]
    return [*textwrap.wrap(comment, 110, initial_indent="    # ", subsequent_indent="    # "), *folded(text)]


def folded(text):
    return [f"    {text}"] if len(text) <= 114 else textwrap.wrap(
        text, 114, initial_indent="    ", subsequent_indent="        ", break_long_words=False)


def class_text(name, description, members, described):
    body = [line for member, text in members.items() for line in lines(f"{member}: {text}", described[member])]
    return "\n".join([f"class {name}(TypedDict):", f'    """{description}"""', "", *body])


def call_text(name, description, members, described):
    """A type with a member that is a keyword of Python, such as `from`."""
    body = [line for member, text in members.items() for line in lines(f'"{member}": {text!r},', described[member])]
    return "\n".join([f"# {description}", f'{name} = TypedDict("{name}", {{', *body, "})"])


def generated(document):
    types = Types(document["components"]["schemas"])
    for name in RETURNED:
        types.add(name, types.schemas[name])
    return "\n\n".join([HEAD, *(f"{text}\n" for text in types.written.values())])


if __name__ == "__main__":
    FILE.write_text(generated(served.fetch(sys.argv[1], "/control/openapi.json")), encoding="utf-8")
