"""The commands of the task panel alone: copied in their order into a shell, they finish every story in every
flavour. Source: CONSOLE.md 2."""

import contextlib
import html
import re
import socket
import subprocess

import pytest
import requests

import receiver
from workshop_solvers import FLAVOURS, Workshop

SHELLS = {
    "sh": ["dash", "-ec"],
    # A pattern without quotes is an error, as in zsh.
    "bash": ["bash", "-O", "failglob", "-ec"],
}
SECOND_TERMINAL = "In a second terminal"


class Terminal:
    """A participant's terminal: what they copy from the panel of their current task."""

    def __init__(self, server, made, folder, shell="sh", name="1"):
        self.url = f"{server.http}/s/{made.sandboxes[name]}"
        self.folder, self.shell, self.port = folder, SHELLS[shell], str(receiver.free_port())

    def panel(self):
        """The current task as it is shown."""
        page = requests.get(f"{self.url}/", timeout=20).text
        (own,) = re.findall(r'<li class="[a-z]+ current".*?</li>', page, re.S)
        return own

    def commands(self):
        """Titles and commands."""
        (own,) = re.findall(r'<details id="commands".*?</details>', self.panel(), re.S)
        return [(html.unescape(title), html.unescape(code).replace("8000", self.port))
                for title, code in re.findall(r'<h3>(.*?)</h3>.*?data-copy="(.*?)"', own, re.S)]

    def run_all(self, until=lambda output: None):
        """Runs the commands of the current task in one shell. A server in a second terminal runs until
        `until` returns."""
        with contextlib.ExitStack() as ends:
            script = ""
            for title, code in self.commands():
                if title.startswith(SECOND_TERMINAL):
                    ends.enter_context(self.server_of(code))
                else:
                    script += f"{code}\n"
            until(self.run(script).stdout)

    def run(self, script):
        done = subprocess.run(
            [*self.shell, script], cwd=self.folder, capture_output=True, text=True, timeout=90, check=False)
        assert (done.returncode, done.stderr) == (0, ""), (script, done.stdout, done.stderr)
        return done

    @contextlib.contextmanager
    def server_of(self, code):
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(["bash", "-c", f"exec {code}"], cwd=self.folder, **silent) as process:
            try:
                await_listener(int(self.port), process)
                yield
            finally:
                process.kill()


