"""Checks A1 to A16 of the Telesign contract, section 17.4; the digest vectors replayed over the wire; and what each
official SDK puts there, quirks included, as raw requests (3.2 and 3.3)."""

import datetime
import json
import re
import urllib.parse

import pytest
from telesign.rest import RestClient

import contract
import ringfence
import teleclients
import teledocuments
import tsa
from teleclients import NUMBER, UNKNOWN, code_of, error_of
from tsa import FORM, JSON

VECTORS = contract.SHARED / "contracts/data/telesign-auth-vectors.json"
needs_vectors = pytest.mark.skipif(
    not VECTORS.exists(), reason="no ../shared here: telesign-auth-vectors.json is not replayed")
# Published on purpose: the vectors' first key, bytes 0 to 63.
SEEDED = ("FFFFFFFF-EEEE-DDDD-1234-AB1234567890",
          "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw==")
README_KEY = "EXAMPLE----TE8sTgg45yusumoN6BYsBVkh+yRJ5czgsnCehZaOYldPJdmFh6NeX8kunZ2zU1YWaUw/0wV6xfw=="
OTHER_KEY = tsa.base64.b64encode(bytes(range(64, 128))).decode()

SMS, MESSAGE, CREATE = "/v1/verify/sms", "/v1/messaging", "/verification"
BODIES = {SMS: (FORM, f"phone_number={NUMBER}"),
          MESSAGE: (FORM, f"phone_number={NUMBER}&message=hi&message_type=OTP"),
          CREATE: (JSON, json.dumps({"recipient": {"phone_number": NUMBER}}))}


def number_of(resource, answer):
    """The number that says why, wherever this path's family has it (2.5)."""
    assert answer.status_code == 401, answer.text
    return error_of(answer) if teledocuments.family(resource) == "A" else code_of(answer)


def refusals(caller, expected, body=None, **named):
    """Sends the three paths' requests in one wrong way; each family says it in its own number."""
    for (resource, (kind, text)), number in zip(BODIES.items(), expected):
        headers = caller.headers("POST", resource, content_type=kind, body=text, **named)
        yield resource, number, caller.send("POST", resource, headers, body(text) if body else text)


# The vectors

def vectors():
    if not VECTORS.exists():
        return []
    document = json.loads(VECTORS.read_text())
    made = []
    for vector in document["vectors"] + document["x_ts_date_vectors"]:
        stamped = vector["name"].startswith("x-ts-date")
        method = "HMAC-SHA1" if vector["name"].endswith("sha1") else "HMAC-SHA256"
        stamps = {"x-ts-auth-method": method, "x-ts-nonce": document["nonce"]}
        if stamped:
            stamps["x-ts-date"] = document["date"]
        made.append({**vector, "hash": method, "date": "" if stamped else document["date"], "stamps": stamps,
                     "customer": document["customer_id"], "api_key": document["keys"][vector["key"]]["api_key"]})
    return made


VECTOR_IDS = [f"{vector['name']}/{vector['key']}" for vector in vectors()]


def vector_headers(vector, **changed):
    vector = {**vector, **changed}
    headers = {"Authorization": f"TSA {vector['customer']}:{vector['signature']}"}
    if vector["date"]:
        headers["Date"] = vector["date"]
    return {**headers, "Content-Type": vector["content_type"], **vector["stamps"]}


@pytest.fixture(scope="module")
def vectors_server():
    """A server of its own: the vectors' customer is the default sandbox's account, and nobody else's."""
    with ringfence.Server("--clock", "2016-12-14T18:20:12Z") as server:
        yield server


@pytest.fixture
def at_the_vectors_time(vectors_server, telesign_documents):
    """The clients of the account that has a vector's key, where the clock stands when the vectors were signed."""
    sandbox = ringfence.Sandbox(vectors_server.sandbox_described("default"))

    def clients(api_key):
        clients = teleclients.Clients(sandbox, telesign_documents.check)
        clients.admit(api_key)
        return clients

    yield clients
    sandbox.control("POST", "reset")  # all vectors have one nonce
    sandbox.session.close()


