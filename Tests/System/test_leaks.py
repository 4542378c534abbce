"""Every operation of the control API and every page, called by those who may not. Driven by the server's own
description, so new operations are covered without a change here. Source: issue 22, "Done when"."""

import json
import re

import pytest
import requests

import ringfence
from provider_tokens import Keys, bearer

TOKEN = "admin-token-of-the-tests"
ADMIN = bearer(TOKEN)
NUMBER = "+12025550141"
# Health, sign-in, and what phones need: a push token is its own credential. Nothing in them is of a sandbox.
OPEN = {"/livez", "/readyz", "/control/phone/pushes", "/control/phone/authority.mobileconfig", "/control/phone/authority.crt"}
OPEN_PAGES = (*OPEN, "/console/sign-in", "/console/assets/", "/join", "/favicon.ico")
REFUSED = (401, 403, 404, 429)


class House:
    """A server that requires a token, with the sandbox of a victim, that of a stranger, and a workshop."""

    def __init__(self, server):
        self.server, self.session = server, requests.Session()
        self.tokens = {}
        for name in ("victim", "stranger"):
            made = self.admin("POST", "/control/sandboxes", {
                "name": name, "entropySeed": 7, "clock": "2026-01-05T10:20:30Z", "seeds": ["default"]})
            self.tokens[name] = made.json()["token"]
            sandbox = ringfence.Sandbox(made.json())
            sandbox.session.headers.update(ADMIN)
            setattr(self, name, Keys(sandbox))
        self.admin("POST", "/control/workshops", {
            "name": "course", "story": "first-sign-in", "flavour": "twilio", "participants": ["Ana", "Ben"]})
        self.course = self.admin("GET", "/control/workshops/course").json()
        self.tokens["participant"] = self.admin(
            "POST", f"/control/sandboxes/{self.course['participants'][0]['sandbox']}/tokens").json()["token"]
        self.admin("POST", "/s/victim/control/seed", {"subscribers": [{"number": NUMBER, "code": "471147"}]})
        self.description = self.admin("GET", "/control/openapi.json").json()
        self.secrets = self.held_by_the_victim()

    def admin(self, method, path, body=None):
        answer = self.session.request(method, self.server.http + path, json=body, headers=ADMIN, timeout=30)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer

    def held_by_the_victim(self):
        """Texts that nobody else may see."""
        described = self.admin("GET", "/control/sandboxes/victim").json()
        values = [value for own in described["credentials"].values() for value in own.values()]
        values = [value for value in values if len(value) > 12 and "googleapis" not in value]
        stranger = self.admin("GET", "/control/sandboxes/stranger").text
        held = [getattr(self.victim, name) for name in self.victim.MADE]
        return [text for text in [*values, *held, self.tokens["victim"], "471147"]
                if isinstance(text, str) and json.dumps(text)[1:-1] not in stranger]

    def state(self):
        """The whole state of the victim, and of the workshop what participants cannot change: their refused
        requests count as their own."""
        described = self.admin("GET", "/control/sandboxes?limit=1000").json()["sandboxes"]
        board = self.admin("GET", "/control/workshops/course").json()["participants"]
        fixed = [{key: one[key] for key in ("name", "sandbox", "phrase", "token", "note", "failures")} for one in board]
        return self.admin("GET", "/control/sandboxes/victim/snapshot").text, [one["name"] for one in described], fixed

    def operations(self):
        """Method and path of each operation, with the victim's ids in its captures."""
        for template, methods in self.description["paths"].items():
            names = re.findall(r"{(\w+)}", template)
            for values in self.captures(names, template):
                for method in methods:
                    if method in ("get", "put", "post", "delete", "patch"):
                        yield method.upper(), template, re.sub(r"{(\w+)}", lambda found: values[found[1]], template)

    def captures(self, names, template):
        if "workshops" in template:
            return [{name: "course" for name in names}]
        common = {"name": "victim", "number": NUMBER, "destination": "+12025550100", "provider": "twilio",
                  "folder": "Recipes", "page": "README.md"}
        return [{**common, "id": found} for found in ("latest", "1", "req_1", "+12025550100")] if "id" in names else [common]

    def callers(self):
        """What those who may not call present, by who they are."""
        yield "nobody", {}
        yield "participant", bearer(self.tokens["participant"])
        yield "participant's browser", {"Cookie": f"ringfence-token={self.tokens['participant']}"}
        yield "stranger", bearer(self.tokens["stranger"])
        for name in self.stranger.MADE:
            value = getattr(self.stranger, name)
            yield name, value if isinstance(value, dict) else {"X-SDK-Key": value, **bearer(value)}


