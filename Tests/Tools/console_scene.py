"""A server in which everything has happened that the console shows, for tests and pictures of its pages."""

import contextlib

import requests

import handset_sign_ins
import ringfence
import workshop_solvers
from receiver import Receiver
from workshop_solvers import NUMBER, method_of, refused

LOST, SWAPPED, DOWN = "+12025550105", "+12025550106", "+12025550108"
NAMES = ["Ana", "Ben", "Cem", "Dia", "Eva", "Finn", "Gil", "Hana", "Ida", "Jon", "Kai", "Lea"]
CLOCK = "2026-01-05T10:20:30Z"
# Of a participant who has tried most tasks, with the tasks beside them.
TASK_PAGES = {
    "phones": "?phones=cards", "list": "?phones=list", "phone": f"console/phones/{NUMBER}",
    "timeline": "console/timeline",
    "requests": "console/timeline?view=requests", "request": "console/requests/1",
    "verification": "console/verifications/3", "break": "console/break",
    "failure": "console/break?failure=text-filtered", "connect": "console/connect", "settings": "console/settings",
    "search": "console/search?q=2025550100", "error": "console/nope"}


@contextlib.contextmanager
def scene(go):
    """The server, and the paths of all pages by name. `go` makes a client of Prove for a sandbox."""
    with ringfence.Server() as server, Receiver(answers=(503, 200)) as hook:
        requests.post(f"{server.http}/control/clock", json={"mode": "frozen", "set": CLOCK}, timeout=10)
        board(server)
        yield server, {**empty_pages(server), **pages(server, go, hook.url), **room_pages()}


def empty_pages(server):
    base = "/s/" + server.sandbox(name="empty", clock=CLOCK).name
    return {f"empty-{name}": f"{base}/{path}" for name, path in {
        "phones": "", "timeline": "console/timeline", "requests": "console/timeline?view=requests",
        "break": "console/break", "search": "console/search?q=nothing"}.items()}


def pages(server, go, hook):
    """Lets things happen in a sandbox. Returns its pages."""
    sandbox = server.sandbox(name="acme", clock=CLOCK)
    codes(sandbox, hook)
    approvals(sandbox, go)
    sandbox.faults({"provider": "prelude", "status": 429, "retryAfter": 5}, {"contains": "x" * 200, "status": 500})
    sandbox.control("PUT", "chaos", json={"rate": 0.001, "seed": 7})
    sandbox.advance("2s")
    journal = sandbox.control("GET", "journal?limit=500").json()["requests"]
    refused_one = next(one for one in journal if one["response"]["status"] == 400)
    before = [one for one in journal if one["route"] == refused_one["route"] and one["id"] < refused_one["id"]]
    refusal, earlier = (one["id"].removeprefix("req_") for one in (refused_one, before[-1]))
    diagrams = {}
    for one in sandbox.control("GET", "verifications?limit=500").json()["verifications"]:
        channels = [each["channel"] for each in one["attempts"]] or ["none"]
        diagrams.setdefault("-".join(["verification", one["provider"], channels[-1], one["state"]]), one["id"])
    found = {
        "phones": "?phones=cards", "list": "?phones=list", "phones-filtered": "?phones=cards&filter=0100",
        "phone": f"console/phones/{NUMBER}",
        "timeline": "console/timeline", "requests": "console/timeline?view=requests", "follow": "console/follow",
        "request": f"console/requests/{refusal}", "comparison": f"console/requests/{refusal}?compare={earlier}",
        "break": "console/break", "failure": "console/break?failure=text-filtered&provider=twilio",
        "connect": "console/connect", "connect-node": "console/connect?language=node",
        "device": "console/prove/handset", "connect-prelude": "console/connect?provider=prelude",
        "search": "console/search?q=2025550100", "settings": "console/settings", "error": "console/nope",
        **{name: f"console/verifications/{each}" for name, each in diagrams.items()}}
    return {name: f"/s/{sandbox.name}/{path}" for name, path in found.items()}


