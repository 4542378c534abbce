"""Writes Docs/Benchmarks.md from the results of the bench."""

import datetime
import pathlib
import platform
import statistics
import subprocess

CEILING = "nginx, constant JSON"
GOALS = {
    "GET /livez": 0.70,
    "GET /control/clock, stateless JSON": 0.70,
    "Twilio: create, durable": 0.35,
    "Twilio: create + read code + check, durable": 0.25,
}


def markdown(found, binary, given):
    parts = ["# Benchmarks", "", "Written by `make bench`; do not edit. Ratios within a run are meaningful, absolute "
             "figures depend on the machine.", "", *machine(binary), ""]
    if "rates" in found:
        parts += rates(*found["rates"], given.seconds)
    if "tls" in found:
        parts += tls(found["tls"])
    if "http2" in found:
        parts += http2(found["http2"], given.seconds)
    if "start" in found:
        parts += start(*found["start"])
    if "growth" in found:
        parts += growth(*found["growth"])
    if "instructions" in found:
        parts += instructions(found["instructions"])
    return "\n".join(parts).rstrip() + "\n"


def rates(results, resident, length, seconds):
    def median(name, field):
        return statistics.median(result[field] for result in results[name])

    lines = [
        "## Requests a second", "",
        f"`wrk -t1 -c64 -d{seconds}s` on loopback, medians, beside one nginx worker that answers a constant of {length} "
        "bytes. Ringfence runs with `--data`, so what is created is committed before it is answered.", "",
        "| | median | of nginx | goal | p50 | p99 | CPU per request | failed |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, runs in results.items():
        ratio = median(name, "rate") / median(CEILING, "rate")
        goal = f"≥ {GOALS[name]:.2f}" if name in GOALS else ""
        lines.append(
            f"| {name} | {median(name, 'rate'):,.0f} | {ratio:.2f} | {goal} | {median(name, 'p50') / 1000:.2f} ms "
            f"| {median(name, 'p99') / 1000:.2f} ms | {median(name, 'cpu'):.1f} µs "
            f"| {sum(run['failed'] for run in runs)} |")
    return [*lines, "", f"Resident after all of it: {resident / 1024:.1f} MiB (goal: at most 25).", ""]


def tls(results):
    lines = [
        "## TLS", "",
        "The same by TLS 1.3, `GET /livez` beside nginx's constant: on open connections, and with a handshake for every "
        "request.", "",
        "| | median | of nginx | goal | p99 | CPU per request |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for (kind, name), runs in results.items():
        median = {field: statistics.median(run[field] for run in runs) for field in ("rate", "p99", "cpu")}
        ceiling = statistics.median(run["rate"] for run in results[kind, "nginx"])
        goal = "≥ 0.70" if name == "ringfence" else ""
        lines.append(
            f"| {kind}, {name} | {median['rate']:,.0f} | {median['rate'] / ceiling:.2f} | {goal} "
            f"| {median['p99'] / 1000:.2f} ms | {median['cpu']:.1f} µs |")
    return [*lines, ""]


def http2(results, seconds):
    lines = [
        "## HTTP/2", "",
        f"`h2load -c64 -m10 -t1 -D{seconds}` on the HTTPS listeners: 64 connections with 10 streams each, `GET /livez` "
        "beside nginx's constant.", "",
        "| | median | of nginx | goal | CPU per request | failed |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    ceiling = statistics.median(run["rate"] for run in results["nginx"])
    for name, runs in results.items():
        median = {field: statistics.median(run[field] for run in runs) for field in ("rate", "cpu")}
        goal = "≥ 0.60" if name == "ringfence" else ""
        lines.append(
            f"| {name} | {median['rate']:,.0f} | {median['rate'] / ceiling:.2f} | {goal} | {median['cpu']:.1f} µs "
            f"| {sum(run['failed'] for run in runs)} |")
    return [*lines, ""]


def start(spans, resident):
    return [
        "## Start", "",
        f"From exec to the first answer, seeds loaded, median of {len(spans)}: **{statistics.median(spans):.1f} ms** "
        "(goal: at most 30).",
        f"Resident then: {statistics.median(resident) / 1024:.1f} MiB.", ""]


def growth(stored, results):
    lines = [
        "## At a million stored verifications", "",
        f"CPU time per request with a database that holds {stored:,} pending verifications, and with an empty one.", "",
        "| | empty | full | full : empty | goal |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for kind, name in (("create", "create"), ("flow", "create + read code + check, mean of the three")):
        empty, full = ([run["cpu"] for run in results[size, kind]] for size in ("empty", "full"))
        before, after = statistics.median(empty), statistics.median(full)
        lines.append(f"| {name} | {before:.1f} µs | {after:.1f} µs | {after / before:.2f} | ≤ 1.20 |")
    return [*lines, ""]


def instructions(found):
    lines = [
        "## Instructions per request", "",
        "`valgrind --tool=callgrind`, one connection, state in memory: the figure to watch over time, because other "
        "programs hardly disturb it.", "",
        "| | instructions |", "| --- | ---: |"]
    return [*lines, *(f"| {name} | {count:,.0f} |" for name, count in found.items()), ""]


def machine(binary):
    cpu = next((line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith("model name")), platform.machine())
    cores = pathlib.Path("/proc/cpuinfo").read_text().count("processor\t")
    memory = int(pathlib.Path("/proc/meminfo").read_text().split()[1]) / (1 << 20)
    system = next((line.split('"')[1] for line in pathlib.Path("/etc/os-release").read_text().splitlines()
                   if line.startswith("PRETTY_NAME")), platform.system())
    versions = [first_line(*command) for command in (
        ("swift", "--version"), ("nginx", "-v"), ("wrk", "-v"), ("valgrind", "--version"))]
    size = binary.stat().st_size / (1 << 20)
    return [
        f"Measured {datetime.date.today()} on {cores} cores ({cpu}), {memory:.0f} GiB, {system}, "
        f"Linux {platform.release()}.",
        f"{'; '.join(versions)}. Release build, static Swift runtime, {size:.0f} MiB with symbols."]


def first_line(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).splitlines()[0].split(" Copyright")[0]