def replay(clients, vector, headers, body=None):
    body = vector["body"] if body is None else body
    return tsa.send(vector["method"], clients.url + vector["path"], headers, body)


@needs_vectors
@pytest.mark.parametrize("vector", vectors(), ids=VECTOR_IDS)
def test_telesign_a01_vectors_are_what_the_rules_of_2_3_make(vector):
    """The hand-written signatures of these tests are the vendor's: every vector is built anew from its parts."""
    text = tsa.string_to_sign(
        vector["method"], vector["path"], content_type=vector["content_type"], date=vector["date"],
        stamps=vector["stamps"], body=vector["body"])

    assert text == vector["string_to_sign"]
    assert tsa.signature(tsa.without_foreign(vector["api_key"]), text, vector["hash"]) == vector["signature"]


@needs_vectors
@pytest.mark.parametrize("vector", vectors(), ids=VECTOR_IDS)
def test_telesign_a01_vectors_over_the_wire(at_the_vectors_time, vector):
    """Each vector is let in; the ones for a path that does not exist learn so, and not that they are refused."""
    answer = replay(at_the_vectors_time(vector["api_key"]), vector, vector_headers(vector))

    if vector["path"] == "/v1/resource":
        assert answer.status_code == 404, answer.text
    elif "completion" in vector["path"]:
        assert error_of(answer) == -30013
    elif "/v1/verify/0" in vector["path"]:
        assert error_of(answer) == -10001
    elif UNKNOWN_IN_VECTORS in vector["path"]:
        assert code_of(answer) == 3110
    else:
        assert answer.status_code == 200, answer.text


UNKNOWN_IN_VECTORS = "0123456789ABCDEF0123456789ABCDEF"


def alterations():
    """Vectors of paths that exist, each with every part of it that a byte can be changed of."""
    for vector in vectors():
        if vector["path"] == "/v1/resource":
            continue
        parts = ["date", "nonce", "signature", "customer"]
        parts += ["body"] if vector["body"] else []
        # Another path is another operation or none, but another id is not.
        parts += ["path"] if UNKNOWN_IN_VECTORS in vector["path"] else []
        for part in parts:
            yield pytest.param(vector, part, id=f"{vector['name']}/{vector['key']}/{part}")


def flip(text, at=0):
    """One byte changed, for one of the same kind."""
    swapped = str((int(text[at]) + 1) % 10) if text[at].isdigit() else "B" if text[at] == "A" else "A"
    return text[:at] + swapped + text[at + 1:]


@needs_vectors
@pytest.mark.parametrize("vector, part", alterations())
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
            # The last digit of the seconds, or of the nonce: still a date, still near.
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
    assert number_of(vector["path"], answer) == expected[teledocuments.family(vector["path"])], answer.text


def test_telesign_a01_the_default_sandbox_has_the_published_account(server, telesign_documents):
    """Its id and key are the vectors' first, so that a workshop's `.env` can be printed."""
    assert server.sandbox_described("default")["credentials"]["telesign"] == {
        "customerId": SEEDED[0], "apiKey": SEEDED[1]}
    client = RestClient(*SEEDED, rest_endpoint=f"{server.http}/telesign")

    answer = client.post(SMS, phone_number=NUMBER)

    assert answer.status_code == 200, answer.body


# The checks

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


def test_telesign_a04_basic_needs_neither_date_nor_nonce_nor_method(telesign):
    """The Java SDK sends Authorization only; a stale date and a used nonce are nothing to Basic (2.2)."""
    alone = {**telesign.basic, "Content-Type": FORM}
    stale = {**alone, "Date": "Wed, 14 Dec 2016 18:20:12 GMT", "x-ts-nonce": "1", "x-ts-auth-method": "Basic"}

    for headers in alone, stale, stale:
        answer = telesign.raw("POST", SMS, headers, BODIES[SMS][1])
        assert answer.status_code == 200, answer.text


