"""Writes the table in Docs/Frameworks.md from the tests of frameworks: the programs of
`Tests/System/apps/packages` that name a repository, and `Tests/Frameworks`. `make docs` runs it."""

import ast
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Docs/Frameworks.md"
FACT = re.compile(r"^(From|Through|Set): (.+)$", re.M)


def packages():
    """Rows of the packages that run unmodified."""
    for program in (ROOT / "Tests/System/apps/packages").glob("*_app.py"):
        text = ast.get_docstring(ast.parse(program.read_text(encoding="utf-8")))
        facts = dict(FACT.findall(text))
        if facts:
            yield re.match(r"[\w-]+", text)[0], facts, "the package"


def requests():
    """Rows of the frameworks whose requests are sent."""
    for file in (ROOT / "Tests/Frameworks").glob("*.http"):
        for check in file.read_text(encoding="utf-8").split("\n### ")[1:]:
            name, through = check.split("  ")[0].split(" by ")
            yield name, {"Through": through, **dict(FACT.findall(check))}, "its requests"


def table():
    rows = sorted([*packages(), *requests()], key=lambda row: (row[0].lower(), row[1]["Through"]))
    lines = [f"| [{name}](https://github.com/{facts['From'].split()[0]}) | {facts['Through']} | {facts['Set']} | {tested} |"
             for name, facts, tested in rows]
    return "\n".join(["| Framework | Through | Set | Tested with |", "| --- | --- | --- | --- |", *lines])


if __name__ == "__main__":
    PAGE.write_text(re.sub(
        r"(<!-- Written by `make docs`. -->\n).*?(<!-- End -->)", lambda found: f"{found[1]}{table()}\n{found[2]}",
        PAGE.read_text(encoding="utf-8"), flags=re.S), encoding="utf-8")
