"""Compares responses of the control API with the server's OpenAPI document."""

import functools
import re

import jsonschema
import requests


class Description:
    """A parsed OpenAPI document; validators are compiled once."""

    def __init__(self, document):
        self.document = document
        self.paths = sorted(
            ((re.compile("^" + re.sub(r"{\w+}", "[^/]+", path) + "$"), path) for path in document["paths"]),
            key=lambda entry: entry[1].count("{"))

    @functools.cache
    def _validator(self, *path):
        node = self.document
        for name in path:
            node = node.get(name, {})
        schema = node.get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            return None
        return jsonschema.Draft202012Validator({**schema, "components": self.document["components"]})

    def template(self, path):
        """`/control/inbox/{number}` for `/control/inbox/+12025550100`; None for an unknown path."""
        return next((template for pattern, template in self.paths if pattern.match(path)), None)

    def errors(self, method, path, status, body):
        """The differences between a JSON response and the document."""
        template = self.template(path)
        if template is None or method.lower() not in self.document["paths"][template]:
            return []
        known = self.document["paths"][template][method.lower()]["responses"]
        key = next((key for key in (str(status), f"{status // 100}XX") if key in known), None)
        if key is None:
            return [f"status {status} is not described"]
        validator = self._validator("paths", template, method.lower(), "responses", key)
        if validator is None:
            return [f"status {status} has no JSON schema"]
        return [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(body)]

    def request_errors(self, method, template, body):
        validator = self._validator("paths", template, method, "requestBody")
        return [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(body)]


@functools.cache
def of(origin):
    """The description of the server at an origin."""
    return Description(requests.get(f"{origin}/control/openapi.json", timeout=10).json())


def check(origin, answer):
    """Fails if a JSON response of the control API does not match the document."""
    if not answer.headers.get("Content-Type", "").startswith("application/json"):
        return
    path = _path(answer.url)
    found = of(origin).errors(answer.request.method, path, answer.status_code, answer.json())
    assert not found, f"{answer.request.method} {path} {answer.status_code}: {found}"


def _path(url):
    path = requests.compat.unquote(requests.compat.urlparse(url).path)
    return re.sub(r"^/s/[^/]+", "", path)