def test_telesign_a05_basic_with_a_wrong_key(telesign):
    wrong = telesign.other(key=OTHER_KEY, auth_method="Basic")
    answer = wrong.vc.sms(NUMBER)

    assert (answer.status_code, error_of(answer)) == (401, -30015)
    # The string is for signatures only; other errors of this family have it empty (2.5).
    assert answer.json["signature_string"] == ""
    assert code_of(wrong.mc.message(NUMBER, "hi", "OTP")) == 10022
    assert code_of(wrong.create()) == 3400


@pytest.mark.parametrize("header, expected", [
    (None, (-30004, 10009, 3400)),  # A6
    ("Bearer x", (-30005, 10028, 3400)),  # A7
    ("TSA no-colon", (-30005, 10028, 3400)),
    ("Basic", (-30005, 10028, 3400)),
], ids=["a06_none", "a07_bearer", "a07_tsa_without_colon", "a07_basic_without_pair"])
def test_telesign_a06_a07_authorization_header(telesign, header, expected):
    for (resource, (kind, body)), number in zip(BODIES.items(), expected):
        headers = {"Content-Type": kind, **({"Authorization": header} if header else {})}
        answer = telesign.raw("POST", resource, headers, body)
        assert number_of(resource, answer) == number

    silent = telesign.raw("POST", "/silent/initiate", {"Content-Type": JSON}, '{"phone_number":"15558675309"}')
    assert (silent.status_code, code_of(silent)) == (401, 40002)


def test_telesign_a08_unknown_customer(telesign):
    stranger = telesign.other(customer="00000000-0000-0000-0000-000000000000")

    answer = stranger.vc.sms(NUMBER)

    assert (answer.status_code, code_of(answer), error_of(answer)) == (401, 501, -30000)
    assert code_of(stranger.mc.message(NUMBER, "hi", "OTP")) == 10015
    assert code_of(stranger.create()) == 3400
    # Compared exactly: the same id in lower case is another (2.1).
    assert error_of(telesign.other(customer=telesign.customer.lower()).vc.sms(NUMBER)) == -30000


def sdk_headers(telesign, resource, minutes, **named):
    """What the SDK would send so many minutes after the sandbox's present."""
    date = tsa.rfc1123(telesign.moment + datetime.timedelta(minutes=minutes))
    return RestClient.generate_telesign_headers(
        telesign.customer, telesign.key, "POST", resource, BODIES[resource][1], date_rfc2616=date, **named)


@pytest.mark.parametrize("minutes", [-120, -16, 16])
def test_telesign_a09_date_out_of_tolerance(telesign, minutes):
    for resource, number in ((SMS, -30010), (MESSAGE, 10004)):
        answer = telesign.raw("POST", resource, sdk_headers(telesign, resource, minutes), BODIES[resource][1])
        assert number_of(resource, answer) == number


def test_telesign_a09_tolerance_is_a_switch_and_can_be_off(telesign):
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
    for nonce, good in (("1234567", False), ("12345678", True), ("1" * 16, True), ("1" * 17, False)):
        for resource, number in ((SMS, -30011), (MESSAGE, 10003)):
            headers = sdk_headers(telesign, resource, 0, nonce=nonce)
            answer = telesign.raw("POST", resource, headers, BODIES[resource][1])
            if not good:
                assert number_of(resource, answer) == number
            elif resource == SMS:  # the other path shares the memory of nonces
                assert answer.status_code == 200, answer.text


def test_telesign_a10_default_lengths_of_a_nonce(telesign):
    for nonce, status in (("1", 200), ("2" * 64, 200), ("3" * 65, 401)):
        headers = sdk_headers(telesign, SMS, 0, nonce=nonce)
        assert telesign.raw("POST", SMS, headers, BODIES[SMS][1]).status_code == status


METHOD = {"x-ts-auth-method": "HMAC-SHA256"}


@pytest.mark.parametrize("way", ["no_nonce", "x_ts_date", "both_dates", "both_dates_signed_both", "sha1", "no_method",
                                 "method_in_lower_case", "numeric_zone"])
