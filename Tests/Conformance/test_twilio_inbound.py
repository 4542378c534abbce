"""Texts from people to an app, and what it answers: conformance checks TI1 to TI12 of `senders.md`, 4."""

import http.server
import threading
import urllib.parse

import pytest
from twilio.request_validator import RequestValidator
from twilio.twiml.messaging_response import MessagingResponse

import receiver
from twilio_errors import refused

NUMBER, SENDER = "+12025550100", "+15005550006"
ORDER = ("ToCountry ToState SmsMessageSid NumMedia ToCity FromZip SmsSid FromState SmsStatus FromCity Body FromCountry To "
         "ToZip NumSegments MessageSid AccountSid From ApiVersion").split()


class App:
    """An app with a document for each path: its status, content type and text, or a function that makes the
    text of the parameters."""

    def __init__(self, **documents):
        self.documents, self.requests = documents, []  # (method, URL, headers, parameters in their order)
        app = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                path, _, query = self.path.partition("?")
                form = urllib.parse.parse_qsl(body or query, keep_blank_values=True)
                app.requests.append((self.command, app.origin + self.path, self.headers, form))
                status, kind, text = app.documents[path.strip("/")]
                text = str(text(dict(form)) if callable(text) else text).encode()
                self.send_response(status)
                if status < 400 and kind.startswith("/"):
                    self.send_header("Location", kind)
                else:
                    self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"

    def url(self, path):
        return f"{self.origin}/{path}"

    def forms(self, path):
        return [dict(form) for _, url, _, form in self.requests if urllib.parse.urlsplit(url).path == f"/{path}"]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def xml(text):
    return 200, "text/xml", text


NOTHING = xml(MessagingResponse())


@pytest.fixture
def number(sandbox, client):
    """The account's own number, from which a text has come."""
    client.messages.create(to=NUMBER, from_=SENDER, body="Shall we go on?")
    [found] = client.incoming_phone_numbers.list()
    return found


def reply(sandbox, text="yes", **more):
    answer = sandbox.control("POST", f"inbox/{NUMBER}/reply", json={"text": text, **more}).json()
    sandbox.advance("1s")
    return answer


def texts(sandbox):
    """Those that came after the first one."""
    return [message["text"] for message in sandbox.entries(f"inbox/{NUMBER}")[1:]]


def reasons(sandbox):
    return [entry["why"] for entry in sandbox.journal(provider="twilio") if (entry["why"] or "").startswith("webhook ")]


def test_ti1_the_app_gets_a_signed_form(sandbox, client, number):
    validator = RequestValidator(sandbox.credentials["twilio"]["authToken"])
    with App(sms=NOTHING) as app:
        number.update(sms_url=f"{app.url('sms')}?tenant=7")
        sent = reply(sandbox)

    [(method, url, headers, form)] = app.requests
    assert (method, [name for name, _ in form]) == ("POST", ORDER)
    form = dict(form)
    [stored, _] = client.messages.list()
    assert (stored.direction, stored.status, stored.body) == ("inbound", "received", "yes")
    assert form["MessageSid"] == form["SmsSid"] == form["SmsMessageSid"] == stored.sid
    assert (form["From"], form["To"], form["FromCountry"], form["SmsStatus"]) == (NUMBER, SENDER, "US", "received")
    assert (headers["User-Agent"], len(headers["I-Twilio-Idempotency-Token"])) == ("TwilioProxy/1.1", 36)
    assert validator.validate(url, form, headers["X-Twilio-Signature"])
    assert not validator.validate(url, {**form, "Body": "no"}, headers["X-Twilio-Signature"])
    assert "why" not in sent


def test_ti2_twiml_sends_texts(sandbox, client, number):
    answer = MessagingResponse()
    answer.message("One", action="/status", method="POST")
    answer.message().body("Two")
    answer.message("Three", to="+12025550101", from_="+12025550199")
    with App(sms=xml(answer), status=NOTHING) as app:
        number.update(sms_url=app.url("sms"))
        reply(sandbox)
        sandbox.advance("1s")

    assert texts(sandbox) == ["One", "Two"]
    [other] = sandbox.entries("inbox/+12025550101")
    assert (other["text"], other["from"]) == ("Three", "+12025550199")
    three, two, one, *_ = client.messages.list()
    assert {message.direction for message in (one, two, three)} == {"outbound-reply"}
    assert (one.from_, one.to, one.body, one.status) == (SENDER, NUMBER, "One", "delivered")
    assert [form["MessageStatus"] for form in app.forms("status")] == ["sent", "delivered"]
    assert app.forms("status")[0]["MessageSid"] == one.sid


