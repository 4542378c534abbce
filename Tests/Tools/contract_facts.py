"""Writes Tests/Contracts/*.json from the providers' description files.

    Tests/Tools/contract_facts.py FOLDER

FOLDER holds the files that the `data/` paths in Docs/Contracts name. The output has facts only: paths,
methods, parameters, members, types, enumerations, required members, and the codes and texts that answers
carry. Descriptions and examples are left out. Tests read only the output, so that a clone needs nothing else.
"""

import argparse
import json
import pathlib

import yaml

OUTPUT = pathlib.Path(__file__).resolve().parents[1] / "Contracts"

# Keywords of JSON Schema, OpenAPI 3.0 and Swagger 2.0 that are facts, grouped by the kind of their values.
PLAIN = {"type", "nullable", "enum", "const", "default", "format", "pattern", "minLength", "maxLength", "minimum", "maximum",
         "minItems", "maxItems", "minProperties", "maxProperties", "$ref"}
SCHEMA = {"items", "additionalProperties", "not"}
SCHEMA_LIST = {"anyOf", "oneOf", "allOf"}
SCHEMA_MAP = {"properties", "definitions", "$defs"}
METHODS = ("get", "post", "put", "patch", "delete")


def schema_facts(schema):
    """A schema without descriptions, titles and examples. Member names are kept, whatever they are called."""
    if not isinstance(schema, dict):
        return schema or {}
    facts = {}
    for keyword, value in schema.items():
        if keyword in PLAIN:
            facts[keyword] = value
        elif keyword == "required" and isinstance(value, list):
            facts[keyword] = sorted(value)
        elif keyword in SCHEMA:
            facts[keyword] = schema_facts(value) if isinstance(value, dict) else value
        elif keyword in SCHEMA_LIST:
            facts[keyword] = [schema_facts(item) for item in value]
        elif keyword in SCHEMA_MAP:
            facts[keyword] = {name: schema_facts(item) for name, item in value.items()}
    return facts


def parameter_facts(parameter):
    """A parameter. OpenAPI has its type in the member `schema`, Swagger has it next to the name."""
    facts = {key: parameter[key] for key in ("name", "in", "required") if key in parameter}
    if "schema" in parameter:
        facts["schema"] = schema_facts(parameter["schema"])
    return {**schema_facts({key: value for key, value in parameter.items() if key != "required"}), **facts}


def content_facts(content):
    return {kind: {"schema": schema_facts(body.get("schema"))} for kind, body in content.items()}


def operation_facts(operation):
    facts = {"operationId": operation["operationId"]} if "operationId" in operation else {}
    if operation.get("parameters"):
        facts["parameters"] = [parameter_facts(parameter) for parameter in operation["parameters"]]
    if "requestBody" in operation:
        facts["requestBody"] = {"content": content_facts(operation["requestBody"]["content"])}
    facts["responses"] = {}
    for status, response in operation["responses"].items():
        answer = facts["responses"][str(status)] = {}
        if "content" in response:
            answer["content"] = content_facts(response["content"])
        if "schema" in response:
            answer["schema"] = schema_facts(response["schema"])
    return facts


def path_facts(paths):
    return {path: {method: operation_facts(item[method]) for method in METHODS if method in item}
            for path, item in paths.items()}


def twilio_facts(file, correct=lambda schema: None):
    """An OpenAPI 3.0 document. Paths without an operation are left out. `correct` changes each schema to what
    the document's own examples have."""
    def facts(folder):
        document = json.loads((folder / file).read_text())
        paths = {path: item for path, item in path_facts(document["paths"]).items() if item}
        schemas = document["components"]["schemas"]
        found = {
            "openapi": document["openapi"], "paths": paths,
            "components": {"schemas": {name: schema_facts(schema) for name, schema in schemas.items()}}}
        visit(found, correct)
        # Answers without a schema, such as references to common errors, say nothing.
        for operation in (operation for item in paths.values() for operation in item.values()):
            operation["responses"] = {
                status: answer for status, answer in operation["responses"].items() if answer or status < "300"}
        return found
    return facts


def visit(node, change):
    for item in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        visit(item, change)
    if isinstance(node, dict):
        change(node)


def allow_null(schema):
    """Lookup v2 has null for every package that was not asked for, and in most members of packages."""
    if isinstance(schema.get("type"), str) and "in" not in schema:
        schema["nullable"] = True


def allow_relative_uris(schema):
    """URIs of the older API have no scheme and no host."""
    if schema.get("format") in ("uri", "uri-map"):
        schema["format"] = schema["format"].replace("uri", "uri-reference")


