"""Writes the table of operations in Docs/Access.md from the description of the control API. `make docs` runs
it.

    access_table.py PROGRAM
"""

import pathlib
import re
import sys

import served

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Docs/Access.md"
CALLERS = {
    "open": "anybody",
    "participant": "the token of the sandbox, also a workshop's participant",
    "sandbox": "the token of the sandbox, but no participant",
    "admin": "the admin token",
}


def rows(document):
    operations = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            operations.setdefault(operation["x-access"], []).append(f"`{method.upper()} {path}`")
    yield "| Who | Operations |"
    yield "| --- | --- |"
    for access, callers in CALLERS.items():
        yield f"| {callers} | {', '.join(operations[access])} |"


def main():
    table = "\n".join(rows(served.fetch(sys.argv[1], "/control/openapi.json")))
    PAGE.write_text(re.sub(
        r"(<!-- operations -->\n).*?(<!-- end -->)", lambda found: f"{found[1]}{table}\n{found[2]}", PAGE.read_text(),
        flags=re.S))


if __name__ == "__main__":
    main()