@pytest.mark.parametrize("document, expected", [
    ((200, "text/plain; charset=utf-8", " One \n"), ["One"]), (NOTHING, []), ((204, "text/xml", ""), []),
    ((200, "text/xml", ""), []), (xml("<Response><Sms>Old</Sms></Response>"), ["Old"])])
def test_ti3_a_text_or_nothing(sandbox, number, document, expected):
    with App(sms=document) as app:
        number.update(sms_url=app.url("sms"))
        reply(sandbox)

    assert texts(sandbox) == expected
    assert reasons(sandbox) == []


@pytest.mark.parametrize("text", ["yes", "\N{GRINNING FACE}" * 1600])
def test_ti4_get_has_all_in_the_query(sandbox, number, text):
    validator = RequestValidator(sandbox.credentials["twilio"]["authToken"])
    with App(sms=xml("<Response><Redirect method='GET'>other?a=1</Redirect></Response>"), other=NOTHING) as app:
        number.update(sms_url=f"{app.url('sms')}?tenant=7", sms_method="GET")
        reply(sandbox, text)

    for method, url, headers, form in app.requests:
        assert (method, [name for name, _ in form[1:]]) == ("GET", ORDER)
        assert (dict(form)["Body"], headers["Content-Length"]) == (text, None)
        assert validator.validate(url, {}, headers["X-Twilio-Signature"])
        assert not validator.validate(f"{url}&Body=x", {}, headers["X-Twilio-Signature"])
    assert [form[0] for *_, form in app.requests] == [("tenant", "7"), ("a", "1")]


@pytest.mark.parametrize("document, code, why", [
    ((500, "text/plain", "Sorry"), 11200, "the app answered 500"),
    ((200, "text/html", "<!DOCTYPE html><p>Sorry"), 12100, "line 1, column 1: expected no document type"),
    (xml("<Answer/>"), 12102, "expected the root element Response; found Answer"),
    ((200, "application/json", "{}"), 12300, 'expected the content type text/xml; found "application/json"'),
    ((302, "/sms", ""), 11200, "50 documents for one message")])
def test_ti5_a_failure_calls_the_fallback(sandbox, client, number, document, code, why):
    with App(sms=document, fallback=xml("<Response><Message>Later</Message></Response>")) as app:
        number.update(sms_url=app.url("sms"), sms_fallback_url=app.url("fallback"))
        reply(sandbox)
        sandbox.advance("1m")

    [reason] = reasons(sandbox)
    assert reason.endswith(f"error {code}: {why}")
    if document[0] != 302:
        [form] = app.forms("fallback")
        assert list(form) == [*ORDER, "ErrorCode", "ErrorUrl"]
        assert (form["ErrorCode"], form["ErrorUrl"]) == (str(code), app.url("sms"))
        assert texts(sandbox) == ["Later"]
    assert [message.status for message in client.messages.list() if message.direction == "inbound"] == ["received"]


def test_ti5_a_failure_without_a_fallback_is_only_in_the_journal(sandbox, number):
    number.update(sms_url=f"http://127.0.0.1:{receiver.free_port()}/sms")
    reply(sandbox)

    assert "error 11200: " in reasons(sandbox)[0]
    assert [len(webhook["attempts"]) for webhook in sandbox.entries("webhooks")] == [1]


def test_ti5_a_url_asks_for_retries(sandbox, number):
    with App(sms=(500, "text/plain", "")) as app:
        number.update(sms_url=f"{app.url('sms')}#rc=2&rp=5xx")
        reply(sandbox)

    assert len(app.requests) == 3
    assert len({headers["I-Twilio-Idempotency-Token"] for _, _, headers, _ in app.requests}) == 1


@pytest.mark.parametrize("text, segments", [("\N{THUMBS UP SIGN}", "1"), ("a" * 200, "2"), ("ж" * 71, "2")])
def test_ti6_any_text(sandbox, number, text, segments):
    with App(sms=NOTHING) as app:
        number.update(sms_url=app.url("sms"))
        reply(sandbox, text)

    [form] = app.forms("sms")
    assert (form["Body"], form["NumSegments"]) == (text, segments)


def test_ti7_stop_reaches_the_app_and_ends_texts(sandbox, client, number):
    with App(sms=xml("<Response><Message>Bye</Message></Response>")) as app:
        number.update(sms_url=app.url("sms"))
        reply(sandbox, "STOP")
        with refused(400, 21610):
            client.messages.create(to=NUMBER, from_=SENDER, body="Hello?")
        assert reasons(sandbox)[0].endswith(f"a text was not sent: 21610 {NUMBER} has stopped texts from {SENDER}")
        sandbox.seed(twilio={"settings": {"optOutType": True}})
        for text in "START", "help", "yes", "maybe":
            reply(sandbox, text)

    assert [form.get("OptOutType") for form in app.forms("sms")] == [None, "START", "HELP", "START", None]
    assert texts(sandbox) == ["Bye"] * 4


