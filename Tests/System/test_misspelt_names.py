"""Each name of the server and of the command line, misspelt by one letter, is refused with the right one.

The names come from the server and from the program, so that new ones are tested too. Source: issue 27."""

import functools
import itertools
import json
import os
import re
import subprocess

import pytest
import requests

import ringfence

HIDDEN = {"map-identities"}


def misspelt(name, known=()):
    """The name with another letter in its middle."""
    place = len(name) // 2
    return next(found for letter in "qzxj" if (found := name[:place] + letter + name[place + 1:]) not in known)


def is_near(name, other):
    """True if one letter differs, is missing or is too many: several names may be equally near."""
    short, long = sorted((name, other), key=len)
    alike = len(os.path.commonprefix((short, long)))
    return len(long) - len(short) <= 1 and short[alike + (len(short) == len(long)):] == long[alike + 1:]


def assert_suggested(text, name, wrong, known):
    """The error names the wrong word and the right one, or another name that is as near."""
    meant = re.search(r"[Dd]id you mean '?\"?(?:ringfence )?([^\"'?]+)", text)
    assert wrong in text, text
    if meant:
        found = meant[1].split()[-1]
        assert found == name or (found in known and is_near(found, wrong)), text
    else:
        # A list that is short enough to be read.
        assert re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text), text


# The control API

@pytest.fixture(scope="module")
def described(server):
    return requests.get(f"{server.http}/control/openapi.json", timeout=30).json()


@pytest.fixture(scope="module")
def options(server):
    return requests.get(f"{server.http}/control/faults/options", timeout=30).json()["providers"]


def refusal(sandbox, method, path, body=None, **named):
    answer = sandbox.control(method, path, expect=(400, 404), json=body, **named).json()
    return answer["error"]


def test_providers(sandbox, options):
    known = [provider["name"] for provider in options]
    for name in known:
        wrong = misspelt(name)
        asks = [
            ("PUT", "faults", {"faults": [{"provider": wrong, "status": 500}]}),
            ("PUT", "scenarios", {"scenarios": [{"match": {"provider": wrong}, "outcome": "slow"}]}),
            *(("GET", f"{path}?provider={wrong}", None) for path in
              ("messages", "inbox", "inbox/+12025550100", "journal", "verifications", "webhooks", "pushes", "errors",
               "faults/options")),
            ("GET", f"records/{wrong}", None),
        ]
        for method, path, body in asks:
            assert_suggested(refusal(sandbox, method, path, body), name, wrong, known)


def test_routes_and_codes_of_faults(sandbox, options):
    count = 0
    for provider in options:
        for member, known in (
                ("route", [route["name"] for route in provider["routes"]]), ("code", provider.get("codes", []))):
            for name in known:
                wrong = misspelt(name, known)
                fault = {"provider": provider["name"], "status": 500, member: wrong}
                said = refusal(sandbox, "PUT", "faults", {"faults": [fault]})
                assert_suggested(said, name, wrong, known)
                count += 1
    assert count > 300


def test_outcomes_and_channels_of_scenarios(sandbox, described):
    scenario = described["components"]["schemas"]["ScenarioInput"]["properties"]
    for name in filter(None, scenario["outcome"]["enum"]):
        wrong = misspelt(name)
        said = refusal(sandbox, "PUT", "scenarios", {"scenarios": [{"outcome": wrong}]})
        assert_suggested(said, name, wrong, scenario["outcome"]["enum"])
    for name in filter(None, scenario["match"]["properties"]["channel"]["enum"]):
        wrong = misspelt(name)
        said = refusal(sandbox, "PUT", "scenarios", {"scenarios": [{"match": {"channel": wrong}, "outcome": "slow"}]})
        assert_suggested(said, name, wrong, scenario["match"]["properties"]["channel"]["enum"])


def test_stories_and_flavours_of_workshops(server):
    stories = requests.get(f"{server.http}/control/stories", timeout=10).json()["stories"]
    names = [story["name"] for story in stories]

    def refused(path, body):
        answer = requests.post(f"{server.http}/control/{path}", json=body, timeout=10)
        assert answer.status_code in (400, 404), answer.text
        return answer.json()["error"]

    workshop = {"name": "misspelt", "participants": 1}
    for story in stories:
        wrong = misspelt(story["name"])
        assert_suggested(refused("workshops", {**workshop, "story": wrong}), story["name"], wrong, names)
        for flavour in story["flavours"]:
            wrong = misspelt(flavour)
            said = refused("workshops", {**workshop, "story": story["name"], "flavour": wrong})
            assert_suggested(said, flavour, wrong, story["flavours"])


