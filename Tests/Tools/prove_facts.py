"""Writes Tests/Contracts/prove.json from Docs/Contracts/prove.md: what each operation's response must contain.

    Tests/Tools/prove_facts.py [--check]

There is no public OpenAPI document, so the facts come from the contract's tables and lists of fields:

    `name`      a required text         `name?`           may be absent
    `name` int  (also bool, number)     `name?` [string]  an array of texts
    `name` {…}  an object               `name` [{…}]      an array of objects

A type after several names is that of all names since the last semicolon, object or array. --check fails if the file is out of date.
"""

import argparse
import json
import pathlib
import re
import sys

from contract_facts import OUTPUT, text_of

CONTRACT = pathlib.Path(__file__).resolve().parents[2] / "Docs/Contracts/prove.md"

# Between which texts the list of an operation's response stands: method and path, before it, after it.
LISTS = {
    "POST /v3/start": ("**start response**: ", " (all required)"),
    "POST /v3/validate": ("**validate request**: `correlationId`. **response**: ", ".\n"),
    "POST /v3/challenge": ("needed if start had neither. **response**: ", ". Wrong"),
    "POST /v3/complete": ("only the first address and first e-mail are processed). **response**: ", ". `next.done`"),
    "POST /v3/verify/batch": ("Response: `correlationId` (required), ", " in the order of the items"),
    "POST /v3/identity/batch": ("yields `{\"error\":\"Invalid Phone Number\"}`. Response ", " in order"),
    "GET /v3/identity": ("`showInactive` (default false). Response ", " opaque token"),
    "GET /v3/identity/{proveId}": ("**Get / lookup item**: ", ". Lookup"),
    "GET /v3/domain/linked": ("`GET /v3/domain/linked` → ", ".\n\n"),
    "POST /v1/server/auth/start": ("Every authenticator takes `testMode?` (string). → ", ".\n"),
    "POST /v1/server/auth/finish": ("**finish**: `authId` → ", " with per subject"),
}
TYPES = {"bool": "boolean", "int": "integer", "integer": "integer", "number": "number", "string": "string"}
TEXT = {"type": "string"}
SHARED = ("evaluation", "individual", "idv", "kyc", "identity")
TOKEN = re.compile(r"`(\w+)(\??)`|(\[)|(\])|(\{)|(\})|(;)|\b(bool|int|number|string|identity)\b|\(([^()]*)\)|`[^`]*`|[^`]")


def section(contract, heading):
    """The text under a heading such as `7.4`."""
    match = re.search(rf"^#+ {re.escape(heading)}\.? .*?$(.*?)(?=^#+ |\Z)", contract, re.M | re.S)
    assert match, f"no section {heading}"
    return match.group(1)


def between(contract, before, after):
    assert contract.count(before) == 1, f"{contract.count(before)} times in the contract: {before!r}"
    rest = contract.split(before)[1]
    assert after in rest, f"missing after {before!r}: {after!r}"
    return rest.split(after)[0]


def texts_of(names):
    """An object with a text for each of these names."""
    found = re.findall(r"[A-Za-z]\w+", names)
    return {"type": "object", "properties": {name: TEXT for name in found}, "required": sorted(found)}


class Fields:
    """Reads a list of fields into a JSON Schema."""

    def __init__(self, text, named):
        self.tokens = [match for match in TOKEN.finditer(text)]
        self.named = named

    def object(self):
        """Up to the closing brace, or to the end."""
        names, required, untyped = {}, [], []
        while self.tokens:
            token = self.tokens.pop(0)
            name, optional, opens_array, closes_array, opens, closes, semicolon, word, remark = token.groups()
            if closes or closes_array:
                break
            if name:
                names[name] = self.named.get(name, TEXT)
                untyped.append(name)
                if not optional:
                    required.append(name)
            elif semicolon:
                untyped = []
            elif opens and untyped:
                names[untyped[-1]], untyped = self.object(), []
            elif opens_array and untyped:
                names[untyped[-1]], untyped = self.array(), []
            elif word in TYPES:
                for known in untyped:
                    names[known] = {"type": TYPES[word]}
                untyped = []
            elif remark and untyped:
                self._read_remark(remark, untyped[-1], names, required)
        return {"type": "object", "properties": names, "required": sorted(required)}

    def array(self):
        while self.tokens:
            token = self.tokens.pop(0)
            if token.group(5):
                items = self.object()
                self._skip_to("]")
                return {"type": "array", "items": items}
            if word := token.group(8):
                self._skip_to("]")
                return {"type": "array", "items": self.named.get(word, TEXT)}
            if token.group(1):
                # `[`…`] is an array of what the backticks name.
                self._skip_to("]")
                return {"type": "array", "items": TEXT}
        raise AssertionError("an array without an end")

    def _skip_to(self, text):
        while self.tokens and self.tokens.pop(0).group(0) != text:
            pass

    @staticmethod
    def _read_remark(remark, name, names, required):
        """`(bool: …)`, `(Unix seconds)`, `(required …)`."""
        word = re.match(r"\w+", remark)
        if word and word.group(0) in TYPES:
            names[name] = {"type": TYPES[word.group(0)]}
        if "Unix seconds" in remark:
            names[name] = {"type": "integer"}


