"""Telesign's official Python clients of one sandbox, and helpers around its control API."""

import functools

import telesign.rest
import telesign.voice
from telesignenterprise import appverify, messaging, omniverify, phoneid, score, telebureau, verify

import telesign_signing

NUMBER = "15558675309"
REFERENCE = r"[0-9A-F]{32}"
UNKNOWN = "F" * 32
OTHER_KEY = "QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl9gYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+fw=="
# The default sandbox's account is public: the first key of the signature vectors, bytes 0 to 63.
PUBLISHED = ("FFFFFFFF-EEEE-DDDD-1234-AB1234567890",
             "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw==")


class Clients:
    """The clients of contract 17, made on first use.

    `answers` are their responses; `check` is called with each. `key`, `customer`, `base` and `auth_method`
    replace the sandbox's own."""

    def __init__(self, sandbox, check, key=None, customer=None, base=None, **named):
        own = sandbox.credentials["telesign"]
        self.sandbox, self.check, self.named = sandbox, check, named
        self.customer, self.key = customer or own["customerId"], key or own["apiKey"]
        self.url = f"{sandbox.base}/telesign" if base is None else base
        self.answers = []

    def other(self, **named):
        """Clients of the same sandbox with changed arguments."""
        return Clients(self.sandbox, self.check, **{"key": self.key, "customer": self.customer, **named})

    def _make(self, kind):
        client = kind(self.customer, self.key, rest_endpoint=self.url, **self.named)
        client.session.hooks["response"].append(self._note)
        return client

    ov = functools.cached_property(lambda self: self._make(omniverify.OmniVerify))
    vc = functools.cached_property(lambda self: self._make(verify.VerifyClient))
    mc = functools.cached_property(lambda self: self._make(messaging.MessagingClient))
    pc = functools.cached_property(lambda self: self._make(phoneid.PhoneIdClient))
    sc = functools.cached_property(lambda self: self._make(score.ScoreClient))
    av = functools.cached_property(lambda self: self._make(appverify.AppVerifyClient))
    tb = functools.cached_property(lambda self: self._make(telebureau.TelebureauClient))
    voice = functools.cached_property(lambda self: self._make(telesign.voice.VoiceClient))
    rc = functools.cached_property(lambda self: self._make(telesign.rest.RestClient))

    def _note(self, response, *_, **__):
        self.answers.append(response)
        self.check(response.request.method, response.url, response.status_code, response.headers, response.text)

    # Requests that an unmodified client cannot send

    @property
    def moment(self):
        """The sandbox's time."""
        return telesign_signing.instant(self.sandbox.control("GET", "clock").json()["now"])

    @property
    def caller(self):
        """The same account, signing by hand at the sandbox's time."""
        return telesign_signing.Caller(self.url, self.customer, telesign_signing.without_foreign(self.key), self.moment)

    @property
    def basic(self):
        """The header of Basic authentication."""
        return telesign_signing.Caller(self.url, self.customer, b"", None).basic(self.key)

    def raw(self, method, resource, headers=(), body="", tail=""):
        """A request with these headers only. Its response is checked too."""
        answer = telesign_signing.send(method, self.url + resource, headers, body, tail)
        self.check(method, self.url + resource, answer.status_code, answer.headers, answer.text)
        return answer

    def handset(self, method, path, token=None, **named):
        """A call of the mobile SDK (contract 5.4), with a mobile_app_token."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.sandbox.session.request(
            method, f"{self.sandbox.base}/handset/telesign/v1/{path}", headers=headers, timeout=20, **named)

    # The sandbox

    def switch(self, **values):
        """Changes settings of contract 16; `verify__wrong_code` is `verify.wrong_code`."""
        self.sandbox.seed(telesign={"settings": {name.replace("__", "."): value for name, value in values.items()}})

    def replace_keys(self, *keys):
        """Replaces the account's keys."""
        self.sandbox.seed(telesign={"accounts": [{"customerId": self.customer, "apiKeys": list(keys)}]})

    def advance(self, duration):
        self.sandbox.advance(duration)

    def inbox(self, number=NUMBER):
        """The messages on a handset, oldest first."""
        found = self.sandbox.control("GET", f"inbox/+{number}").json()["messages"]
        return sorted(found, key=lambda message: int(message["id"].rsplit("_", 1)[1]))

    def code(self, number=NUMBER):
        """The code that was last sent to a number."""
        return self.sandbox.code(f"+{number}")

    def text(self, number=NUMBER):
        """The text that was last sent to a number."""
        return self.inbox(number)[-1]["text"]

    # The Verify API

    def create(self, number=NUMBER, **fields):
        """Creates a process with the client's own method, which sends the number only."""
        return self.ov.createVerificationProcess(number, dict(fields))

    def begin(self, number=NUMBER, **fields):
        """Creates a process and returns its reference id."""
        answer = self.create(number, **fields)
        assert (answer.status_code, answer.json["status"]["code"]) == (200, 3901), answer.body
        return answer.json["reference_id"]

    def generic(self, **fields):
        """Creates a process with the client's general method, which can send any recipient (3.3, quirk
        12)."""
        return self.ov.post("/verification", json_fields=fields)

    def process(self, reference):
        """Retrieves a process."""
        answer = self.ov.getVerificationProcess(reference)
        assert answer.status_code == 200, answer.body
        return answer.json

    def finalize(self, reference, code):
        return self.ov.updateVerificationProcess(reference, {"action": "finalize", "security_factor": code})

    def verdict(self, reference, code):
        """The status code of a finalization."""
        return self.finalize(reference, code).json["status"]["code"]


def code_of(answer):
    """`status.code` of a response."""
    return answer.json["status"]["code"]


def error_of(answer):
    """The only error code in a response of the legacy family; it is negative."""
    (error,) = answer.json["errors"]
    return error["code"]