def camara_facts(folder):
    """The OpenAPI files of all APIs as one document: paths with their base, schemas with their API's name."""
    found = {"openapi": "3.0.3", "info": {"title": "CAMARA", "version": "Fall25"}, "paths": {}, "components": {"schemas": {}}}
    for path in sorted(folder.glob("camara-*.yaml")):
        api = path.stem.removeprefix("camara-")
        if api == "common":
            continue
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        base = document["servers"][0]["url"].removeprefix("{apiRoot}")

        def resolved(part):
            """The component that a reference names. References between schemas are kept."""
            kind, name = part["$ref"].split("/")[2:] if "$ref" in part else (None, None)
            return document["components"][kind][name] if kind in ("headers", "parameters", "responses") else part

        for item in document["paths"].values():
            for operation in (item[method] for method in METHODS if method in item):
                operation["parameters"] = [resolved(part) for part in operation.get("parameters", [])]
                operation["responses"] = {status: resolved(part) for status, part in operation["responses"].items()}
        paths = path_facts(document["paths"])
        for place, item in paths.items():
            for method, operation in item.items():
                described = document["paths"][place][method]
                if "requestBody" in described:
                    operation["requestBody"]["required"] = described["requestBody"].get("required", False)
                for status, response in described["responses"].items():
                    operation["responses"][str(status)]["headers"] = {
                        name: {"schema": schema_facts(resolved(header)["schema"])}
                        for name, header in response.get("headers", {}).items()}
        facts = {
            "paths": {base + place: item for place, item in paths.items()},
            "schemas": {f"{api}.{name}": schema_facts(schema)
                        for name, schema in document["components"]["schemas"].items()}}

        def name_with_api(schema):
            if isinstance(schema.get("$ref"), str):
                schema["$ref"] = schema["$ref"].replace("/schemas/", f"/schemas/{api}.")
        visit(facts, name_with_api)
        found["paths"].update(facts["paths"])
        found["components"]["schemas"].update(facts["schemas"])
    return found


def prelude_facts(folder):
    """Each operation with the JSON Schemas of its body, query and response."""
    document = json.loads((folder / "prelude-v2-models.json").read_text())
    return {
        "sdk": f"{document['sdk']} {document['sdk_version']}",
        "operations": {
            operation["op"]: {
                "method": operation["method"], "path": operation["path"],
                **{part: schema_facts(operation[part]) for part in ("query", "body", "response") if part in operation}}
            for operation in document["operations"]}}


def telesign_products_facts(folder):
    """The Swagger 2.0 files of 2022, by product."""
    facts = {}
    for path in folder.glob("telesign-2022-*.swagger.yaml"):
        # Some files have tabs, one is not UTF-8.
        document = yaml.safe_load(path.read_bytes().decode("cp1252").replace("\t", "  "))
        facts[path.name.removeprefix("telesign-2022-").removesuffix(".swagger.yaml")] = {
            "basePath": document["basePath"], "paths": path_facts(document["paths"]),
            "definitions": {name: schema_facts(schema) for name, schema in document["definitions"].items()}}
    return facts


def telesign_verify_facts(folder):
    """JSON Schemas of the Verify API."""
    document = json.loads((folder / "telesign-verify-schema.json").read_text())
    return {"$defs": {name: schema_facts(schema) for name, schema in document["$defs"].items()}}


def telesign_code_facts(folder):
    """The texts that responses may have for each code."""
    tables = json.loads((folder / "telesign-codes.json").read_text())
    texts = {}
    for entry in tables["status_codes"] + tables["error_codes"]:
        found = texts.setdefault(entry["code"], [])
        if entry["description"] not in found:
            found.append(entry["description"])
    return {"texts": {str(code): texts[code] for code in sorted(texts)}}


def telesign_signature_facts(folder):
    """Signed requests: 30 that the official Python SDK made, two with `x-ts-date`, which no SDK sends."""
    document = json.loads((folder / "telesign-auth-vectors.json").read_text())
    names = {"content_type": "contentType", "string_to_sign": "stringToSign"}
    return {
        "customerID": document["customer_id"], "date": document["date"], "nonce": document["nonce"],
        "keys": {name: key["api_key"] for name, key in document["keys"].items()},
        "vectors": [
            {names.get(name, name): value for name, value in vector.items()}
            for vector in document["vectors"] + document["x_ts_date_vectors"]]}


FACTS = {
    "twilio-verify.json": twilio_facts("twilio_verify_v2.json"),
    "twilio-lookups.json": twilio_facts("twilio_lookups_v2.json", allow_null),
    "twilio-messages.json": twilio_facts("twilio_api_v2010_messages.json", allow_relative_uris),
    "twilio-lookups-v1.json": twilio_facts("twilio_lookups_v1.json"),
    "twilio-numbers.json": twilio_facts("twilio_api_v2010_numbers.json", allow_relative_uris),
    "twilio-calls.json": twilio_facts("twilio_api_v2010_calls.json", allow_relative_uris),
    "twilio-oauth.json": twilio_facts("twilio_oauth_v2.json"), "camara.json": camara_facts,
    "prelude.json": prelude_facts, "telesign-products.json": telesign_products_facts,
    "telesign-verify.json": telesign_verify_facts, "telesign-codes.json": telesign_code_facts,
    "telesign-signatures.json": telesign_signature_facts}


def text_of(value, depth=0):
    """JSON with sorted members. The outer three levels have a line for each member or item, so that diffs are
    short."""
    is_inline = depth == 3 or (depth == 2 and isinstance(value, list))
    if is_inline or not isinstance(value, (dict, list)) or not value:
        return json.dumps(value, sort_keys=True, ensure_ascii=False)
    if isinstance(value, list):
        parts, opening, closing = [text_of(item, 3) for item in value], "[", "]"
    else:
        parts = [f"{json.dumps(name)}: {text_of(value[name], depth + 1)}" for name in sorted(value)]
        opening, closing = "{", "}"
    indent = "\n" + " " * (depth + 1)
    return opening + indent + f",{indent}".join(parts) + "\n" + " " * depth + closing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="the providers' description files")
    folder = parser.parse_args().folder
    for name, facts in FACTS.items():
        try:
            text = text_of(facts(folder))
        except FileNotFoundError as error:
            print(f"{name} stays as it is: no {error.filename}")
            continue
        (OUTPUT / name).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
