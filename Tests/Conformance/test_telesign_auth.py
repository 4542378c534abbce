"""Conformance checks A2 to A16 of the Telesign contract, section 17.4, which need signatures; A1 is in
test_telesign_vectors.py, and A5 to A8 and A12 in Sources/Providers/Telesign/Checks.
Then check X8 and the rest of section 2: strict signatures, the format of an authentication error, and its
journal entry."""

import datetime
import re
import urllib.parse

import pytest
import requests
from telesign.messaging import MessagingClient
from telesign.rest import RestClient

import telesign_signing
from telesign_clients import NUMBER, OTHER_KEY, PUBLISHED, code_of, error_of
from telesign_flows import BODIES, MESSAGE, SMS, number_of
from telesign_signing import FORM

README_KEY = "EXAMPLE----TE8sTgg45yusumoN6BYsBVkh+yRJ5czgsnCehZaOYldPJdmFh6NeX8kunZ2zU1YWaUw/0wV6xfw=="


def refusals(caller, expected, body=None, **named):
    """Sends the requests of three families with the same mistake. Returns the error code of each."""
    for (resource, (kind, text)), number in zip(BODIES.items(), expected):
        headers = caller.headers("POST", resource, content_type=kind, body=text, **named)
        yield resource, number, caller.send("POST", resource, headers, body(text) if body else text)


def test_telesign_a02_wrong_key_in_family_a(telesign):
    answer = telesign.other(key=OTHER_KEY).vc.sms(NUMBER)

    assert (answer.status_code, code_of(answer), error_of(answer)) == (401, 501, -30006)
    assert answer.json["signature_string"].startswith(f"POST\n{FORM}\n")
    assert answer.json["signature_string"].endswith(f"\nphone_number={NUMBER}\n/v1/verify/sms")
    assert (answer.json["reference_id"], answer.json["sub_resource"]) == (None, None)


def test_telesign_a03_wrong_key_in_family_b(telesign):
    answer = telesign.other(key=OTHER_KEY).mc.message(NUMBER, "hi", "OTP")

    assert (answer.status_code, code_of(answer)) == (401, 10008)
    assert answer.json["signature_string"].endswith("\n/v1/messaging")
    assert "errors" not in answer.json


def test_telesign_a04_basic(telesign):
    basic = telesign.other(auth_method="Basic")

    assert code_of(basic.vc.sms(NUMBER)) == 290
    assert code_of(basic.mc.message(NUMBER, "hello & co", "OTP")) == 290
    assert code_of(basic.create()) == 3901
    assert {answer.request.headers["x-ts-auth-method"] for answer in basic.answers} == {"Basic"}


@pytest.mark.parametrize("customer", ["FFFFFFFF-EEEE-DDDD-1234-AB12345678900", "customer", "0"])
def test_telesign_x08_open_server_accepts_a_customer_id_of_any_form(server, customer):
    """The first has one digit too many, like the id in an example of the provider's Java repository."""
    key = "ABC12345yusumoN6BYsBVkh+yRJ5czgsnCehZaOYldPJdmFh6NeX8kunZ2zU1YWaUw/0wV6xfw=="
    body = {"phone_number": NUMBER, "message": "hi", "message_type": "OTP"}

    sent = MessagingClient(customer, key, rest_endpoint=server.http).message(NUMBER, "hi", "OTP")
    basic = requests.post(f"{server.http}/v1/messaging", auth=(customer, key), data=body, timeout=20)
    nobody = requests.post(f"{server.http}/v1/messaging", auth=("", key), data=body, timeout=20)

    assert (sent.status_code, sent.json["status"]["code"]) == (200, 290), sent.body
    assert (basic.status_code, basic.json()["status"]["code"]) == (200, 290)
    assert nobody.status_code == 401


def sdk_headers(telesign, resource, minutes, **named):
    """Headers that the SDK would send this many minutes after the sandbox's time."""
    date = telesign_signing.rfc1123(telesign.moment + datetime.timedelta(minutes=minutes))
    return RestClient.generate_telesign_headers(
        telesign.customer, telesign.key, "POST", resource, BODIES[resource][1], date_rfc2616=date, **named)


@pytest.mark.parametrize("minutes", [-120, -16, 16])
def test_telesign_a09_date_out_of_tolerance(telesign, minutes):
    for resource, number in ((SMS, -30010), (MESSAGE, 10004)):
        answer = telesign.raw("POST", resource, sdk_headers(telesign, resource, minutes), BODIES[resource][1])
        assert number_of(resource, answer) == number


