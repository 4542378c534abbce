"""`ringfence env`: the same variables in every format. Source: issue 5, part 5."""

import json
import os
import re
import shutil
import subprocess

import dotenv
import pytest
import yaml

import ringfence

READERS = ["dotenv", "sh", "fish", "cmd", "powershell", "json", "compose", "github"]


@pytest.fixture
def home(tmp_path):
    """A home folder whose name needs quoting."""
    folder = tmp_path / "it's $HOME \\ \"here\""
    folder.mkdir(mode=0o700)
    return folder


def env(*flags, home, **environment):
    done = subprocess.run(
        [str(ringfence.binary()), "env", *map(str, flags)], capture_output=True, text=True, timeout=30, check=False,
        env={"PATH": os.environ["PATH"], "HOME": str(home), **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


def read_by_shell(text, *command):
    """The variables after a shell has read the lines."""
    done = subprocess.run(
        [*command, text + "\nenv -0"], capture_output=True, text=True, timeout=30, check=True,
        env={"PATH": os.environ["PATH"]})
    entries = dict(entry.split("=", 1) for entry in done.stdout.split("\0") if entry)
    return {name: value for name, value in entries.items() if name not in ("PATH", "PWD", "SHLVL", "_", "OLDPWD", "HOME", "USER")}


def read_by_github(text):
    """Parses the format of the file named by $GITHUB_ENV."""
    found, lines = {}, iter(text.splitlines())
    for line in lines:
        if "<<" in line.split("=")[0]:
            name, mark = line.split("<<")
            found[name] = "\n".join(iter(lambda: next(lines), mark))
        else:
            name, found[name] = line.split("=", 1)
    return found


def read_by_cmd(text):
    """Reads a batch file as the command prompt does: percent signs first, then quotes and carets; `set` takes
    what is between the first and the last quote."""
    found = {}
    for line in text.splitlines():
        read, is_quoted, characters = "", False, iter(line.replace("%%", "%"))
        for character in characters:
            if character == "^" and not is_quoted:
                character = next(characters)
            elif character == '"':
                is_quoted = not is_quoted
            else:
                assert is_quoted or character not in "&|<>()", line
            read += character
        name, found[name] = re.fullmatch(r'set "(\w+)=(.*)"', read).groups()
    return found


def read_by_powershell(text):
    entries = re.findall(r"^\$env:(\w+) = '((?:[^']|'')*)'$", text, re.M)
    assert len(entries) == len(text.splitlines())
    return {name: value.replace("''", "'") for name, value in entries}


def read(form, text, tmp_path):
    """The variables as the format's own reader sees them."""
    if form == "sh":
        return read_by_shell(text, "sh", "-c")
    if form == "fish":
        if not shutil.which("fish"):
            pytest.skip("fish is not installed")
        return {k: v for k, v in read_by_shell(text, "fish", "--no-config", "-c").items() if not k.startswith("FISH_")}
    if form == "cmd":
        return read_by_cmd(text)
    if form == "powershell":
        return read_by_powershell(text)
    if form == "dotenv":
        (tmp_path / ".env").write_text(text)
        return dotenv.dotenv_values(tmp_path / ".env", interpolate=False)
    if form == "json":
        return json.loads(text)
    if form == "compose":
        return {name: value.replace("$$", "$") for name, value in yaml.safe_load(text)["environment"].items()}
    return read_by_github(text)


@pytest.mark.parametrize("form", READERS)
def test_every_format_has_the_same_variables(form, home, tmp_path):
    expected = json.loads(env("--proxy", "--format", "json", home=home))
    assert str(home) in expected["SSL_CERT_FILE"]

    assert read(form, env("--proxy", "--format", form, home=home), tmp_path) == expected


def test_shell_is_an_alias_of_sh(home):
    assert env("--shell", home=home) == env("--format", "sh", home=home)


def test_the_default_format_is_dotenv(home):
    assert env(home=home) == env("--format", "dotenv", home=home)


def test_without_proxy_no_proxy_and_no_trust_is_set(home):
    found = json.loads(env("--format", "json", home=home))

    assert "TWILIO_AUTH_TOKEN" in found and not {"API_KEY", "CUSTOMER_ID", "PHONE_NUMBER"} & set(found)
    assert found["RINGFENCE_URL"] == "http://127.0.0.1:5550"
    assert not any("PROXY" in name.upper() or "CERT" in name or "JAVA" in name for name in found)


def test_addresses_from_the_options_are_used(home):
    found = json.loads(env(
        "--format", "json", "--proxy", "--url", "http://192.0.2.7:80", "--https", "https://192.0.2.7",
        "--gateway", "http://192.0.2.7:81", home=home))

    assert found["RINGFENCE_URL"] == found["HTTPS_PROXY"] == found["PRELUDE_BASE_URL"] == "http://192.0.2.7:80"
    assert found["RINGFENCE_HTTPS_URL"] == "https://192.0.2.7"
    assert found["RINGFENCE_GATEWAY_URL"] == "http://192.0.2.7:81"
    assert "192.0.2.7" in found["NO_PROXY"].split(",")


def test_paths_are_absolute(home, tmp_path):
    data = os.path.relpath(tmp_path / "state")
    found = json.loads(env("--format", "json", "--proxy", "--data", data, home=home))

    assert found["SSL_CERT_FILE"] == f"{tmp_path}/state/bundle.pem"
    assert found["GOOGLE_APPLICATION_CREDENTIALS"].startswith(f"{tmp_path}/state/")


def test_each_sandbox_and_server_has_its_own_files(home):
    found = {}
    with ringfence.Server() as one, ringfence.Server() as other:
        for server, name in [(one, "p07"), (one, "p08"), (other, "p07"), (one, None)]:
            own = server.sandbox(name=name).credentials if name else server.sandbox_described("default")["credentials"]
            flags = ["--sandbox", name] if name else []
            path = json.loads(env("--format", "json", "--url", server.http, *flags, home=home))["GOOGLE_APPLICATION_CREDENTIALS"]
            found[path] = own["fcm"]["serviceAccount"]

    assert len(found) == 4
    for path, account in found.items():
        assert open(path, encoding="utf-8").read() == account
        assert os.stat(path).st_mode & 0o077 == 0


@pytest.mark.parametrize("https, gateway", [("127.0.0.1:0", "127.0.0.1:0"), ("off", "off")])
def test_addresses_are_those_of_the_listeners(home, https, gateway):
    listeners = ("--http", "127.0.0.1:0", "--https", https, "--gateway", gateway)
    with ringfence.Server(listeners=listeners) as server:
        found = json.loads(env("--format", "json", "--url", server.http, home=home))
        given = json.loads(env("--format", "json", "--url", server.http, "--https", "https://h", "--gateway", "off", home=home))

    assert found.get("RINGFENCE_HTTPS_URL") == server.https
    assert found.get("RINGFENCE_GATEWAY_URL") == server.gateway
    assert given["RINGFENCE_HTTPS_URL"] == "https://h" and "RINGFENCE_GATEWAY_URL" not in given


def test_without_an_answer_only_known_addresses_are_printed(home):
    elsewhere = json.loads(env("--format", "json", "--url", "http://127.0.0.1:9", home=home))

    assert elsewhere["RINGFENCE_URL"] == "http://127.0.0.1:9"
    assert "RINGFENCE_HTTPS_URL" not in elsewhere and "RINGFENCE_GATEWAY_URL" not in elsewhere


@pytest.mark.parametrize("flags", [[], ["--sandbox", "ci-17"]])
def test_inside_run_the_server_is_the_runs(home, flags):
    names = ["RINGFENCE_URL", "RINGFENCE_HTTPS_URL", "RINGFENCE_GATEWAY_URL", "TWILIO_ACCOUNT_SID", "PRELUDE_BASE_URL"]
    script = f'"{ringfence.binary()}" env --format json; python3 -c "import json, os; print(json.dumps(dict(os.environ)))"'
    done = subprocess.run(
        [str(ringfence.binary()), "run", "--quiet", *flags, "--", "sh", "-c", script], capture_output=True, text=True,
        timeout=60, check=True, env={"PATH": os.environ["PATH"], "HOME": str(home)})

    printed, actual = [json.loads(line) for line in done.stdout.splitlines()]
    assert [printed[name] for name in names] == [actual[name] for name in names]


def test_a_server_that_requires_a_token_is_named_and_the_defaults_are_printed(home):
    with ringfence.Server("--admin-token", "the-servers-own-token") as server:
        done = subprocess.run(
            [str(ringfence.binary()), "env", "--url", server.http], capture_output=True, text=True, timeout=30,
            check=True, env={"PATH": os.environ["PATH"], "HOME": str(home)})

    assert f"RINGFENCE_URL={server.http}" in done.stdout
    assert "requires a token" in done.stderr and "those of a server with default options" in done.stderr


def test_an_unreachable_server_is_named():
    said = ringfence.command("env", "--sandbox", "ci-19", "--url", "http://127.0.0.1:9", expect=1)

    assert "http://127.0.0.1:9 does not answer" in said


def test_credentials_of_a_named_sandbox_come_from_the_server(home):
    with ringfence.Server() as server:
        own = server.sandbox(name="ci-17").credentials
        found = json.loads(env(
            "--format", "json", "--proxy", "--sandbox", "ci-17", "--url", server.http, home=home))

    assert found["TWILIO_AUTH_TOKEN"] == own["twilio"]["authToken"]
    assert found["API_TOKEN"] == own["prelude"]["apiToken"]
    assert found["RINGFENCE_URL"] == f"{server.http}/s/ci-17"
    assert found["HTTPS_PROXY"].startswith("http://ci-17:")


def test_an_unknown_sandbox_is_an_error(home):
    with ringfence.Server() as server:
        assert "ci-18" in ringfence.command("env", "--sandbox", "ci-18", "--url", server.http, expect=1)


def test_unmodified_clients_reach_the_server(home):
    with ringfence.Server("--data", home) as server:
        found = json.loads(env("--format", "json", "--proxy", "--data", home, "--url", server.http, home=home))
        done = subprocess.run(
            ["curl", "-sS", "https://verify.twilio.com/livez"], capture_output=True, text=True, timeout=30,
            check=False, env={"PATH": os.environ["PATH"], **found})

    assert done.stdout == "ok\n", done.stderr


@pytest.mark.parametrize("flags, named", [(["--format", "xml"], "xml"), (["--url", "ftp://x"], "--url"), (["--sandbox", "a/b"], "--sandbox")])
def test_invalid_options_are_named(flags, named):
    assert named in ringfence.command("env", "--proxy", *flags, expect=1)
