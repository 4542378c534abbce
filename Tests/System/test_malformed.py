"""Bad input gets the documented error or a clear 4xx, and the server keeps working."""

import json
import urllib.parse

import pytest
import requests

import wire

NUMBER = "%2B15551234567"
MIB = 1 << 20

# Requests to Twilio's API, with the expected status and code.
TWILIO = {
    # creating a verification
    "nothing at all": ("POST", "/Verifications", b"", 400, 60200),
    "no body": ("POST", "/Verifications", None, 400, 60200),
    "empty To": ("POST", "/Verifications", "To=&Channel=sms", 400, 60200),
    "empty Channel": ("POST", "/Verifications", f"To={NUMBER}&Channel=", 400, 60200),
    "unknown Channel": ("POST", "/Verifications", f"To={NUMBER}&Channel=pigeon", 400, 60200),
    "To without plus": ("POST", "/Verifications", "To=15551234567&Channel=sms", 400, 60200),
    "To with a space for the plus": ("POST", "/Verifications", "To=+15551234567&Channel=sms", 400, 60200),
    "To too long": ("POST", "/Verifications", "To=%2B1234567890123456&Channel=sms", 400, 60200),
    "To of letters": ("POST", "/Verifications", "To=%2B1555callme&Channel=sms", 400, 60200),
    "To in Arabic digits": ("POST", "/Verifications", "To=%2B%D9%A1%D9%A2%D9%A3%D9%A4%D9%A5%D9%A6%D9%A7&Channel=sms", 400, 60200),
    "To with NUL": ("POST", "/Verifications", f"To={NUMBER}%00&Channel=sms", 400, 60200),
    "number for email": ("POST", "/Verifications", f"To={NUMBER}&Channel=email", 400, 60200),
    "broken escape": ("POST", "/Verifications", "To=%ZZ&Channel=sms", 400, 60200),
    "cut escape": ("POST", "/Verifications", "Channel=sms&To=%2", 400, 60200),
    "bad UTF-8, escaped": ("POST", "/Verifications", "To=%FF%FE&Channel=sms", 400, 60200),
    "bad UTF-8, raw": ("POST", "/Verifications", b"To=\xff\xfe&Channel=sms", 400, 60200),
    "only separators": ("POST", "/Verifications", "&&&==&=&", 400, 60200),
    "too many fields": ("POST", "/Verifications", "a=1&" * 5000 + f"To={NUMBER}&Channel=sms", 400, 60200),
    "Tags that are no JSON": ("POST", "/Verifications", f"To={NUMBER}&Channel=sms&Tags=%7Boops", 400, 60200),
    "Tags that are no object": ("POST", "/Verifications", f"To={NUMBER}&Channel=sms&Tags=%5B1%5D", 400, 60200),
    "RateLimits that are no JSON": ("POST", "/Verifications", f"To={NUMBER}&Channel=sms&RateLimits=x", 400, 60200),
    "AppHash on a call": ("POST", "/Verifications", f"To={NUMBER}&Channel=call&AppHash=abcdefghijk", 400, 60602),
    # checking
    "check of nothing": ("POST", "/VerificationCheck", b"", 400, 60221),
    "check without a target": ("POST", "/VerificationCheck", "Code=123456", 400, 60221),
    "short Code": ("POST", "/VerificationCheck", f"To={NUMBER}&Code=123", 400, 60200),
    "long Code": ("POST", "/VerificationCheck", f"To={NUMBER}&Code=12345678901", 400, 60200),
    "empty Code": ("POST", "/VerificationCheck", f"To={NUMBER}&Code=", 400, 60200),
    "nothing pending": ("POST", "/VerificationCheck", f"To={NUMBER}&Code=123456", 404, 20404),
    # one verification
    "update to nothing": ("POST", "/Verifications/VE" + "0" * 32, "Status=", 400, 60200),
    "fetch of no SID": ("GET", "/Verifications/VEnonsense", None, 404, 20404),
    "fetch of a broken escape": ("GET", "/Verifications/%ZZ", None, 400, 60200),
    "fetch of bad UTF-8": ("GET", "/Verifications/%FF", None, 400, 60200),
    "fetch of a slash": ("GET", "/Verifications/%2F..%2F", None, 404, 20404),
    "fetch of NUL": ("GET", "/Verifications/%00", None, 404, 20404),
    # verbs and paths
    "wrong verb": ("PATCH", "/Verifications", b"", 405, 20004),
}

SERVICES = {
    "no FriendlyName": ("", 400, 60200),
    "empty FriendlyName": ("FriendlyName=", 400, 60200),
    "FriendlyName too long": ("FriendlyName=" + "a" * 40, 400, 60200),
    "FriendlyName with five digits": ("FriendlyName=Acme+12345", 400, 60200),
    "CodeLength of letters": ("FriendlyName=Acme&CodeLength=six", 400, 60200),
    "CodeLength too small": ("FriendlyName=Acme&CodeLength=3", 400, 60200),
    "CodeLength too large": ("FriendlyName=Acme&CodeLength=11", 400, 60200),
    "CodeLength beyond any integer": ("FriendlyName=Acme&CodeLength=99999999999999999999", 400, 60200),
    "a boolean that is none": ("FriendlyName=Acme&LookupEnabled=maybe", 400, 60200),
}