def can_connect(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def await_listener(port, process):
    while process.poll() is None and not can_connect(port):
        pass
    assert process.poll() is None


def await_state(made, done, about):
    """Waits until the first participant has done so many tasks, or nothing changes any more."""
    with requests.get(f"{made.url}/stream", stream=True, timeout=20) as stream:
        lines = stream.iter_lines()
        while made.states()["1"][:done] != ["done"] * done:
            try:
                while not next(lines).startswith(b"data"):
                    pass
            except (StopIteration, requests.RequestException) as error:
                raise AssertionError(about()) from error


@pytest.fixture
def live(server):
    """Makes workshops with running clocks, as trainers do."""
    made = []

    def make(story, flavour, participants=1):
        made.append(Workshop(server, f"copied-{len(made)}-{story[:20]}-{flavour}", story, participants, flavour, clock=None))
        return made[-1]

    yield make
    for one in made:
        one.delete()


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("story, flavour", FLAVOURS)
def test_the_commands_of_each_task_finish_it(server, live, tmp_path, story, flavour, shell):
    made = live(story, flavour)
    terminal = Terminal(server, made, tmp_path, shell)
    for done, title in enumerate(made.tasks, 1):
        terminal.run_all(lambda output, done=done, title=title: await_state(
            made, done, lambda: (title, output, terminal.panel())))


@pytest.mark.parametrize("flavour, title", [("twilio", "Create a factor"), ("telesign", "Begin a verification")])
def test_a_webhook_that_does_not_arrive_says_why_in_the_panel(server, live, tmp_path, flavour, title):
    made = live("when-it-goes-wrong", flavour)
    terminal = Terminal(server, made, tmp_path)
    for done in range(1, len(made.tasks)):
        terminal.run_all(lambda _, done=done: await_state(made, done, terminal.panel))
    commands = dict(terminal.commands())
    (register,) = (code for name, code in commands.items() if name.startswith("Register"))
    terminal.run(register)
    terminal.run(commands[title])

    reason = f"the webhook to http://127.0.0.1:{terminal.port}/ did not arrive: "
    await_text(made, lambda: html.unescape(terminal.panel()), reason)
    assert made.states()["1"][-1] == "tried"
    assert reason in requests.get(f"{made.url}/results.csv", timeout=10).text

    terminal.run_all(lambda _: await_state(made, len(made.tasks), terminal.panel))


def await_text(made, text, wanted):
    """Waits until a text that follows the board has a part."""
    with requests.get(f"{made.url}/stream", stream=True, timeout=20) as stream:
        lines = stream.iter_lines()
        while wanted not in text():
            next(lines)


def test_a_code_of_another_time_says_why_and_the_panel_leads_back(server, live, tmp_path):
    made = live("without-a-code", "twilio")
    terminal = Terminal(server, made, tmp_path)
    for _ in made.tasks[:3]:
        terminal.run_all()
    own = dict(terminal.commands())
    clock = next(code for name, code in own.items() if name.startswith("What the app shows"))
    real = next(code for name, code in own.items() if "real time" in name)
    behind = f"{own['Create a factor']}\n{clock}\n{PLUS_TEN.format(url=terminal.url)}\n{own['Verify it with a code of the app']}"

    assert '"status":"unverified"' in terminal.run(behind).stdout

    assert re.search(r"no code of this factor at ([\d-]+ )?\d\d:\d\d:\d\d", html.unescape(terminal.panel()))
    assert made.states()["1"][3] == "tried"
    terminal.run(real)
    before = requests.get(f"{terminal.url}/control/clock", timeout=10).json()
    assert before["mode"] == "real"
    assert made.states()["1"][:3] == ["done"] * 3
    terminal.run_all()
    await_state(made, 4, terminal.panel)


PLUS_TEN = "curl -sS {url}/control/clock -H 'Content-Type: application/json' -d '{{\"advance\":\"10m\"}}'"


def test_a_text_that_the_trainer_has_lost_is_shown_as_broken_on_purpose(server, live, tmp_path):
    made = live("first-sign-in", "twilio")
    terminal = Terminal(server, made, tmp_path)
    made.act("break", scenarios=[{"match": {"channel": "sms"}, "outcome": "undeliverable"}])
    terminal.run_all()

    terminal.run(dict(terminal.commands())["Read the newest code"])

    (one,) = made.board()["participants"]
    result = one["results"][1]
    assert result["why"].startswith("GET /control/inbox/+12025550100/latest/code: broken on purpose: there is no code")
    assert "because of the failure text-lost (scenario 1 of the trainer)" in result["why"]
    assert (result["state"], result["onPurpose"]) == ("started", True)
    panel = terminal.panel()
    assert f"Last failure: {result['why']}" in html.unescape(re.sub("<.*?>", "", panel))
    assert "/console/break#rule-scenario-1" in panel
    assert "broken on purpose: there is no code" in requests.get(f"{made.url}/results.csv", timeout=10).text


def test_credentials_of_a_neighbour_are_explained_on_both_pages(server, live, tmp_path):
    made = live("first-sign-in", "twilio", 2)
    one, two = (Terminal(server, made, tmp_path, name=name) for name in "12")
    mixed = one.commands()[0][1].replace(made.sandboxes["1"], made.sandboxes["2"])

    one.run(mixed)

    why = "sent to the address of participant 2 with the credentials of participant 1"
    for terminal in (one, two):
        assert why in html.unescape(terminal.panel())
    active = {person["name"]: person["activeAt"] for person in made.board()["participants"]}
    assert active["1"] and not active["2"]


def test_a_body_of_the_wrong_kind_is_called_so(server, live, tmp_path):
    made = live("first-sign-in", "twilio")
    terminal = Terminal(server, made, tmp_path)
    form = '--data-urlencode "To=+12025550100" \\\n  -d Channel=sms'
    ((_, send), *_) = terminal.commands()
    assert form in send

    terminal.run(send.replace(form, """-H "Content-Type: application/json" -d '{"To":"+12025550100"}'"""))

    assert "body: expected a form (application/x-www-form-urlencoded); found JSON" in terminal.panel()
