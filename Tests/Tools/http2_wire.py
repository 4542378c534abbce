"""HTTP/2 over a socket, frame by frame, for frames that no HTTP client would send (RFC 9113)."""

import dataclasses
import socket
import struct

import hpack

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, ACK, END_HEADERS, PADDED, WITH_PRIORITY = 0x1, 0x1, 0x4, 0x8, 0x20

(NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE_ERROR,
 REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, CONNECT_ERROR, ENHANCE_YOUR_CALM, INADEQUATE_SECURITY,
 HTTP_1_1_REQUIRED) = range(14)


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def settings(*pairs):
    return frame(SETTINGS, payload=b"".join(struct.pack(">HI", *pair) for pair in pairs))


def window_update(stream, count):
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", count))


def reset(stream, code=CANCEL):
    return frame(RST_STREAM, 0, stream, struct.pack(">I", code))


def fields(method="GET", path="/livez", authority="localhost", scheme="http", **more):
    """The fields of a request; underscores in names become hyphens."""
    return [(":method", method), (":scheme", scheme), (":path", path), (":authority", authority),
            *((name.replace("_", "-"), value) for name, value in more.items())]


def block(pairs):
    """A header block of literals without indexing (RFC 7541, 6.2.2), which leaves no state behind."""
    return b"".join(b"\x00" + text(name) + text(value) for name, value in pairs)


def text(value):
    value = value.encode() if isinstance(value, str) else value
    return number(len(value), 7) + value


def number(value, bits, flags=0):
    """An integer with a prefix of this many bits (RFC 7541, 5.1)."""
    limit = (1 << bits) - 1
    if value < limit:
        return bytes([flags | value])
    out, value = [flags | limit], value - limit
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def request(stream, ends=True, pairs=None, **parts):
    flags = END_HEADERS | (END_STREAM if ends else 0)
    return frame(HEADERS, flags, stream, block(pairs or fields(**parts)))


def data(stream, payload=b"", ends=False):
    return frame(DATA, END_STREAM if ends else 0, stream, payload)


@dataclasses.dataclass
class Frame:
    kind: int
    flags: int
    stream: int
    payload: bytes

    @property
    def code(self):
        """The error code of GOAWAY and RST_STREAM."""
        return struct.unpack(">I", self.payload[4:8] if self.kind == GOAWAY else self.payload)[0]


@dataclasses.dataclass
class Answer:
    """A response, or the code of the reset that came instead."""

    status: int = 0
    headers: dict = dataclasses.field(default_factory=dict)
    body: bytes = b""
    reset: int | None = None


class Http2Wire:
    """A connection. It confirms the server's settings and nothing else."""

    def __init__(self, address, timeout=15, first=settings(), preface=PREFACE, wrap=None, receive_buffer=None):
        self.socket = socket.socket()
        self.socket.settimeout(timeout)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if wrap:
            self.socket = wrap(self.socket)
        self.buffer = b""
        self.decoder = hpack.Decoder()
        self.seen = []
        self.answers = {}
        self.is_closed = False
        self.send(preface + first)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, *pieces):
        """Sends the bytes, or as many as the server reads before it closes."""
        try:
            self.socket.sendall(b"".join(pieces))
        except (BrokenPipeError, ConnectionResetError):
            pass

    def receive(self):
        """The next frame, or None if the server closed the connection."""
        while len(self.buffer) < 9 or len(self.buffer) < 9 + int.from_bytes(self.buffer[:3], "big"):
            try:
                piece = self.socket.recv(1 << 16)
            except (ConnectionResetError, BrokenPipeError):
                piece = b""
            if not piece:
                self.is_closed = True
                return None
            self.buffer += piece
        size = int.from_bytes(self.buffer[:3], "big")
        kind, flags, stream = struct.unpack(">BBI", self.buffer[3:9])
        found = Frame(kind, flags, stream & 0x7FFFFFFF, self.buffer[9:9 + size])
        self.buffer = self.buffer[9 + size:]
        self.seen.append(found)
        self._handle(found)
        return found

    def _handle(self, found):
        answer = self.answers.setdefault(found.stream, Answer()) if found.stream else None
        if found.kind == SETTINGS and not found.flags & ACK:
            self.send(frame(SETTINGS, ACK))
        elif found.kind == HEADERS:
            pairs = dict(self.decoder.decode(found.payload))
            answer.status = int(pairs.pop(":status"))
            answer.headers = pairs
        elif found.kind == DATA:
            answer.body += found.payload
        elif found.kind == RST_STREAM:
            answer.reset = found.code

    def receive_until(self, is_last):
        """Reads up to the first frame for which this is true. Returns it, or None if the connection closes
        before."""
        while (found := self.receive()) is not None:
            if is_last(found):
                return found
        return None

    def answer(self, stream):
        """The complete response on a stream, or its reset; None if the connection closes before."""
        def ends(found):
            return found.stream == stream and (
                found.kind == RST_STREAM or found.kind in (HEADERS, DATA) and found.flags & END_STREAM)

        if not any(ends(found) for found in self.seen) and self.receive_until(ends) is None:
            return None
        return self.answers[stream]

    def ping(self, payload=b"are you?"):
        """Sends a ping and reads up to its answer. Returns False if the connection closes before."""
        self.send(frame(PING, payload=payload))
        return self.receive_until(
            lambda found: found.kind == PING and found.flags & ACK and found.payload == payload) is not None

    def goaway(self):
        """Reads up to GOAWAY. Returns its code, or None if the connection closes without one."""
        found = next((found for found in self.seen if found.kind == GOAWAY), None)
        found = found or self.receive_until(lambda found: found.kind == GOAWAY)
        return found.code if found else None

    def closed(self):
        """True if the server closes the connection. Frames before that are read."""
        while self.receive() is not None:
            pass
        return True