def test_telesign_a09_tolerance_is_a_setting_and_can_be_off(telesign):
    def answers(minutes):
        return telesign.raw("POST", SMS, sdk_headers(telesign, SMS, minutes), BODIES[SMS][1]).status_code

    assert (answers(-14), answers(14)) == (200, 200)
    telesign.switch(auth__date_tolerance_s=60)
    assert (answers(-2), answers(-0.5)) == (401, 200)
    telesign.switch(auth__date_tolerance_s=0)
    assert answers(-60 * 24 * 365) == 200


def test_telesign_a10_nonce_used_twice(telesign):
    for resource, number in ((SMS, -30012), (MESSAGE, 10002)):
        headers = sdk_headers(telesign, resource, 0)
        first = telesign.raw("POST", resource, headers, BODIES[resource][1])
        second = telesign.raw("POST", resource, headers, BODIES[resource][1])

        assert first.status_code == 200
        assert number_of(resource, second) == number


def test_telesign_a10_a_nonce_is_forgotten_with_its_window(telesign):
    telesign.switch(auth__nonce_window_s=60)
    for _ in range(2):
        headers = sdk_headers(telesign, SMS, 0, nonce="the-same")
        assert telesign.raw("POST", SMS, headers, BODIES[SMS][1]).status_code == 200
        telesign.advance("61s")


def test_telesign_a10_length_of_a_nonce(telesign):
    telesign.switch(auth__nonce_min=8, auth__nonce_max=16)

    def answer(resource, nonce):
        headers = sdk_headers(telesign, resource, 0, nonce=nonce)
        return telesign.raw("POST", resource, headers, BODIES[resource][1])

    for nonce in ("1" * 7, "1" * 17):
        assert number_of(SMS, answer(SMS, nonce)) == -30011
        assert number_of(MESSAGE, answer(MESSAGE, nonce)) == 10003
    for digit, resource in (("1", SMS), ("2", MESSAGE)):  # both paths share the memory of nonces
        assert [answer(resource, digit * length).status_code for length in (8, 16)] == [200, 200]


def test_telesign_a10_default_lengths_of_a_nonce(telesign):
    for nonce, status in (("1", 200), ("2" * 64, 200), ("3" * 65, 401)):
        headers = sdk_headers(telesign, SMS, 0, nonce=nonce)
        assert telesign.raw("POST", SMS, headers, BODIES[SMS][1]).status_code == status


METHOD = {"x-ts-auth-method": "HMAC-SHA256"}


@pytest.mark.parametrize("way", ["no_nonce", "x_ts_date", "both_dates", "both_dates_signed_both", "sha1", "no_method",
                                 "method_in_lower_case", "numeric_zone"])
def test_telesign_a11_older_and_sparser_signatures(telesign, way):
    caller, (kind, body) = telesign.caller, BODIES[SMS]
    date, stale = telesign_signing.rfc1123(caller.moment), "Wed, 14 Dec 2016 18:20:12 GMT"
    named = {
        "no_nonce": {"stamps": METHOD},
        "x_ts_date": {"date": "", "stamps": {**METHOD, "x-ts-nonce": telesign_signing.nonce(), "x-ts-date": date}},
        "both_dates": {"date": "", "stamps": {**METHOD, "x-ts-date": date}},
        "both_dates_signed_both": {"date": stale, "stamps": {**METHOD, "x-ts-date": date}},
        "sha1": {"hash": "HMAC-SHA1"},
        "no_method": {"hash": None, "stamps": {"x-ts-nonce": telesign_signing.nonce()}},
        "method_in_lower_case": {"stamps": {"x-ts-auth-method": "hmac-sha256", "x-ts-nonce": telesign_signing.nonce()}},
        "numeric_zone": {"date": (caller.moment.astimezone(datetime.timezone(datetime.timedelta(hours=-7)))
                                  .strftime("%a, %d %b %Y %H:%M:%S %z"))},
    }[way]
    headers = caller.headers("POST", SMS, content_type=kind, body=body, **named)
    if way == "both_dates":
        headers["Date"] = stale  # x-ts-date overrides it, and nothing says that it was signed

    answer = telesign.raw("POST", SMS, headers, body)

    assert answer.status_code == 200, answer.text


def test_telesign_a13_body_changed_after_signing(telesign):
    for resource, number, answer in refusals(
            telesign.caller, (-30006, 10008, 3400), body=lambda text: text.replace("9", "8", 1)):
        assert number_of(resource, answer) == number


def test_telesign_a14_crlf_in_the_string_to_sign(telesign):
    for resource, number, answer in refusals(telesign.caller, (-30006, 10008, 3400), end="\r\n"):
        assert number_of(resource, answer) == number


