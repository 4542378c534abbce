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
NAMES = {"twilio": "Twilio", "telesign": "Telesign", "prelude": "Prelude", "vonage": "Vonage", "prove": "Prove",
         "sinch": "Sinch", "hyphen": "Hyphen", "camara": "CAMARA",
         "fcm": "FCM", "apns": "APNs"}
HEAD = """# Failures

Every kind of failure that an app can meet, how to produce it, and what each provider shows. A test goes through
each row with the provider's official client, or with its requests where there is none
(`Tests/Conformance/test_failures.py`); this page is written from its results.

* With `curl`: the request of each row. A rule lasts until it is removed: `curl -X DELETE` with the same path.
  `PUT` replaces the whole list.
  More members narrow it down, such as `"times":1` or a number: [Carrier](Carrier.md) for messages and calls,
  [Faults](Faults.md) for requests, [Webhooks](Webhooks.md#faults) for webhooks.
* In tests and by agents: the name in front of each description, such as `api-500`, with `sandbox.fail(…)`,
  `ringfence failures produce` or the tool `fail`.
* In the console: the page *Break* has every failure: a switch for rules, *Apply* for requests about a number, the
  steps for the others.
* At random: [chaos](Faults.md#chaos) lets a share of everything fail, each time with one of these failures.
* With a number: where a row names one, its last digits have the same effect, without any request.
* A status that no row leads to: a scenario asks for it by name, such as
  `"providerStatus":{"telesign":521}`; `GET /control/faults/options` lists the statuses of each provider. Telesign
  has two kinds of number: 521 is one of SMS Verify and `/v1/messaging`, while the Verify API shows its own
  ([Telesign](Providers/Telesign.md#making-it-fail)).
* In the past: an event can have a time, such as `{"event":"simSwap","at":"-2h"}` for two hours ago.

In the tables, what differs from the flow without a failure is bold. The word before each value is its place:

| Place | Where |
| --- | --- |
"""


# Where each value of the tables is seen: for all providers, then for one.
PLACES = {
    "": {
        "create": "the answer to the request that starts the verification",
        "check": "the answer to the check of the code: of the right one, unless the failure says else",
        "handset, handset at first": "`GET /control/inbox/{number}`, in the end and five seconds after the start",
        "phone, phone at first": "the same for pushes: `GET /control/inbox/{number}?channel=push`",
        "codes sent": "how many messages `GET /control/messages` lists",
        "again": "the same request, check or approval once more",
        "in the end, the right code": "the check after eight wrong codes, then with the right one",
        "send": "the answer to the request that sends",
        "time": "how long the answer took",
        "app": "how the redirects of the URL for the app ended: `POST /control/devices/{number}/open`",
        "approval": "`POST /control/devices/{number}/approve`",
        "sign-in": "the state of the sign-in when the person has approved",
        "order": "in which order texts or webhooks came",
        "long text": "whether a text of two parts arrived with the code at its end",
        "webhooks, signature, timestamp, content type": "what the receiver got: `GET /control/webhooks`",
        "no difference, not applicable": "why the failure changes nothing here",
    },
    "twilio": {
        "attempt": "`GET /v2/Attempts`",
        "events": "the webhooks of the event sink: `GET /control/webhooks`",
        "Messages API": "`GET /2010-04-01/Accounts/{account}/Messages/{message}.json`",
        "SNA error": "`sna_attempts_error_codes` in the answer to the check",
        "approve, challenge": "the answer to the app's signature; `GET …/Challenges/{challenge}`",
        "Lookup …": "that part of `GET /v2/PhoneNumbers/{number}`",
        "Verifications": "the answer to `POST /v2/Services/{service}/Verifications`",
    },
    "telesign": {
        "Verify API": "the answer to `POST /verification`",
        "method": "`GET /verification/{reference_id}`",
        "status": "`GET /v1/verify/{reference_id}`, of a message without a verification",
        "callback": "the delivery reports of that message",
        "initiate, finalize": "the answers to `POST /silent/initiate` and `POST /silent/finalize`",
        "PhoneID …": "that part of `POST /v1/phoneid/{phone_number}`",
        "Score": "`POST /v1/score/{phone_number}`",
    },
    "prelude": {
        "history, delivery events": "`GET /v2/verification/phone/history/{id}`",
        "Verify": "the answer to `POST /v2/verification`",
        "Lookup": "`GET /v2/lookup/{number}`",
    },
    "vonage": {
        "start": "the answer to `POST /v2/verify`",
        "events": "the webhooks of the request",
        "Number Insight": "`GET /ni/advanced/json`",
        "Identity Insights": "SIM swap of `POST /identity-insights/v1/requests`",
    },
    "prove": {
        "unify": "the answer to `POST /v3/unify`",
        "device": "the next step of the device's SDK",
        "status": "`POST /v3/unify-status`",
        "enroll, Identity Manager": "the answer to `POST /v3/identity`; `GET /v3/identity/{proveId}`",
    },
    "sinch": {
        "start, report": "the answers to `POST /verification/v1/verifications` and to the report",
        "state": "`GET …/verifications/id/{id}`: status, reason and, for calls, `callResult`",
        "callbacks": "the events that the receiver got, with what they tell",
    },
    "hyphen": {
        "sign up": "the answer to `POST /auth/v1/signup`",
        "registration": "the answer to `POST /control/devices`",
    },
    "camara": {
        "redirect": "what came back to the client's `redirect_uri`",
        "verify": "the answer to `POST /number-verification/v2/verify`",
        "SIM Swap, Device Swap, Number Recycling, Call Forwarding Signal, Device Roaming Status, KYC Tenure, KYC Match":
            "that API, asked about the last 24 hours, since yesterday, or for the given name Mara",
    },
    "fcm": {"push": "the status in `GET /control/pushes`"},
    "apns": {"push": "the status in `GET /control/pushes`"},
}


