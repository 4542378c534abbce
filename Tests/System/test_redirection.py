"""Unmodified programs use the providers' host names, reach the sandbox, and reach nothing else. Source: issue
5."""

import dataclasses
import functools
import shutil
import socket
import subprocess
import sys

import pytest

import authorities
import ringfence
from inside import APPS

AT_ONCE = 2  # seconds; the kernel answers in microseconds, a time-out would be a minute


@dataclasses.dataclass
class App:
    """A program of Tests/System/apps, its last line of output, and the hosts that it calls."""

    command: tuple
    says: str
    hosts: set
    needs: tuple = ()  # a command that fails where the runtime is not there
    has_proxy_support: bool = True

    @property
    def name(self):
        return self.command[-1].split("/")[1]


TWILIO, PRELUDE = {"verify.twilio.com"}, {"api.prelude.dev"}
WHOLE = [
    App((sys.executable, "sdks/twilio_app.py"), "approved", TWILIO),
    App((sys.executable, "sdks/twilio_async_app.py"), "approved", TWILIO, has_proxy_support=False),
    App((sys.executable, "sdks/telesign_app.py"), "Verified",
        {"rest-api.telesign.com", "rest-ww.telesign.com", "verify.telesign.com"}),
    App(("env", "-u", "PRELUDE_BASE_URL", sys.executable, "sdks/prelude_app.py"), "success", PRELUDE),
    App((sys.executable, "sdks/vonage_app.py"), "completed", {"api.nexmo.com"}),
    App((sys.executable, "sdks/firebase_app.py"), "2", {"oauth2.googleapis.com", "fcm.googleapis.com"}),
    App(("sh", "clients/curl.sh"), "approved", TWILIO, needs=("curl", "--version")),
    App(("node", "clients/node_https.mjs"), "VALID", {"rest-ww.telesign.com"}, ("node", "--version")),
    App(("node", "clients/node_fetch.mjs"), "success", PRELUDE, ("node", "--version")),
    App(("java", "clients/JavaHttpClient.java"), "success", PRELUDE, ("javac", "-version")),
    App(("java", "clients/JavaConnection.java"), "approved", TWILIO, ("javac", "-version")),
    App(("ruby", "clients/net_http.rb"), "approved", TWILIO, ("ruby", "--version")),
    App(("ruby", "sdks/telesign_sdk.rb"), "VALID", {"rest-ww.telesign.com"}, ("ruby", "-rtelesignenterprise", "-e0"),
        has_proxy_support=False),
    App(("php", "clients/curl.php"), "approved", TWILIO, ("php", "-r", "curl_init();")),
    App(("go", "run", "clients/net_http.go"), "success", PRELUDE, ("go", "version")),
]


@functools.cache
def works(*command):
    return shutil.which(command[0]) and subprocess.run(command, capture_output=True, check=False).returncode == 0


def hosts_asked(run, after):
    """The provider hosts of requests after this cursor."""
    fields = [field for exchange in run.journal(after)["requests"] if exchange["provider"]
              for field in exchange["request"]["headers"]]
    return {field.split(": ", 1)[1] for field in fields if field.lower().startswith("host: ")}


def expect(app, run):
    if app.needs and not works(*app.needs):
        pytest.skip(f"no {app.command[0]} here: `make languages` installs it")
    before = run.journal()["cursor"]

    done = run.run(*app.command[:-1], APPS / app.command[-1])

    assert (done.status, done.out.splitlines()[-1:]) == (0, [app.says]), done.out + done.err
    assert hosts_asked(run, before) == app.hosts


# A program in Java takes seconds to compile: one stays in `make test`.
EACH = [pytest.param(app, id=app.name, marks=[pytest.mark.slow] if app.name == "JavaConnection.java" else []) for app in WHOLE]


@pytest.mark.parametrize("app", [app for app in EACH if app.values[0].has_proxy_support])
def test_a_program_reaches_the_sandbox(app, proxied):
    expect(app, proxied)


@pytest.mark.parametrize("app", EACH)
def test_any_program_reaches_the_sandbox_when_isolated(app, isolated):
    expect(app, isolated)


def test_isolated_the_loopback_is_the_only_interface(isolated):
    assert isolated.python("import json, socket; print(json.dumps([name for _, name in socket.if_nameindex()]))") == ["lo"]


def test_isolated_only_the_providers_names_resolve(isolated, tmp_path):
    ringfence.command("ca", "--data", tmp_path)
    hosts = authorities.hosts(tmp_path)
    known, unknown, seconds = isolated.python(f"""
import ipaddress, json, socket, time
def addresses(host):
    try:
        return [entry[4][0] for entry in socket.getaddrinfo(host, 443)]
    except socket.gaierror:
        return []
known = {{host: [ipaddress.ip_address(found).is_loopback for found in addresses(host)] for host in {hosts}}}
started = time.monotonic()
unknown = addresses("example.com") + addresses("twilio.com") + addresses("console.twilio.com")
print(json.dumps([known, unknown, time.monotonic() - started]))
""")

    assert [host for host in hosts if not known[host] or not all(known[host])] == []
    assert len(hosts) > 10 and unknown == []
    assert seconds < 3 * AT_ONCE


def test_isolated_services_of_the_machine_are_unreachable(isolated):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        refused = isolated.python(f"""
import json, socket
try:
    socket.create_connection(("127.0.0.1", {port}), timeout=10)
    print(json.dumps(False))
except ConnectionRefusedError:
    print(json.dumps(True))
""")

    assert refused


WAYS = pytest.mark.parametrize("way", ["proxied", "isolated"])


@WAYS
def test_links_stay_in_the_sandbox(way, request):
    """Paging links and the URL that a phone opens contain the provider's host. A client that follows them
    stays in the sandbox."""
    status, services, opened = request.getfixturevalue(way).python("""
import json, os, subprocess
from twilio.rest import Client

verify = Client().verify.v2
for name in ("one", "two"):
    verify.services.create(friendly_name=name)
service = verify.services(os.environ["TWILIO_VERIFY_SERVICE_SID"])
url = service.verifications.create(to="+12025550100", channel="sna").sna["url"]
opened = subprocess.run(["curl", "-sSL", url], capture_output=True, text=True).stdout
status = service.verification_checks.create(to="+12025550100").status
print(json.dumps([status, [each.friendly_name for each in verify.services.list(page_size=1)], opened]))
""")

    assert status == "approved"
    assert {"one", "two"} < set(services)
    assert "ErrorCode=0" in opened


@WAYS
def test_webhooks_reach_the_program(way, request):
    path = request.getfixturevalue(way).python("""
import http.server, json, os, threading, urllib.request

class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        paths.append(self.path)
        called.set()

    def log_message(self, *_):
        pass

paths, called = [], threading.Event()
server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
threading.Thread(target=server.serve_forever, daemon=True).start()
body = {"target": {"type": "phone_number", "value": "+33639980050"},
        "options": {"callback_url": f"http://127.0.0.1:{server.server_port}/hook"}}
urllib.request.urlopen(urllib.request.Request(
    "https://api.prelude.dev/v2/verification", json.dumps(body).encode(),
    {"Authorization": "Bearer " + os.environ["API_TOKEN"], "Content-Type": "application/json"}))
called.wait(20)
print(json.dumps(paths[0]))
""")

    assert path == "/hook"
