"""HTTP/2 with clients of others: nghttp and h2load, Node's http2, Python's httpx, curl."""

import base64
import json
import pathlib
import re
import shutil
import ssl
import subprocess
import threading

import httpx
import pytest
import requests
from twilio.http import HttpClient
from twilio.http.response import Response
from twilio.rest import Client

import ringfence
import wire
from http2_wire import NO_ERROR, Http2Wire, data, fields, request, settings, window_update
from largest_requests import goldens

HERE = pathlib.Path(__file__).parent
FROZEN = "2026-01-05T10:20:30Z"
# For long answers: the usual window has 64 KB, for a stream and for all together.
WINDOW = 1 << 24
BOTH = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "127.0.0.1:0")


@pytest.fixture(scope="module")
def trust(tmp_path_factory):
    return tmp_path_factory.mktemp("trust")


@pytest.fixture(scope="module")
def secure(trust):
    """A server with both listeners."""
    with ringfence.Server("--trust", trust, listeners=BOTH) as server:
        yield server


def urls(server):
    return [server.http, server.https.replace("127.0.0.1", "localhost")]


def run(*words):
    if shutil.which(words[0]) is None:
        pytest.skip(f"this machine has no {words[0]}")
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


# MARK: other clients


def test_nghttp_speaks_both_ways(secure):
    for url in urls(secure):
        assert run("nghttp", f"{url}/livez") == "ok\n"


def test_h2load_sends_many_streams(secure):
    for url in urls(secure):
        out = run("h2load", "-n", 2000, "-c", 4, "-m", 100, f"{url}/livez")

        assert "2000 done, 2000 succeeded, 0 failed, 0 errored" in out


@pytest.mark.parametrize("is_secure", [False, True], ids=["http", "https"])
def test_node_sends_many_requests_on_one_connection(secure, trust, is_secure):
    url = urls(secure)[is_secure]
    authority = [trust / "authority.pem"] if is_secure else []

    out = json.loads(run("node", HERE / "http2_client.mjs", f"{url}/livez", 100, *authority))

    assert out["protocol"] == ("h2" if is_secure else "h2c")
    assert out["answers"] == [{"status": 200, "body": "ok\n"}] * 100


def test_httpx_agrees_on_http_2(secure, trust):
    context = ssl.create_default_context(cafile=trust / "authority.pem")
    with httpx.Client(http2=True, verify=context) as client:
        answer = client.get(f"{urls(secure)[1]}/livez")

        assert (answer.http_version, answer.text) == ("HTTP/2", "ok\n")


def test_curl_agrees_on_http_2_also_through_a_tunnel(secure, trust):
    out = run("curl", "-s", "--cacert", trust / "authority.pem", "--proxy", secure.http, "-w", "%{http_version}",
              "https://fcm.googleapis.com/livez")

    assert out == "ok\n2"


def test_curl_speaks_http_2_inside_a_plain_tunnel(secure):
    out = run("curl", "-s", "--proxytunnel", "--proxy", secure.http, "--http2-prior-knowledge", "-w",
              "%{http_version}", "http://verify.twilio.com/livez")

    assert out == "ok\n2"


# MARK: the same answers by both protocols


# Long polls and event streams; what counts the machine's time; and webhooks, whose attempts are numbered when
# the network fails.
DIFFERS = re.compile(r'wait=|/stream|"ttl"|/metrics|webhook|callback|http://(localhost|127\.0\.0\.1)', re.IGNORECASE)


def twins():
    """Two servers that answer the same requests with the same bytes."""
    return [ringfence.Server("--clock", FROZEN, "--entropy-seed", 7) for _ in range(2)]


def test_every_operation_has_the_same_answer_by_both_protocols():
    """Sends the requests of all goldens to two equal servers, one by each protocol."""
    asked = [found for found in goldens() if not DIFFERS.search(found["target"] + found["body"])]
    first, second = twins()
    with first, second:
        line, client = wire.Wire(first.address, timeout=60), with_large_window(second)
        stream, differing, by_provider = -1, [], {}
        for found in asked:
            headers = [(item["name"].lower(), item["value"]) for item in found["headers"]]
            host = dict(headers).get("host", "localhost")
            if found["method"] == "CONNECT" or any(name == "upgrade" for name, _ in headers):
                continue
            rest = [pair for pair in headers if pair[0] not in ("host", "connection", "transfer-encoding")]
            one = answer_by_http1(line, found, host, rest)
            stream += 2
            body = found["body"].encode()
            length = [("content-length", str(len(body)))] if body else []
            pairs = [*fields(found["method"], found["target"], host), *rest, *length]
            client.send(request(stream, ends=not body, pairs=pairs), window_update(stream, WINDOW),
                        data(stream, body, ends=True) if body else b"")
            two = client.answer(stream)
            if one.headers.get("connection") == "close":
                assert client.goaway() == NO_ERROR, "the same by HTTP/2"
                line.close(), client.close()
                line, client, stream = wire.Wire(first.address), with_large_window(second), -1
            by_provider[found["group"]] = by_provider.get(found["group"], 0) + 1
            if (one.status, plain(one.body)) != (two.status, plain(two.body)):
                differing.append((found["name"], one.status, two.status, plain(one.body)[:300], plain(two.body)[:300]))

        line.close(), client.close()
    assert differing == []
    assert len(by_provider) >= 6 and sum(by_provider.values()) > 600, by_provider


