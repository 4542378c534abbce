"""`ringfence run --isolated`: the providers' names are the sandbox, and nothing else is reachable. Source:
issue 5, part 4."""

import json
import os
import pathlib
import pwd
import shutil
import subprocess
import sys

import pytest

import ringfence

# Examines the network from inside, and prints the results on the last line.
LOOK = """
import json, os, socket, sys, time, urllib.request
found = {}
def timed(name, attempt):
    began = time.monotonic()
    try: found[name] = attempt() or "reached"
    except OSError as error: found[name] = f"{type(error).__name__} {error.errno}"
    found[name + " after"] = time.monotonic() - began
found["addresses"] = {name: sorted({a[4][0] for a in socket.getaddrinfo(name, 443)}) for name in
    ("verify.twilio.com", "rest.telesign.com", "api.prelude.dev", "localhost", socket.gethostname())}
found["http"] = urllib.request.urlopen("http://verify.twilio.com/livez").read().decode()
found["https"] = urllib.request.urlopen("https://api.prelude.dev/livez").read().decode()
timed("other address", lambda: socket.create_connection(("192.0.2.1", 443), 30))
timed("private address", lambda: socket.create_connection(("10.0.0.1", 443), 30))
timed("link-local address", lambda: socket.create_connection(("169.254.169.254", 80), 30))
timed("other address of IPv6", lambda: socket.create_connection(("2001:db8::1", 443), 30))
timed("other name", lambda: socket.getaddrinfo("example.com", 443))
timed("datagram", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53)))
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
found["capabilities"] = {name: int(status[name], 16) for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb")}
found["user"] = [os.getuid(), os.getgid()]
found["environment"] = {k: v for k, v in os.environ.items() if k.startswith("RINGFENCE") or "proxy" in k.lower()}
print(json.dumps(found))
"""
PROXIES = {"HTTPS_PROXY": "http://192.0.2.9:3128", "all_proxy": "socks5://192.0.2.9:1080", "NO_PROXY": "db"}


def forbidden():
    """The reason why this machine does not allow namespaces; empty if it does."""
    done = subprocess.run(
        [str(ringfence.binary()), "run", "--isolated", "--", "true"], capture_output=True, text=True, timeout=60,
        check=False)
    return done.stderr.strip() if done.returncode else ""


pytestmark = pytest.mark.skipif(bool(forbidden()), reason=f"no namespaces here: {forbidden()}")


def environment(**more):
    return {**{name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}, **more}


def isolated(*words, prefix=(), flags=(), binary=None, **named):
    named.setdefault("env", environment())
    return subprocess.run(
        [*prefix, str(binary or ringfence.binary()), "run", "--isolated", *map(str, flags), "--", *map(str, words)],
        capture_output=True, text=True, timeout=60, check=False, **named)


def look(python=sys.executable, **named):
    done = isolated(python, "-c", LOOK, **named)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


@pytest.fixture(scope="module")
def world():
    found, _ = look()
    return found


def test_names_resolve_to_the_loopback(world):
    providers = {name: found for name, found in world["addresses"].items() if "." in name}
    assert set(map(tuple, providers.values())) == {("127.0.0.1",)} and len(providers) >= 3
    assert all("127.0.0.1" in found for found in world["addresses"].values())


def test_the_default_ports_are_the_sandbox(world):
    assert world["http"] == world["https"] == "ok\n"
    assert world["environment"]["RINGFENCE_URL"] == "http://127.0.0.1"
    assert world["environment"]["RINGFENCE_HTTPS_URL"] == "https://127.0.0.1"


@pytest.mark.parametrize("what", [
    "other address", "private address", "link-local address", "other address of IPv6", "other name", "datagram"])
def test_everything_else_fails_at_once(world, what):
    assert world[what].split()[0] in ("OSError", "gaierror")
    assert world[f"{what} after"] < 2


def test_the_user_is_the_same(world):
    assert world["user"] == [os.getuid(), os.getgid()]


def test_proxy_variables_are_removed():
    found, said = look(env=environment(**PROXIES))

    assert not any("proxy" in name.lower() for name in found["environment"] if name != "NO_PROXY")
    assert "removed HTTPS_PROXY, all_proxy" in said


