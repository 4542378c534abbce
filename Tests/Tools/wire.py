"""HTTP/1.1 over a plain socket, for requests that no HTTP client would send."""

import dataclasses
import socket


@dataclasses.dataclass
class Reply:
    """A response: its bytes and its parts."""

    raw: bytes
    status: int
    headers: dict
    body: bytes

    @property
    def joined(self):
        """Its bytes, as if it had no chunks: those depend on how fast it is written and read."""
        head = self.raw.split(b"\r\n\r\n", 1)[0].replace(
            b"Transfer-Encoding: chunked", b"Content-Length: %d" % len(self.body))
        return head + b"\r\n\r\n" + self.body


class Wire:
    """A plain connection. It adds nothing to the bytes that are sent."""

    def __init__(self, address, timeout=15):
        self.socket = socket.create_connection(address, timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def send(self, data):
        """Sends the bytes, or as many as the server reads before it closes."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def receive(self, head_only=False):
        """The next response, or None if the server closed the connection."""
        while b"\r\n\r\n" not in self.buffer:
            if not self._read_more():
                return None
        head, _, rest = self.buffer.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split(" ")[1])
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        if headers.get("transfer-encoding") == "chunked" and not head_only:
            return self._receive_chunks(len(head) + 4, status, headers)
        length = 0 if head_only or status in (204, 304) or status < 200 else int(headers.get("content-length", -1))
        while length < 0 or len(rest) < length:
            if not self._read_more():
                break
            rest = self.buffer[len(head) + 4:]
        length = len(rest) if length < 0 else length
        whole, self.buffer = self.buffer[:len(head) + 4 + length], self.buffer[len(head) + 4 + length:]
        return Reply(whole, status, headers, rest[:length])

    def _receive_chunks(self, start, status, headers):
        """The response whose body begins at `start`, its chunks joined."""
        body = b""
        while True:
            while (end := self.buffer.find(b"\r\n", start)) < 0:
                assert self._read_more(), "the body ended early"
            size = int(self.buffer[start:end], 16)
            while len(self.buffer) < end + size + 4:
                assert self._read_more(), "the body ended early"
            body += self.buffer[end + 2:end + 2 + size]
            start = end + size + 4
            if size == 0:
                whole, self.buffer = self.buffer[:start], self.buffer[start:]
                return Reply(whole, status, headers, body)

    def closed(self):
        """True if the server closes without sending more."""
        return self.buffer == b"" and not self._read_more()

    def close(self):
        self.socket.close()

    def _read_more(self):
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError:
            data = b""
        self.buffer += data
        return data != b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def request(method, target, body=None, host="localhost", **headers):
    """The bytes of an ordinary request; `content_type=…` becomes `Content-Type: …`."""
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}"]
    lines += [f"{name.replace('_', '-').title()}: {value}" for name, value in headers.items()]
    if body is not None:
        body = body if isinstance(body, bytes) else body.encode()
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (body or b"")
