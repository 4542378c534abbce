"""`make bench`: measures Ringfence and nginx in turn. Prints every repetition and writes
Docs/Benchmarks.md."""

import argparse
import contextlib
import http.client
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import handsets
import instructions
import kinds
import load
import mocks
import report
import sandboxes
import streams

# The history sweep would delete the rows of the growth test.
KEEPING_ALL = ("--history", 1_000_000_000)


def measure_rates(repetitions, seconds):
    """Measures all kinds in every repetition. Each repetition starts with new servers; only the one that is
    asked works. Before each kind, nginx runs for a second: the machine's speed changes within minutes, so a
    rate is compared with the ceiling of its moment."""
    results, resident = {}, []
    for repetition in range(repetitions):
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            subjects = {"durable": load.Subject("--data", f"{folder}/durable"), "memory": load.Subject()}
            for subject in subjects.values():
                stack.callback(subject.stop)
            body = subjects["durable"].ask("GET", subjects["durable"].service)
            nginx = load.Nginx(body, folder)
            stack.callback(nginx.stop)
            for kind, subject, connections in runs():
                if (subject, connections) == ("durable", 64):
                    ceiling = run("nginx", subjects["durable"], nginx, 1, 0)["rate"]
                result = run(kind, subjects[subject], nginx, seconds, 2 * repetition + (connections == 8), connections)
                result["of nginx"] = result["rate"] / ceiling
                results.setdefault((kind, subject, connections), []).append(result)
                say(f"{kinds.TITLES[kind]}, {subject}, {connections} connections", repetition, result)
            resident.append(idle_kib(subjects["durable"].server))
            print(f"resident, idle again: {resident[-1]} KiB", flush=True)
    return results, resident, len(body)


def runs():
    """What is measured in one repetition: kind, subject, connections."""
    for kind in kinds.TITLES:
        yield kind, "durable", 64
        if kind in kinds.WRITING:
            yield kind, "memory", 64
        yield kind, "durable", 8
        if kind in kinds.WRITING:
            yield kind, "memory", 8


def run(kind, subject, nginx, seconds, number, connections=64):
    """One run of wrk. `number` selects the phone numbers: each is used once on each server."""
    request = kinds.request_of(kind, subject)
    number = len(kinds.TITLES) * number + list(kinds.TITLES).index(kind)
    target = nginx if kind == "nginx" else subject
    result = load.wrk(target, kinds.script_of(kind), request, seconds, number, connections)
    if kind == "flow":
        subject.expect_approvals()
    return result


def measure_tls(repetitions, seconds):
    """Requests over TLS to nginx and Ringfence in turn: on open connections, then with a full handshake
    each."""
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        subject = load.Subject("--data", folder)
        body = subject.ask("GET", subject.service)
        nginx = load.Nginx(body, folder)
        for repetition in range(repetitions):
            for kind, closes in (("open connections", False), ("new connections", True)):
                for name, target in (("nginx", nginx), ("ringfence", subject)):
                    request = kinds.request_of("livez", subject)
                    result = load.wrk(target, "constant.lua", request, seconds, url=target.https, closes=closes)
                    results.setdefault((kind, name), []).append(result)
                    say(f"TLS, {kind}, {name}", repetition, result)
        nginx.stop()
        subject.stop()
    return results


def measure_http2(repetitions, seconds):
    """Requests by HTTP/2 over TLS to nginx and Ringfence in turn."""
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        subject = load.Subject("--data", folder)
        nginx = load.Nginx(subject.ask("GET", subject.service), folder)
        targets = (("nginx", nginx, nginx.https), ("ringfence", subject, f"{subject.https}/livez"))
        for repetition in range(repetitions):
            for name, target, url in targets:
                result = load.h2load(target, url, seconds)
                results.setdefault(name, []).append(result)
                print(f"HTTP/2 over TLS, {name:28} #{repetition + 1} {result['rate']:9.0f}/s  mean {result['mean']}  "
                      f"{result['cpu']:5.1f} µs CPU  {result['failed']} failed", flush=True)
        nginx.stop()
        subject.stop()
    return results


def measure_mocks(repetitions, seconds):
    """Twilio's create of Ringfence and of mocks in turn."""
    results = {}
    for repetition in range(repetitions):
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            subjects = {"Ringfence, durable": load.Subject("--data", folder), "Ringfence, memory": load.Subject()}
            targets = {name: (subject, kinds.request_of("create", subject)) for name, subject in subjects.items()}
            targets |= {name: (mocks.Mock(name), mocks.REQUEST) for name in mocks.COMMANDS}
            for target, _ in targets.values():
                stack.callback(target.stop)
            for name, (target, request) in targets.items():
                result = load.wrk(target, "create.lua", request, seconds, repetition)
                results.setdefault(name, []).append(result)
                say(f"create, {name}", repetition, result)
    return results