def explained(place, provider):
    """True if the table of places has it."""
    names = [name.strip() for own in ("", provider) for names in PLACES[own] for name in names.split(",")]
    return any(place == name or name.endswith("…") and place.startswith(name[:-2]) for name in names)


def legend():
    for provider, places in PLACES.items():
        of = f"{NAMES[provider]}: " if provider else ""
        yield from (f"| {of}{names} | {where} |" for names, where in places.items())


def seen(flow, provider):
    return json.loads((ROOT / f"Tests/Contracts/failures/{flow}/{provider}.json").read_text(encoding="utf-8"))


def curl(request):
    path = request["path"].replace("{number}", "+12025550170")
    method = "" if request["method"] == "POST" else f"-X {request['method']} "
    body = json.dumps(request["body"], separators=(",", ":"))
    return (f"curl {method}http://127.0.0.1:5550{path} -H \"Content-Type: application/json\" \\\n"
            f"  -d '{body}'")


def cell(places, usual, provider):
    """The values at each place; bold where they are not the usual ones."""
    unknown = [place for place in places if not explained(place, provider)]
    assert not unknown, f"PLACES does not explain {unknown} of {provider}"
    if reason := places.get("no difference") or places.get("not applicable"):
        return f"{next(iter(places))}: {reason}"
    marks = {place: "" if value == usual.get(place) else "**" for place, value in places.items()}
    values = "; ".join(f"{place} {marks[place]}`{value}`{marks[place]}" for place, value in places.items())
    return values.replace("|", "\\|")


def shown(failure, results):
    """What each provider shows."""
    return {provider: found[failure] for provider, found in results.items() if failure in found}


def table(cells, usual):
    yield from ("| | |", "| --- | --- |")
    for provider, places in cells.items():
        yield f"| {NAMES[provider]} | {cell(places, usual.get(provider, {}), provider)} |"


def section(failure, cells, usual):
    yield f"### {failure['name']}"
    yield ""
    also = f" The same: a number such as `{failure['number']}`." if "number" in failure else ""
    manual = f" {failure['manual']}" if "manual" in failure else ""
    yield f"`{failure['id']}`: {failure['effect'][0].lower()}{failure['effect'][1:]}{manual}{also}"
    yield ""
    if "request" in failure:
        yield from ("```sh", curl(failure["request"]), "```", "")
    if "repair" in failure:
        yield from ("To repair it:", "", "```sh", curl(failure["repair"]), "```", "")
    yield from table(cells, usual)
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
    yield HEAD.rstrip()
    yield from (*legend(), "")
    yield from (*index(groups), "")
    for group in groups:
        results = {provider: seen(group["flow"], provider) for provider in NAMES}
        yield f"## {group['name']}"
        yield ""
        others = [f"{NAMES[provider]}: {found['notApplicable']}" for provider, found in results.items()
                  if "notApplicable" in found]
        if others:
            yield from ("Not applicable:", "", *(f"* {text}" for text in others), "")
        usual = shown("none", results)
        yield from ("Without a failure:", "", *table(usual, usual), "")
        for failure in group["failures"]:
            yield from section(failure, shown(failure["id"], results), usual)


def main():
    text = "\n".join(page(served.fetch(sys.argv[1], "/control/failures")["groups"])).rstrip() + "\n"
    (ROOT / "Docs/Failures.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
