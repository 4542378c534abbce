"""The largest request that each route allows: wide objects, long lists, long texts, full forms."""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BODY = (1 << 20) - 2_048  # bytes; leaves room for the other members
VALUES = 99_000
FIELDS = 1_000
NUMBER = "+33639980000"
ITEM = '{"phone_number":"%s","target":{"type":"phone_number","value":"%s"},"method":"sms"}' % (NUMBER, NUMBER)

# Members of the vendors' JSON bodies, with a value that is valid.
MEMBERS = {
    "prelude": {
        "target": {"type": "phone_number", "value": NUMBER}, "template_id": "any", "to": NUMBER, "variables": {},
        "options": {}, "metadata": {}, "signals": {}, "attributes": {}, "events": [], "feedbacks": [],
        "code": "123456", "flow_id": "any", "phone_number": NUMBER, "sender_id": "Acme", "text": "x"},
    "telesign": {
        "phone_number": NUMBER[1:], "message": "x", "message_type": "OTP", "addons": {}, "consent": {},
        "recipient": {"phone_number": NUMBER[1:]}, "verification_policy": [{"method": "sms"}], "channels": [],
        "channel": "sms", "name": "any", "account_lifecycle_event": "create", "contact_details": {}},
    "fcm": {
        "message": {"token": "sbx-any", "data": {}}, "to": "/topics/any", "registration_tokens": [], "data": {},
        "topic_subscription": {}},
}
CAPTURES = {"number": NUMBER, "phone_number": NUMBER[1:], "country": "FR", "action": "block", "channel": "sms"}


def wide(count=VALUES, item="0"):
    """An object with many members, as text."""
    count = min(count, (BODY - 20_000) // (len(item) + 10))
    return "{" + ",".join(f'"n{index:05}":{item}' for index in range(count)) + "}"


def long_list(item="0"):
    return "[" + ",".join([item] * min(VALUES // (item.count(":") + 1), BODY // (len(item) + 1))) + "]"


def long_text():
    return '"' + "x" * BODY + '"'


def json_bodies(members):
    """Pairs of label and body: unknown members at the top, and each known member as large as it can be."""
    valid = {name: json.dumps(value) for name, value in members.items()}

    def body(**changed):
        return "{" + ",".join(f'"{name}":{text}' for name, text in {**valid, **changed}.items()) + "}"

    yield "unknown members", body()[:-1] + "," + wide(VALUES - 500)[1:]
    for name, value in members.items():
        if isinstance(value, dict):
            yield f"members of {name}", body(**{name: wide(VALUES - 500, '"x"')})
        elif isinstance(value, list):
            yield f"items of {name}", body(**{name: long_list(ITEM)})
        else:
            yield f"text {name}", body(**{name: long_text()})


def form_bodies(names):
    yield "fields", "&".join(f"n{index}=" + "x" * 1_000 for index in range(FIELDS))
    for name in names:
        yield f"text {name}", f"{name}=" + "x" * BODY


def control_bodies(schema, schemas):
    """The same for the control API, with the members of its own description."""
    while "$ref" in schema:
        schema = schemas[schema["$ref"].rsplit("/", 1)[1]]
    samples = {"array": [], "object": {}, "string": "x"}
    found = {}
    for name, member in schema.get("properties", {}).items():
        for kind in [member.get("type")] + [choice.get("type") for choice in member.get("anyOf", [])]:
            kinds = kind if isinstance(kind, list) else [kind]
            found.update({name: samples[word] for word in kinds if word in samples})
    for name, value in found.items():
        for label, body in json_bodies({name: value}):
            if label != "unknown members":
                yield label, body
    yield "unknown members", wide(VALUES - 500)


def provider_operations():
    """Triples of provider, method and path from the lists that the coverage tests use."""
    for file in sorted((ROOT / "Tests/Providers").glob("*/Operations.txt")):
        for line in file.read_text().splitlines():
            if line and not line.startswith("#"):
                method, path = line.split("|")[0].split()
                yield file.parent.name.lower(), method, path


def fill(path, **more):
    captures = {**CAPTURES, **more}
    for part in path.split("/"):
        if "{" in part:
            name = part[part.index("{") + 1:part.index("}")]
            path = path.replace("{" + name + "}", captures.get(name, "any"))
    return path


def long_query():
    return "&".join(f"n{index}=x" for index in range(900))
