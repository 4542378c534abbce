"""Where a token is required, what a sandbox issues does not follow from its name. Source: issue 45, C1."""

import json
import os
import stat

import pytest
import requests

import ringfence
from provider_tokens import PRESENTATIONS, Keys, bearer

ADMIN = "the-admin-token-of-a-test"
FROZEN = "2026-01-05T10:20:30Z"
# From the default seed, the same for everybody: they open nothing. The 31 others are the sandbox's own.
CONSTANT = {"fcm.tokenUri", "twilio.serviceSid"}


class Guest(ringfence.Sandbox):
    """A sandbox of a server that requires a token, with its token."""

    def __init__(self, described, token):
        super().__init__(described)
        self.session.headers.update(bearer(token))

    def control(self, method, path, **named):
        answer = self.session.request(method, f"{self.base}/control/{path}", timeout=40, **named)
        assert answer.ok, answer.text
        return answer


def hosted(*flags, log=None):
    return ringfence.Server(*flags, environment={"RINGFENCE_ADMIN_TOKEN": ADMIN}, log=log)


def ask(server, method, path, **named):
    answer = requests.request(method, f"{server.http}/control/{path}", headers=bearer(ADMIN), timeout=60, **named)
    assert answer.ok, answer.text
    return answer


def participant(server):
    """The first sandbox of a workshop `tuesday`."""
    body = {"name": "tuesday", "story": "first-sign-in", "participants": 1, "clock": FROZEN}
    (one,) = ask(server, "POST", "workshops", json=body).json()["participants"]
    described = ask(server, "GET", f"sandboxes/{one['sandbox']}").json()
    return Guest(described, one.get("token", ""))


def credentials(described):
    return {f"{provider}.{name}": value for provider, own in described["credentials"].items() for name, value in own.items()}


def created(server, name, **options):
    return credentials(ask(server, "POST", "sandboxes", json={"name": name, "clock": FROZEN, **options}).json())


def same(one, other):
    return {name for name, value in one.items() if other[name] == value}


@pytest.fixture(scope="module")
def rooms():
    """The same workshop on two servers."""
    with hosted("--auth", "strict") as theirs, hosted("--auth", "strict") as ours:
        yield [Keys(participant(server)) for server in (theirs, ours)]


@pytest.mark.parametrize("name", PRESENTATIONS)
def test_what_a_workshop_of_the_same_name_issues_opens_nothing(rooms, name):
    copy, real = rooms

    assert not copy.present(name, to=real)
    assert real.present(name, to=real)


def test_no_credential_follows_from_the_name(rooms):
    """Neither as on another server with a token, nor as on the loopback, where none is required."""
    copy, real = (credentials({"credentials": room.own}) for room in rooms)
    with ringfence.Server() as server:
        local = credentials({"credentials": participant(server).credentials})

    assert len(real) == 38 and same(copy, real) == same(local, real) == CONSTANT


def test_they_follow_from_a_random_seed_that_was_asked_for():
    """Except for the private keys, which are the server's."""
    keys = {"vonage.privateKey", "camara.privateKey", "fcm.privateKey", "fcm.serviceAccount"}
    with hosted() as server, ringfence.Server() as loopback:
        one, other = (created(each, "ci", entropySeed=7) for each in (server, loopback))

    assert set(one) - same(one, other) == keys


def test_they_stay_through_restarts_resets_and_moves(tmp_path):
    with hosted("--data", tmp_path / "one") as server:
        first = created(server, "team")
        snapshot = ask(server, "GET", "sandboxes/team/snapshot").content
    private = stat.S_IMODE(os.stat(tmp_path / "one" / "signing-keys.json").st_mode)
    with hosted("--data", tmp_path / "one") as server:
        restarted = credentials(ask(server, "GET", "sandboxes/team").json())
        reset = credentials(ask(server, "POST", "sandboxes/team/reset").json())
        ask(server, "DELETE", "sandboxes/team")
        again = created(server, "team")
        ask(server, "DELETE", "sandboxes/team/tokens")
        ask(server, "DELETE", "sandboxes/team")
        revoked = created(server, "team")
        exported = ask(server, "GET", "sandboxes/team/export").text
    with hosted("--data", tmp_path / "two") as server:
        moved = credentials(ask(server, "PUT", "sandboxes/team/snapshot", json=json.loads(snapshot)).json())

    assert first == restarted == reset == again == moved and private == 0o600
    assert same(first, revoked) == CONSTANT | {"vonage.privateKey", "camara.privateKey", "fcm.privateKey"}
    key = (tmp_path / "one" / "sandbox-token-key").read_text().strip()
    webhooks = json.loads((tmp_path / "one" / "signing-keys.json").read_bytes())["keys"]["webhooks"]
    assert key not in snapshot.decode() + exported and json.dumps(webhooks)[1:-1] not in exported


def test_a_server_that_gets_a_token_names_the_sandboxes_from_before(tmp_path):
    with ringfence.Server("--data", tmp_path / "data") as server:
        created(server, "early")
    with hosted("--data", tmp_path / "data", log=tmp_path / "log") as server:
        created(server, "late")

    said = (tmp_path / "log").read_text()
    assert "can compute their credentials" in said and ": early. " in said
    with hosted("--data", tmp_path / "data", log=tmp_path / "log") as server:
        ask(server, "DELETE", "sandboxes/early")
    assert "late" not in (tmp_path / "log").read_text()
