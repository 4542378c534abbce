"""Prints the slowest targets, functions and expressions of a build, from the compiler's own statistics.

    build_times.py FOLDER

FOLDER is the BUILD_STATISTICS of `make build`: a file of each process of the compiler, and the builds' logs.
"""

import collections
import fileinput
import json
import pathlib
import re
import sys

SLOWEST = 10
# The compiler's time in one process: `time.swift-frontend.Domain-Agenda.swift-x86_64….user`
PROCESS = re.compile(r"time\.swift-frontend\.(.+?)-.*\.(user|sys)$")
# `12.34ms	/path/File.swift:52:9	instance method …`
FUNCTION = re.compile(r"^(\d+\.\d+)ms\t(\S+?\.swift:\d+:\d+)\t")
# `/path/File.swift:52:9: warning: expression took 123ms to type-check (limit: 50ms)`
EXPRESSION = re.compile(r"^(\S+?\.swift:\d+:\d+): warning: expression took (\d+)ms")
LONGEST_EXPRESSION = 0.3  # seconds
LARGEST_SHARE = 1 / 8  # of a target


def targets(folder):
    """Processor seconds of each target."""
    seconds = collections.Counter()
    for file in folder.glob("*.json"):
        for name, value in json.loads(file.read_text()).items():
            if found := PROCESS.match(name):
                seconds[found[1]] += value
    return seconds


def pieces(folder):
    """Seconds of each function and each slow expression. Several processes may read a file; the slowest
    counts."""
    functions, expressions = collections.Counter(), collections.Counter()
    for line in fileinput.input(folder.glob("*.log"), encoding="utf-8", errors="replace"):
        if found := FUNCTION.match(line):
            note(functions, found[2], float(found[1]))
        elif found := EXPRESSION.match(line):
            note(expressions, found[1], float(found[2]))
    return functions, expressions


def note(seconds, path, milliseconds):
    place = re.sub(r"^.*?/(?=Sources/|Tests/)", "", path)
    seconds[place] = max(seconds[place], milliseconds / 1000)


def show(title, seconds, total):
    print(f"\n{title:<70} s     share")
    for name, value in seconds.most_common(SLOWEST):
        print(f"  {name:<64} {value:7.2f} {value / total:7.1%}")


def main(folder):
    by_target = targets(folder)
    functions, expressions = pieces(folder)
    total = sum(by_target.values())
    if not total:
        sys.exit("Nothing was built.")
    print(f"The compiler took {total:.0f} s of the processor's time.")
    show("Targets", by_target, total)
    show("Functions, type checking only", functions, total)
    show("Expressions, type checking only", expressions, total)
    large = [name for name, value in by_target.items() if value > LARGEST_SHARE * total]
    slow = [place for place, value in expressions.items() if value > LONGEST_EXPRESSION]
    if large or slow:
        print("\nToo slow:", *large, *slow)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
