"""Pictures of the console's main pages, for people to look at: `screenshots.py FOLDER [WIDTH…]`.

Starts a server with a sandbox in which something has happened, and writes `<page>-<width>-<theme>.png`.
`screenshots.py --readme` writes the small ones of README to Docs/Pictures.
"""

import pathlib
import sys

import requests

import chromium
import ringfence
import workshop_solvers

NUMBER = "+12025550100"
WIDTHS = (360, 1280, 1920)
# A participant's pages, and those around them, by name.
PARTICIPANT = {
    "participant": "/s/tuesday-3/", "participant-timeline": "/s/tuesday-1/console/timeline",
    "participant-connect": "/s/tuesday-3/console/connect?language=node", "join": "/join", "sign-in": "/console/sign-in",
}


def fill(server, sandbox):
    """Lets things happen in the sandbox. Returns its pages by name."""
    own = sandbox.credentials["twilio"]
    auth = (own["accountSid"], own["authToken"])
    service = f"{sandbox.base}/v2/Services/{own['serviceSid']}"

    def post(path, **form):
        return requests.post(f"{service}/{path}", data=form, auth=auth, timeout=20)

    post("Verifications", To=NUMBER, Channel="sms")
    sandbox.advance("10s")
    post("VerificationCheck", To=NUMBER, Code="000000")
    post("VerificationCheck", To=NUMBER, Code=sandbox.code(NUMBER))
    post("Verifications", To="+12025550107", Channel="call")
    sandbox.advance("20s")
    sandbox.control("PUT", "scenarios", json={"scenarios": [
        {"match": {"number": "+12025550105"}, "outcome": "undeliverable", "times": 2}]})
    post("Verifications", To="+12025550105", Channel="sms")
    post("Verifications", To="+1", Channel="sms")
    sandbox.control("PUT", "subscribers/+12025550106", json={"roaming": {"on": True}, "simSwaps": ["-2h"]})
    post("Verifications", To="+12025550106", Channel="whatsapp")
    post("Verifications", To="+12025550104", Channel="sna")
    sandbox.control("POST", "devices", json={"number": "+12025550101", "provider": "twilio", "identity": "user-0001"})
    entity = f"{service}/Entities/user-0001"
    factor = requests.get(f"{entity}/Factors", auth=auth, timeout=20).json()["factors"][0]["sid"]
    requests.post(f"{entity}/Challenges", auth=auth, timeout=20, data={
        "FactorSid": factor, "Details.Message": "Sign in to Acme?",
        "Details.Fields": '{"label":"Location","value":"Lisbon"}'}).raise_for_status()
    sandbox.faults({"provider": "twilio", "status": 503, "times": 1})
    post("Verifications", To="+12025550108", Channel="sms")
    sandbox.faults({"provider": "prelude", "status": 429, "retryAfter": 5})
    sandbox.advance("2s")
    journal = sandbox.control("GET", "journal").json()["requests"]
    refused = next(one for one in journal if one["response"]["status"] == 400)
    [pending, *_] = [one["id"] for one in sandbox.control("GET", "verifications").json()["verifications"]
                     if one["to"] == "+12025550106"]
    return {
        "phones": "", "phone": f"console/phones/{NUMBER}", "timeline": "console/timeline",
        "request": f"console/requests/{refused['id'].removeprefix('req_')}",
        "verification": f"console/verifications/{pending}", "break": "console/break", "connect": "console/connect",
    }


def main(folder, widths):
    folder.mkdir(parents=True, exist_ok=True)
    with ringfence.Server() as server, chromium.launched() as browser:
        sandbox = server.sandbox(name="acme")
        board = solved_workshop(server)
        pages = fill(server, sandbox) | {"workshops": "/console/workshops", "board": board, "cards": f"{board}/cards", **PARTICIPANT}
        for scheme in ("light", "dark"):
            for width in widths:
                context = browser.new_context(
                    base_url=f"{sandbox.base}/", color_scheme=scheme, viewport={"width": width, "height": 900})
                for name, path in pages.items():
                    page = context.new_page()
                    page.goto(path)
                    page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
                    page.close()
                context.close()


def solved_workshop(server):
    """The path of a board whose participants are at different tasks."""
    names = ["Ana", "Ben", "Cem", "Dia", "Eva", "Finn", "Gil", "Hana"]
    workshop = workshop_solvers.Workshop(server, "tuesday", "first-sign-in", names)
    requests.post(f"{server.http}/control/clock", json={"mode": "frozen"}, timeout=10).raise_for_status()

    def solve(names, tasks):
        """Solves tasks of each, four minutes after those of the others."""
        for name in names:
            solver = workshop_solvers.Twilio(ringfence.Sandbox(server.sandbox_described(workshop.sandboxes[name])))
            for task in workshop.tasks[tasks]:
                getattr(solver, workshop_solvers.method_of(task))()
        requests.post(f"{server.http}/control/clock", json={"advance": "4m"}, timeout=10).raise_for_status()

    solve(names[1:], slice(0, 1))
    solve(names[3:], slice(1, 3))
    solve(names[5:], slice(3, 4))
    solve(names[7:], slice(4, 5))
    solver = workshop_solvers.Twilio(ringfence.Sandbox(server.sandbox_described(workshop.sandboxes["Ben"])))
    workshop_solvers.refused(solver.send, "+1")
    workshop.act("break", participants=["Cem", "Eva"], faults=[{"status": 500}])
    solver = workshop_solvers.Twilio(ringfence.Sandbox(server.sandbox_described(workshop.sandboxes["Eva"])))
    workshop_solvers.refused(solver.send)
    requests.get(f"{server.http}/s/{workshop.sandboxes['Dia']}/control/inbx", timeout=10)
    workshop.act("note", participants=["Gil"], note="Look at the hint")
    return "/console/workshops/tuesday"


def readme():
    folder = ringfence.ROOT / "Docs/Pictures"
    folder.mkdir(exist_ok=True)
    with ringfence.Server() as server, chromium.launched() as browser:
        sandbox = server.sandbox(name="acme")
        fill(server, sandbox)
        context = browser.new_context(base_url=server.http, viewport={"width": 1280, "height": 720})
        for name, path in {"phones": "/s/acme/", "board": solved_workshop(server)}.items():
            page = context.new_page()
            page.goto(path)
            page.screenshot(path=folder / f"{name}.jpg", type="jpeg", quality=45)
            page.close()


if __name__ == "__main__" and sys.argv[1:] == ["--readme"]:
    readme()
elif __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), [int(width) for width in sys.argv[2:]] or WIDTHS)
