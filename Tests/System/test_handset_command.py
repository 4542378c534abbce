"""`ringfence handset`: the commands, and what they say when something is wrong."""

import pytest

import ringfence

NUMBER = "+12025550100"


@pytest.fixture
def handset(server, sandbox):
    def handset(*words, expect=0):
        return ringfence.command("handset", *words, "--url", sandbox.base, expect=expect)

    return handset


def start_sign_in(sandbox):
    own = sandbox.credentials["telesign"]
    answer = sandbox.session.post(
        f"{sandbox.base}/telesign/v2/verify/push", data={"phone_number": NUMBER[1:]}, timeout=20,
        auth=(own["customerId"], own["apiKey"]))
    assert answer.status_code == 200, answer.text
    return answer.json()["reference_id"]


@pytest.mark.parametrize("action, state", [("approve", "approved"), ("deny", "denied")])
def test_create_watch_and_answer(sandbox, handset, action, state):
    made = handset("create", NUMBER, "--provider", "telesign")
    assert "telesign  com.example.app:1.0.0  android  ready" in made
    sign_in = start_sign_in(sandbox)
    (line,) = handset("watch", "--once").splitlines()
    assert "telesign to +12025550100, pending: Is it you who signs in?" in line and sign_in in line

    assert handset(action, NUMBER) == f"{state}  telesign {sign_in} of {NUMBER}\n"

    assert state in handset("watch", NUMBER, "--once")
    assert handset("watch", "+12025550199", "--once") == ""


def test_list_shows_handsets_with_their_apps(sandbox, handset):
    handset("create", NUMBER)
    assert f"{NUMBER}  no apps" in handset("list").splitlines()
    handset("create", NUMBER, "--provider", "fcm", "--app", "com.acme", "--push-token", "token-1", "--platform", "ios")

    lines = handset("list").splitlines()

    assert "fcm  com.acme  ios  ready  token token-1" in lines[lines.index(NUMBER) + 1]


def test_set_changes_all_apps_of_a_number(sandbox, handset):
    handset("create", NUMBER, "--provider", "fcm", "--behaviour", "deny")

    changed = handset("set", NUMBER, "--condition", "locked", "--answer-after-ms", "500", "--no-online")

    assert "locked  offline  answers: deny" in changed
    assert "name a change, such as --behaviour approve" in handset("set", NUMBER, expect=64)


def test_errors_say_what_to_do(sandbox, handset):
    assert "did you mean" in handset("create", NUMBER, "--provider", "telesin", expect=1)
    assert "expected one of approve, deny, ignore, manual" in handset(
        "create", NUMBER, "--provider", "fcm", "--behaviour", "aprove", expect=1)
    assert "there is no challenge for latest" in handset("approve", expect=1)
    handset("create", NUMBER, "--provider", "telesign", "--condition", "locked")
    start_sign_in(sandbox)
    assert "the app could not answer: the handset is locked" in handset("approve", expect=1)
    assert "8007" in handset("create", NUMBER, "--provider", "prove", expect=1)


def test_a_qr_code_shows_what_an_app_needs(sandbox, handset):
    text = handset("qr", "--provider", "twilio", "--number", NUMBER, "--text")
    code = handset("qr", "--provider", "twilio")

    assert '"identity":"user-12025550100"' in text and '"accessToken":"' in text
    assert set(code) == set("█▀▄ \n") and len(code.splitlines()) > 20
