"""Writes the table of clients in Docs/Redirection.md from what was measured. `make docs` runs it."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENTS = json.loads((ROOT / "Sources/ringfence/Doctor/clients.json").read_text())
PAGE = ROOT / "Docs/Redirection.md"
LANGUAGES = {"curl": "", "python": "Python", "node": "Node", "java": "Java", "go": "Go", "ruby": "Ruby", "php": "PHP", "dotnet": ".NET"}


def outcome(reach):
    return reach if reach == "yes" else f"**no**: {reach}"


def table():
    rows = [(f"{LANGUAGES[row['language']]}: {row['client']}".removeprefix(": "), outcome(row["run"]), outcome(row["isolated"]),
             row.get("source", "by the test")) for row in CLIENTS]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [
        ("Client", "`run`", "`--isolated`", "Measured"), ("---",) * 4, *rows])


def page(text):
    return re.sub(r"(<!-- clients -->\n).*?(\n<!-- end -->)", lambda found: found[1] + table() + found[2], text, flags=re.S)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
