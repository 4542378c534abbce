"""A sign-in that waits for an approval on a phone, for providers that ask by push."""

import re

from failure_flows.shared import AT_FIRST, words

# Nobody approves these: the person sees nothing, or does not want to.
UNANSWERED = ("lost", "offline", "denied", "ignored")
ANY = (200, 404, 409)


def approve_on_phone(flows, sign_in):
    """`sign_in` makes a waiting sign-in: see handset_sign_ins."""
    case = flows.failure["id"].removeprefix("push-")
    if case == "wrong-clock" and not flows.signs_times:
        return {"not applicable": "the app signs no times"}
    waiting = sign_in()
    phone = waiting.handset
    if case in ("wrong-clock", "no-biometrics"):
        flows.produce()
    if case == "reinstalled":
        registration = flows.sandbox.control("POST", "devices", expect=(201, 409), json={
            "number": phone.number, "provider": flows.name, **flows.app}).json()
        if "error" in registration:
            return {"registration": result(registration)}
    waiting.ask()
    # Telesign waits a minute for an answer.
    flows.sandbox.advance(AT_FIRST)
    first = pushes_on(flows, phone.number)
    flows.sandbox.advance({"late": "70s", "expired": "11m", "answered-late": "20m"}.get(case, "45s"))
    last = pushes_on(flows, phone.number)
    approvals = [None] if case in UNANSWERED else approve(flows, phone, case)
    return {"phone at first": first if first != last else None, "phone": last, "approval": approvals[0],
            "again": approvals[1] if len(approvals) > 1 else None, "sign-in": waiting.state()}


def pushes_on(flows, number):
    """How many pushes a phone shows."""
    arrived = flows.sandbox.control("GET", f"inbox/{number}", params={"channel": "push"}).json()["messages"]
    return f"{len(arrived)} pushes" if len(arrived) != 1 else "1 push"


def approve(flows, phone, case):
    """The results of each approval, in order."""
    if case == "wrong-key":
        return [result(flows.produce(ANY))]
    late = {"fault": "late"}
    faults = {"answered-twice": [{}, late], "answered-late": [late]}.get(case, [{}])
    return [result(phone.approve(ANY, **fault)) for fault in faults]


def result(answer):
    """The state, or the provider's refusal in short."""
    if "error" not in answer:
        return answer["state"]
    status = re.search(r"answered (\d+)", answer["error"])
    code = re.search(r'"code":\s*"?(\w+)', answer["error"])
    return words("refused", status and status[1], code and code[1])
