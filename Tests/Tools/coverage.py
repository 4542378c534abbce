"""Measures which lines of Sources the tests run, module by module.

    coverage.py swift TREE FOLDER      runs the Swift tests, and writes FOLDER/swift
    coverage.py system TREE FOLDER     runs the system tests, and writes FOLDER/system
    coverage.py table TREE FOLDER      shows the Swift tests alone, and both

TREE is a copy of the checkout, built with `swift build --build-tests --enable-code-coverage`. A server
that is killed writes nothing.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import mutant_runs
import mutants


def measure(tests, folder):
    """Runs each part of the tests, and writes its counts. What a killed process wrote in part is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in tests.names():
        with tempfile.TemporaryDirectory() as raw:
            used, text, why = tests.run(name, {"LLVM_PROFILE_FILE": f"{raw}/%p.profraw"}, stops=False)
            merge(folder / f"{pathlib.Path(name).stem}.profdata", pathlib.Path(raw).iterdir())
        print(name, f"{used:.1f} s", *tests.failed(text, why), flush=True)


def merge(merged, files):
    if files := list(files):
        subprocess.run(
            ["llvm-profdata", "merge", "--sparse", "--failure-mode=all", "-o", merged, *files], check=False)


def covered(tree, folder, *names):
    """Lines and covered lines of each module."""
    merged = folder / f"{'-'.join(names)}.profdata"
    merge(merged, (file for name in names for file in (folder / name).glob("*.profdata")))
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
    # The tools of the compiler, because those of another version cannot read its files.
    os.environ["PATH"] = f"{pathlib.Path(shutil.which('swift')).resolve().parent}:{os.environ['PATH']}"
    tree, folder = map(pathlib.Path, sys.argv[2:])
    match sys.argv[1]:
        case "swift":
            measure(mutant_runs.SwiftTests(tree), folder / "swift")
        case "system":
            measure(mutant_runs.SystemTests(tree), folder / "system")
        case "table":
            table(tree, folder)
