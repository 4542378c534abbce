"""Writes Tests/Contracts/prove.json from Docs/Contracts/prove.md: what each operation's response must
contain.

    Tests/Tools/prove_facts.py [--check]

There is no public OpenAPI document, so the facts come from the contract's tables and lists of fields:

    `name`      a required text         `name?`           may be absent
    `name` int  (also bool, number)     `name?` [string]  an array of texts
    `name` {…}  an object               `name` [{…}]      an array of objects

A type after several names is that of all names since the last semicolon, object or array.
--check fails if the file is out of date.
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
# Those that answer with `success` only.
FLAGS = ("DELETE /v3/identity/{proveId}", "POST /v3/identity/{proveId}/activate", "POST /v3/identity/{proveId}/deactivate",
         "POST /v3/domain/link", "POST /v3/domain/confirm-link", "POST /v3/domain/unlink", "POST /v3/device/revoke")
TYPES = {"bool": "boolean", "int": "integer", "integer": "integer", "number": "number", "string": "string"}
TEXT = {"type": "string"}
SHARED = ("evaluation", "individual", "idv", "kyc", "identity")
TOKEN = re.compile(r"`(\w+)(\??)`|(\[)|(\])|(\{)|(\})|(;)|\b(bool|int|number|string|identity)\b|\(([^()]*)\)|`[^`]*`|[^`]")


def unwrapped(page):
    """The page with each paragraph and each item of a list in one line."""
    return re.sub(r"(?<=[^\n|])(?<!```)\n(?= *[^\s|#*+`\d-]| *`[^`]| *\*\*)", " ", page)


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


def object_of(properties, required=()):
    return {"type": "object", "properties": properties, "required": sorted(required)}


def array_of(items, **more):
    return {"type": "array", "items": items, **more}


def texts_of(names):
    """An object with a text for each of these names."""
    found = re.findall(r"[A-Za-z]\w+", names)
    return object_of({name: TEXT for name in found}, found)


class Fields:
    """Reads a list of fields into a JSON Schema."""

    def __init__(self, text, named):
        self.tokens = list(TOKEN.finditer(text))
        self.named = named

    def object(self):
        """Up to the closing brace, or to the end."""
        names, required, untyped = {}, [], []
        while self.tokens:
            name, optional, opens_array, closes_array, opens, closes, semicolon, word, remark = self.tokens.pop(0).groups()
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
            elif remark and untyped and (kind := self._type_in(remark)):
                names[untyped[-1]] = {"type": kind}
        return object_of(names, required)

    def array(self):
        while self.tokens:
            token = self.tokens.pop(0)
            if token.group(5):
                items = self.object()
                self._skip_to("]")
                return array_of(items)
            if word := token.group(8):
                self._skip_to("]")
                return array_of(self.named.get(word, TEXT))
        raise AssertionError("an array without an end")

    def _skip_to(self, text):
        while self.tokens and self.tokens.pop(0).group(0) != text:
            pass

    @staticmethod
    def _type_in(remark):
        """The type in `(bool: …)` or `(Unix seconds)`; None for other remarks."""
        if "Unix seconds" in remark:
            return "integer"
        word = re.match(r"\w+", remark)
        return TYPES.get(word.group(0)) if word else None


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
            if name == "success":
                names[name] = {"enum": re.findall(r'`"(\w+)"`', " ".join(cells[2:]))}
            if "required" in cells[1] or cells[2].startswith("yes"):
                required.append(name)
    return object_of(names, required)


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
        "idv": without_required(object_of({
            "multiCIPConfidence": confidence, "dataSource1": source, "dataSource2": source})),
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
    if schema.get("type") == "array":
        return {**schema, "items": without_required(schema["items"])}
    if schema.get("type") != "object":
        return schema
    return object_of({name: without_required(inner) for name, inner in schema["properties"].items()})


def identity_of_verify(text):
    """The member `identity` of 7.2, whose levels are words of their own."""
    levels = re.findall(r"`(AL-?\d)`", between(text, "`identity`: required `assuranceLevel` (", ")"))
    prefill = Fields("`dateOfBirth`, " + between(text, "for prefill `dateOfBirth`, ", ".\n"), {}).object()
    schema = without_required(object_of({
        "assuranceLevel": {"enum": levels}, "reasons": array_of(TEXT), "firstName": TEXT, "lastName": TEXT,
        **prefill["properties"]}))
    return {**schema, "required": ["assuranceLevel", "reasons"]}


def listed_responses(contract, named):
    return {operation: Fields(between(contract, before, after), {**named, "success": {"type": "boolean"}}).object()
            for operation, (before, after) in LISTS.items()}


def unify_responses(contract, named):
    token = of_table(table(between(section(contract, "2.1"), "Success: ", "Errors: ")), named)
    token["properties"]["token_type"] = {"const": "Bearer"}
    status = of_table(table(section(contract, "4.3")), named)
    return {"POST /token": token, "POST /v3/unify": of_table(table(section(contract, "4.2")), named),
            "POST /v3/unify-status": status, "POST /v3/unify-bind": status}


def verify_responses(contract, named, batch):
    text = section(contract, "7.2")
    required = re.findall(r"`(\w+)`", between(text, "Response: required `success` (", "; optional `clientRequestId`"))
    optional = re.findall(r"`(\w+)`", between(text, "; optional `clientRequestId`", ".\n"))
    business = without_required(Fields(between(text, "`businesses` [{", "}].\n"), named).object())
    kinds = {**named, "additionalIdentities": array_of(named["identity"], minItems=1),
             "businesses": array_of(business, minItems=1), "success": {"enum": ["true", "false"]}}
    single = object_of({name: kinds.get(name, TEXT) for name in ["success", "clientRequestId", *required, *optional]},
                       ["success", *required])
    # The list of the batch begins after its first member, and names the required members of items in front.
    item = batch["properties"]["results"]["items"]
    item["properties"] |= {name: kinds[name] for name in ("success", "additionalIdentities")}
    item["required"] = ["assuranceLevel", "clientCustomerId", "phoneNumber", "success"]
    whole = object_of({**batch["properties"], "correlationId": TEXT}, ["correlationId"])
    return {"POST /v3/verify": single, "POST /v3/verify/batch": whole}


def identity_responses(contract, item, batch):
    """`item` and `batch` are what the lists say of an identity and of a batch."""
    item["required"] = ["phoneNumber"]
    batch["properties"]["results"]["items"]["required"] = batch["required"] = []
    identities = array_of(texts_of(between(contract, '"identities": [ {', "} ] }")))
    found = {
        "GET /v3/identity/{mobileNumber}/lookup": object_of({"items": array_of(item, minItems=1)}),
        "POST /v3/identity": object_of({"success": {"type": "boolean"}, "proveId": TEXT}, ["proveId", "success"]),
        "POST /v3/identity/{identityId}/cross-domain": object_of(
            {"count": {"type": "integer"}, "identities": identities}, ["count", "identities"])}
    for operation, before, required in (
            ("GET /v3/discover", "`GET /v3/discover?proveId=…` → `", []), ("GET /v3/fetch", "attributeId=…` → `", ["results"])):
        sample = between(contract, before, "` (").split("[ {")[1]
        attribute = texts_of(re.sub(r': "[^"]*"', "", sample))
        found[operation] = object_of({"results": array_of(attribute)}, required)
    return found


def domain_responses(contract, linked):
    """`linked` is what the list says of linked domains: the type of each pair of members follows the second
    one."""
    for name in ("linked", "requests"):
        linked["properties"][f"{name}From"] = linked["properties"][f"{name}To"]
        linked["properties"][f"{name}To"]["items"]["required"].remove("scopes")
    return {"GET /v3/domain/id": texts_of(between(contract, "`GET /v3/domain/id` → `{", "}` all required"))}


def responses(contract, named):
    """The schema of each operation's response."""
    found = listed_responses(contract, named)
    found |= unify_responses(contract, named)
    found |= verify_responses(contract, named, found["POST /v3/verify/batch"])
    found |= identity_responses(contract, found["GET /v3/identity/{proveId}"], found["POST /v3/identity/batch"])
    found |= domain_responses(contract, found["GET /v3/domain/linked"])
    for operation in FLAGS:
        found[operation] = object_of({"success": {"type": "boolean"}}, ["success"])
    return found


def operations(contract):
    """Method and path of each operation, from the table of section 7."""
    found = []
    for cells in table(section(contract, "7")):
        method = None
        for text in re.findall(r"(?:GET|POST|DELETE)|`[^`]+`", cells[1]):
            if not text.startswith("`"):
                method = text
                continue
            path = text.strip("`").split("?")[0]
            # `/v3/domain/link`, `/unlink`: the second path is beside the first one.
            whole = path if path.startswith(("/v", "/token")) else found[-1].split(" ")[1].rsplit("/", 1)[0] + path
            found.append(f"{method} {whole}")
    return found


def facts(page):
    contract = unwrapped(page)
    known = responses(contract, named_types())
    codes = table(between(contract, "Published API error codes", "Two generations"))
    return {
        "$defs": shared_objects(contract),
        "codes": {cells[0]: int(cells[2].split(" ")[0]) for cells in codes},
        "operations": {name: {"response": known.get(name, {})} for name in operations(contract)}}


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