# Requests to the control API with a JSON body; each error must name the problem.
CONTROL = {
    "clock: unknown mode": ("POST", "clock", b'{"mode":"frzen"}'),
    "clock: advance is a number": ("POST", "clock", b'{"advance":5}'),
    "clock: advance is no duration": ("POST", "clock", b'{"advance":"soon"}'),
    "clock: advance backwards": ("POST", "clock", b'{"advance":"-1s"}'),
    "clock: advance beyond time": ("POST", "clock", b'{"advance":"99999999999999999999d"}'),
    "clock: set to no date": ("POST", "clock", b'{"set":"yesterday"}'),
    "clock: nothing asked": ("POST", "clock", b"{}"),
    "JSON: array for object": ("POST", "clock", b"[]"),
    "JSON: cut": ("POST", "clock", b'{"advance":'),
    "JSON: trailing comma": ("POST", "clock", b'{"advance":"1s",}'),
    "JSON: two values": ("POST", "clock", b'{"advance":"1s"} {}'),
    "JSON: member twice": ("POST", "clock", b'{"advance":"1s","advance":"2s"}'),
    "JSON: lone surrogate": ("POST", "clock", b'{"advance":"\\ud800"}'),
    "JSON: bad UTF-8": ("POST", "clock", b'{"advance":"\xff"}'),
    "JSON: NUL": ("POST", "clock", b'{"advance":"\x00"}'),
    "JSON: deep": ("POST", "clock", b'{"advance":' + b"[" * 5000 + b"]" * 5000 + b"}"),
    "faults: no list": ("PUT", "faults", b'{"faults":{}}'),
    "faults: impossible status": ("PUT", "faults", b'{"faults":[{"provider":"twilio","status":20404}]}'),
    "faults: status of letters": ("PUT", "faults", b'{"faults":[{"provider":"twilio","status":"500"}]}'),
    "faults: negative times": ("PUT", "faults", b'{"faults":[{"provider":"twilio","status":500,"times":-2}]}'),
    "scenarios: unknown behaviour": ("PUT", "scenarios", b'{"scenarios":[{"behaviour":"explode"}]}'),
    "seed: subscribers no list": ("POST", "seed", b'{"subscribers":"all"}'),
    "seed: number that is none": ("POST", "seed", b'{"subscribers":[{"number":"12"}]}'),
    "entropy: a word": ("PUT", "entropy", b'{"entropySeed":"seven"}'),
    "journal: verify nothing": ("POST", "journal/verify", b'{"times":"many"}'),
}

SANDBOXES = {
    "empty name": b'{"name":""}',
    "name with a slash": b'{"name":"a/b"}',
    "name with dots": b'{"name":".."}',
    "name too long": json.dumps({"name": "a" * 300}).encode(),
    "seed is a word": b'{"name":"x","entropySeed":"seven"}',
    "seed beyond any integer": b'{"name":"x","entropySeed":99999999999999999999}',
    "clock is no date": b'{"name":"x","clock":"noon"}',
    "unknown story": b'{"name":"x","seeds":["no-such-story"]}',
    "name that is taken": b'{"name":"default"}',
}


@pytest.fixture(autouse=True)
def still_alive(server):
    yield
    assert server.is_alive()


@pytest.mark.parametrize("case", TWILIO, ids=str)
def test_twilio_rejects(twilio, case):
    method, path, form, status, code = TWILIO[case]

    answer = twilio.send(method, twilio.service + path, form)

    assert_twilio_error(answer, status, code)


@pytest.mark.parametrize("case", SERVICES, ids=str)
def test_twilio_rejects_a_service(twilio, case):
    form, status, code = SERVICES[case]

    assert_twilio_error(twilio.send("POST", twilio.services, form), status, code)


@pytest.mark.parametrize("value", ["", "Basic", "Basic !!!", "Basic AAAA", "Bearer x", "Basic Og==", "\xff"])
def test_twilio_rejects_invalid_authorization(twilio, value):
    answer = twilio.send("GET", twilio.service, authorization=value)

    assert_twilio_error(answer, 401, 20003)


@pytest.mark.parametrize("query", ["PageSize=abc", "PageSize=0", "PageSize=-1", "PageToken=junk", "Page=x", "%ZZ=1"])
def test_twilio_ignores_an_invalid_page(twilio, query):
    answer = twilio.send("GET", f"{twilio.services}?{query}")

    assert answer.status in (200, 400)


