"""Conformance check A1 of the Telesign contract, section 17.4. Every digest vector follows the rules, is
accepted over HTTP, and is rejected if one byte of it changes."""

import re

import pytest
from telesign.rest import RestClient

import ringfence
import schemas
import telesign_clients
import telesign_schemas
import telesign_signing
from telesign_clients import NUMBER, PUBLISHED, code_of, error_of
from telesign_flows import SMS, number_of

UNKNOWN_IN_VECTORS = "0123456789ABCDEF0123456789ABCDEF"


def vectors():
    document = schemas.load("telesign-signatures.json")
    made = []
    for vector in document["vectors"]:
        stamped = vector["name"].startswith("x-ts-date")
        method = "HMAC-SHA1" if vector["name"].endswith("sha1") else "HMAC-SHA256"
        stamps = {"x-ts-auth-method": method, "x-ts-nonce": document["nonce"]}
        if stamped:
            stamps["x-ts-date"] = document["date"]
        made.append({**vector, "hash": method, "date": "" if stamped else document["date"], "stamps": stamps,
                     "customer": document["customerID"], "api_key": document["keys"][vector["key"]]})
    return made


VECTOR_IDS = [f"{vector['name']}/{vector['key']}" for vector in vectors()]


def vector_headers(vector, **changed):
    vector = {**vector, **changed}
    headers = {"Authorization": f"TSA {vector['customer']}:{vector['signature']}"}
    if vector["date"]:
        headers["Date"] = vector["date"]
    return {**headers, "Content-Type": vector["contentType"], **vector["stamps"]}


@pytest.fixture(scope="module")
def vectors_server():
    """A separate server, because the vectors' customer is the account of its default sandbox."""
    with ringfence.Server("--auth", "strict", "--clock", "2016-12-14T18:20:12Z") as server:
        yield server


@pytest.fixture
def at_the_vectors_time(vectors_server, telesign_checker):
    """Clients of the account with the vector's key, at the time of the signatures."""
    sandbox = ringfence.Sandbox(vectors_server.sandbox_described("default"))

    def clients(api_key):
        clients = telesign_clients.Clients(sandbox, telesign_checker.check)
        clients.replace_keys(api_key)
        return clients

    yield clients
    sandbox.control("POST", "reset")  # all vectors have one nonce
    sandbox.session.close()


def replay(clients, vector, headers, body=None):
    body = vector["body"] if body is None else body
    return telesign_signing.send(vector["method"], clients.url + vector["path"], headers, body)


@pytest.mark.parametrize("vector", vectors(), ids=VECTOR_IDS)
def test_telesign_a01_signatures_follow_section_2_3(vector):
    """The signing code of these tests creates the same signature as the provider for every vector."""
    text = telesign_signing.string_to_sign(
        vector["method"], vector["path"], content_type=vector["contentType"], date=vector["date"],
        stamps=vector["stamps"], body=vector["body"])

    assert text == vector["stringToSign"]
    assert telesign_signing.signature(telesign_signing.without_foreign(vector["api_key"]), text, vector["hash"]) == vector["signature"]


@pytest.mark.parametrize("vector", vectors(), ids=VECTOR_IDS)
def test_telesign_a01_vectors_over_the_wire(at_the_vectors_time, vector):
    """Each signature is accepted. An unknown path or id gets its own error."""
    answer = replay(at_the_vectors_time(vector["api_key"]), vector, vector_headers(vector))

    assert outcome(answer) == expected_outcome(vector["path"]), answer.text


def outcome(answer):
    """The status, and the error code if there is one."""
    if answer.status_code == 200:
        return 200, None
    errors = answer.json.get("errors")
    return answer.status_code, error_of(answer) if errors else code_of(answer)


def expected_outcome(path):
    if path == "/v1/resource":
        return 404, -40004
    if "completion" in path:
        return 400, -30013
    if "/v1/verify/0" in path:
        return 404, -10001
    return (400, 3110) if UNKNOWN_IN_VECTORS in path else (200, None)


def alterations():
    """Vectors of paths that exist, each with every part in which a byte can be changed."""
    for vector in vectors():
        if vector["path"] == "/v1/resource":
            continue
        parts = ["date", "nonce", "signature", "customer"]
        parts += ["body"] if vector["body"] else []
        # Another path would be another operation or none; another id is the same operation.
        parts += ["path"] if UNKNOWN_IN_VECTORS in vector["path"] else []
        for part in parts:
            yield pytest.param(vector, part, id=f"{vector['name']}/{vector['key']}/{part}")


def flip(text, at=0):
    """The text with one character replaced by another of its kind."""
    swapped = str((int(text[at]) + 1) % 10) if text[at].isdigit() else "B" if text[at] == "A" else "A"
    return text[:at] + swapped + text[at + 1:]


@pytest.mark.parametrize("vector, part", list(alterations()))
def test_telesign_a01_one_byte_changed_is_refused(at_the_vectors_time, vector, part):
    changed, body, path = {}, vector["body"], vector["path"]
    if part == "body":
        body = flip(body, re.search(r"\d", body).start())
    elif part == "path":
        path = path.replace("0123", "1123")
    elif part in ("date", "nonce"):
        name = "x-ts-nonce" if part == "nonce" else "x-ts-date"
        if name in vector["stamps"]:
            value = vector["stamps"][name]
            # Change the last digit of the seconds or the nonce, so that the date stays valid and near.
            at = value.index(" GMT") - 1 if part == "date" else len(value) - 1
            changed["stamps"] = {**vector["stamps"], name: flip(value, at)}
        else:
            changed["date"] = flip(vector["date"], vector["date"].index(" GMT") - 1)
    elif part == "signature":
        changed["signature"] = flip(vector["signature"], 3)
    elif part == "customer":
        changed["customer"] = flip(vector["customer"])

    answer = replay(at_the_vectors_time(vector["api_key"]), {**vector, "path": path},
                    vector_headers(vector, **changed), body)

    expected = {"A": -30006, "B": 10008, "C": 3400}
    if part == "customer":
        expected = {"A": -30000, "B": 10015, "C": 3400}
    assert number_of(vector["path"], answer) == expected[telesign_schemas.family(vector["path"])], answer.text


def test_telesign_a01_the_default_sandbox_has_the_published_account(server, telesign_checker):
    """Its id and key are those of the first vectors, so that tutorials can print them."""
    assert server.sandbox_described("default")["credentials"]["telesign"] == {
        "customerId": PUBLISHED[0], "apiKey": PUBLISHED[1]}
    client = RestClient(*PUBLISHED, rest_endpoint=f"{server.http}/telesign")

    answer = client.post(SMS, phone_number=NUMBER)

    assert answer.status_code == 200, answer.body
