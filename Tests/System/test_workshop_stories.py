"""Every task of every shipped story and flavour, solved as participants do. Source: CONSOLE.md 2."""

import html
import json
import re
import subprocess

import jsonschema
import pytest
import requests

import receiver
import ringfence
from workshop_solvers import FLAVOURS, SOLVERS, STORIES, Workshop, method_of, refused

SCHEMA = json.loads((ringfence.ROOT / "Seeds/story-schema.json").read_text())


@pytest.fixture
def workshop(server):
    made = []

    def make(story, flavour, participants=1):
        made.append(Workshop(server, f"story-{len(made)}-{story[:20]}-{flavour}", story, participants, flavour))
        return made[-1]

    yield make
    for one in made:
        one.delete()


def player(server, workshop, name="1"):
    return ringfence.Sandbox(server.sandbox_described(workshop.sandboxes[name]))


@pytest.mark.parametrize("story, flavour", FLAVOURS)
def test_every_task_is_done_by_an_official_client(server, workshop, story, flavour):
    made = workshop(story, flavour)
    with receiver.Receiver() as hook:
        solver = SOLVERS[flavour](player(server, made), hook.url)
        for done, title in enumerate(made.tasks, 1):
            assert made.states()["1"][done - 1] == "untouched", f"{title}: solved too early"
            getattr(solver, method_of(title))()
            assert made.states()["1"] == ["done"] * done + ["untouched"] * (len(made.tasks) - done), title

    sandbox = solver.sandbox
    assert (sandbox.control("GET", "faults").json(), sandbox.control("GET", "scenarios").json()) == (
        {"faults": []}, {"scenarios": []})


LIMIT = "If a limit is reached"


def commands(server, made):
    """The commands of the current task on the participant's page, by title."""
    page = requests.get(f"{server.http}/s/{made.sandboxes['1']}/", timeout=20).text
    (own,) = re.findall(r'<details id="commands".*?</details>', page, re.S)
    return {html.unescape(title): html.unescape(code) for title, code in re.findall(
        r'<h3>(.*?)</h3>.*?data-copy="(.*?)"', own, re.S)}


def run(script):
    return subprocess.run(["bash", "-ec", script], capture_output=True, text=True, timeout=60, check=True).stdout


def test_after_five_wrong_codes_the_last_command_lets_a_new_code_be_sent(server, workshop):
    made = workshop("first-sign-in", "twilio")
    solver = SOLVERS["twilio"](player(server, made))
    solver.send_a_code()
    solver.read_the_code()
    for _ in range(5):
        assert solver.check("000000") == "pending"
    assert refused(solver.check, "000000") == 429
    own = commands(server, made)
    send, check = (own[title] for title in ("Send a code, if there is none to check", "Check the newest code"))
    assert json.loads(run(send))["status"] == 429

    run(next(code for title, code in own.items() if title.startswith(LIMIT)))

    run(send)
    run(check)
    assert made.states()["1"][:3] == ["done"] * 3


def test_each_story_has_two_flavours():
    assert sorted(FLAVOURS) == [
        ("first-sign-in", "prelude"), ("first-sign-in", "twilio"), ("same-person", "twilio"), ("same-person", "vonage"),
        ("when-it-goes-wrong", "telesign"), ("when-it-goes-wrong", "twilio"), ("without-a-code", "prove"), ("without-a-code", "twilio")]


def test_the_schema_of_stories_is_up_to_date_and_accepts_them():
    assert (ringfence.ROOT / "Seeds/story-schema.json").read_text() == ringfence.command("seed", "schema", "--story")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for path in STORIES:
        jsonschema.validate(json.loads(path.read_text()), SCHEMA)
        assert "ok" in ringfence.command("seed", "check", path)


def own_story(**task):
    return {"title": "Mine", "summary": "My own tasks.", "flavours": [{"name": "twilio", "tasks": [
        {"title": "List", "text": "List your Services.", "done": [{"request": {"provider": "twilio"}}], **task}]}]}


@pytest.mark.parametrize("task, sentence", [
    ({"done": []}, "$.flavours[0].tasks[0].done: expected at least one request or event; found an array"),
    ({"done": [{}]}, "$.flavours[0].tasks[0].done[0].request: missing; expected at least one of request, event"),
    ({"done": [{"request": {"provider": "twillio"}}]},
     '$.flavours[0].tasks[0].done[0].request.provider: unknown provider "twillio"; did you mean "twilio"?'),
    ({"done": [{"request": {"provider": "twilio", "route": "createVerificatoin"}}]},
     '$.flavours[0].tasks[0].done[0].request.route: unknown route "createVerificatoin"; did you mean "createVerification"?'),
    ({"faults": [{"provider": "twilio", "route": "x", "status": 500}]}, "$.flavours[0].tasks[0].faults[0].route: unknown route"),
    ({"hnit": "x"}, '$.flavours[0].tasks[0].hnit: unknown field; did you mean "hint"?'),
    ({"subscribers": [{"number": "12"}]}, "$.flavours[0].tasks[0].subscribers[0].number: expected a phone number"),
])
def test_a_mistake_in_a_story_is_named(tmp_path, task, sentence):
    folder = tmp_path / "workshops"
    folder.mkdir()
    (folder / "mine.json").write_text(json.dumps(own_story(**task)))

    assert sentence in ringfence.command("seed", "check", folder / "mine.json", expect=1)
    with pytest.raises(AssertionError):
        ringfence.Server("--seeds", tmp_path)


def test_a_trainer_adds_a_story(tmp_path):
    folder = tmp_path / "workshops"
    folder.mkdir()
    (folder / "mine.json").write_text(json.dumps(own_story()))
    with ringfence.Server("--seeds", tmp_path) as server:
        made = Workshop(server, "mine", "mine", ["Ana"])
        SOLVERS["twilio"](player(server, made, "Ana")).service.fetch()
        assert made.states() == {"Ana": ["done"]}


def test_the_example_of_the_page_is_a_story(tmp_path):
    page = (ringfence.ROOT / "Docs/Workshops.md").read_text()
    (example,) = re.findall(r"^```json\n(.*?)^```", page, re.M | re.S)
    folder = tmp_path / "workshops"
    folder.mkdir()
    (folder / "lost-texts.json").write_text(example)
    jsonschema.validate(json.loads(example), SCHEMA)

    assert "ok" in ringfence.command("seed", "check", folder / "lost-texts.json")


def test_the_command_of_the_page_creates_a_workshop():
    page = (ringfence.ROOT / "Docs/Workshops.md").read_text()
    script = next(block for block in re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S) if "curl" in block)
    with ringfence.Server() as server:
        done = subprocess.run(
            ["bash", "-ec", script.replace("http://127.0.0.1:5550", server.http)], capture_output=True, text=True,
            timeout=60, check=True)
    assert [one["name"] for one in json.loads(done.stdout)["participants"]] == ["Ana", "Ben"]
