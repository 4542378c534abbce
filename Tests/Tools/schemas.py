"""Checks responses against the providers' schemas in Tests/Contracts."""

import json
import re
from urllib.parse import urlsplit

import jsonschema

import ringfence

FOLDER = ringfence.ROOT / "Tests/Contracts"


def load(name):
    """A file of Tests/Contracts; contract_facts.py writes them."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


class TwilioSchemas:
    """The OpenAPI documents of Verify v2 and of the APIs beside it."""

    def __init__(self):
        self.paths = []
        self.components = {"schemas": {}}
        for name in ("verify", "lookups", "lookups-v1", "messages", "numbers", "calls", "oauth"):
            document = _with_json_schema_nulls(load(f"twilio-{name}.json"))
            schemas = document["components"]["schemas"]
            assert not set(schemas) & set(self.components["schemas"])
            self.components["schemas"].update(schemas)
            self.paths += [(path_pattern(path), operations) for path, operations in document["paths"].items()]
        # A literal path wins over one with a parameter: Attempts/Summary before Attempts/{Sid}.
        self.paths.sort(key=lambda pair: pair[0].pattern.count("[^/]+"))

    def check(self, method, url, status, text):
        """Fails if a 2xx response breaks the document. It describes no errors."""
        path = without_sandbox(url)
        operation = next((ops[method.lower()] for pattern, ops in self.paths
                          if pattern.fullmatch(path) and method.lower() in ops), None)
        if operation is None or not 200 <= status < 300:
            return
        responses = operation["responses"]
        assert str(status) in responses, f"{method} {path}: unexpected status {status}, expected {list(responses)}"
        content = responses[str(status)].get("content")
        if content is None:
            assert text == "", f"{method} {path}: expected no body with {status}"
            return
        schema = {**content["application/json"]["schema"], "components": self.components}
        body = json.loads(text)
        if path.endswith("/Passkeys/Challenges") or path.endswith("/Passkeys/ApproveChallenge"):
            # The document's own examples have empty texts, which its patterns exclude. Source:
            # twilio-verify.md 12.
            body = {name: value for name, value in body.items() if value != ""}
        jsonschema.Draft202012Validator(schema).validate(body)
        unknown = set(body) - set(self._properties(schema))
        assert not unknown, f"{method} {path}: unknown members {unknown}"

    def _properties(self, schema):
        while "$ref" in schema:
            schema = self.components["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        return schema.get("properties", {})


class PreludeSchemas:
    """The typed models of Prelude's Python client."""

    def __init__(self):
        operations = load("prelude.json")["operations"].values()
        self.operations = [(op["method"], path_pattern(op["path"]), _closed(op["response"])) for op in operations]
        self.operations.sort(key=lambda operation: operation[1].pattern.count("[^/]+"))

    def check(self, method, url, status, text):
        """Fails if a 2xx response lacks a required member or has an unknown one."""
        path = without_sandbox(url)
        schema = next((response for verb, pattern, response in self.operations
                       if verb == method and pattern.fullmatch(path)), None)
        if schema is None or not 200 <= status < 300:
            return
        jsonschema.Draft202012Validator(schema).validate(json.loads(text))


def path_pattern(template):
    """`/v2/Services/{Sid}` as a regular expression."""
    return re.compile(re.sub(r"\{[^}]+\}", "[^/]+", template))


def without_sandbox(url):
    """The path of a URL without the sandbox's prefix."""
    return re.sub(r"^/s/[^/]+", "", urlsplit(url).path)


def _closed(node):
    """The schema with `additionalProperties: false` for each object that names its properties."""
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    node = {name: _closed(value) for name, value in node.items()}
    if isinstance(node.get("properties"), dict) and node.get("type") == "object":
        node.setdefault("additionalProperties", False)
    return node


def _with_json_schema_nulls(node):
    """OpenAPI 3.0's `nullable` as JSON Schema expresses it."""
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
