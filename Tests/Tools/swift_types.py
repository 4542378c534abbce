"""Writes what the client for Swift takes from the program: types of the control API, and the variables of
`ringfence env`. `make docs` runs it.

    swift_types.py PROGRAM
"""

import pathlib
import re
import sys
import textwrap

import javascript_types
import served

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Sources/Clients/swift/Generated"
MARK = "// Written by Tests/Tools/swift_types.py: run make docs.\n"
# What the methods of the client return. Types that these contain follow.
RETURNED = ("Message", "Verification", "Exchange", "Failure", "Challenge", "WalkResult", "Webhook")
SIMPLE = {
    "string": "String", "integer": "Int", "number": "Double", "boolean": "Bool", "object": "[String: JSON]",
    "array": "[JSON]"}
KEYWORDS = {
    "as", "break", "case", "default", "else", "false", "for", "func", "if", "import", "in", "init", "internal", "is", "nil",
    "operator", "protocol", "public", "repeat", "return", "self", "static", "switch", "true", "var", "where"}


class Types:
    def __init__(self, schemas):
        self.schemas = schemas
        self.written = {}  # the text of each type by its name; None while it is made

    def add(self, name):
        """Writes a type, unless it is written already."""
        if name not in self.written:
            self.written[name] = None
            self.written[name] = f"{MARK}\nextension Ringfence {{\n{self.struct(name, self.schemas[name], '  ')}}}\n"

    def struct(self, name, schema, indent):
        inner, required, members, nested = f"{indent}  ", schema.get("required", ()), [], []
        for member, each in schema["properties"].items():
            kind = self.expression(each, member[0].upper() + member[1:], inner, nested)
            is_optional = member not in required and not kind.endswith("?")
            members.append(f"{documented(each.get('description'), inner)}"
                           f"{inner}public let {identifier(member)}: {kind}{'?' if is_optional else ''}\n")
        return (f"{documented(schema.get('description', 'One of them.'), indent)}"
                f"{indent}public struct {name}: Decodable, Equatable, Sendable {{\n{''.join(members)}"
                f"{''.join(f'{chr(10)}{text}' for text in nested)}{indent}}}\n")

    def expression(self, schema, name, indent, nested):
        """A schema as a type. Objects and enumerations without a name get theirs, and go to `nested`."""
        if "$ref" in schema:
            referred = schema["$ref"].rsplit("/", 1)[1]
            self.add(referred)
            return referred
        if "enum" in schema:
            nested.append(enumeration(name, [value for value in schema["enum"] if value is not None], indent))
            return f"{name}?" if None in schema["enum"] else name
        if "anyOf" in schema:
            found = [each for each in schema["anyOf"] if each.get("type") != "null"]
            kind = self.expression(found[0], name, indent, nested) if len(found) == 1 else "JSON"
            return f"{kind}?" if len(found) < len(schema["anyOf"]) else kind
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        named = [kind for kind in kinds if kind != "null"]
        kind = self.simple(named[0], schema, name, indent, nested) if len(named) == 1 else "JSON"
        return f"{kind}?" if "null" in kinds else kind

    def simple(self, kind, schema, name, indent, nested):
        if kind == "array" and "items" in schema:
            return f"[{self.expression(schema['items'], name.removesuffix('s'), indent, nested)}]"
        if kind == "object" and "properties" in schema:
            nested.append(self.struct(name, schema, indent))
            return name
        if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            return f"[String: {self.expression(schema['additionalProperties'], name, indent, nested)}]"
        return SIMPLE[kind]


def enumeration(name, values, indent):
    lines = [f"{indent}  case {case(value)}\n" for value in values]
    return f"{indent}public enum {name}: String, Decodable, Sendable {{\n{''.join(lines)}{indent}}}\n"


def case(value):
    words = [word.lower() if word.isupper() else word for word in re.split(r"[^A-Za-z0-9]+", value) if word]
    name = words[0][0].lower() + words[0][1:] + "".join(word[0].upper() + word[1:] for word in words[1:])
    return identifier(name) if name == value else f'{identifier(name)} = "{value}"'


def identifier(name):
    return f"`{name}`" if name in KEYWORDS else name


def documented(text, indent):
    lines = textwrap.wrap(text or "", 106 - len(indent), break_long_words=False, break_on_hyphens=False)
    return "".join(f"{indent}/// {line}\n" for line in lines)


def variables(program, url):
    """Where the value of each variable of `ringfence env` comes from: the URL, or a credential."""
    found = re.findall(r'^  (\w+): \{(?: provider: ("\w+"), member: ("\w+")(, isFile: true)? )?\},$',
                       javascript_types.variables(program, url), re.M)
    lines = [f'    "{name}": {f".credential({provider}, {member})" if provider else ".url"},\n'.replace(
        ".credential", ".file" if is_file else ".credential") for name, provider, member, is_file in found]
    return (f"{MARK}\nextension Environment {{\n  /// Where the value of each variable comes from.\n"
            f"  static let sources: [String: Source] = [\n{''.join(lines)}  ]\n}}\n")


def files(program):
    """The content of each generated file, by its name."""
    with served.running(program) as url:
        types = Types(served.get(f"{url}/control/openapi.json")["components"]["schemas"])
        for name in RETURNED:
            types.add(name)
        made = {f"{name}.swift": text for name, text in types.written.items()}
        return {**made, "Environment+Sources.swift": variables(program, url)}


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.swift"):
        old.unlink()
    for path, text in files(sys.argv[1]).items():
        (FOLDER / path).write_text(text, encoding="utf-8")
