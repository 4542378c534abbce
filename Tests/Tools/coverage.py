"""Measures which lines of Sources the tests run, module by module.

    coverage.py swift TREE FOLDER      runs the Swift tests, and writes FOLDER/swift
    coverage.py system TREE FOLDER     runs the system tests, and writes FOLDER/system
    coverage.py table TREE FOLDER      shows the Swift tests alone, and both

TREE is a copy of the checkout, built with `swift build --build-tests --enable-code-coverage`. A server
that is killed writes nothing. The runs' processes add up their counts in a few files.
"""

import json
import os
import pathlib
import subprocess
import sys

import mutant_runs
import mutants


def pattern(folder, name):
    folder = folder.resolve() / name
    folder.mkdir(parents=True, exist_ok=True)
    return f"{folder}/%4m.profraw"


def swift(tree, folder):
    tests = mutant_runs.SwiftTests(tree)
    for name in tests.names():
        used, _, why = tests.run(name, {"LLVM_PROFILE_FILE": pattern(folder, "swift")}, stops=False)
        print(name, f"{used:.1f} s", why or "", flush=True)


def system(tree, folder):
    tests = mutant_runs.SystemTests(tree)
    for name in tests.names():
        used, text, why = tests.run(name, {"LLVM_PROFILE_FILE": pattern(folder, "system")}, stops=False)
        print(name, f"{used:.1f} s", *(tests.failed(text, why) or [why or ""]), flush=True)


def covered(tree, folder, *names):
    """Lines and covered lines of each module."""
    files = [str(file) for name in names for file in (folder / name).glob("*.profraw")]
    merged = folder / f"{'-'.join(names)}.profdata"
    subprocess.run(["llvm-profdata", "merge", "--sparse", "-o", merged, *files], check=True)
    programs = [next((tree / ".build/debug").glob("*.xctest")), "-object", tree / ".build/debug/ringfence"]
    exported = subprocess.run(
        ["llvm-cov", "export", "--summary-only", "--instr-profile", merged, *programs],
        stdout=subprocess.PIPE, check=True)
    lines = {}
    for file in json.loads(exported.stdout)["data"][0]["files"]:
        path = "Sources/" + file["filename"].rpartition("/Sources/")[2]
        if (tree / path).exists() and not path.startswith(mutants.NOT_MUTATED) and "/.build/" not in file["filename"]:
            counts = lines.setdefault(mutants.module(path), [0, 0])
            counts[0] += file["summary"]["lines"]["count"]
            counts[1] += file["summary"]["lines"]["covered"]
    return lines


def table(tree, folder):
    columns = [covered(tree, folder, "swift")]
    if (folder / "system").exists():
        columns.append(covered(tree, folder, "swift", "system"))
    for column in columns:
        column["all"] = [sum(counts) for counts in zip(*column.values())]
    print("| Module | Lines | Swift tests |" + " Both |" * (len(columns) - 1))
    print("| --- | ---: | ---: |" + " ---: |" * (len(columns) - 1))
    for name, (lines, _) in columns[0].items():
        shares = " | ".join(f"{column[name][1] / column[name][0]:.1%} ({column[name][1]})" for column in columns)
        print(f"| {name} | {lines} | {shares} |")


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("swift", "system", "table"):
        sys.exit(__doc__)
    os.environ["PATH"] += ":/opt/swift/usr/bin"
    {"swift": swift, "system": system, "table": table}[sys.argv[1]](*map(pathlib.Path, sys.argv[2:]))