def test_telesign_a11_older_and_sparser_signatures(telesign, way):
    caller, (kind, body) = telesign.caller, BODIES[SMS]
    date, stale = tsa.rfc1123(caller.moment), "Wed, 14 Dec 2016 18:20:12 GMT"
    named = {
        "no_nonce": {"stamps": METHOD},
        "x_ts_date": {"date": "", "stamps": {**METHOD, "x-ts-nonce": tsa.nonce(), "x-ts-date": date}},
        "both_dates": {"date": "", "stamps": {**METHOD, "x-ts-date": date}},
        "both_dates_signed_both": {"date": stale, "stamps": {**METHOD, "x-ts-date": date}},
        "sha1": {"hash": "HMAC-SHA1"},
        "no_method": {"hash": None, "stamps": {"x-ts-nonce": tsa.nonce()}},
        "method_in_lower_case": {"stamps": {"x-ts-auth-method": "hmac-sha256", "x-ts-nonce": tsa.nonce()}},
        "numeric_zone": {"date": (caller.moment.astimezone(datetime.timezone(datetime.timedelta(hours=-7)))
                                  .strftime("%a, %d %b %Y %H:%M:%S %z"))},
    }[way]
    headers = caller.headers("POST", SMS, content_type=kind, body=body, **named)
    if way == "both_dates":
        headers["Date"] = stale  # x-ts-date overrides it, and nothing says that it was signed

    answer = telesign.raw("POST", SMS, headers, body)

    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("values, expected", [
    ({"stamps": {"x-ts-auth-method": "HMAC-MD5"}}, (-30008, 10006, 3400)),
    ({"date": "", "stamps": METHOD}, (-30007, 10007, 3400)),  # A12
    ({"date": "yesterday", "stamps": METHOD}, (-30009, 10005, 3400)),
], ids=["method_unknown", "a12_no_date", "date_no_date"])
def test_telesign_a12_digest_without_what_it_needs(telesign, values, expected):
    for resource, number, answer in refusals(telesign.caller, expected, **values):
        assert number_of(resource, answer) == number
        if number == -30008:
            assert code_of(answer) == 500  # 2.5: with -10009 and -10033 the exceptions to 501


def test_telesign_a13_body_changed_after_signing(telesign):
    for resource, number, answer in refusals(
            telesign.caller, (-30006, 10008, 3400), body=lambda text: text.replace("9", "8", 1)):
        assert number_of(resource, answer) == number


def test_telesign_a14_crlf_in_the_string_to_sign(telesign):
    for resource, number, answer in refusals(telesign.caller, (-30006, 10008, 3400), end="\r\n"):
        assert number_of(resource, answer) == number


def test_telesign_a15_readme_key_with_dashes(telesign, telesign_documents):
    telesign.admit(README_KEY)
    python = telesign.other(key=README_KEY)
    kind, body = BODIES[SMS]

    assert len(tsa.without_foreign(README_KEY)) == 61 and len(tsa.url_safe(README_KEY)) == 64
    assert code_of(python.vc.sms(NUMBER)) == 290
    assert code_of(python.other(key=README_KEY, auth_method="Basic").vc.sms(NUMBER)) == 290
    answer = python.caller.post(SMS, body, kind, key=tsa.url_safe(README_KEY))
    assert answer.status_code == 200, answer.text


def test_telesign_a16_under_a_prefix_or_without_one(server, telesign):
    """`/telesign` may stand before a path or not; neither that nor the sandbox's prefix is signed (3.3, quirk 13)."""
    for base in (f"{telesign.sandbox.base}/telesign", telesign.sandbox.base):
        assert code_of(telesign.other(base=base).vc.sms(NUMBER)) == 290

    default = RestClient(*SEEDED, rest_endpoint=server.http)
    assert default.post(SMS, phone_number=NUMBER).status_code == 200


# Strict mode, the account's state, fine-grained codes, the string in the journal (2.4, 2.5)

