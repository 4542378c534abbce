"""A small WebSocket client (RFC 6455) for tests: text, ping and close frames, without extensions."""

import base64
import json
import os
import socket
import struct
from urllib.parse import urlsplit

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
TIMEOUT = 20  # seconds


class WebSocket:
    """An open socket. The constructor raises `Refused` if the server answers with another status than 101."""

    def __init__(self, url, headers=()):
        parts = urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=TIMEOUT)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        lines = [
            f"GET {target} HTTP/1.1", f"Host: {parts.netloc}", "Connection: Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            *(f"{name}: {value}" for name, value in dict(headers).items())]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self._read()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        status = int(head.split(b" ")[1])
        if status != 101:
            self.socket.close()
            raise Refused(status)

    def send(self, value):
        """Sends a value as JSON."""
        self.send_frame(TEXT, json.dumps(value).encode())

    def send_frame(self, kind, data=b""):
        mask = os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + struct.pack(">H", len(data))
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        self.socket.sendall(bytes([0x80 | kind]) + size + mask + masked)

    def receive(self):
        """The next message, decoded from JSON, or the code with which the server closes."""
        kind, data = self._receive_frame()
        while kind == PING:
            self.send_frame(PONG, data)
            kind, data = self._receive_frame()
        if kind == CLOSE:
            code = struct.unpack(">H", data[:2])[0]
            self.send_frame(CLOSE, data[:2])
            self.socket.close()
            return code
        assert kind == TEXT, kind
        return json.loads(data)

    def close(self):
        self.socket.close()

    def _receive_frame(self):
        first, second = self._take(2)
        assert not second & 0x80, "a server's frames have no mask"
        size = second & 0x7F
        if size == 126:
            size = struct.unpack(">H", self._take(2))[0]
        return first & 0x0F, self._take(size)

    def _take(self, count):
        while len(self.buffer) < count:
            self._read()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def _read(self):
        data = self.socket.recv(1 << 16)
        assert data, "the server closed the connection without a close frame"
        self.buffer += data


class Refused(Exception):
    """The server answered the handshake with this status."""
