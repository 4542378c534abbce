"""What a stranger could change or read through the control API."""

import json

import requests

LIMIT = {part: {"limit": 1000} for part in ("subscribers", "inbox", "devices")}
PARTS = ("clock", "subscribers", "inbox", "faults", "scenarios", "devices", "entropy", "gateway")


def control_state(server):
    """The state of the default sandbox and the names of all sandboxes, as text; without the time, which goes
    on."""
    told = {part: requests.get(f"{server.http}/control/{part}", params=LIMIT.get(part), timeout=10).json() for part in PARTS}
    del told["clock"]["now"]
    sandboxes = requests.get(f"{server.http}/control/sandboxes?limit=1000", timeout=10).json()["sandboxes"]
    return json.dumps([told, [sandbox["name"] for sandbox in sandboxes]])
