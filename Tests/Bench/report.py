"""Writes Docs/Benchmarks.md from the results of the bench."""

import datetime
import pathlib
import platform
import statistics
import subprocess

import kinds


def markdown(found, binary, given):
    parts = ["# Benchmarks", "", *summary(found), ""]
    if "rates" in found:
        parts += rates(*found["rates"], given.seconds, found.get("instructions", {}))
    if "mocks" in found:
        parts += mocks(found["mocks"])
    if "sandboxes" in found:
        parts += sandboxes(found["sandboxes"])
    if "tls" in found:
        parts += tls(found["tls"])
    if "http2" in found:
        parts += http2(found["http2"], given.seconds)
    if "start" in found:
        parts += start(*found["start"])
    if "growth" in found:
        parts += growth(*found["growth"])
    parts += ["## Machine", "", *machine(binary)]
    return "\n".join(parts).rstrip() + "\n"


def summary(found):
    """What a user should know."""
    lines = ["On one core of the [machine below](#machine); written by `make bench`, do not edit:", ""]
    if "rates" in found:
        results = found["rates"][0]
        typical, heaviest = (round(statistics.median(run["rate"] for run in results[kind, "durable", 64]), -2)
                             for kind in ("create", "hyphen"))
        wait = statistics.median(run["p50"] for run in results["create", "durable", 8]) / 1000
        lines.append(f"* One server answers {typical:,.0f} creations of a verification a second, each committed to disk (Twilio; "
                     f"the heaviest request, Hyphen's sign-in: {heaviest:,.0f}). Eight clients at once wait {wait:.1f} ms each.")
    if "sandboxes" in found:
        median = medians(found["sandboxes"]["Ringfence, memory", 8], "rate", "cpu")
        lines.append(f"* A sandbox for each test costs {median['cpu'] / 1000:.1f} ms: {median['rate']:,.0f} tests a second.")
    if "mocks" in found:
        ours, *others = (medians(runs, "cpu")["cpu"] for runs in found["mocks"].values())
        lines.append(f"* A mock that keeps a dictionary takes {others[-1] / ours:.1f} (Node) or {others[-2] / ours:.1f} (Python) "
                     "times the processor's time.")
    if "start" in found:
        spans, resident = found["start"]
        lines.append(f"* It starts in {statistics.median(spans):.0f} ms, and needs {resident / 1024:.0f} MiB of memory when idle.")
    if "growth" in found:
        lines.append(f"* With a million verifications stored, a creation takes {growth_ratio(found['growth'][1], 'create'):.2f} times as long.")
    return lines