def test_paths_and_query_parameters(server, described):
    for path, methods in described["paths"].items():
        words = path.split("/")
        place = max(index for index, word in enumerate(words) if "{" not in word)
        name = words[place]
        wrong = misspelt(name)
        if "{" not in path and path.startswith("/control/"):
            # `/control/journal/wqit` names a request, which is not found.
            siblings = [other.split("/") for other in described["paths"]]
            if any(other[:place] == words[:place] and "{" in "".join(other[place:place + 1]) for other in siblings):
                continue
            for method in methods:
                url = f"{server.http}{'/'.join([*words[:place], wrong])}"
                said = requests.request(method, url, timeout=10).json()["error"]
                assert re.search(r"did you mean [A-Z]+ /control/", said) or "wrong method" in said, said
        for parameter in methods.get("get", {}).get("parameters", []):
            if parameter["in"] == "query" and "{" not in path:
                known = [each["name"] for each in methods["get"]["parameters"]]
                wrong = misspelt(parameter["name"])
                said = requests.get(f"{server.http}{path}?{wrong}=1", timeout=10).json()["error"]
                assert_suggested(said, parameter["name"], wrong, known)


# The command line

@functools.cache
def program():
    dumped = json.loads(ringfence.command("--experimental-dump-help"))["command"]
    return [command for command in dumped["subcommands"] if command["commandName"] not in HIDDEN]


def said(*words, environment=None):
    """Standard error of a command that is refused."""
    done = subprocess.run(
        [ringfence.binary(), *words], capture_output=True, text=True, timeout=30, check=False,
        env={**os.environ, **(environment or {})})
    assert done.returncode != 0, f"{words}: {done.stdout}"
    return done.stderr


def test_commands():
    known = [command["commandName"] for command in program()]
    for command in program():
        assert_suggested(said(misspelt(command["commandName"])), command["commandName"],
                         misspelt(command["commandName"]), known)
        own = [each["commandName"] for each in command.get("subcommands", []) if each["commandName"] != "help"]
        for name in own:
            wrong = misspelt(name)
            assert_suggested(said(command["commandName"], wrong), name, wrong, own)


def needed(words, command):
    """The arguments without which the command is not complete."""
    if words == ("run",):
        return ["--", "true"]
    required = [argument for argument in command["arguments"] if not argument["isOptional"]]
    return [word for argument in required for word in (
        ["ci-17" if argument["valueName"] == "name" else "+12025550100"] if argument["kind"] == "positional" else [f"--{argument['names'][0]['name']}", "1"])]


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_options_of_every_command(every):
    def commands():
        for command in program():
            own = [each for each in command.get("subcommands", []) if each["commandName"] != "help"]
            yield from ([(command["commandName"], each["commandName"]), each] for each in own)
            if not own:
                yield (command["commandName"],), command

    tested = set()
    for words, command in commands():
        shown = [argument for argument in command["arguments"] if argument["shouldDisplay"]]
        known = [name["name"] for argument in shown for name in argument.get("names", []) if name["kind"] == "long"
                 and name["name"] not in ("help", "version")]
        # Each option once: all commands have the same parser.
        untested = sorted(set(known) - tested)
        tested.update(untested)
        for name in untested[::every]:
            wrong = misspelt(name, known)
            text = said(*words, f"--{wrong}", *needed(words, command))
            # Without a valid option, a command may ask for it first.
            if f"--{name}" not in text.splitlines()[0]:
                assert_suggested(text, f"--{name}", f"--{wrong}", {f"--{each}" for each in known})
    assert len(tested) > 60


def serve_options():
    serve = next(command for command in program() if command["commandName"] == "serve")
    names = {name["name"] for argument in serve["arguments"] for name in argument.get("names", []) if name["kind"] == "long"}
    return sorted(names - {"help", "version", "no-live"})


