"""Speaks to the proxy over plain sockets."""

import base64
import socket
import subprocess

import requests

import wire

PROVIDER = "verify.twilio.com"
ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
LIVE = b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"


def through(server, user=""):
    """The `proxies` argument of requests."""
    url = server.http.replace("//", f"//{user}@") if user else server.http
    return {"http": url, "https": url}


def basic(user):
    return b"Proxy-Authorization: Basic " + base64.b64encode(user.encode()) + b"\r\n"


def connect(place, *fields, version=b"HTTP/1.1"):
    return b"CONNECT %b %b\r\nHost: %b\r\n" % (place, version, place) + b"".join(fields) + b"\r\n"


def tunnel(server, place, *fields):
    """A plain socket on which a tunnel is open."""
    plain = socket.create_connection(server.address, timeout=10)
    plain.sendall(connect(place, *fields))
    assert receive(plain, len(ESTABLISHED)) == ESTABLISHED
    return plain


def receive(plain, count):
    data = b""
    while len(data) < count and (piece := plain.recv(count - len(data))):
        data += piece
    return data


def rest(plain):
    data = b""
    while piece := plain.recv(65536):
        data += piece
    return data


def journal(server, sandbox="default", **wanted):
    found = requests.get(f"{server.http}/s/{sandbox}/control/journal?limit=1000", timeout=10).json()["requests"]
    return [entry for entry in found if all(entry["request"][name] == value for name, value in wanted.items())]


def curl(*words):
    done = subprocess.run(["curl", "-sS", "--max-time", "20", *map(str, words)],
                          capture_output=True, text=True, timeout=30, check=False)
    return done.stdout + done.stderr


def answer_of(server, head):
    with wire.Wire(server.address) as line:
        line.send(head)
        return line.receive()


def has_no_connection(listener):
    listener.setblocking(False)
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return True
    return False