def with_large_window(server):
    """A connection for all answers together."""
    client = Http2Wire(server.address, timeout=60)
    client.send(window_update(0, WINDOW))
    return client


def answer_by_http1(line, found, host, headers):
    head = "".join(f"{name}: {value}\r\n" for name, value in [("host", host), *headers])
    body = found["body"].encode()
    length = f"content-length: {len(body)}\r\n" if body else ""
    line.send(f"{found['method']} {found['target']} HTTP/1.1\r\n{head}{length}\r\n".encode() + body)
    return line.receive(head_only=found["method"] == "HEAD")


def plain(body):
    """Without what differs between two processes: ports, and signatures that are random."""
    body = re.sub(rb":\d{4,5}\b", b":PORT", body)
    return re.sub(rb"eyJ[\w-]+\.[\w-]+\.[\w-]+", b"JWT", body)


class Recording(HttpClient):
    """Twilio's SDK on httpx. Stores all bodies."""

    def __init__(self, is_http2):
        self.client = httpx.Client(http2=is_http2, http1=not is_http2)
        self.versions, self.bodies = set(), []

    def request(self, method, url, params=None, data=None, headers=None, auth=None, timeout=None,
                allow_redirects=False):
        answer = self.client.request(method, url, params=params, data=data, headers=headers, auth=auth)
        self.versions.add(answer.http_version)
        self.bodies.append(plain(answer.content))
        return Response(answer.status_code, answer.text, answer.headers)


def test_the_sdk_of_twilio_has_the_same_bodies_by_both_protocols():
    recordings = [Recording(False), Recording(True)]
    for server, recording in zip(twins(), recordings):
        with server:
            own = server.sandbox_described("default")["credentials"]["twilio"]
            client = Client(own["accountSid"], own["authToken"], http_client=recording)
            client.verify.base_url = server.http
            service = client.verify.v2.services(own["serviceSid"])
            made = service.verifications.create(to="+12025550100", channel="sms")
            code = requests.get(f"{server.http}/control/inbox/+12025550100/latest/code", timeout=10).text.strip()
            checked = service.verification_checks.create(to="+12025550100", code=code)
            assert (made.status, checked.status) == ("pending", "approved")

    assert [recording.versions for recording in recordings] == [{"HTTP/1.1"}, {"HTTP/2"}]
    assert recordings[0].bodies == recordings[1].bodies and len(recordings[0].bodies) >= 2


# MARK: kinds of responses


def test_1000_long_polls_share_eight_connections(server, sandbox):
    clients = [Http2Wire(server.address, timeout=30) for _ in range(8)]
    path = f"/s/{sandbox.name}/control/inbox/+12025550100/latest?wait=30"
    for client in clients:
        client.send(*(request(stream, path=path) for stream in range(1, 251, 2)))
        assert client.ping()
    sandbox.twilio(To="+12025550100", Channel="sms")

    for client in clients:
        assert {client.answer(stream).status for stream in range(1, 251, 2)} == {200}
        client.close()


def test_a_large_body_is_sent_as_far_as_the_windows_allow(server):
    """Without another frame of the client."""
    expected = requests.get(f"{server.http}/control/openapi.json", timeout=30).content
    with Http2Wire(server.address, first=settings((4, 1 << 24))) as client:
        client.send(window_update(0, 1 << 24), request(1, path="/control/openapi.json"))

        assert client.answer(1).body == expected and len(expected) > 100_000


# MARK: durability


def test_kill_9_loses_nothing_acknowledged_by_http_2(tmp_path):
    """Eight connections with four streams each, killed under load."""
    server = ringfence.Server("--data", tmp_path)
    own = server.sandbox_described("default")["credentials"]["twilio"]
    pair = base64.b64encode(f"{own['accountSid']}:{own['authToken']}".encode()).decode()
    service = f"/v2/Services/{own['serviceSid']}"
    acknowledged, enough = [], threading.Semaphore(0)

    def work(worker):
        with Http2Wire(server.address) as client:
            for turn in range(1000):
                streams = range(8 * turn + 1, 8 * turn + 9, 2)
                for stream in streams:
                    body = f"To=%2B8613{worker}{stream:08}&Channel=sms".encode()
                    client.send(
                        request(stream, ends=False, method="POST", path=f"{service}/Verifications",
                                authorization=f"Basic {pair}", content_type="application/x-www-form-urlencoded"),
                        data(stream, body, ends=True))
                for stream in streams:
                    answer = client.answer(stream)
                    if answer is None:
                        return
                    assert answer.status == 201, answer
                    acknowledged.append(json.loads(answer.body)["sid"])
                    enough.release()

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(8)]
    for thread in threads:
        thread.start()
    for _ in range(200):
        assert enough.acquire(timeout=60)
    server.kill()
    for thread in threads:
        thread.join(60)

    with ringfence.Server("--data", tmp_path) as server, httpx.Client(
            http1=False, http2=True, auth=(own["accountSid"], own["authToken"])) as client:
        lost = [sid for sid in acknowledged
                if client.get(f"{server.http}{service}/Verifications/{sid}").status_code != 200]
    assert len(acknowledged) >= 200 and lost == []
