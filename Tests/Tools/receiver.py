"""An HTTP server that receives and stores webhooks."""

import http.server
import queue
import socket
import ssl
import threading


def free_port(host="127.0.0.1"):
    """A port without a listener, for a receiver that is down."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, 0))
        return probe.getsockname()[1]


class Receiver:
    """A receiver, used with `with`. `answers` are its statuses in order; the last one repeats.

    For the status None, it does not respond until the receiver ends. Each answer has the same body. One that
    `keeps` connections serves several requests on each.
    """

    def __init__(self, port=0, host="127.0.0.1", answers=(200,), certificate=None, body="", keeps=False):
        self.connections, self._protocol = 0, "HTTP/1.1" if keeps else "HTTP/1.0"
        self.arrivals = queue.Queue()  # (path, headers, body) of each request
        self._answers, self._body = list(answers), body.encode()
        self._end = threading.Event()
        self._server = http.server.ThreadingHTTPServer((host, port), self._handler())
        self._server.daemon_threads = True
        self.scheme = "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
            self.scheme = "https"
        self.port = self._server.server_address[1]
        self.url = f"{self.scheme}://127.0.0.1:{self.port}/hook"

    def _handler(self):
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = self._protocol

            def setup(self):
                receiver.connections += 1
                super().setup()

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                receiver.arrivals.put((self.path, dict(self.headers), body))
                answers = receiver._answers
                status = answers.pop(0) if len(answers) > 1 else answers[0]
                if status is None:
                    return receiver._end.wait()
                self.send_response(status)
                self.send_header("Content-Length", str(len(receiver._body)))
                self.end_headers()
                self.wfile.write(receiver._body)

            do_GET = do_POST

            def log_message(self, *_):
                pass

        return Handler

    def next(self, within=20):
        """Waits for the next request."""
        return self.arrivals.get(timeout=within)

    def all(self):
        """Every request that was not returned yet."""
        return [self.arrivals.get_nowait() for _ in range(self.arrivals.qsize())]

    def __enter__(self):
        # The sandbox reports failed handshakes; do not print a trace too.
        self._server.handle_error = lambda *_: None
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._end.set()
        self._server.shutdown()
        self._server.server_close()


class App(Receiver):
    """An app that is asked for documents. `answer` gets the method, the target and the body of a request, and
    returns status, content type and text. Arrivals are (method, target, headers, body)."""

    def __init__(self, answer):
        self._answer = answer
        super().__init__()

    def _handler(self):
        app = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def _respond(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                app.arrivals.put((self.command, self.path, dict(self.headers), body))
                status, content_type, text = app._answer(self.command, self.path, body)
                self.send_response(status)
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            do_GET = do_POST = _respond

            def log_message(self, *_):
                pass

        return Handler
