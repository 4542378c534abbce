"""The OpenAPI document of the control API is valid, and real responses match it
(Tests/Tools/described.py)."""

import re

import jsonschema
import openapi_spec_validator
import pytest
import requests

import described


@pytest.fixture(scope="module")
def document(server):
    return requests.get(f"{server.http}/control/openapi.json", timeout=10).json()


def operations(document):
    return [(path, method, operation) for path, item in document["paths"].items() for method, operation in item.items()]


def test_the_document_is_valid(document):
    openapi_spec_validator.validate(document)


def test_every_schema_is_valid(document):
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_every_answer_with_a_body_has_a_schema(document):
    for path, method, operation in operations(document):
        done = {status: answer for status, answer in operation["responses"].items() if status.startswith("2")}
        assert done, f"{method} {path}"
        for status, answer in done.items():
            if status != "204":
                assert all("schema" in content for content in answer["content"].values()), f"{method} {path} {status}"
        assert operation["responses"]["4XX"]["content"]["application/json"]["schema"]["$ref"].endswith("/Error")


def test_every_parameter_has_a_type(document):
    for path, method, operation in operations(document):
        for parameter in operation["parameters"]:
            schema = parameter["schema"]
            assert {"type", "enum"} & schema.keys(), f"{method} {path} {parameter['name']}"
            assert parameter["description"]
        captures = [parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "path"]
        assert captures == re.findall(r"{(\w+)}", path)


def test_requests_that_are_sent_back_from_answers_are_valid(server, document):
    """A response is also a valid request: subscribers, the gateway, scenarios and faults."""
    checker = described.Description(document)
    subscriber = requests.get(f"{server.http}/control/subscribers/+12025550100", timeout=10).json()
    gateway = requests.get(f"{server.http}/control/gateway", timeout=10).json()

    assert checker.request_errors("put", "/control/subscribers/{number}", subscriber) == []
    assert checker.request_errors("put", "/control/gateway", gateway) == []


def test_an_answer_that_the_document_does_not_describe_is_found(server, document):
    checker = described.Description(document)
    answer = requests.get(f"{server.http}/control/clock", timeout=10)
    good = answer.json()

    assert checker.errors("GET", "/control/clock", 200, good) == []
    assert checker.errors("GET", "/control/clock", 200, {**good, "extra": 1})
    assert checker.errors("GET", "/control/clock", 200, {"mode": "real"})
    assert checker.errors("GET", "/control/clock", 200, {**good, "mode": "stopped"})