def test_telesign_auth_strict_takes_the_first_candidates_only(telesign):
    caller, (kind, body) = telesign.caller, BODIES[SMS]
    lenient = [
        {"content_type": "", "sent": kind},  # Java's PATCH signs no content type
        {"content_type": kind, "body": ""},  # some releases of PHP leave the body out
        {"content_type": kind, "sent": f"{kind}; charset=utf-8"},
    ]

    def answers():
        return [telesign.raw("POST", SMS, caller.headers("POST", SMS, **{"body": body, **named}), body).status_code
                for named in lenient]

    assert answers() == [200, 200, 200]
    telesign.switch(auth__strict=True)
    assert answers() == [401, 401, 401]
    assert code_of(telesign.vc.sms(NUMBER)) == 290


@pytest.mark.parametrize("state, legacy, flat, fine", [
    ("suspended", -30001, 10010, 3406), ("not_activated", -30002, 10010, 3400)])
def test_telesign_auth_state_of_the_account(telesign, state, legacy, flat, fine):
    telesign.switch(account__state=state)

    assert error_of(telesign.vc.sms(NUMBER)) == legacy
    assert code_of(telesign.mc.message(NUMBER, "hi", "OTP")) == flat
    assert code_of(telesign.create()) == 3400
    telesign.switch(auth__fine_grained_34xx=True)
    assert code_of(telesign.create()) == fine


def test_telesign_auth_fine_grained_34xx(telesign):
    telesign.switch(auth__fine_grained_34xx=True)
    kind, body = BODIES[CREATE]

    found = [code_of(telesign.raw("POST", CREATE, {"Content-Type": kind, **headers}, body))
             for headers in ({}, {"Authorization": "Bearer x"})]
    found.append(code_of(telesign.other(customer="0").create()))
    found.append(code_of(telesign.other(key=OTHER_KEY, auth_method="Basic").create()))

    assert found == [3405, 3412, 3410, 3411]


def test_telesign_auth_refusal_of_the_verify_api_has_its_own_shape(telesign):
    answer = telesign.other(key=OTHER_KEY).create()

    assert set(answer.json) == {"reference_id", "status"}
    assert answer.json["status"]["description"] == "Not authorized"


def test_telesign_auth_journal_has_both_strings_and_their_first_difference(telesign):
    """Issue 4: what was expected and what was received, side by side."""
    telesign.other(key=OTHER_KEY).vc.sms(NUMBER)
    caller, (kind, body) = telesign.caller, BODIES[SMS]
    telesign.raw("POST", SMS, caller.headers("POST", SMS, content_type=kind, body=body, end="\r\n"), body)

    wrong_key, crlf = [entry["why"] for entry in telesign.sandbox.journal(status=401)]

    for why in wrong_key, crlf:
        assert "/v1/verify/sms" in why and FORM in why and f"phone_number={NUMBER}" in why
    assert telesign.key not in wrong_key + crlf


def test_telesign_auth_retired_date_of_a_client_is_not_tried_first(telesign):
    """The checks have an order (2.5): a stale date is told before a wrong signature, an unknown id before both."""
    caller, (kind, body) = telesign.caller, BODIES[SMS]
    stale = "Wed, 14 Dec 2016 18:20:12 GMT"

    both = caller.post(SMS, body, kind, date=stale, key=b"wrong")
    stranger = tsa.Caller(caller.url, "0", b"wrong", caller.moment).post(SMS, body, kind, date=stale)

    assert (error_of(both), error_of(stranger)) == (-30010, -30000)


# What each SDK sends (3.2), and the thirteen quirks (3.3)

AGENTS = {"python": "TeleSignSDK/python Python/3.11.2 Requests/2.34.2 OriginatingSDK/python_telesign SDKVersion/4.1.1",
          "node": "TeleSignSDK/ECMAScript-Node v20 OriginatingSDK/node_telesign SDKVersion/3.0.1",
          "ruby": "TeleSignSDK/ruby Ruby/3.3 net:http/0.4 OriginatingSDK/ruby_telesign SDKVersion/4.1.0",
          "php": "TeleSignSDK/php PHP/8.3 Guzzle/7.9 OriginatingSDK/php_telesign SDKVersion/5.0.0",
          "java": "TeleSignSDK/java Java/17 OkHttp/4.12 OriginatingSDK/java_telesign SDKVersion/3.0.0",
          "csharp": "TeleSignSDK/csharp .NET/8.0 HttpClient OriginatingSDK/csharp_telesign SDKVersion/3.1.0"}