def test_ti9_a_person_answers_with_the_code(sandbox, client, number):
    def check(form):
        answer = MessagingResponse()
        answer.message("Welcome" if form["Body"] == "482913" else "Wrong")
        return answer

    with App(sms=xml(check)) as app:
        number.update(sms_url=app.url("sms"))
        client.messages.create(to=NUMBER, from_=SENDER, body="Your code is 482913")
        reply(sandbox, "111111")
        reply(sandbox, sandbox.code(NUMBER))

    assert texts(sandbox)[1:] == ["Wrong", "Welcome"]


def test_ti10_a_new_url_is_called(sandbox, client, number):
    with App(old=NOTHING, new=NOTHING) as app:
        for path in "old", "new":
            found = client.incoming_phone_numbers(client.incoming_phone_numbers.list()[0].sid)
            assert found.update(sms_url=app.url(path)).sms_url == found.fetch().sms_url == app.url(path)
            reply(sandbox)

    assert [(len(app.forms(path))) for path in ("old", "new")] == [1, 1]
    with refused(400, 21402):
        number.update(sms_url="localhost")
    with refused(404, 20404):
        client.incoming_phone_numbers("PN" + "0" * 32).fetch()


def test_ti11_balance_and_lists(connect, sandbox, client):
    assert (client.balance.fetch().balance, client.balance.fetch().currency) == ("0.05", "USD")
    assert client.outgoing_caller_ids.list() == []
    assert len(client.incoming_phone_numbers.local.list()) == 1
    assert client.incoming_phone_numbers.mobile.list() == client.incoming_phone_numbers.toll_free.list() == []
    stranger = connect(sandbox, password="wrong")
    numbers = stranger.incoming_phone_numbers
    for call in (stranger.balance.fetch, numbers.list, numbers.local.list, numbers.mobile.list, numbers.toll_free.list,
                 stranger.outgoing_caller_ids.list):
        with refused(401, 20003):
            call()


def test_ti12_whatsapp(sandbox, client, number):
    sandbox.seed(subscribers=[{"number": NUMBER, "kyc": {"givenName": "Ana", "familyName": "Horvat"}}])
    with App(sms=xml("<Response><Message>Hi</Message></Response>")) as app:
        number.update(sms_url=app.url("sms"))
        client.messages.create(to=f"whatsapp:{NUMBER}", from_=f"whatsapp:{SENDER}", body="Hello")
        reply(sandbox)

    [form] = app.forms("sms")
    assert (form["From"], form["To"]) == (f"whatsapp:{NUMBER}", f"whatsapp:{SENDER}")
    assert (form["WaId"], form["ProfileName"], form["MessageType"]) == ("12025550100", "Ana Horvat", "text")
    assert "FromCountry" not in form
    newest = sandbox.entries(f"inbox/{NUMBER}")[-1]
    assert (newest["text"], newest["channel"]) == ("Hi", "whatsapp")


def test_a_messaging_service_has_a_url_of_its_own(sandbox, client):
    service = "MG" + "1" * 32
    with App(service=NOTHING, number=NOTHING) as app:
        sandbox.seed(twilio={"messagingServices": [{"sid": service, "inboundRequestUrl": app.url("service")}]})
        client.messages.create(to=NUMBER, messaging_service_sid=service, body="Hello")
        reply(sandbox)
        [number] = client.incoming_phone_numbers.list()
        number.update(sms_url=app.url("number"))
        reply(sandbox)

    assert [form["MessagingServiceSid"] for form in app.forms("service") + app.forms("number")] == [service] * 2
    assert list(app.forms("service")[0]) == [*ORDER[:13], "MessagingServiceSid", *ORDER[13:]]


def test_what_an_answer_cannot_do_is_in_the_journal(sandbox, number):
    verbs = "<Say>Hi</Say><Message/><Message to='1'>a</Message><Message action='s' method='GET'>b</Message>"
    with App(sms=xml(f"<Response>{verbs}{'<Message>c</Message>' * 297}</Response>"), s=NOTHING) as app:
        number.update(sms_url=app.url("sms"))
        reply(sandbox)

    assert texts(sandbox) == ["b", *["c"] * 296]
    assert [reason.split(": ", 1)[1] for reason in reasons(sandbox)] == [
        "error 12200: expected Message or Redirect; found Say", "a text was not sent: 21602 Message body is required.",
        "a text was not sent: 21211 To: expected a phone number such as +12025550100",
        "not emulated: GET for an action; it gets POST", "error 12200: expected at most 300 verbs"]