def test_twilio_ignores_unknown_parameters(twilio, sandbox):
    answer = twilio.send("POST", twilio.service + "/Verifications", f"To={NUMBER}&Channel=sms&Chanel=call&Empty=")

    assert answer.status == 201
    entry = [entry for entry in sandbox.journal() if entry["route"].endswith("createVerification")][-1]
    assert entry["unread"] == ["Chanel", "Empty"]


@pytest.mark.parametrize("size", [MIB + 1, 2 * MIB])
def test_a_body_over_the_limit_is_413(twilio, size):
    answer = twilio.send("POST", twilio.service + "/Verifications", b"To=" + b"x" * size)

    assert answer is not None and answer.status == 413


@pytest.mark.parametrize("length", [None, 2 * MIB], ids=["chunked", "with length"])
def test_a_body_over_the_limit_is_413_in_the_format_of_the_control_api(server, sandbox, length):
    with wire.Wire(server.address) as line:
        path = f"/s/{sandbox.name}/control/clock"
        if length:
            line.send(wire.request("POST", path, content_length=length))
        else:
            line.send(wire.request("POST", path, transfer_encoding="chunked") + b"200000\r\n" + b"x" * MIB)
        answer = line.receive()

    assert (answer.status, answer.headers["content-type"]) == (413, "application/json; charset=utf-8")
    assert json.loads(answer.body) == {"error": "body: expected at most 1048576 bytes"}


def test_a_json_body_is_rejected(twilio):
    body = b'{"To":"+15551234567","Channel":"sms"}'

    answer = twilio.send("POST", twilio.service + "/Verifications", body, content_type="application/json")

    assert_twilio_error(answer, 400, 60200)


@pytest.mark.parametrize("case", CONTROL, ids=str)
def test_control_rejects(sandbox, case):
    method, path, body = CONTROL[case]
    before = sandbox.control("GET", "clock").json()

    answer = sandbox.session.request(
        method, f"{sandbox.base}/control/{path}", data=body, headers={"Content-Type": "application/json"},
        timeout=10)

    assert_clear(answer)
    assert sandbox.control("GET", "clock").json() == before


@pytest.mark.parametrize("case", SANDBOXES, ids=str)
def test_control_rejects_a_sandbox(server, case):
    before = sandbox_names(server)

    answer = requests.post(
        f"{server.http}/control/sandboxes", data=SANDBOXES[case], headers={"Content-Type": "application/json"},
        timeout=10)

    assert_clear(answer)
    assert sandbox_names(server) == before


@pytest.mark.parametrize("path", [
    "inbox/+15551234567?after=x", "inbox/+15551234567?wait=forever", "inbox/+15551234567/latest",
    "subscribers/nobody", "journal?limit=x", "sandboxes/nobody", "nonsense", "clock/nonsense",
])
def test_control_rejects_a_query(sandbox, path):
    answer = sandbox.session.get(f"{sandbox.base}/control/{path}", timeout=10)

    assert_clear(answer)


@pytest.mark.parametrize("path, host, status, code", [
    # Sign-in comes first (`twilio-verify.md` 20); these requests have none.
    ("/twilio/v2/Nonsense", "any.test", 401, 20003), ("/verify/v2/Services//Verifications", "any.test", 401, 20003),
    ("/v2/Nonsense", "verify.twilio.com", 401, 20003), ("/", "verify.twilio.com:443", 404, 20404),
])
def test_twilio_rejects_an_unknown_path_under_its_prefix(server, path, host, status, code):
    with wire.Wire(server.address) as line:
        line.send(wire.request("GET", path, host=host))

        assert_twilio_error(line.receive(), status, code)


def test_an_unknown_sandbox_is_404(server):
    for headers, path in ({}, "/s/nobody/control/clock"), ({"X-Sandbox": "nobody"}, "/control/clock"):
        answer = requests.get(server.http + path, headers=headers, timeout=10)
        assert answer.status_code == 404
        assert "nobody" in answer.text


def test_an_unknown_path_lists_the_nearest(server):
    answer = requests.get(f"{server.http}/v2/Servces", timeout=10)

    assert answer.status_code == 404
    assert "/v2/Services" in urllib.parse.unquote(answer.text)


def assert_clear(answer):
    assert 400 <= answer.status_code < 500, f"{answer.status_code} {answer.text}"
    assert len(answer.text) > 10, "a refusal says what was wrong"


def assert_twilio_error(answer, status, code):
    assert answer is not None, "closed without an answer"
    body = json.loads(answer.body)
    assert body["status"] == answer.status
    assert body["more_info"] == f"https://www.twilio.com/docs/errors/{body['code']}"
    assert body["message"]
    assert (answer.status, body["code"]) == (status, code), answer.raw


def test_wire_helper_writes_plain_requests():
    assert wire.request("GET", "/", x_a="1") == b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: 1\r\n\r\n"


def sandbox_names(server):
    answer = requests.get(f"{server.http}/control/sandboxes", timeout=10).json()
    return [sandbox["name"] for sandbox in answer["sandboxes"]]
