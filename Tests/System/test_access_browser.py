"""A page of another origin in a real browser tries to use the control API. Source: issue 12, findings 8 and
9."""

import contextlib
import http.server
import json
import os
import pathlib
import queue
import signal
import subprocess
import threading
import urllib.parse

import pytest

import chromium
import ringfence
from control_state import control_state

PAGES = pathlib.Path(__file__).resolve().parent / "pages"
WITHIN = 90  # seconds

pytestmark = chromium.MARKS


class Site:
    """A server on the loopback: serves the pages, and collects what they report. `before` holds up a path's
    answer."""

    def __init__(self, port=0):
        site = self
        self.results, self.before = queue.Queue(), {}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.split("?")[0]
                site.before.get(path, lambda: None)()
                file = PAGES / path.lstrip("/")
                self.answer(file.read_bytes() if file.is_file() else b"")

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.answer(b"")
                site.results.put(json.loads(body))

            def answer(self, body):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


@contextlib.contextmanager
def visit(url, folder):
    """Chromium at a URL; every name of `.example` is this machine."""
    command = [
        chromium.program(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-dev-shm-usage", "--no-proxy-server", f"--user-data-dir={folder}", "--remote-debugging-port=0",
        "--host-resolver-rules=MAP *.example 127.0.0.1", url,
    ]
    # Debian's command is a script that waits for the browser.
    with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("page", ["http://evil.example", *(
    pytest.param(page, marks=pytest.mark.slow) for page in ("http://evil.localhost", "http://127.0.0.1"))])
def test_a_page_of_another_origin_changes_and_reads_nothing(page, tmp_path):
    with ringfence.Server() as server, Site() as site:
        port = server.address[1]
        targets = [f"http://{name}:{port}" for name in ("127.0.0.1", "localhost", "rebound.example")]
        told = {"sandboxes": targets, "collector": f"{page}:{site.port}"}
        before = control_state(server)

        with visit(f"{page}:{site.port}/attack.html#{urllib.parse.quote(json.dumps(told))}", tmp_path):
            results = site.results.get(timeout=WITHIN)

        assert {urllib.parse.urlsplit(one["url"]).hostname for one in results} == {"127.0.0.1", "localhost", "rebound.example"}
        kinds = {one["kind"].split()[0] for one in results}
        assert kinds == {"form", "fetch", "beacon", "img", "script", "iframe", "WebSocket", "EventSource", "provider"}
        assert [one for one in results if one["outcome"].startswith(("read", "loaded"))] == []
        assert control_state(server) == before
        reached = ringfence.requests.get(f"{server.http}/control/journal?limit=1000&provider=twilio", timeout=10).json()["requests"]
        assert len(reached) == len(targets), "the page did not reach the sandbox at all"


def test_a_page_whose_name_leads_to_the_sandbox_later_changes_and_reads_nothing(tmp_path):
    """DNS rebinding: the page's own origin becomes the sandbox's."""
    with Site() as collector, contextlib.ExitStack() as stack:
        evil, served = Site(), {}

        def become_the_sandbox():
            evil.close()
            listeners = ("--http", f"127.0.0.1:{evil.port}", "--https", "off", "--gateway", "off")
            served["server"] = stack.enter_context(ringfence.Server(listeners=listeners))
            served["before"] = control_state(served["server"])

        collector.before["/loaded"] = become_the_sandbox
        fragment = urllib.parse.quote(f"http://collector.example:{collector.port}")
        with visit(f"http://evil.example:{evil.port}/rebound.html#{fragment}", tmp_path):
            results = collector.results.get(timeout=WITHIN)

        *refused, alive = results
        assert (alive["path"], alive["status"], alive["text"]) == ("/livez", 200, "ok\n"), "the page did not reach the sandbox"
        assert len(refused) == 10
        for one in refused:
            assert one["status"] == 403 and json.loads(one["text"])["field"] == "Host", one
        assert control_state(served["server"]) == served["before"]