def rates(results, resident, length, seconds, instructions):
    def median(run, field):
        return statistics.median(result[field] for result in results[run])

    def latencies(kind, state, connections):
        run = (kind, state, connections)
        return f"{median(run, 'p50') / 1000:.2f}, {median(run, 'p99') / 1000:.2f} ms"

    lines = [
        "## Requests a second", "",
        "How much load one server takes, and how long an app waits for an answer. nginx is the ceiling: no HTTP server "
        "that answers from memory is much faster. The rows with 8 connections are like a parallel test suite, those "
        "with 64 like a load test.", "",
        f"`wrk -t1 -c64 -d{seconds}s` on loopback, medians. The server has one core, the client another. nginx is one "
        f"worker that answers a constant of {length} bytes; it also runs for a second before each kind, and *of nginx* is "
        "the median of the ratios to these runs. Each creation is for another number, in a random-looking "
        "order, Hyphen's for one user and device; *durable* ones are committed with `--data` before they are answered. Latencies are p50 and p99. "
        "Instructions are of one connection under `callgrind`, with state in memory; of a flow, the mean of its three.", "",
        "| | rate | of nginx | CPU | instructions | 64 connections | 8 connections | failed |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for kind, title in kinds.TITLES.items():
        for state in ("durable", "memory"):
            if (run := (kind, state, 64)) not in results:
                continue
            name = f"{title}, {state}" if kind in kinds.WRITING else title
            count = f"{instructions[title]:,}" if title in instructions and state != "memory" else ""
            failed = sum(result["failed"] for connections in (64, 8) for result in results[kind, state, connections])
            lines.append(
                f"| {name} | {median(run, 'rate'):,.0f} | {median(run, 'of nginx'):.2f} "
                f"| {median(run, 'cpu'):.1f} µs | {count} | {latencies(kind, state, 64)} | {latencies(kind, state, 8)} "
                f"| {failed} |")
    return [*lines, "", f"Resident five seconds after all of it: {statistics.median(resident) / 1024:.1f} MiB (goal: at most 24).", ""]


def medians(runs, *fields):
    return {field: statistics.median(run[field] for run in runs) for field in fields}


def of_nginx(runs, ceilings):
    """The median of the ratios of runs that followed each other."""
    return statistics.median(run["rate"] / ceiling["rate"] for run, ceiling in zip(runs, ceilings))


def mocks(results):
    lines = [
        "## Beside mocks", "",
        "Twilio's create, 64 connections, beside two mocks that keep verifications in a dictionary "
        "(`Tests/Bench/peers`): without lifecycle, carrier, webhooks, journal or disk. So a server that does all of "
        "this need not slow a test suite down.", "",
        "| | creates a second | CPU | p50 | p99 | failed |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, runs in results.items():
        median = medians(runs, "rate", "cpu", "p50", "p99")
        lines.append(
            f"| {name} | {median['rate']:,.0f} | {median['cpu']:.1f} µs | {median['p50'] / 1000:.2f} ms "
            f"| {median['p99'] / 1000:.2f} ms | {sum(run['failed'] for run in runs)} |")
    return [*lines, ""]


def sandboxes(results):
    lines = [
        "## A sandbox for each test", "",
        "What a test pays that starts from nothing: a sandbox of its own, one Twilio verification, the end of the "
        "sandbox, and the next request, a `GET /livez`. Beside it, what mocks take for a reset and one create.", "",
        "| | connections | tests a second | CPU per test | next request, p99 |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for (name, connections), runs in results.items():
        median = medians(runs, "rate", "cpu", "p99")
        lines.append(f"| {name} | {connections} | {median['rate']:,.0f} | {median['cpu']:,.0f} µs | {median['p99']:.2f} ms |")
    return [*lines, ""]


def tls(results):
    lines = [
        "## TLS", "",
        "What an app saves that keeps its connections open, and what a test suite pays that does not. "
        "The same by TLS 1.3, `GET /livez` beside nginx's constant: on open connections, and with a handshake for every "
        "request.", "",
        "| | median | of nginx | goal | p99 | CPU per request |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for (kind, name), runs in results.items():
        median = medians(runs, "rate", "p99", "cpu")
        goal = "≥ 0.90" if (kind, name) == ("open connections", "ringfence") else ""
        lines.append(
            f"| {kind}, {name} | {median['rate']:,.0f} | {of_nginx(runs, results[kind, 'nginx']):.2f} | {goal} "
            f"| {median['p99'] / 1000:.2f} ms | {median['cpu']:.1f} µs |")
    return [*lines, ""]


def http2(results, seconds):
    lines = [
        "## HTTP/2", "",
        "For clients that send many requests at once on one connection, such as senders of pushes. "
        f"`h2load -c64 -m10 -t1 -D{seconds}` on the HTTPS listeners: 64 connections with 10 streams each, `GET /livez` "
        "beside nginx's constant.", "",
        "| | median | of nginx | goal | CPU per request | failed |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, runs in results.items():
        median = medians(runs, "rate", "cpu")
        goal = "≥ 0.60" if name == "ringfence" else ""
        lines.append(
            f"| {name} | {median['rate']:,.0f} | {of_nginx(runs, results['nginx']):.2f} | {goal} | {median['cpu']:.1f} µs "
            f"| {sum(run['failed'] for run in runs)} |")
    return [*lines, ""]


def start(spans, resident):
    return [
        "## Start", "",
        "What a test suite waits for each server that it starts.", "",
        f"From exec to the first answer, seeds loaded, median of {len(spans)}: **{statistics.median(spans):.1f} ms** "
        "(goal: at most 15).",
        f"Resident five seconds later: {resident / 1024:.1f} MiB (goal: at most 18).", ""]


def growth(stored, results, restart):
    lines = [
        "## At a million stored verifications", "",
        "If a load test or a server shared for months slows down. "
        f"With a database that holds {stored:,} pending verifications of random-looking numbers, and with an empty one.", "",
        "CPU is the median at 64 connections, full : empty the median of the ratios of two runs, one after the other.", "",
        "| | CPU, empty | CPU, full | full : empty | goal | p99, 64 connections | p99, 8 connections |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]

    def median(run, field):
        return statistics.median(result[field] for result in results[run])

    for kind, name in (("create", "create"), ("flow", "create + read code + check, mean of the three")):
        before, after = (median((size, kind, 64), "cpu") for size in ("empty", "full"))
        ratio = growth_ratio(results, kind)
        p99 = [f"{median(('full', kind, connections), 'p99') / 1000:.2f} ms" for connections in (64, 8)]
        lines.append(f"| {name} | {before:.1f} µs | {after:.1f} µs | {ratio:.2f} | ≤ 1.20 | {p99[0]} | {p99[1]} |")
    return [*lines, "", f"Restart after `kill -9`, to the ready line: {restart:.0f} ms (goal: at most 500).", ""]


def growth_ratio(results, kind):
    """Of runs that follow each other: the machine's speed changes within minutes."""
    return statistics.median(
        full["cpu"] / empty["cpu"] for connections in (64, 8)
        for full, empty in zip(results["full", kind, connections], results["empty", kind, connections]))


def machine(binary):
    cpu = next((line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith("model name")), platform.machine())
    cores = pathlib.Path("/proc/cpuinfo").read_text().count("processor\t")
    memory = int(pathlib.Path("/proc/meminfo").read_text().split()[1]) / (1 << 20)
    versions = [first_line(*command) for command in (("nginx", "-v"), ("wrk", "-v"))]
    size = binary.stat().st_size / (1 << 20)
    return [
        f"Measured {datetime.date.today()} on {cores} cores ({cpu}), {memory:.0f} GiB, "
        f"Linux {platform.release()}.",
        f"{'; '.join([tools(), *versions])}. Release build, static Swift runtime, {size:.0f} MiB with symbols."]


def tools():
    """What instructions depend on besides the code."""
    return "; ".join([platform.freedesktop_os_release()["PRETTY_NAME"], platform.machine(),
                      first_line("swift", "--version"), first_line("valgrind", "--version")])


def first_line(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).splitlines()[0].split(" Copyright")[0]