# None: the header is absent.
TYPE_ON_GET = {"python": "", "node": "", "ruby": None, "php": "", "java": "", "csharp": None}
BASIC = {("php", "create"), ("node", "retrieve"), ("node", "finalize"), ("ruby", "finalize"), ("php", "finalize"),
         ("csharp", "finalize")}
LANGUAGES = list(AGENTS)


class Language:
    """One official SDK's requests, as 3.2 describes them."""

    def __init__(self, telesign, name):
        self.telesign, self.name = telesign, name
        self.caller = telesign.caller

    def send(self, method, resource, kind, body="", tail="", operation=None):
        if (self.name, operation) in BASIC:
            headers = {**self.telesign.basic, "x-ts-auth-method": "Basic"}
            if kind is not None:
                headers["Content-Type"] = kind
        else:
            headers = self.caller.headers(method, resource, content_type=kind or "", body=body)
            if kind is None:
                del headers["Content-Type"]
        return self.telesign.raw(method, resource, {**headers, "User-Agent": AGENTS[self.name]}, body, tail)

    def form(self, resource, **fields):
        return self.send("POST", resource, FORM, urllib.parse.urlencode(fields))

    def get(self, resource, tail="", operation=None):
        if self.name == "ruby":
            tail = tail or "?"  # quirk 10
        return self.send("GET", resource, TYPE_ON_GET[self.name], tail=tail, operation=operation)

    def json(self, value):
        return json.dumps(value) if self.name == "python" else json.dumps(value, separators=(",", ":"))


@pytest.fixture(params=LANGUAGES)
def language(request, telesign):
    return Language(telesign, request.param)


def test_telesign_sdks_legacy_verify(language, telesign):
    """Form posts and GETs whose Content-Type is there and empty, or absent (quirks 1 and 10)."""
    sent = language.form(SMS, phone_number=NUMBER, template="Code $$CODE$$ é", verify_code="01234")
    reference = sent.json["reference_id"]
    asked = language.get(f"/v1/verify/{reference}")
    checked = language.get(f"/v1/verify/{reference}", tail="?verify_code=01234")

    assert (sent.status_code, code_of(sent)) == (200, 290)
    assert "01234" in telesign.text() and "é" in telesign.text()
    assert asked.json["verify"]["code_state"] == "UNKNOWN"
    assert checked.json["verify"]["code_state"] == "VALID"


def test_telesign_sdks_messaging(language, telesign):
    sent = language.form(MESSAGE, phone_number=NUMBER, message="hello & co", message_type="OTP")

    assert code_of(sent) == 290 and telesign.text() == "hello & co"
    assert language.get(f"/v1/messaging/{sent.json['reference_id']}").status_code == 200


def test_telesign_sdks_completion_has_no_body(language):
    """Quirk 2: a PUT with `Content-Length: 0` and the type of forms."""
    reference = language.form(SMS, phone_number=NUMBER).json["reference_id"]

    answer = language.send("PUT", f"/v1/verify/completion/{reference}", FORM)

    assert (answer.status_code, code_of(answer)) == (200, 1900)