@pytest.fixture(scope="module")
def house():
    with ringfence.Server("--auth", "strict", environment={"RINGFENCE_ADMIN_TOKEN": TOKEN}) as server:
        yield House(server)


def ask(house, method, path, headers):
    """Status and whole text of an answer; of an event stream, its beginning."""
    body = None if method in ("GET", "DELETE") else {}
    query = {"after": "0.0.0"} if path.endswith("/events/stream") else None
    with house.session.request(method, house.server.http + path, params=query, json=body, headers=headers,
                               allow_redirects=False, timeout=20, stream=True) as answer:
        is_stream = answer.headers.get("Content-Type") == "text/event-stream"
        text = next(answer.iter_content(1 << 20)).decode() if is_stream else answer.text
        return answer.status_code, f"{answer.headers}\n{text}"


def leaked(house, text):
    return [secret for secret in house.secrets if secret in text or json.dumps(secret)[1:-1] in text]


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_no_operation_of_the_control_api_leaks(house, every):
    before, found, count = house.state(), [], 0

    for method, template, path in list(house.operations())[::every]:
        for caller, headers in house.callers():
            for target, more in ((f"/s/victim{path}", {}), (path, {"X-Sandbox": "victim"})):
                status, text = ask(house, method, target, {**headers, **more})
                count += 1
                if leaked(house, text) or (template not in OPEN and status not in REFUSED):
                    found.append(f"{caller}: {method} {target}: {status}")

    assert not found, "\n".join(found[:40])
    assert house.state() == before
    assert count * every > 3000


def test_no_operation_leaks_to_a_sandbox_that_names_none(house):
    """A token's own sandbox answers, with nothing of another one."""
    for method, template, path in house.operations():
        if method == "GET":
            for caller in ("participant", "stranger"):
                text = ask(house, method, path, bearer(house.tokens[caller]))[1]
                assert not leaked(house, text), f"{caller}: {path}"


def pages(house):
    """Every page to which the victim's and the trainer's pages lead."""
    waiting, seen = ["/s/victim/", "/console/workshops", "/console/workshops/course"], []
    while waiting:
        path = waiting.pop()
        if path in seen or len(seen) > 300:
            continue
        seen.append(path)
        answer = house.session.get(house.server.http + path, headers=ADMIN, allow_redirects=False, timeout=20)
        if "text/html" in answer.headers.get("Content-Type", ""):
            links = re.findall(r'(?:href|src)="(/[^"#]*)', answer.text)
            waiting += [link.replace("&amp;", "&") for link in links if "sign-out" not in link]
    return seen


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_no_page_leaks(house, every):
    before, found = house.state(), []
    seen = [path for path in pages(house) if not re.sub("^/s/[^/]+", "", path).startswith(OPEN_PAGES)]

    for path in seen[::every]:
        victims = path if path.startswith("/s/") else f"/s/victim{path}"
        for caller, headers in house.callers():
            for target in {path, victims}:
                status, text = ask(house, "GET", target, {"Accept": "text/html", **headers})
                own = not target.startswith("/s/victim") and "workshops" not in target and caller in (
                    "participant", "participant's browser", "stranger")
                redirected = status == 303 and "/console/sign-in" in text
                if leaked(house, text) or not (own or redirected or status in REFUSED):
                    found.append(f"{caller}: {target}: {status}")

    assert not found, "\n".join(found[:40])
    assert house.state() == before
    assert len(seen) > 15
