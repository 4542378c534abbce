"""A sandbox for each test: create, one verification, delete. A part of `make bench`. Beside it, mocks whose
tests begin with a reset."""

import contextlib
import http.client
import json
import tempfile
import threading
import time
import urllib.parse

import kinds
import load
import mocks

TESTS = 400


def measure(repetitions):
    results = {}
    for repetition in range(repetitions):
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            subjects = {"Ringfence, durable": load.Subject("--data", folder), "Ringfence, memory": load.Subject()}
            targets = {name: (subject, in_sandbox) for name, subject in subjects.items()}
            targets |= {name: (mocks.Mock(name), after_reset) for name in mocks.COMMANDS}
            for target, _ in targets.values():
                stack.callback(target.stop)
            for name, (target, test) in targets.items():
                for connections in (1, 8):
                    result = run(target, test, connections)
                    results.setdefault((name, connections), []).append(result)
                    print(f"a test, {name}, {connections} connections".ljust(45), f"#{repetition + 1} "
                          f"{result['rate']:6.0f} tests/s  {result['cpu']:6.1f} µs CPU  "
                          f"next request p99 {result['p99']:5.2f} ms", flush=True)
    return results


def run(target, test, connections):
    """Rate of tests, CPU time of the target for each, and how long the request after a test waits."""
    spans = []
    threads = [threading.Thread(target=tests, args=(target, test, f"bench-{line}", TESTS // connections, spans))
               for line in range(connections)]
    used, began = load.cpu_seconds(target.pid), time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - began
    assert len(spans) == TESTS, f"{TESTS - len(spans)} tests failed"
    spans.sort()
    used = load.cpu_seconds(target.pid) - used
    load.wait_until_idle(target)
    return {"rate": TESTS / seconds, "cpu": used * 1e6 / TESTS, "p99": spans[TESTS * 99 // 100] * 1000}


def tests(target, test, name, count, spans):
    address = urllib.parse.urlsplit(target.http)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    for number in range(count):
        test(connection, f"{name}-{number}")
        began = time.perf_counter()
        ask(connection, "GET", "/livez", status=None)
        spans.append(time.perf_counter() - began)
    connection.close()


def in_sandbox(connection, name):
    body = json.dumps({"name": name})
    own = json.loads(ask(connection, "POST", "/control/sandboxes", body, {"Content-Type": kinds.JSON}))
    twilio = own["credentials"]["twilio"]
    headers = {"Authorization": load.Subject.basic(twilio["accountSid"], twilio["authToken"]), "Content-Type": kinds.FORM}
    ask(connection, "POST", f"/v2/Services/{twilio['serviceSid']}/Verifications", "To=%2B12025550100&Channel=sms", headers)
    ask(connection, "DELETE", f"/control/sandboxes/{name}", status=204)


def after_reset(connection, name):
    ask(connection, "POST", "/reset", status=204)
    request = mocks.REQUEST
    ask(connection, "POST", request.path, request.body.replace("{number}", "12025550100"), request.headers)


def ask(connection, method, path, body=None, headers=None, status=201):
    connection.request(method, path, body, headers or {})
    answer = connection.getresponse()
    text = answer.read()
    assert status in (answer.status, None), f"{method} {path}: {answer.status} {text}"
    return text