def table(text):
    """The rows of the first table: lists of cells."""
    rows = [line.strip().strip("|").replace(r"\|", "¦").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def of_table(rows, named):
    """A response whose table has the columns field, type (with `required`) and remarks."""
    names, required = {}, []
    for cells in rows:
        kinds = [word for word in re.split(r"[,\s]+", cells[1]) if word in TYPES or word == "object"]
        for index, name in enumerate(re.findall(r"`(\w+)`", cells[0])):
            kind = kinds[min(index, len(kinds) - 1)]
            names[name] = named.get(name) or {"type": TYPES.get(kind, kind)}
            if "required" in cells[1] or cells[2].startswith("yes"):
                required.append(name)
    return {"type": "object", "properties": names, "required": sorted(required)}


def shared_objects(contract):
    """The objects that several operations have."""
    categories = re.findall(r"`(\w+)`", between(contract, "object. Categories: ", ".\n"))
    outcome = {"type": "object", "required": ["result"], "additionalProperties": False, "properties": {
        "result": {"enum": ["pass", "fail"]},
        "failureReasons": {
            "type": "object", "minProperties": 1, "patternProperties": {"^[0-9]{4}$": TEXT}, "additionalProperties": False}}}
    source = Fields(between(contract, "`dataSource2?`, each: ", ". `kyc`"), {}).object()
    confidence = {"enum": ["high", "low"]}
    return {
        "evaluation": {
            "type": "object", "minProperties": 1, "properties": {name: outcome for name in categories},
            "additionalProperties": False},
        "individual": Fields(between(contract, "`individual` (both directions): ", ".\n"), {}).object(),
        "idv": without_required({"type": "object", "properties": {
            "multiCIPConfidence": confidence, "dataSource1": source, "dataSource2": source}}),
        "kyc": without_required(Fields(between(contract, "`kyc`: ", ". Return"), {}).object()),
        "identity": identity_of_verify(section(contract, "7.2"))}


def named_types():
    """The types of names that mean the same everywhere."""
    return {
        "next": {"type": "object", "minProperties": 1, "additionalProperties": TEXT},
        "active": {"type": "boolean"}, "isEnrolled": {"type": "boolean"}, "count": {"type": "integer"},
        "subjects": {"type": "object", "minProperties": 1}, "acceptedAt": {"type": "integer"}, "requestedAt": {"type": "integer"},
        "scopes": {"type": "array", "items": TEXT, "minItems": 1},
        **{name: {"$ref": f"#/$defs/{name}"} for name in SHARED}}


def without_required(schema):
    """The same, for objects whose list does not say what is required."""
    schema = {**schema, "required": []}
    if "properties" in schema:
        schema["properties"] = {name: without_required(inner) if inner.get("type") == "object" else inner
                                for name, inner in schema["properties"].items()}
    for inner in schema.get("properties", {}).values():
        if inner.get("items", {}).get("type") == "object":
            inner["items"] = without_required(inner["items"])
    return schema


def identity_of_verify(text):
    """The member `identity` of 7.2, whose levels are words of their own."""
    levels = re.findall(r"`(AL-?\d)`", between(text, "`identity`: required `assuranceLevel` (", ")"))
    prefill = Fields("`dateOfBirth`, " + between(text, "for prefill `dateOfBirth`, ", ".\n"), {}).object()
    schema = without_required({"type": "object", "properties": {
        "assuranceLevel": {"enum": levels}, "reasons": {"type": "array", "items": TEXT},
        "firstName": TEXT, "lastName": TEXT, **prefill["properties"]}})
    return {**schema, "required": ["assuranceLevel", "reasons"]}


def verify_response(contract, named):
    text = section(contract, "7.2")
    required = re.findall(r"`(\w+)`", between(text, "Response: required `success` (", "; optional `clientRequestId`"))
    optional = re.findall(r"`(\w+)`", "`clientRequestId`" + between(text, "; optional `clientRequestId`", ".\n"))
    business = without_required(Fields(between(text, "`businesses` [{", "}].\n"), named).object())
    kinds = {**named, "additionalIdentities": {"type": "array", "minItems": 1, "items": named["identity"]},
             "businesses": {"type": "array", "minItems": 1, "items": business}, "success": {"enum": ["true", "false"]}}
    return {"type": "object", "required": sorted({"success", *required}),
            "properties": {name: kinds.get(name, TEXT) for name in ["success", *required, *optional]}}


def batch_results(schema, named):
    """Results of verify/batch: the list says which members are required."""
    item = schema["properties"]["results"]["items"]
    required = {"assuranceLevel", "clientCustomerId", "phoneNumber", "success"}
    item["required"] = sorted(required)
    item["properties"]["success"] = {"enum": ["true", "false"]}
    item["properties"]["additionalIdentities"] = {"type": "array", "items": named["identity"]}
    schema["properties"]["correlationId"] = TEXT
    schema["required"] = ["correlationId"]


def responses(contract, named):
    """The schema of each operation's response."""
    flag = {"type": "object", "properties": {"success": {"type": "boolean"}}, "required": ["success"]}
    found = {}
    for operation, (before, after) in LISTS.items():
        kinds = {**named, "success": {"type": "boolean"}}
        found[operation] = Fields(between(contract, before, after), kinds).object()
    found["POST /token"] = of_table(table(between(section(contract, "2.1"), "Success: ", "Errors: ")), named)
    found["POST /token"]["properties"]["token_type"] = {"const": "Bearer"}
    found["POST /v3/unify"] = of_table(table(section(contract, "4.2")), named)
    found["POST /v3/unify-status"] = found["POST /v3/unify-bind"] = of_table(table(section(contract, "4.3")), named)
    found["POST /v3/verify"] = verify_response(contract, named)
    batch_results(found["POST /v3/verify/batch"], named)
    found["POST /v3/identity/batch"]["required"] = []
    for result in found["POST /v3/identity/batch"]["properties"].values():
        result["items"]["required"] = []
    identity = found["GET /v3/identity/{proveId}"]
    identity["required"] = ["phoneNumber"]
    found["GET /v3/identity/{mobileNumber}/lookup"] = {
        "type": "object", "properties": {"items": {"type": "array", "minItems": 1, "items": identity}}, "required": []}
    found["POST /v3/identity"] = {
        "type": "object", "properties": {**flag["properties"], "proveId": TEXT}, "required": ["proveId", "success"]}
    found["POST /v3/identity/{identityId}/cross-domain"] = {
        "type": "object", "required": ["count", "identities"], "properties": {
            "count": {"type": "integer"},
            "identities": {"type": "array", "items": texts_of(between(contract, '"identities": [ {', "} ] }"))}}}
    found["GET /v3/domain/id"] = texts_of(between(contract, "`GET /v3/domain/id` → `{", "}` all required"))
    linked = found["GET /v3/domain/linked"]["properties"]
    linked["linkedFrom"], linked["requestsFrom"] = linked["linkedTo"], linked["requestsTo"]
    for link in (linked["linkedTo"], linked["requestsTo"]):
        link["items"]["required"].remove("scopes")
    for operation, before in (("GET /v3/discover", "`GET /v3/discover?proveId=…` → `"), ("GET /v3/fetch", "attributeId=…` → `")):
        item = texts_of(between(contract, before, "` (").split("[ {")[1].replace("uuid", "").replace("AcmeWallet", ""))
        found[operation] = {"type": "object", "properties": {"results": {"type": "array", "items": item}},
                            "required": ["results"] if operation == "GET /v3/fetch" else []}
    for operation in ("DELETE /v3/identity/{proveId}", "POST /v3/identity/{proveId}/activate",
                      "POST /v3/identity/{proveId}/deactivate", "POST /v3/domain/link", "POST /v3/domain/confirm-link",
                      "POST /v3/domain/unlink", "POST /v3/device/revoke"):
        found[operation] = flag
    return found


def operations(contract):
    """Method and path of each operation, with the statuses of its typed errors, from the table of section 7."""
    found, statuses = {}, []
    for cells in table(section(contract, "7")):
        own = [int(status) for status in re.findall(r"\d{3}", cells[3])]
        # "〃": as above; "+ 404": as above and 404.
        typed = statuses + own if "+" in cells[3] else own or statuses
        statuses = [status for status in typed if status != 404]
        method = None
        for text in re.findall(r"(?:GET|POST|DELETE)|`[^`]+`", cells[1]):
            for verb, path in re.findall(r"(GET|POST|DELETE)?\s*`?(/[^`?]*)?", text):
                method = verb or method
                if path:
                    whole = path if path.startswith(("/v", "/token")) else _beside(list(found)[-1].split(" ")[1], path)
                    found[f"{method} {whole}"] = sorted(typed)
    return found


def _beside(former, last):
    """`/v3/domain/link`, `/unlink` → `/v3/domain/unlink`."""
    return former.rsplit("/", 1)[0] + last


def facts(contract):
    known = responses(contract, named_types())
    codes = table(between(contract, "Published API error codes", "Two generations"))
    return {
        "$defs": shared_objects(contract),
        "codes": {cells[0]: int(cells[2].split(" ")[0]) for cells in codes},
        "operations": {name: {"errors": statuses, "response": known.get(name, {})}
                       for name, statuses in operations(contract).items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail if Tests/Contracts/prove.json is out of date")
    is_check = parser.parse_args().check
    text = text_of(facts(CONTRACT.read_text(encoding="utf-8"))) + "\n"
    file = OUTPUT / "prove.json"
    if is_check:
        sys.exit(None if file.read_text(encoding="utf-8") == text else f"{file} is out of date: run Tests/Tools/prove_facts.py")
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