def say(name, repetition, result):
    print(f"{name:45} #{repetition + 1} {result['rate']:9.0f}/s  p50 {result['p50'] / 1000:6.2f} ms  "
          f"p99 {result['p99'] / 1000:6.2f} ms  {result['cpu']:5.1f} µs CPU  "
          f"{result['failed']} failed", flush=True)


def idle_kib(server):
    """The resident KiB of a server that has returned what it does not need, after four seconds without a
    request."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.process.wait(5)
    return server.resident_kib()


def measure_start(times):
    """Milliseconds from exec to the first answer, seeds included, and the resident KiB of the last server,
    idle."""
    spans = []
    for _ in range(times):
        began = time.perf_counter()
        server = load.ringfence.Server()
        connection = http.client.HTTPConnection(*server.address, timeout=10)
        connection.request("GET", "/livez")
        assert connection.getresponse().status == 200
        spans.append((time.perf_counter() - began) * 1000)
        connection.close()
        resident = idle_kib(server) if len(spans) == times else None
        server.stop()
    print("exec to first answer, ms:", " ".join(f"{span:.1f}" for span in spans), flush=True)
    return spans, resident


def measure_growth(stored, repetitions, seconds):
    """CPU time of a create and of a whole flow, with `stored` verifications and with none, in turn."""
    results = {}
    with tempfile.TemporaryDirectory() as empty_folder, tempfile.TemporaryDirectory() as full_folder:
        full = load.Subject("--data", full_folder, *KEEPING_ALL)
        held, number = 0, 200
        while held < stored:
            load.wrk(full, "create.lua", kinds.request_of("create", full), 5, number)
            held = load.stored_verifications(full_folder)
            number += 1
            print(f"stored: {held}", flush=True)
        for repetition in range(repetitions):
            # Every repetition needs a new empty database.
            with tempfile.TemporaryDirectory(dir=empty_folder) as folder:
                empty = load.Subject("--data", folder, *KEEPING_ALL)
                for kind in ("create", "flow"):
                    for connections in (64, 8):
                        for size, subject in (("empty", empty), ("full", full)):
                            number = 70 + 2 * repetition + (connections == 8)
                            result = run(kind, subject, None, seconds, number, connections)
                            results.setdefault((size, kind, connections), []).append(result)
                            say(f"{kind}, {size}, {connections} connections", repetition, result)
                empty.stop()
        full.server.kill()
        began = time.perf_counter()
        server = load.ringfence.Server("--data", full_folder, *KEEPING_ALL, listeners=load.LISTENERS)
        restart = (time.perf_counter() - began) * 1000
        server.stop()
        print(f"restart with {held} stored, to the ready line: {restart:.0f} ms", flush=True)
    return held, results, restart


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--stored", type=int, default=1_000_000)
    parser.add_argument("--only", choices=["rates", "tls", "http2", "mocks", "start", "growth", "sandboxes", "instructions", "handsets", "streams"])
    parser.add_argument("--output", default=load.ringfence.ROOT / "Docs/Benchmarks.md", type=pathlib.Path)
    given = parser.parse_args()
    binary = pathlib.Path(given.binary).resolve()
    os.environ["RINGFENCE_BINARY"] = str(binary)

    parts = {
        "start": lambda: measure_start(15),
        "rates": lambda: measure_rates(given.repetitions, given.seconds),
        "tls": lambda: measure_tls(given.repetitions, given.seconds),
        "http2": lambda: measure_http2(given.repetitions, given.seconds),
        "mocks": lambda: measure_mocks(given.repetitions, given.seconds),
        "sandboxes": lambda: sandboxes.measure(given.repetitions),
        "growth": lambda: measure_growth(given.stored, given.repetitions, given.seconds),
        "instructions": lambda: instructions.measure(binary),
    }
    found = {}
    for part, measure in parts.items():
        if given.only in (None, part):
            found[part] = measure()
            # After each part, so that a later one cannot lose what was measured.
            if not given.only:
                if part == "instructions":
                    instructions.write(found[part])
                given.output.write_text(report.markdown(found, binary, given))
                print(f"wrote {given.output}", flush=True)
    if given.only in (None, "handsets"):
        handsets.say(1000, handsets.measure())
    if given.only in (None, "streams"):
        for name in streams.KINDS:
            streams.say(name, streams.measure(name))
    if given.only in parts:
        print(report.markdown(found, binary, given))


if __name__ == "__main__":
    main()