def test_telesign_a15_a_key_with_dashes(telesign, telesign_checker):
    telesign.replace_keys(README_KEY)
    python = telesign.other(key=README_KEY)
    kind, body = BODIES[SMS]

    assert len(telesign_signing.without_foreign(README_KEY)) == 61 and len(telesign_signing.url_safe(README_KEY)) == 64
    assert code_of(python.vc.sms(NUMBER)) == 290
    assert code_of(python.other(key=README_KEY, auth_method="Basic").vc.sms(NUMBER)) == 290
    answer = python.caller.post(SMS, body, kind, key=telesign_signing.url_safe(README_KEY))
    assert answer.status_code == 200, answer.text


def test_telesign_a16_under_a_prefix_or_without_one(server, telesign):
    """`/telesign` before a path is optional. The SDK signs neither it nor the sandbox's prefix (3.3, quirk
    13)."""
    for base in (f"{telesign.sandbox.base}/telesign", telesign.sandbox.base):
        assert code_of(telesign.other(base=base).vc.sms(NUMBER)) == 290

    default = RestClient(*PUBLISHED, rest_endpoint=server.http)
    assert default.post(SMS, phone_number=NUMBER).status_code == 200


# Strict mode, the format of errors, the string in the journal (2.4, 2.5)

def test_telesign_auth_strict_rejects_lenient_signatures(telesign):
    caller, (kind, body) = telesign.caller, BODIES[SMS]
    lenient = [
        {"content_type": "", "sent": kind},  # Java's PATCH signs no content type
        {"content_type": kind, "body": ""},  # some releases of PHP leave the body out
        {"content_type": kind, "sent": f"{kind}; charset=utf-8"},
        {"content_type": kind, "rewrite": urllib.parse.unquote},  # Swift's community client
    ]
    body += "&template=$$CODE$$%20%C3%A9"

    def answers():
        return [telesign.raw("POST", SMS, caller.headers("POST", SMS, **{"body": body, **named}), body).status_code
                for named in lenient]

    assert answers() == [200] * 4
    telesign.switch(auth__strict=True)
    assert answers() == [401] * 4
    assert code_of(telesign.vc.sms(NUMBER)) == 290
    whole = f"{kind}; charset=utf-8"  # a client in Go signs what it sends, whole: that is the rule
    assert telesign.raw(
        "POST", SMS, caller.headers("POST", SMS, content_type=whole, body=body), body).status_code == 200


def test_telesign_auth_an_empty_line_for_an_empty_body_is_accepted(telesign):
    """Swift's community client signs this way (2.4)."""
    path = f"/v1/verify/{telesign.vc.sms(NUMBER).json['reference_id']}"

    def ask():
        headers = telesign.caller.headers("GET", path, rewrite=lambda text: text.replace(f"\n{path}", f"\n\n{path}"))
        return telesign.raw("GET", path, headers)

    assert ask().status_code == 200
    telesign.switch(auth__strict=True)
    assert error_of(ask()) == -30006


@pytest.mark.parametrize("decode", [telesign_signing.without_foreign, telesign_signing.url_safe], ids=["python", "node"])
def test_telesign_auth_strict_accepts_no_key_with_dashes(telesign, decode):
    """Such a key is not strict base64."""
    telesign.replace_keys(README_KEY)
    caller, (kind, body) = telesign.caller, BODIES[SMS]
    assert caller.post(SMS, body, kind, key=decode(README_KEY)).status_code == 200
    telesign.switch(auth__strict=True)

    assert caller.post(SMS, body, kind, key=decode(README_KEY)).status_code == 401


MISTAKES = {
    "query_signed": {"rewrite": lambda text: text + "?a=b"},
    "x_ts_lines_unsorted": {"rewrite": lambda text: re.sub(r"(x-ts-auth.*)\n(x-ts-nonce.*)", r"\2\n\1", text)},
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_telesign_auth_journal_has_both_strings_and_marks_their_first_difference(telesign, mistake):
    """Issue 4: the journal shows the expected and the received string, for the mistakes that users report
    (15)."""
    caller, (kind, body) = telesign.caller, BODIES[SMS]
    headers = caller.headers("POST", SMS, content_type=kind, body=body, **MISTAKES[mistake])
    telesign.raw("POST", SMS, headers, body, tail="?a=b" if mistake == "query_signed" else "")

    (refused,) = telesign.sandbox.journal(status=401)
    lines = {line.split(": ", 1)[0]: line.split(": ", 1)[1] for line in refused["why"].split("\n") if ": " in line}
    expected, received, mark = lines["expected"], lines["received"], refused["why"].split("\n")[-1]

    assert expected.startswith(f"POST\\n{FORM}\\n") and expected.endswith(f"\\n{body}\\n{SMS}")
    assert received != expected
    first = next((at for at, (one, other) in enumerate(zip(expected, received)) if one != other), len(expected))
    assert mark.strip() == "^" and mark.index("^") - len("received: ") == first
