"""The requests of each official SDK as raw HTTP, and the thirteen quirks that a server must support: Telesign
contract, sections 3.2 and 3.3."""

import json
import urllib.parse

import pytest

import telesign_signing
from telesign_clients import NUMBER, OTHER_KEY, UNKNOWN, code_of, error_of
from telesign_flows import BODIES, CREATE, MESSAGE, SMS
from telesign_signing import FORM, JSON


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
    """Form posts, and GETs with an empty Content-Type or none (quirks 1 and 10)."""
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
    """Quirk 2: a PUT with `Content-Length: 0` and the content type of forms."""
    reference = language.form(SMS, phone_number=NUMBER).json["reference_id"]

    answer = language.send("PUT", f"/v1/verify/completion/{reference}", FORM)

    assert (answer.status_code, code_of(answer)) == (200, 1900)


def test_telesign_sdks_verify_api(language, telesign):
    """Create, retrieve and finalize, with each SDK's authentication, using the code on the handset."""
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
    """PhoneID with a form, with an empty form and with JSON (quirk 5)."""
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

    assert (answer.status_code, code_of(answer)) == (400, 3110), answer.body
    assert telesign.process(reference)["state"] == "ONGOING"


def test_telesign_quirk_04_a_plus_sign_is_no_space(telesign):
    reference, code = telesign.begin(), telesign.code()
    query = urllib.parse.quote(json.dumps({"action": "finalize", "security_factor": "1+1"}), safe=":, +")

    answer = telesign.raw("PATCH", f"{CREATE}/{reference}/state", telesign.basic, tail=f"?{query.replace(' ', '%20')}")
    assert (answer.status_code, code_of(answer)) == (400, 3110), answer.text
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
    """The path selects the parser, whatever the content type is."""
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
    """It accepts only 200 as success, and reads `errors` in every other response of family A."""
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
    """A request line as sent to a proxy, and the provider's Host (3.1)."""
    caller, (kind, body) = telesign.caller, BODIES[SMS]
    headers = caller.headers("POST", SMS, content_type=kind, body=body)
    path = f"/s/{telesign.sandbox.name}/telesign{SMS}"

    connection = telesign_signing.http.client.HTTPConnection(*server.address, timeout=20)
    connection.putrequest("POST", f"http://rest-ww.telesign.com{path}", skip_host=True, skip_accept_encoding=True)
    for name, value in {"Host": "rest-ww.telesign.com", **headers, "Content-Length": str(len(body))}.items():
        connection.putheader(name, value)
    connection.endheaders(body.encode())

    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["status"]["code"]) == (200, 290)
    connection.close()


def test_telesign_multiple_keys_are_all_tried(telesign):
    """Accounts have several keys during a rotation (2.1)."""
    telesign.replace_keys(telesign.key, OTHER_KEY)

    for key in (telesign.key, OTHER_KEY):
        assert code_of(telesign.other(key=key).vc.sms(NUMBER)) == 290
        assert code_of(telesign.other(key=key, auth_method="Basic").vc.sms(NUMBER)) == 290
