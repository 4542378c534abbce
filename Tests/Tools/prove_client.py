"""Requests as Prove's official SDKs send them (`prove.md` 1.4 and 10), and a device that follows the guides'
callbacks."""

import dataclasses
import http.client
import json
from urllib.parse import quote_plus, urlsplit

import prove_schema
import sdk_requests
import websocket_client

TIMEOUT = 20  # seconds


class Answer(sdk_requests.Answer):
    def __getitem__(self, name):
        return self.json()[name]


@dataclasses.dataclass
class SDK:
    """How an SDK writes requests."""

    name: str
    agent: str
    token_agent: str
    headers: dict
    """The order of the fields in the form of a token request."""
    token_fields: tuple
    api_headers: dict = dataclasses.field(default_factory=dict)
    """True if the body of a token request is chunked."""
    chunks_token: bool = False
    """True if the keys of a body are sorted, and required texts without a value are sent as ''."""
    sends_empty_texts: bool = False
    """True if a request without a body still has a JSON content type."""
    types_empty_body: bool = False

    def client(self, sandbox, **credentials):
        """A client of a sandbox, with the sandbox's credentials unless others are given."""
        own = sandbox.credentials["prove"]
        return Client(self, sandbox.base, credentials.get("client_id", own["clientId"]),
                      credentials.get("client_secret", own["clientSecret"]))

    def token_form(self, client_id, secret, grant="client_credentials"):
        values = {"client_id": client_id, "client_secret": secret, "grant_type": grant}
        return "&".join(f"{name}={quote_plus(values[name])}" for name in self.token_fields).encode()

    def encode(self, body, required):
        if not self.sends_empty_texts:
            return json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
        whole = {**{name: "" for name in required}, **body}
        return json.dumps(whole, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()


class Client:
    """A back end with one SDK. It asks for a token once, before it expires, and after a 401.

    A call whose token request fails returns that answer, where an SDK raises an error.
    """

    def __init__(self, sdk, base, client_id, secret):
        self.sdk, self.base, self.client_id, self.secret = sdk, base, client_id, secret
        self.token = None
        # False: answers need not be the provider's.
        self.checks = True
        self.answers = []
        """The client's own clock, in seconds, and when it asks for another token."""
        self.now, self.renewal = 0, 0
        """The SSL context for https."""
        self.tls = None

    def unify(self, **body):
        return self.call("POST", "/v3/unify", body, ("possessionType", "clientRequestId"))

    def status(self, correlation_id, **more):
        return self.call("POST", "/v3/unify-status", {"correlationId": correlation_id, **more}, ("correlationId",))

    def bind(self, correlation_id, phone_number, **more):
        body = {"correlationId": correlation_id, "phoneNumber": phone_number, **more}
        return self.call("POST", "/v3/unify-bind", body, ("correlationId", "phoneNumber"))

    def revoke(self, device_id, **more):
        return self.call(
            "POST", "/v3/device/revoke", {"deviceId": device_id, **more}, ("deviceId", "clientRequestId"))

    def call(self, method, path, body=None, required=()):
        """One operation. Without a body, an empty one is sent, as for an optional argument that is
        missing."""
        if self.token is None or self.now >= self.renewal:
            answer = self.request_token()
            if answer.status != 200:
                return answer
            # SDKs renew tokens 60 s before they expire.
            self.token, self.renewal = answer["access_token"], self.now + answer["expires_in"] - 60
        data = b"" if body is None else self.sdk.encode(body, required)
        headers = {"Accept": "application/json", "Authorization": f"Bearer {self.token}", **self.sdk.api_headers}
        if data or (self.sdk.types_empty_body and method != "GET"):
            headers["Content-Type"] = "application/json"
        answer = self._send(method, self.base + path, headers, self.sdk.agent, data)
        self.answers.append(answer)
        if answer.status == 401:
            self.token = None
        return answer

    def request_token(self, grant="client_credentials"):
        """The automatic request: at the root of the origin, whatever the path of the base URL."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        data = self.sdk.token_form(self.client_id, self.secret, grant)
        return self._send("POST", origin(self.base) + "/token", headers, self.sdk.token_agent, data,
                          chunked=self.sdk.chunks_token)

    def explicit_token(self, grant="client_credentials", secret=None):
        """The operation V3TokenRequest, which keeps the path of the base URL."""
        headers = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded", **self.sdk.api_headers}
        data = self.sdk.token_form(self.client_id, secret or self.secret, grant)
        return self._send("POST", f"{self.base}/token", headers, self.sdk.agent, data)

    def _send(self, method, url, headers, agent, data, chunked=False):
        headers = {"User-Agent": agent, **self.sdk.headers, **headers}
        if chunked:
            headers["Transfer-Encoding"] = "chunked"
            data = b"%x\r\n%s\r\n0\r\n\r\n" % (len(data), data)
        elif data or method != "GET" or self.sdk.name == "java":
            headers["Content-Length"] = str(len(data))
        return (send_checked if self.checks else send)(method, url, headers, data, self.tls)


def send(method, url, headers=(), data=b"", tls=None):
    """Sends these headers and bytes on a new connection, and adds nothing but `Host`."""
    parts = urlsplit(url)
    if parts.scheme == "https":
        connection = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=TIMEOUT, context=tls)
    else:
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    connection.putrequest(method, target, skip_accept_encoding=True)
    for name, value in dict(headers).items():
        connection.putheader(name, value)
    connection.endheaders(data or None)
    response = connection.getresponse()
    answer = Answer(response.status, response.headers, response.read().decode())
    connection.close()
    return answer


def send_checked(method, url, headers=(), data=b"", tls=None):
    """The same, for a response that SDKs read (10.1)."""
    answer = send(method, url, headers, data, tls)
    prove_schema.check(method, url, answer.status, answer.headers["Content-Type"], answer.text)
    return answer


def origin(url):
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


GO = SDK(
    "go", "speakeasy-sdk/go 0.14.7 2.881.4 1.0.0 github.com/prove-identity/prove-sdk-server-go", "Go-http-client/1.1",
    {"Accept-Encoding": "gzip"}, ("client_id", "client_secret", "grant_type"), sends_empty_texts=True)
TYPESCRIPT = SDK(
    "typescript", "speakeasy-sdk/typescript 0.14.9 2.656.3 1.0.0 @prove-identity/prove-api", "node",
    {"accept-language": "*", "sec-fetch-mode": "cors", "accept-encoding": "gzip, deflate"},
    ("grant_type", "client_id", "client_secret"), api_headers={"cookie": ""}, types_empty_body=True)
JAVA = SDK(
    "java", "speakeasy-sdk/java 0.21.6 2.881.4 1.0.0 com.prove.proveapi", "Java-http-client/17.0.15",
    {"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c",
     "HTTP2-Settings": "AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA"},
    ("grant_type", "client_secret", "client_id"), chunks_token=True)
SDKS = (GO, TYPESCRIPT, JAVA)


class Device:
    """A device with one app. It keeps its registration between sessions, as the provider's client libraries
    do."""

    def __init__(self, platform="web", features=("otp",), role="primary", **more):
        self.about = {"platform": platform, "role": role, "features": list(features), **more}
        self.registration = {}
        self.url = self.token = self.step = None

    def authenticate(self, unified):
        """Starts with the auth token of a unify response. Returns the step object, like all that follow."""
        self.token = unified["authToken"]
        self.url = claims(self.token)["deviceUrl"]
        return self._step(self._post("authenticate", {**self.about, **self.registration}))

    def mobile_auth(self, cellular=True, **more):
        return self.act("mobile-auth", {"cellular": cellular, **more})

    def otp_start(self, phone_number=None):
        return self.act("otp/start", {"phoneNumber": phone_number} if phone_number else {})

    def otp(self, code):
        return self.act("otp/finish", {"resultType": 0, "input": {"otp": code}})

    def link_start(self, phone_number=None):
        return self.act("instant-link/start", {"phoneNumber": phone_number} if phone_number else {})

    def act(self, action, body):
        return self._step(self.try_to(action, body))

    def try_to(self, action, body):
        """The same, for an action that may be refused: the whole answer."""
        return self._post(f"{self.step['authId']}/{action}", body)

    def watch(self):
        """A WebSocket of the session. A browser's script cannot add header fields, so the token is in the
        query."""
        url = f"{self.url}/{self.step['authId']}/events?access_token={self.token}"
        return websocket_client.WebSocket(url.replace("http://", "ws://"))

    def _post(self, path, body):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = json.dumps(body).encode()
        answer = send_checked("POST", f"{self.url}/{path}", {**headers, "Content-Length": str(len(data))}, data)
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        return answer

    def _step(self, answer):
        assert answer.status == 200, answer
        self.step = answer.json()
        if placed := self.step.get("device"):
            self.registration = {"deviceId": placed["deviceId"], "key": placed["key"]}
        return self.step


def claims(token):
    """The claims of a JSON Web Token. Only the sandbox's own device may read them: clients treat tokens as
    opaque."""
    import base64

    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
