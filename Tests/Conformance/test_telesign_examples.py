"""Conformance checks X3 and X7 of the Telesign contract, "Additions"; X4 is in test_telesign_handset.py, and
the others are in Sources/Providers/Telesign/Checks. X7 replays telesign_examples.json, which lists the
examples in the provider's SDK repositories."""

import json
import pathlib
import urllib.parse

import pytest

import telesign_clients
import telesign_signing
from telesign_clients import NUMBER, code_of, error_of
from telesign_signing import FORM, JSON

EXAMPLES = json.loads(pathlib.Path(__file__).with_name("telesign_examples.json").read_text(encoding="utf-8"))["examples"]
CASES = [pytest.param(example, id=source) for example in EXAMPLES for source in example["sources"]]


def member(body, path):
    """The member of a JSON object at a path such as `status.code`."""
    for name in path.split("."):
        body = body[name]
    return body


# X3

def families(telesign):
    """A signed call of each client family (2.5)."""
    return [telesign.vc.sms(NUMBER), telesign.mc.message(NUMBER, "hi", "ARN"), telesign.voice.call(NUMBER, "hi", "ARN"),
            telesign.pc.phoneid(NUMBER), telesign.sc.score(NUMBER, "create"), telesign.av.initiate(NUMBER),
            telesign.create(), telesign.rc.post("/silent/initiate", json_fields={"phone_number": NUMBER})]


@pytest.mark.parametrize("mode", ["frozen", "real"])
@pytest.mark.parametrize("span", ["2h", "30d"])
def test_telesign_x03_signed_calls_after_the_clock_was_moved(telesign, mode, span):
    telesign.sandbox.control("POST", "clock", json={"mode": mode})
    telesign.advance(span)

    assert [answer.status_code for answer in families(telesign)] == [200] * 8

    telesign.switch(auth__strict_dates=True)
    refused = families(telesign)
    assert [answer.status_code for answer in refused] == [401] * 8
    assert error_of(refused[0]) == error_of(refused[5]) == -30010
    assert [code_of(answer) for answer in refused[1:5]] == [10004] * 4
    assert [code_of(answer) for answer in refused[6:]] == [3400, 40002]


def test_telesign_x03_a_frozen_clock_in_the_past(server, telesign_checker):
    sandbox = server.sandbox(clock="2020-01-05T10:20:30Z")
    try:
        assert telesign_clients.Clients(sandbox, telesign_checker.check).vc.sms(NUMBER).status_code == 200
    finally:
        sandbox.delete()


def test_telesign_x03_dates_by_the_sandboxes_clock_stay_right(telesign):
    telesign.advance("30d")
    kind, body = FORM, f"phone_number={NUMBER}&message=hi&message_type=ARN"

    assert telesign.caller.post("/v1/messaging", body, kind).status_code == 200


def test_telesign_x03_a_wrong_date_is_refused_though_the_clock_was_moved(telesign):
    telesign.advance("30d")
    caller = telesign.caller
    caller.moment = telesign_signing.instant("2021-01-05T10:20:30Z")

    answer = caller.post("/v1/messaging", f"phone_number={NUMBER}&message=hi&message_type=ARN")

    assert (answer.status_code, code_of(answer)) == (401, 10004)


# X7

@pytest.mark.parametrize("example", CASES)
def test_telesign_x07_examples_of_the_providers_repositories(telesign, example):
    known = {"phone_number": NUMBER}

    def fill(value):
        if isinstance(value, str):
            for name, text in known.items():
                value = value.replace(f"{{{name}}}", text)
            return value
        if isinstance(value, dict):
            return {name: fill(one) for name, one in value.items()}
        return [fill(one) for one in value] if isinstance(value, list) else value

    for request in example["requests"]:
        if "{code}" in json.dumps(request):
            known["code"] = telesign.code()
        answer = send(telesign, {**request, **{name: fill(request[name]) for name in ("path", "form", "json") if name in request}})
        assert answer.status_code == 200, f"{request['path']}: {answer.status_code} {answer.text}"
        for path in request["reads"]:
            assert member(answer.json, path) is not None or path in example.get("nullable", []), f"{path}: {answer.text}"
        if isinstance(answer.json, dict):
            known.update({name: answer.json[name] for name in ("reference_id", "prefix") if answer.json.get(name)})
    if "code" in example:
        assert telesign.code() == example["code"]


def send(telesign, request):
    """Sends a request as an SDK does: signed, or with Basic authentication."""
    method, (path, mark, query) = request["method"], request["path"].partition("?")
    body = json.dumps(request["json"]) if "json" in request else urllib.parse.urlencode(request.get("form", {}))
    kind = JSON if "json" in request else FORM if method in ("POST", "PUT") else ""
    if request.get("basic"):
        headers = {**telesign.basic, "Content-Type": kind}
    else:
        headers = telesign.caller.headers(method, path, content_type=kind, body=body)
    return telesign.raw(method, path, headers, body, mark + query)


