"""Answers held against the vendor's own OpenAPI document, where this machine has it."""

import json
import os
import pathlib
import re
from urllib.parse import urlsplit

import jsonschema

# A clone elsewhere has no ../shared; tests that need it say so and are skipped.
SHARED = pathlib.Path(
    os.environ.get("RINGFENCE_SHARED", pathlib.Path(__file__).resolve().parents[3] / "shared"))
TWILIO = SHARED / "contracts/data/twilio_verify_v2.json"
PRELUDE = SHARED / "contracts/data/prelude-v2-models.json"

# Where the contract text (sections 3 and 4) departs from the document on purpose.
UNDOCUMENTED = set()


class Contract:
    """The operations of one OpenAPI document."""

    def __init__(self, path):
        self.document = _with_json_schema_nulls(json.loads(path.read_text()))
        self.paths = [(re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path) + "$"), operations)
                      for path, operations in self.document["paths"].items()]
        # A literal path wins over one with a parameter: Attempts/Summary before Attempts/{Sid}.
        self.paths.sort(key=lambda pair: pair[0].pattern.count("[^/]+"))

    def check(self, method, url, status, text):
        """Fails where an answer of status 2xx breaks the document."""
        path = re.sub(r"^/s/[^/]+", "", urlsplit(url).path)
        operation = next((ops[method.lower()] for pattern, ops in self.paths
                          if pattern.match(path) and method.lower() in ops), None)
        if operation is None or not 200 <= status < 300:
            return
        responses = operation["responses"]
        assert str(status) in responses, f"{method} {path}: {status} is none of {list(responses)}"
        content = responses[str(status)].get("content")
        if content is None:
            assert text == "", f"{method} {path}: {status} has no body"
            return
        schema = {**content["application/json"]["schema"], "components": self.document["components"]}
        body = json.loads(text)
        jsonschema.Draft202012Validator(schema).validate(body)
        strangers = set(body) - set(self._properties(schema)) - UNDOCUMENTED
        assert not strangers, f"{method} {path}: members that the vendor does not have: {strangers}"

    def _properties(self, schema):
        while "$ref" in schema:
            schema = self.document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        return schema.get("properties", {})


class Models:
    """The typed models of Prelude's operations, as its Python client has them."""

    def __init__(self, path):
        operations = json.loads(path.read_text())["operations"]
        self.operations = [(op["method"], _pattern(op["path"]), op["response"]) for op in operations]
        self.operations.sort(key=lambda operation: operation[1].pattern.count("[^/]+"))

    def check(self, method, url, status, text):
        """Fails where an answer of status 2xx lacks a required member, or has one that the models have not."""
        path = re.sub(r"^/s/[^/]+", "", urlsplit(url).path)
        schema = next((response for verb, pattern, response in self.operations
                       if verb == method and pattern.match(path)), None)
        if schema is None or not 200 <= status < 300:
            return
        body = json.loads(text)
        jsonschema.Draft202012Validator(_closed(schema)).validate(body)


def _pattern(path):
    return re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path) + "$")


def _closed(node):
    """The schema with no members but those it names: it says nothing of others."""
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    node = {name: _closed(value) for name, value in node.items()}
    if isinstance(node.get("properties"), dict) and node.get("type") == "object":
        node.setdefault("additionalProperties", False)
    return node


def _with_json_schema_nulls(node):
    """OpenAPI 3.0's `nullable` as JSON Schema says it."""
    if isinstance(node, list):
        return [_with_json_schema_nulls(item) for item in node]
    if not isinstance(node, dict):
        return node
    node = {name: _with_json_schema_nulls(value) for name, value in node.items()}
    if node.pop("nullable", False) is True:
        if isinstance(node.get("type"), str):
            node["type"] = [node["type"], "null"]
        if isinstance(node.get("enum"), list):
            node["enum"] = [*node["enum"], None]
    return node


def twilio():
    """The document of Verify v2, or None on a machine without it."""
    return Contract(TWILIO) if TWILIO.exists() else None


def prelude():
    """Prelude's models, or None on a machine without them."""
    return Models(PRELUDE) if PRELUDE.exists() else None
