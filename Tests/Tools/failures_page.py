"""Writes Docs/Failures.md: each kind of failure, how to produce it, and what each provider shows. `make docs`
runs it.

    failures_page.py PROGRAM

The kinds come from the program's `GET /control/failures`, what providers show from Tests/Contracts/failures,
which Tests/Conformance/test_failures.py compares with the official clients.
"""

import json
import pathlib
import re
import sys

import served

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = {"twilio": "Twilio", "telesign": "Telesign", "prelude": "Prelude", "prove": "Prove", "hyphen": "Hyphen",
         "fcm": "FCM", "apns": "APNs"}
HEAD = """# Failures

Every kind of failure that an app can meet, how to produce it, and what each provider shows. A test goes through
each row with the provider's official client, or with its requests where there is none
(`Tests/Conformance/test_failures.py`); this page is written from its results.

* With `curl`: the request of each row. A rule lasts until it is removed: `curl -X DELETE` with the same path.
  `PUT` replaces the whole list.
  More members narrow it down, such as `"times":1` or a number: [Carrier](Carrier.md) for messages and calls,
  [Faults](Faults.md) for requests, [Webhooks](Webhooks.md#faults) for webhooks.
* In the console: *Break it* starts rules and changes of lines with one click, and stops rules.
* With a number: where a row names one, its last digits have the same effect, without any request.
* A status that no row leads to: a scenario asks for it by name, such as
  `"providerStatus":{"telesign":521}`; `GET /control/faults/options` lists the statuses of each provider.
"""


def seen(flow, provider):
    return json.loads((ROOT / f"Tests/Contracts/failures/{flow}/{provider}.json").read_text(encoding="utf-8"))


def curl(request):
    path = request["path"].replace("{number}", "+12025550170")
    method = "" if request["method"] == "POST" else f"-X {request['method']} "
    body = json.dumps(request["body"], separators=(",", ":"))
    return (f"curl {method}http://127.0.0.1:5550{path} -H \"Content-Type: application/json\" \\\n"
            f"  -d '{body}'")


def cell(places):
    if reason := places.get("no difference") or places.get("not applicable"):
        return f"{next(iter(places))}: {reason}"
    return "; ".join(f"{place} `{value}`" for place, value in places.items()).replace("|", "\\|")


def shown(failure, results):
    """What each provider shows."""
    return {provider: found[failure] for provider, found in results.items() if failure in found}


def table(cells):
    yield from ("| | |", "| --- | --- |")
    for provider, places in cells.items():
        yield f"| {NAMES[provider]} | {cell(places)} |"


def section(failure, cells):
    yield f"### {failure['name']}"
    yield ""
    also = f" The same: a number such as `{failure['number']}`." if "number" in failure else ""
    manual = f" {failure['manual']}" if "manual" in failure else ""
    yield f"{failure['effect']}{manual}{also}"
    yield ""
    if "request" in failure:
        yield from ("```sh", curl(failure["request"]), "```", "")
    if "repair" in failure:
        yield from ("To repair it:", "", "```sh", curl(failure["repair"]), "```", "")
    yield from table(cells)
    yield ""


def index(groups):
    """A line for each group with links to its failures. A name that comes again has a number in its link."""
    used = {}

    def link(name):
        anchor = re.sub(r"[^a-z0-9 -]", "", name.lower()).replace(" ", "-")
        used[anchor] = used.get(anchor, -1) + 1
        return f"[{name}](#{anchor}{f'-{used[anchor]}' if used[anchor] else ''})"

    for group in groups:
        yield f"* **{link(group['name'])}**: " + ", ".join(link(failure["name"]) for failure in group["failures"])


def page(groups):
    yield HEAD
    yield from (*index(groups), "")
    for group in groups:
        results = {provider: seen(group["flow"], provider) for provider in NAMES}
        yield f"## {group['name']}"
        yield ""
        others = [f"{NAMES[provider]}: {found['notApplicable']}" for provider, found in results.items()
                  if "notApplicable" in found]
        if others:
            yield from ("Not applicable:", "", *(f"* {text}" for text in others), "")
        yield from ("Without a failure:", "", *table(shown("none", results)), "")
        for failure in group["failures"]:
            yield from section(failure, shown(failure["id"], results))


def main():
    text = "\n".join(page(served.fetch(sys.argv[1], "/control/failures")["groups"])).rstrip() + "\n"
    (ROOT / "Docs/Failures.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
