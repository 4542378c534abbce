"""1,000 virtual handsets wait for pushes at once: how long a push takes to its handset. A part of
`make bench`.

Each handset has an open long poll of its own. A back end then sends pushes one by one, to the handsets in a
scattered order. The time counts from the start of the back end's request to the end of the handset's answer,
both clients included.
"""

import base64
import json
import selectors
import socket
import time

import load


class Line:
    """A connection that stays open."""

    def __init__(self, server, prefix):
        self.prefix = prefix
        self.socket = socket.create_connection(server.address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, method, path, body="", **headers):
        lines = [f"{method} {self.prefix}{path} HTTP/1.1", "Host: 127.0.0.1"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n" + body).encode())

    def receive(self, status=200):
        """The body of the next answer, which must have this status."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.socket.recv(65536)
        head, _, body = data.partition(b"\r\n\r\n")
        assert head.startswith(f"HTTP/1.1 {status} ".encode()), data
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        while len(body) < length:
            body += self.socket.recv(65536)
        return json.loads(body)


class Handset(Line):
    def __init__(self, server, sandbox, prefix, number):
        super().__init__(server, prefix)
        self.number, self.after = number, 0
        self.token = sandbox.control("POST", "devices", json={
            "number": number, "provider": "telesign"}).json()["pushToken"]

    def wait(self):
        self.send("GET", f"/control/phone/pushes?token={self.token}&after={self.after}&wait=30")

    def push(self):
        answer = self.receive()
        self.after = answer["cursor"]
        (push,) = answer["pushes"]
        return push


def measure(handsets=1000, rounds=3000):
    """Milliseconds from the back end's request to the handset's answer, sorted."""
    with load.ringfence.Server() as server:
        sandbox = server.sandbox()
        prefix = sandbox.base.removeprefix(server.http)
        phones = [Handset(server, sandbox, prefix, f"+12025{number:04}00") for number in range(handsets)]
        waiting = selectors.DefaultSelector()
        for phone in phones:
            waiting.register(phone.socket, selectors.EVENT_READ)
            phone.wait()
        own = sandbox.credentials["telesign"]
        pair = base64.b64encode(f"{own['customerId']}:{own['apiKey']}".encode()).decode()
        back_end = Line(server, f"{prefix}/telesign")
        spans = []
        for turn in range(rounds):
            phone = phones[turn * 7919 % handsets]
            began = time.perf_counter()
            back_end.send(
                "POST", "/v2/verify/push", f"phone_number={phone.number[1:]}", Authorization=f"Basic {pair}",
                Content_Type="application/x-www-form-urlencoded")
            push = phone.push()
            spans.append((time.perf_counter() - began) * 1000)
            assert push["reference"] == back_end.receive()["reference_id"]
            phone.wait()
            if turn % 100 == 0:
                assert not waiting.select(0), "another handset got an answer"
        return sorted(spans)


def say(handsets, spans):
    print(f"{handsets} handsets wait; {len(spans)} pushes: p50 {spans[len(spans) // 2]:.2f} ms, "
          f"p99 {spans[len(spans) * 99 // 100]:.2f} ms, longest {spans[-1]:.2f} ms", flush=True)


if __name__ == "__main__":
    for count in (1, 1000):
        say(count, measure(count))
