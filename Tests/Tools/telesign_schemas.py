"""Checks Telesign's responses against its conventions (`telesign.md` 1.3) and the schemas in
Tests/Contracts."""

import json
import re
from urllib.parse import urlsplit

import jsonschema

from schemas import load, path_pattern

STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
# Family B's example of an error has no fraction (2.5); everything else has six digits.
ROUGH_STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z"

# The response family of a path (2.5): A legacy, B flat, C omnichannel, D silent.
FAMILIES = [("A", r"/v[12]/verify/|/v1/mobile/|/v1/telebureau/|/v1/phoneid/(standard|live|score|contact|number_deactivation)/"),
            ("B", r"/v1/(messaging|voice|phoneid|score)\b|/intelligence\b"),
            ("C", r"/verification\b|/v1/omnichannel\b|/capability\b"),
            ("D", r"/silent/")]

# Members whose type differs from the Swagger files on purpose, by the end of their path. Codes are numbers
# (1.3), errors an array, lengths and cleansed codes integers or null (10.2), scores numbers (11).
DEPARTURES = {
    ("status", "code"): {"type": "integer"},
    ("errors",): {"type": "array"},
    ("cleansed_code",): {"type": ["integer", "null"]},
    ("min_length",): {"type": ["integer", "null"]},
    ("max_length",): {"type": ["integer", "null"]},
    ("coordinates", "latitude"): {"type": ["number", "null"]},
    ("coordinates", "longitude"): {"type": ["number", "null"]},
    ("block_code",): {"type": "integer"},
    ("risk", "score"): {"type": "integer"},
    ("message_parts_count",): {"type": "integer"},
    ("subscriber_status",): {"type": "object"},
    ("account_tenure_min",): {"type": ["integer", "string", "null"]},
    ("account_tenure_max",): {"type": ["integer", "string", "null"]},
}

# Members that the contract adds to the Swagger files.
ADDED = {
    "AppVerifyResponse": {"resource_uri", "prefix", "verify_code"},
    "getStatusResponse": {"resource_uri", "voice", "additional_info", "verify_code", "prefix"},
    "postSMSVerifyResponse": {"phone_type", "numbering", "risk", "sim_swap", "number_deactivation"},
    "postVoiceVerifyResponse": {"call_forwarding", "resource_uri"},
    "postMessagingResponse": {"external_id", "additional_info"},
    "postVoiceResponse": {"external_id"},
    "getVoiceResponse": {"external_id"},
    "postPhoneIdResponse": {
        "external_id", "carrier", "blocklisting", "contact", "contact_plus", "sim_swap", "porting_status", "porting_history",
        "call_forward_detection", "breached_number_check", "active_call_status", "age_verify",
        "live"},  # an unknown add-on, which a provider's example asks for, has a member too (10.3)
    "postScoreResponse": {"external_id", "location", "risk_insights"},
}


def family(path):
    """A, B, C or D."""
    return next((name for name, pattern in FAMILIES if re.match(pattern, path)), None)


def resource(url):
    """The path that a client signs: without the sandbox's and the provider's prefixes."""
    return re.sub(r"^(/s/[^/]+)?(/telesign)?", "", urlsplit(url).path)