def test_variables():
    known = ["RINGFENCE_" + name.upper().replace("-", "_") for name in serve_options()]
    known += ["RINGFENCE_URL", "RINGFENCE_TOKEN", "RINGFENCE_HTTPS_URL", "RINGFENCE_GATEWAY_URL", "RINGFENCE_TEST"]
    for name in known:
        wrong = name[:-1] + ("Q" if name[-1] != "Q" else "Z")
        assert_suggested(said("env", environment={wrong: "1"}), name, wrong, known)


def test_options_in_a_file(tmp_path):
    file = tmp_path / "options.json"
    known = serve_options()
    for name in known:
        wrong = misspelt(name, known)
        file.write_text(json.dumps({wrong: "1"}))
        assert_suggested(said("serve", "--config", str(file)), name, wrong, known)


def failure_ids(server):
    groups = requests.get(f"{server.http}/control/failures", timeout=10).json()["groups"]
    return [failure["id"] for group in groups for failure in group["failures"]]


def test_failures(server):
    known = failure_ids(server)
    for name, action in zip(known[::3], itertools.cycle(("show", "produce", "undo"))):
        wrong = misspelt(name)
        assert_suggested(said("failures", action, wrong, "--url", server.http), name, wrong, known)
    assert_suggested(said("failures", "show", misspelt("text-lost")), "text-lost", misspelt("text-lost"), known)


def test_sandboxes(server, sandbox):
    wrong = misspelt(sandbox.name)
    for words in (("sandbox", "show", wrong), ("inbox", "--sandbox", wrong), ("sandbox", "delete", wrong),
                  ("sandbox", "reset", wrong), ("snapshot", "save", "/dev/null", "--sandbox", wrong)):
        assert_suggested(said(*words, "--url", server.http), sandbox.name, wrong, [])


@pytest.mark.parametrize("words, name", [
    ("errors {}", "twilio"), ("errors twilio {}", "60202"), ("code +12025550100 --provider {}", "twilio"),
    ("ca --trust {}", "debian"), ("doctor --sdk {}", "prelude-python"), ("doctor --format {}", "json"),
    ("env --format {}", "dotenv"), ("open http://127.0.0.1:9/ --as {}", "android"),
    ("open http://127.0.0.1:9/ --bearer {}", "cellular"), ("serve --auth {}", "strict"),
    ("serve --numbers {}", "safe-only"), ("serve --fsync {}", "normal"), ("serve --ready {}", "json"),
    ("run --numbers {} -- true", "safe-only"),
])
def test_values_without_a_server(words, name):
    wrong = misspelt(name)
    assert_suggested(said(*words.format(wrong).split()), name, wrong, [])


@pytest.mark.parametrize("words, name", [
    ("journal --provider {}", "twilio"), ("journal --route {}", "createVerification"),
    ("verifications --provider {}", "twilio"), ("handset create +12025550100 --provider {}", "twilio"),
    ("handset create +12025550100 --provider twilio --platform {}", "android"),
    ("handset set +12025550100 --behaviour {}", "approve"), ("handset set +12025550100 --condition {}", "locked"),
    ("handset qr --provider {}", "twilio"), ("faults options --provider {}", "twilio"),
    ("failures --flow {}", "webhook"), ("faults add --status 500 --provider {}", "twilio"),
    ("faults add --route {} --provider twilio --status 500", "createVerification"),
    ("faults add --code {} --provider twilio", "60202"), ("faults add --damage {}", "truncate"),
    ("faults add --status 500 --when {}", "before"), ("scenarios add --outcome {}", "undeliverable"),
    ("scenarios add --outcome slow --channel {}", "whatsapp"),
    ("failures produce text-lost --provider {}", "telesign"), ("sandbox create --seeds {}", "default"),
    ('faults add {{"{}":"twilio","status":500}}', "provider"),
])
def test_values_with_a_server(server, words, name):
    wrong = misspelt(name)
    text = said(*words.format(wrong).split(), "--url", server.http)
    known = ["60202", *(f"60{digit}02" for digit in range(10)), *(f"6020{digit}" for digit in range(10))]
    if name == "twilio" and "qr" in words:
        # This error lists the names alone.
        assert name in text
    else:
        assert_suggested(text, name, wrong, known)