def test_telesign_sdks_verify_api(language, telesign):
    """Create, retrieve and finalize, by digest or Basic as each SDK has it, with the code of the handset."""
    policy = [{"method": "sms", "fallback_time": 30}] if language.name in ("csharp", "ruby") else [{"method": "sms"}]
    body = language.json({"recipient": {"phone_number": NUMBER}, "verification_policy": policy})
    made = language.send("POST", CREATE, JSON, body, operation="create")
    assert (made.status_code, code_of(made)) == (200, 3901)
    path = f"{CREATE}/{made.json['reference_id']}"

    final = language.json({"action": "finalize", "security_factor": telesign.code()})
    if language.name == "python":  # quirk 4: no body; what is signed is the JSON, what is sent is a query
        headers = language.caller.headers("PATCH", f"{path}/state", content_type=JSON, body=final)
        query = urllib.parse.quote(final, safe="=&:,/?")
        done = telesign.raw("PATCH", f"{path}/state", headers, tail=f"?{query}")
    elif language.name == "csharp":  # quirks 6 and 7
        done = language.send("PATCH", path, f"{JSON}; charset=utf-8", final, operation="finalize")
    elif language.name == "java":  # the empty type is signed though one is sent (2.4)
        headers = language.caller.headers("PATCH", f"{path}/state", body=final, sent=JSON)
        done = telesign.raw("PATCH", f"{path}/state", headers, final)
    else:
        done = language.send("PATCH", f"{path}/state", JSON, final, operation="finalize")
    found = language.get(path, operation="retrieve")

    assert (done.status_code, code_of(done)) == (200, 3900)
    assert (found.status_code, found.json["state"]) == (200, "VERIFIED")


def test_telesign_sdks_phone_number_id(language):
    """A form for PhoneID, an empty one and JSON (quirk 5)."""
    path = f"/v1/phoneid/{NUMBER}"
    answers = [language.send("POST", path, FORM), language.send("POST", path, FORM, "consent=method"),
               language.send("POST", path, JSON, language.json({"consent": {"method": 1}})),
               language.send("POST", "/v1/phoneid", JSON, language.json({"phone_number": NUMBER}))]

    assert {answer.status_code for answer in answers} == {200}
    assert len({json.dumps(answer.json["phone_type"]) for answer in answers}) == 1


def test_telesign_quirk_03_junk_in_the_query(telesign):
    reference = telesign.begin()
    telesign.process(reference)

    assert "headers=Content-Type&headers=Accept" in telesign.answers[-1].request.url
    plain = telesign.raw("GET", f"{CREATE}/{reference}", telesign.basic, tail="?a=b&a=c&d&=&e[]=1")
    assert plain.status_code == 200, plain.text


def test_telesign_quirk_04_json_in_the_query_of_a_patch(telesign):
    reference = telesign.begin()
    telesign.finalize(reference, telesign.code())
    sent = telesign.answers[-1].request

    assert sent.body is None and sent.headers["Content-Length"] == "0" and "%7B%22action%22" in sent.url
    assert telesign.answers[-1].json()["status"]["code"] == 3900


def test_telesign_quirk_04_can_be_refused(telesign):
    reference = telesign.begin()
    telesign.switch(compat__python_patch_query=False)

    answer = telesign.finalize(reference, telesign.code())

    assert answer.status_code in (400, 401), answer.body
    assert telesign.process(reference)["state"] == "ONGOING"


def test_telesign_quirk_04_a_plus_sign_is_no_space(telesign):
    reference, code = telesign.begin(), telesign.code()
    query = urllib.parse.quote(json.dumps({"action": "finalize", "security_factor": "1+1"}), safe=":, +")

    answer = telesign.raw("PATCH", f"{CREATE}/{reference}/state", telesign.basic, tail=f"?{query.replace(' ', '%20')}")
    assert answer.status_code == 400 or code_of(answer) == 3909, answer.text
    assert telesign.verdict(reference, code) == 3900


def test_telesign_quirk_05_phone_id_body_leaves_the_client_on_basic(telesign):
    for answer in (telesign.pc.phoneid(NUMBER), telesign.pc.phone_id_path(NUMBER), telesign.pc.phone_id_body(NUMBER),
                   telesign.pc.phoneid(NUMBER)):
        assert code_of(answer) == 300

    sent = [answer.request for answer in telesign.answers]
    assert [request.headers["Authorization"].split()[0] for request in sent] == ["TSA", "TSA", "Basic", "Basic"]
    assert sent[1].body == "consent=method"


