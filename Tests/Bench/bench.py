"""`make bench`: measures Ringfence and nginx in turn. Prints every repetition and writes
Docs/Benchmarks.md."""

import argparse
import http.client
import os
import pathlib
import statistics
import tempfile
import time

import handsets
import load
import report
import streams

ROUTES = {
    # title: identifier
    "nginx, constant JSON": "nginx",
    "GET /livez": "livez",
    "GET /control/clock, stateless JSON": "clock",
    "Twilio: fetch a Service": "fetch",
    "Twilio: create, durable": "create",
    "Twilio: create + read code + check, durable": "flow",
}

# The history sweep would delete the rows of the growth test.
KEEPING_ALL = ("--history", 1_000_000_000)


def measure_rates(repetitions, seconds):
    """Measures all routes in every repetition, so that other load on the machine affects them equally."""
    results = {name: [] for name in ROUTES}
    with tempfile.TemporaryDirectory() as folder:
        subject = load.Subject("--data", folder)
        body = subject.ask("GET", subject.service)
        nginx = load.Nginx(body, folder)
        for repetition in range(repetitions):
            for name, kind in ROUTES.items():
                result = run(kind, subject, nginx, seconds, 100 + 2 * repetition)
                results[name].append(result)
                say(name, repetition, result)
        resident = subject.server.resident_kib()
        nginx.stop()
        subject.stop()
    return results, resident, len(body)


def run(kind, subject, nginx, seconds, number):
    own = {"authorization": subject.authorization, "seconds": seconds}
    match kind:
        case "nginx":
            return load.wrk(nginx, "constant.lua", subject.service, **own)
        case "livez":
            return load.wrk(subject, "constant.lua", "/livez", **own)
        case "clock":
            return load.wrk(subject, "constant.lua", "/control/clock", **own)
        case "fetch":
            return load.wrk(subject, "constant.lua", subject.service, **own)
        case "create":
            return load.wrk(subject, "create.lua", f"{subject.service}/Verifications", run=number, **own)
        case "flow":
            result = load.wrk(subject, "flow.lua", subject.service, run=number + 1, **own)
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
                for name, target, path in (("nginx", nginx, "/"), ("ringfence", subject, "/livez")):
                    result = load.wrk(target, "constant.lua", path, seconds, url=target.https, closes=closes)
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


def say(name, repetition, result):
    print(f"{name:45} #{repetition + 1} {result['rate']:9.0f}/s  p50 {result['p50'] / 1000:6.2f} ms  "
          f"p99 {result['p99'] / 1000:6.2f} ms  {result['cpu']:5.1f} µs CPU  "
          f"{result['failed']} failed", flush=True)


def measure_start(times):
    """Milliseconds from exec to the first answer, seeds included, and the resident KiB after it."""
    spans, resident = [], []
    for _ in range(times):
        began = time.perf_counter()
        server = load.ringfence.Server()
        connection = http.client.HTTPConnection(*server.address, timeout=10)
        connection.request("GET", "/livez")
        assert connection.getresponse().status == 200
        spans.append((time.perf_counter() - began) * 1000)
        resident.append(server.resident_kib())
        connection.close()
        server.stop()
    print("exec to first answer, ms:", " ".join(f"{span:.1f}" for span in spans), flush=True)
    return spans, resident


def measure_growth(stored, repetitions, seconds):
    """CPU time of a create and of a whole flow, with `stored` verifications and with none, in turn."""
    results = {("empty", kind): [] for kind in ("create", "flow")}
    results |= {("full", kind): [] for kind in ("create", "flow")}
    with tempfile.TemporaryDirectory() as empty_folder, tempfile.TemporaryDirectory() as full_folder:
        full = load.Subject("--data", full_folder, *KEEPING_ALL)
        held, number = 0, 200
        while held < stored:
            load.wrk(full, "create.lua", f"{full.service}/Verifications", 5, number, full.authorization)
            held = load.stored_verifications(full_folder)
            number += 1
            print(f"stored: {held}", flush=True)
        for repetition in range(repetitions):
            # Every repetition needs a new empty database.
            with tempfile.TemporaryDirectory(dir=empty_folder) as folder:
                empty = load.Subject("--data", folder, *KEEPING_ALL)
                for kind in ("create", "flow"):
                    for size, subject in (("empty", empty), ("full", full)):
                        result = run(kind, subject, None, seconds, 700 + 2 * repetition)
                        results[size, kind].append(result)
                        say(f"{kind}, {size}", repetition, result)
                empty.stop()
        full.stop()
    return held, results


def measure_instructions(binary):
    """Instructions per request on one connection, state in memory."""
    def flow(number, service):
        to = f"%2B1202{2_000_000 + number // 2}"
        if number % 2 == 0:
            return "POST", f"{service}/Verifications", f"To={to}&Channel=sms"
        return "GET", f"/control/inbox/{to}/latest/code", None

    asked = {
        "GET /livez": lambda number, service: ("GET", "/livez", None),
        "Twilio: fetch a Service": lambda number, service: ("GET", service, None),
        "Twilio: create": lambda number, service: (
            "POST", f"{service}/Verifications", f"To=%2B1202{2_000_000 + number}&Channel=sms"),
        "Twilio: create, then read the code (mean of the two)": flow,
    }
    found = {}
    for name, requests_of in asked.items():
        found[name] = load.instructions(binary, requests_of)
        print(f"{name:55} {found[name]:9.0f} instructions a request", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--stored", type=int, default=1_000_000)
    parser.add_argument("--only", choices=["rates", "tls", "http2", "start", "growth", "instructions", "handsets", "streams"])
    parser.add_argument("--output", default=load.ringfence.ROOT / "Docs/Benchmarks.md", type=pathlib.Path)
    given = parser.parse_args()
    binary = pathlib.Path(given.binary).resolve()
    os.environ["RINGFENCE_BINARY"] = str(binary)

    found = {}
    wanted = lambda part: given.only in (None, part)  # noqa: E731
    if wanted("start"):
        found["start"] = measure_start(15)
    if wanted("rates"):
        found["rates"] = measure_rates(given.repetitions, given.seconds)
    if wanted("tls"):
        found["tls"] = measure_tls(given.repetitions, given.seconds)
    if wanted("http2"):
        found["http2"] = measure_http2(given.repetitions, given.seconds)
    if wanted("growth"):
        found["growth"] = measure_growth(given.stored, given.repetitions, given.seconds)
    if wanted("instructions"):
        found["instructions"] = measure_instructions(binary)
    if wanted("handsets"):
        handsets.say(1000, handsets.measure())
    if wanted("streams"):
        for name in streams.KINDS:
            streams.say(name, streams.measure(name))
    if given.only in ("handsets", "streams"):
        return
    text = report.markdown(found, binary, given)
    if given.only:
        print(text)
    else:
        given.output.write_text(text)
        print(f"wrote {given.output}")


if __name__ == "__main__":
    main()
