"""Writes the table of operations in Docs/Access.md from the description of the control API. `make docs` runs
it.

    access_table.py PROGRAM
"""

import json
import pathlib
import re
import subprocess
import sys
import urllib.request

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
    command = [sys.argv[1], "serve", "--http", "127.0.0.1:0", "--https", "off", "--gateway", "off", "--ready", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        url = json.loads(server.stdout.readline())["http"]
        with urllib.request.urlopen(f"{url}/control/openapi.json") as answer:
            document = json.load(answer)
        server.terminate()
    table = "\n".join(rows(document))
    PAGE.write_text(re.sub(
        r"(<!-- operations -->\n).*?(<!-- end -->)", lambda found: f"{found[1]}{table}\n{found[2]}", PAGE.read_text(),
        flags=re.S))


if __name__ == "__main__":
    main()