def test_telesign_quirk_08_node_signs_a_body_it_does_not_send(telesign):
    reference = telesign.begin()
    path = f"{CREATE}/{reference}"
    headers = telesign.caller.headers("GET", path, content_type=JSON, body="{}")

    assert telesign.raw("GET", path, headers).status_code == 200


@pytest.mark.parametrize("kind", ["", JSON, FORM, "text/plain", None])
@pytest.mark.parametrize("place", ["body", "query", "json_in_query"])
def test_telesign_quirk_08_finalize_wherever_the_code_stands(telesign, kind, place):
    """The parser is the path's, whatever the content type says."""
    reference = telesign.begin()
    fields = {"action": "finalize", "security_factor": telesign.code()}
    text = json.dumps(fields)
    body = text if place == "body" else ""
    tail = {"body": "", "query": f"?{urllib.parse.urlencode(fields)}",
            "json_in_query": f"?{urllib.parse.quote(text)}"}[place]
    headers = {**telesign.basic, **({} if kind is None else {"Content-Type": kind})}

    answer = telesign.raw("PATCH", f"{CREATE}/{reference}/state", headers, body, tail)

    assert (answer.status_code, code_of(answer)) == (200, 3900), answer.text


def test_telesign_quirk_09_python_1_2_3_needs_an_errors_array(telesign):
    """It takes 200 alone for success, and reads `errors` of every other answer of family A."""
    answers = [telesign.vc.sms("abc"), telesign.vc.status(UNKNOWN), telesign.vc.status("xyz"),
               telesign.vc.completion(UNKNOWN), telesign.other(key=OTHER_KEY).vc.sms(NUMBER),
               telesign.av.finalize(UNKNOWN)]

    for answer in answers:
        assert answer.status_code >= 400 and error_of(answer) < 0, answer.body


def test_telesign_quirk_11_names_in_any_case_fields_in_any_order_last_wins(telesign):
    caller = telesign.caller
    body = f"template=Hello+$$CODE$$&phone_number=15550000000&verify_code=111&phone_number={NUMBER}&verify_code=4242"
    headers = {name.swapcase(): value for name, value in
               caller.headers("POST", SMS, content_type=FORM, body=body).items()}

    answer = telesign.raw("POST", SMS, headers, body)

    assert answer.status_code == 200, answer.text
    assert telesign.text() == "Hello 4242"


def test_telesign_quirk_12_only_the_general_call_can_name_a_recipient(telesign):
    overwritten = telesign.ov.createVerificationProcess(NUMBER, {"recipient": {"email": "a@b.co"}})
    general = telesign.generic(recipient={"email": "a@b.co"}, verification_policy=[{"method": "email"}])

    assert overwritten.json["recipient"] == {"phone_number": NUMBER}
    assert general.json["recipient"] == {"email": "a@b.co"}


def test_telesign_absolute_form_and_any_host(server, telesign):
    """A proxy's request line, and a host that is the vendor's (3.1)."""
    caller, (kind, body) = telesign.caller, BODIES[SMS]
    headers = caller.headers("POST", SMS, content_type=kind, body=body)
    path = f"/s/{telesign.sandbox.name}/telesign{SMS}"

    connection = tsa.http.client.HTTPConnection(*server.address, timeout=20)
    connection.putrequest("POST", f"http://rest-ww.telesign.com{path}", skip_host=True, skip_accept_encoding=True)
    for name, value in {"Host": "rest-ww.telesign.com", **headers, "Content-Length": str(len(body))}.items():
        connection.putheader(name, value)
    connection.endheaders(body.encode())

    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["status"]["code"]) == (200, 290)
    connection.close()


def test_telesign_multiple_keys_are_all_tried(telesign):
    """Keys rotate: an account has several at a time (2.1)."""
    telesign.admit(telesign.key, OTHER_KEY)

    for key in (telesign.key, OTHER_KEY):
        assert code_of(telesign.other(key=key).vc.sms(NUMBER)) == 290
        assert code_of(telesign.other(key=key, auth_method="Basic").vc.sms(NUMBER)) == 290
