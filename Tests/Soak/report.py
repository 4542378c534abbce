"""The limits of a soak, and its figures as a section of Docs/Reliability.md."""

import datetime
import os
import platform

import measure

BEGIN = "<!-- Written by `make soak`; do not edit until the end mark. -->"
END = "<!-- End of the figures of `make soak`. -->"
CREATE_P99 = 50  # ms, while other sandboxes do long work
TURN = 50  # ms
MEMORY_GROWTH = 1.05  # the last minute compared with the second


def failures(steady, killed, is_timed):
    """What exceeds a limit, one line each. Without `is_timed`, figures that depend on the machine may be
    anything."""
    found = []
    for title, problems in (("without kills", steady.problems), ("with kills", killed.problems)):
        found += [f"{title}: {problem}" for problem in problems[:10]]
        if len(problems) > 10:
            found.append(f"{title}: {len(problems) - 10} more problems")
    found += [f"lost: {lost}" for lost in killed.lost[:10]]
    before, after = steady.descriptors
    if after > before:
        found.append(f"{after} descriptors at the end, {before} at the start")
    if not is_timed:
        return found
    p99 = measure.percentile(steady.creates, 0.99)
    if p99 >= CREATE_P99:
        found.append(f"p99 of a create: {p99:.1f} ms, expected less than {CREATE_P99} ms")
    if len(steady.resident) > 2 and steady.resident[-1] > MEMORY_GROWTH * steady.resident[1]:
        found.append(f"resident memory grew from {steady.resident[1]:.1f} to {steady.resident[-1]:.1f} MiB")
    found += [f"a turn over {TURN} ms, without the wait for the disk: {turn.line}"
              for turn in steady.slow_turns if turn.worked > TURN]
    return found


def section(steady, killed, seconds):
    turns = steady.slow_turns
    creates = steady.creates
    figures = [
        ("requests", f"{sum(steady.requests.values()):,} without kills, {sum(killed.requests.values()):,} with"),
        ("webhooks received", f"{steady.webhooks + killed.webhooks:,}"),
        *((title, f"{count}") for title, count in killed.disturbances.items()),
        ("acknowledged writes", f"{killed.acknowledged:,}; lost: {len(killed.lost)}"),
        ("resident memory in each minute, MiB", " ".join(f"{value:.1f}" for value in steady.resident)),
        ("create, durable", f"p50 {measure.percentile(creates, 0.5):.1f} ms, p99 "
                            f"{measure.percentile(creates, 0.99):.1f} ms, maximum {max(creates):.1f} ms"),
        (f"turns of the event loop over {TURN} ms", f"{sum(turn.worked > TURN for turn in turns)}"),
        ("the same with the wait for the disk or a processor", f"{len(turns)}" + (f": {turns[0].line}" if turns else "")),
        ("processor time of the server per request", f"{steady.processor:.0f} µs"),
    ]
    rows = [f"| {name} | {value} |" for name, value in figures]
    today = datetime.datetime.now(datetime.timezone.utc).date()
    load = "{:.1f} {:.1f} {:.1f}".format(*os.getloadavg())
    return "\n".join([
        BEGIN,
        f"Measured {today} on {os.cpu_count()} cores, {platform.system()} {platform.release()}, for {seconds} s: half without "
        f"kills (memory, descriptors, latencies, turns), half with. Load averages at the end: {load}.",
        "", "| Figure | |", "| --- | --- |", *rows, END])


def replace_section(page, text):
    before, rest = page.read_text().split(BEGIN)
    page.write_text(before + text + rest.split(END)[1])