def test_programs_that_read_no_variables_trust_the_sandbox():
    script = "unset SSL_CERT_FILE CURL_CA_BUNDLE; curl -sS https://lookups.twilio.com/livez"

    assert isolated("sh", "-c", script).stdout == "ok\n"


def test_input_output_and_status_are_the_commands():
    done = isolated("sh", "-c", "tr a-z A-Z; exit 7", input="so\n")

    assert (done.stdout, done.returncode) == ("SO\n", 7)
    assert isolated("sh", "-c", "kill -TERM $$").returncode == -15


def test_standard_input_may_be_closed():
    script = 'exec "$0" run --isolated --quiet -- echo begun <&-'
    done = subprocess.run(
        ["sh", "-c", script, str(ringfence.binary())], capture_output=True, text=True, timeout=60, check=False,
        env=environment())

    assert (done.stdout, done.returncode) == ("begun\n", 0), done.stderr


def test_nothing_is_left_behind(tmp_path):
    hosts = pathlib.Path("/etc/hosts").read_text()
    isolated("true", env=environment(TMPDIR=str(tmp_path)))

    assert list(tmp_path.iterdir()) == [] and pathlib.Path("/etc/hosts").read_text() == hosts


def test_two_runs_are_independent():
    one = isolated(str(ringfence.binary()), "run", "--isolated", "--", sys.executable, "-c", LOOK)

    assert json.loads(one.stdout)["https"] == "ok\n", one.stderr


def test_files_are_accessible(tmp_path):
    (tmp_path / "in").write_text("kept\n")
    done = isolated("sh", "-c", "cat in > out; stat -c %u out", cwd=tmp_path)

    assert done.stdout == f"{os.getuid()}\n"
    assert (tmp_path / "out").read_text() == "kept\n" and (tmp_path / "out").stat().st_uid == os.getuid()


@pytest.mark.skipif(os.getuid() != 0, reason="only root has other people's files at hand")
def test_root_can_access_files_of_others(tmp_path):
    (tmp_path / "theirs").write_text("theirs\n")
    os.chown(tmp_path / "theirs", 4711, 4711)
    (tmp_path / "theirs").chmod(0o600)
    done = isolated("sh", "-c", "cat theirs; stat -c %u theirs; touch mine; chown 4712 mine", cwd=tmp_path)

    assert done.stdout == "theirs\n4711\n", done.stderr
    assert (tmp_path / "mine").stat().st_uid == 4712


@pytest.fixture(scope="module")
def nobody(tmp_path_factory):
    """A prefix for commands that run as an unprivileged user, and a copy of the binary for that user."""
    if os.getuid() != 0:
        return (), ringfence.binary()
    user = pwd.getpwnam("nobody")
    copy = pathlib.Path(shutil.copy(ringfence.binary(), tmp_path_factory.mktemp("binary") / "ringfence"))
    for folder in copy.parents:
        if os.stat(folder).st_mode & 0o001: break
        folder.chmod(0o755)
    return ("setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"), copy


def test_an_unprivileged_user_gains_no_privileges(nobody):
    prefix, binary = nobody
    python3 = "/usr/bin/python3"  # in everybody's reach, other than those that a user has built
    found, _ = look(
        python=python3, prefix=prefix, binary=binary, cwd="/",
        env=environment(HOME="/nonexistent"))

    assert set(found["capabilities"].values()) == {0}
    assert found["http"] == found["https"] == "ok\n"
    assert found["user"][0] != 0


def test_without_namespaces_the_error_names_the_step_and_the_fix(tmp_path):
    # In its own namespace, so that the limit affects no other process.
    script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    done = isolated(
        "touch", tmp_path / "run", prefix=("unshare", "-Ur", "sh", "-c", script, "sh"),
        env=environment(TMPDIR=str(tmp_path)))

    assert done.returncode != 0 and list(tmp_path.iterdir()) == []
    assert "cannot be isolated: creating user, mount and network namespaces" in done.stderr and "sysctl user.max_user_namespaces" in done.stderr
