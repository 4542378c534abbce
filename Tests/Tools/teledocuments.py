"""Answers of Telesign's operations held against the contract's conventions (1.3) and, where this machine has them,
against the table of codes, the schema of the Verify API and the vendor's own Swagger files of 2022."""

import json
import re
from urllib.parse import urlsplit

import jsonschema
import yaml

import contract

DATA = contract.SHARED / "contracts/data"
STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
# Family B's example of an error has no fraction (2.5); everything else has six digits.
ROUGH_STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z"

# The family of answers that a path belongs to (2.5): A legacy, B flat, C omnichannel, D silent.
FAMILIES = [("A", r"/v[12]/verify/|/v1/telebureau/|/v1/phoneid/(standard|live|score|contact|number_deactivation)/"),
            ("B", r"/v1/(messaging|voice|phoneid|score)\b|/intelligence\b"),
            ("C", r"/verification\b|/v1/omnichannel\b|/capability\b"),
            ("D", r"/silent/")]

# Where the contract departs from the Swagger files on purpose, by the last names of a member's path. Codes are numbers
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

# What the contract adds to each answer of the Swagger files.
ADDED = {
    "AppVerifyResponse": {"resource_uri", "prefix", "verify_code"},
    "getStatusResponse": {"resource_uri", "voice", "additional_info", "verify_code", "prefix"},
    "postSMSVerifyResponse": {"phone_type", "numbering", "risk", "sim_swap", "number_deactivation"},
    "postVoiceVerifyResponse": {"call_forwarding", "resource_uri"},
    "postMessagingResponse": {"external_id", "additional_info"},
    "postVoiceResponse": {"external_id"},
    "getVoiceResponse": {"external_id"},
    "postPhoneIdResponse": {
        "external_id", "carrier", "blocklisting", "contact_plus", "sim_swap", "porting_status", "porting_history",
        "call_forward_detection", "breached_number_check", "active_call_status", "age_verify"},
    "postScoreResponse": {"external_id", "location", "risk_insights"},
}


def family(path):
    """A, B, C or D."""
    return next((name for name, pattern in FAMILIES if re.match(pattern, path)), None)


def resource(url):
    """The path without the sandbox's and the provider's prefixes: what a client signs."""
    return re.sub(r"^(/s/[^/]+)?(/telesign)?", "", urlsplit(url).path)


class Conventions:
    """What every answer keeps (1.3), whether or not this machine has the documents."""

    def check(self, method, url, status, headers, text):
        path = resource(url)
        at = f"{method} {path}: {status} {text}"
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
        if family(path) != "A" or "/phoneid/" in path:
            assert family(path) == "A" or "errors" not in body, at
            return
        for error in body["errors"]:
            assert set(error) == {"code", "description"} and type(error["code"]) is int and error["code"] < 0, at
        assert (body["errors"] == []) == (status < 400), at


class Documents(Conventions):
    """The conventions, and the documents of ../shared."""

    def __init__(self):
        tables = json.loads((DATA / "telesign-codes.json").read_text())
        self.texts = {}
        for entry in tables["status_codes"] + tables["error_codes"]:
            self.texts.setdefault(entry["code"], []).append(entry["description"])
        self.shapes = json.loads((DATA / "telesign-verify-schema.json").read_text())["$defs"]
        # Both spellings are taken (5.5); what was said is echoed.
        self.shapes["method"]["enum"].append("qr")
        self.operations = []
        for path in sorted(DATA.glob("telesign-2022-*.swagger.yaml")):
            # As found: one file has tabs, one is not UTF-8.
            document = yaml.safe_load(path.read_bytes().decode("cp1252").replace("\t", "  "))
            self.operations += _operations(document)
        self.operations.sort(key=lambda operation: operation[1].pattern.count("[^/]+"))

    def check(self, method, url, status, headers, text):
        body = super().check(method, url, status, headers, text)
        path = resource(url)
        if path.startswith("/verification"):
            self.check_shape(method, path, status, body)
        elif 200 <= status < 300:
            self.check_swagger(method, path, body)
        if isinstance(body, dict):
            self.check_texts(method, path, body)

    def check_texts(self, method, path, body):
        """Codes are the vendor's, with the vendor's words."""
        found = [body["status"]] if "status" in body else []
        for entry in found + body.get("errors", []):
            # The omnichannel family's texts may go on with the value, or not (4.9).
            known = [re.sub(r"\\\{\w+\\\}", ".*", re.escape(text)) for text in self.texts.get(entry["code"], [])]
            known += [text.removesuffix(r":\ .*") for text in known]
            assert any(re.fullmatch(text, entry["description"], re.DOTALL) for text in known), (
                f"{method} {path}: the vendor's {entry['code']} says {known}, not {entry['description']!r}")

    def check_shape(self, method, path, status, body):
        """The Verify API, whose schema is closed but for the earlier name of device_registration (4.4)."""
        name = {200: {"POST": "create_response", "GET": "retrieve_response", "PATCH": "update_response"}.get(method),
                400: "error_400"}.get(status, "error_other")
        self.validate(name, body)

    def validate(self, name, body):
        shape = {**self.shapes[name], "$defs": self.shapes, "additionalProperties": False}
        shape["properties"] = {**shape["properties"], "push_registration": {"type": "boolean"}}
        jsonschema.Draft202012Validator(shape).validate(body)
        for method in body.get("inner_methods", []):
            strangers = set(method) - set(self.shapes["inner_method"]["properties"])
            assert not strangers, f"members of an inner method that the vendor does not have: {strangers}"
            stamps = [method[key] for key in ("tried_on", "updated_on", "expires_on") if key in method]
            assert all(re.fullmatch(STAMP, stamp) for stamp in stamps), method

    def check_swagger(self, method, path, body):
        for verb, pattern, name, schema in self.operations:
            if verb == method and pattern.fullmatch(path):
                jsonschema.Draft202012Validator(schema).validate(body)
                strangers = set(body) - set(schema["properties"]) - ADDED[name]
                assert not strangers, f"{method} {path}: members that the vendor does not have: {strangers}"
                return


def _operations(document):
    for path, verbs in document["paths"].items():
        for verb, operation in verbs.items():
            # The file means an answer's own schema; it says `items` of an object.
            good = next(answer for code, answer in operation["responses"].items() if str(code).startswith("2"))
            name = good["schema"]["items"]["$ref"].rsplit("/", 1)[1]
            pattern = re.compile(re.sub(r"\{[^}]+\}", "[^/]+", document["basePath"] + path))
            yield verb.upper(), pattern, name, _schema(document["definitions"][name], ())


def _schema(node, at):
    """A Swagger 2.0 schema as JSON Schema, with the contract's departures; any text may be null (10.2)."""
    departure = next((schema for names, schema in DEPARTURES.items() if at[-len(names):] == names), None)
    made = dict(departure) if departure else {}
    if not departure and "type" in node:
        made["type"] = ["string", "null"] if node["type"] == "string" else node["type"]
    if made.get("type") != "array" and "properties" in node:
        made["properties"] = {name: _schema(child or {}, (*at, name)) for name, child in node["properties"].items()}
    if "required" in node:
        made["required"] = node["required"]
    return made


def documents():
    """What answers are held against: all of it, or the conventions alone on a machine without ../shared."""
    return Documents() if DATA.exists() else Conventions()