def codes(sandbox, hook):
    """Codes with each provider: right, wrong, expired, used up, lost and refused; and a webhook that is sent
    twice."""
    twilio = workshop_solvers.Twilio(sandbox, hook)
    for name in ("send_a_code", "check_the_code", "enter_a_wrong_code", "send_it_again", "silent_verification",
                 "an_authenticator_app", "a_passkey", "a_webhook_waits_for_an_answer", "a_code_expires",
                 "too_many_wrong_codes"):
        getattr(twilio, name)()
    twilio.send("+12025550107", "call")
    sandbox.control("PUT", "scenarios", json={"scenarios": [
        {"match": {"number": LOST}, "outcome": "undeliverable", "times": 2}]})
    twilio.send(LOST)
    refused(twilio.send, "+1")
    # Longer than every line.
    refused(twilio.send, "+1" + "2" * 200)
    sandbox.control("PUT", f"subscribers/{SWAPPED}", json={"roaming": {"on": True}, "simSwaps": ["-2h"]})
    twilio.send(SWAPPED, "whatsapp")
    twilio.send("+12025550104", "sna")
    sandbox.faults({"provider": "twilio", "status": 503, "times": 1})
    refused(twilio.send, DOWN)
    for solver, names in (
            (workshop_solvers.PreludeSolver, ("send_a_code", "enter_a_wrong_code")),
            (workshop_solvers.Telesign, ("a_code_expires", "too_many_wrong_codes"))):
        player = solver(sandbox, hook)
        for name in names:
            getattr(player, name)()
    sandbox.control("POST", f"inbox/{NUMBER}/reply", json={"text": "HELP"})
    sandbox.advance("1m")


def approvals(sandbox, go):
    """Approved and denied sign-ins, and one of each provider that still waits."""
    prove = workshop_solvers.Prove(sandbox)
    for name in ("silent_verification", "approve_on_the_phone", "deny_on_the_phone", "a_link_in_a_text"):
        getattr(prove, name)()
    for person, answers in (
            (handset_sign_ins.Twilio, ("approve", "deny")), (handset_sign_ins.Telesign, ("approve", "deny")),
            (handset_sign_ins.Hyphen, ("deny",))):  # Hyphen does not ask an approved phone again
        sign_in = person(sandbox)
        for answer in answers:
            sign_in.ask()
            getattr(sign_in.handset, answer)()
        sign_in.ask()
    handset_sign_ins.Prove(sandbox, go(sandbox)).ask()


def board(server):
    """A workshop whose participants are at different tasks; two are stuck, and one has not come."""
    room = workshop_solvers.Workshop(server, "tuesday", "first-sign-in", NAMES, "twilio", clock=CLOCK)
    players = {name: workshop_solvers.Twilio(ringfence.Sandbox(server.sandbox_described(each)))
               for name, each in room.sandboxes.items()}
    for first, tasks in (1, slice(0, 1)), (4, slice(1, 3)), (7, slice(3, 4)), (10, slice(4, 5)):
        for name in NAMES[first:]:
            for task in room.tasks[tasks]:
                getattr(players[name], method_of(task))()
        requests.post(f"{server.http}/control/clock", json={"advance": "4m"}, timeout=10)
    refused(players["Ben"].send, "+1")
    room.act("break", participants=["Cem", "Eva"], faults=[{"status": 500}])
    refused(players["Eva"].send)
    requests.get(f"{server.http}/s/{room.sandboxes['Dia']}/control/inbx", timeout=10)
    room.act("note", participants=["Gil"], note="Look at the hint")


def room_pages():
    """The pages of trainers and participants."""
    return {
        "workshops": "/console/workshops", "board": "/console/workshops/tuesday",
        "board-table": "/console/workshops/tuesday?view=table", "cards": "/console/workshops/tuesday/cards",
        "participant": "/s/tuesday-3/", "participant-timeline": "/s/tuesday-1/console/timeline",
        "participant-connect": "/s/tuesday-3/console/connect?language=node", "join": "/join",
        "join-link": "/join?phrase=calm-blue-otter", "sign-in": "/console/sign-in",
        "sign-in-link": "/console/sign-in?token=sandbox.tuesday-3.0f", "sandboxes": "/console/sandboxes",
        "docs": "/console/docs", "guide": "/console/docs/Providers/Twilio",
        **{f"tasks-{name}": f"/s/tuesday-8/{path}" for name, path in TASK_PAGES.items()}}