class TelesignSchemas:
    """The conventions of every response, the provider's codes, the Verify API's schemas and the Swagger files
    of 2022."""

    def __init__(self):
        self.texts = load("telesign-codes.json")["texts"]
        self.shapes = load("telesign-verify.json")["$defs"]
        # Both spellings are accepted (5.5); the response repeats the one that was sent.
        self.shapes["method"]["enum"].append("qr")
        self.operations = [
            operation for document in load("telesign-products.json").values() for operation in _operations(document)]
        self.operations.sort(key=lambda operation: operation[1].pattern.count("[^/]+"))

    def check(self, method, url, status, headers, text):
        """Fails if a response breaks a convention, has an unknown text for its code, or breaks its schema."""
        path = resource(url)
        body = self.check_conventions(f"{method} {path}: {status} {text}", path, status, headers, text)
        if path.startswith("/verification"):
            self.check_verification(method, status, body)
        elif 200 <= status < 300:
            self.check_swagger(method, path, body)
        if isinstance(body, dict):
            self.check_texts(method, path, body)

    def check_conventions(self, at, path, status, headers, text):
        assert headers["Content-Type"].startswith("application/json"), at
        assert not [name for name in headers if re.match("retry-after|ratelimit-", name, re.IGNORECASE)], at
        body = json.loads(text)
        if not isinstance(body, dict):
            return body
        if "status" in body:
            self.check_status(body["status"], at, rough=status >= 400 and family(path) == "B")
        self.check_errors(path, status, body, at)
        reference = body.get("reference_id")
        if reference is not None:
            form = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}" if family(path) == "D" else r"[0-9A-F]{32}"
            assert re.fullmatch(form, reference), at
        return body

    def check_status(self, status, at, rough):
        assert type(status["code"]) is int and type(status["description"]) is str, at
        if "updated_on" in status:
            assert re.fullmatch(ROUGH_STAMP if rough else STAMP, status["updated_on"]), at

    def check_errors(self, path, status, body, at):
        """Only family A has `errors`: a list that is empty if the request succeeded. PhoneID's is described
        nowhere."""
        if family(path) != "A":
            assert "errors" not in body, at
        elif "/phoneid/" not in path:
            for error in body["errors"]:
                assert set(error) == {"code", "description"} and type(error["code"]) is int and error["code"] < 0, at
            assert (body["errors"] == []) == (status < 400), at

    def check_texts(self, method, path, body):
        """A code has the provider's text."""
        found = [body["status"]] if "status" in body else []
        for entry in found + body.get("errors", []):
            # The omnichannel family's texts may end with the value, or not (4.9).
            known = [
                re.sub(r"\\\{\w+\\\}", ".*", re.escape(text)) for text in self.texts.get(str(entry["code"]), [])]
            known += [text.removesuffix(r":\ .*") for text in known]
            assert any(re.fullmatch(text, entry["description"], re.DOTALL) for text in known), (
                f"{method} {path}: {entry['code']} has the text {entry['description']!r}, expected one of {known}")

    def check_verification(self, method, status, body):
        """The Verify API allows no unknown members, except the earlier name of device_registration (4.4)."""
        name = {200: {"POST": "create_response", "GET": "retrieve_response", "PATCH": "update_response"}.get(method),
                400: "error_400"}.get(status, "error_other")
        self.validate(name, body)

    def validate(self, name, body):
        shape = {**self.shapes[name], "$defs": self.shapes, "additionalProperties": False}
        shape["properties"] = {**shape["properties"], "push_registration": {"type": "boolean"}}
        jsonschema.Draft202012Validator(shape).validate(body)
        for method in body.get("inner_methods", []):
            unknown = set(method) - set(self.shapes["inner_method"]["properties"])
            assert not unknown, f"inner_methods: unknown members {unknown}"
            stamps = [method[key] for key in ("tried_on", "updated_on", "expires_on") if key in method]
            assert all(re.fullmatch(STAMP, stamp) for stamp in stamps), method

    def check_swagger(self, method, path, body):
        for verb, pattern, name, schema in self.operations:
            if verb == method and pattern.fullmatch(path):
                jsonschema.Draft202012Validator(schema).validate(body)
                unknown = set(body) - set(schema["properties"]) - ADDED[name]
                assert not unknown, f"{method} {path}: unknown members {unknown}"
                return


def _operations(document):
    for path, verbs in document["paths"].items():
        for verb, operation in verbs.items():
            # The files write `items` of an object and mean the object's own schema.
            success = next(response for code, response in operation["responses"].items() if code.startswith("2"))
            name = success["schema"]["items"]["$ref"].rsplit("/", 1)[1]
            pattern = path_pattern(document["basePath"] + path)
            yield verb.upper(), pattern, name, _schema(document["definitions"][name], ())


def _schema(node, at):
    """A Swagger 2.0 schema as JSON Schema, with the DEPARTURES. Any string may be null (10.2)."""
    departure = next((schema for names, schema in DEPARTURES.items() if at[-len(names):] == names), None)
    made = dict(departure) if departure else {}
    if not departure and "type" in node:
        made["type"] = ["string", "null"] if node["type"] == "string" else node["type"]
    if made.get("type") != "array" and "properties" in node:
        made["properties"] = {name: _schema(child or {}, (*at, name)) for name, child in node["properties"].items()}
    if "required" in node:
        made["required"] = node["required"]
    return made

