"""The Python package in `Sources/Clients/python`: its own suite, and what shows around a run of pytest."""

import ast
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import xml.etree.ElementTree
from urllib.parse import urlsplit

import pytest

import ringfence

PACKAGE = ringfence.ROOT / "Sources/Clients/python"
SUITE = ringfence.ROOT / "Tests/Clients/python"
SEND = """
import pytest, urllib.request

def send(sandbox, to):
    service = sandbox.twilio().verify.v2.services(sandbox.credentials["twilio"]["serviceSid"])
    service.verifications.create(to=to, channel="sms")
"""

pytestmark = pytest.mark.timeout(300)


def environment(**more):
    """Without a server, and with the package instead of this suite's own module of the same name. Also
    without `CI`: with it, pytest repeats whole messages in its summary."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("RINGFENCE_", "PYTEST_")) and name != "CI"}
    return {**kept, "RINGFENCE_BINARY": str(ringfence.binary()), "PYTHONPATH": str(PACKAGE), **more}


def command(*words):
    return [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "ringfence.pytest_plugin", *map(str, words)]


@pytest.fixture
def run(tmp_path):
    """Runs pytest on a file, and returns its exit status and output."""

    def run(text, *words, **more):
        (tmp_path / "test_app.py").write_text(SEND + text, encoding="utf-8")
        done = subprocess.run(
            command("test_app.py", *words), cwd=tmp_path, env=environment(**more), capture_output=True, text=True,
            timeout=120, check=False)
        return done.returncode, done.stdout + done.stderr

    return run


def ended(url):
    """Waits for the end of a server: it keeps a connection open until then."""
    there = urlsplit(url)
    try:
        with socket.create_connection((there.hostname, there.port), timeout=60) as line:
            line.sendall(b"GET /livez HTTP/1.1\r\n")
            return line.recv(1) == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize("workers", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_the_suite_passes_with_workers_on_one_server(tmp_path, workers):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", SUITE / "pytest.ini", "-n", str(workers), "--junit-xml", tmp_path / "junit.xml", SUITE],
        env=environment(), capture_output=True, text=True, timeout=250, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    suite = xml.etree.ElementTree.parse(tmp_path / "junit.xml").getroot()[0]
    assert int(suite.get("tests")) >= 60 and suite.get("skipped") == "0"


def test_workers_share_a_server_and_leave_nothing(run, tmp_path):
    status, said = run("""
@pytest.mark.parametrize("number", range(8))
def test_app(sandbox, worker_id, number):
    send(sandbox, "+12025550100")
    assert sandbox.code("+12025550100") == "365233"
    with open("servers.txt", "a") as file:
        file.write(f"{sandbox.server.url} {worker_id}\\n")
""", "-n", "4")

    assert status == 0, said
    lines = [line.split() for line in (tmp_path / "servers.txt").read_text().splitlines()]
    (url,) = {url for url, _ in lines}
    assert len({worker for _, worker in lines}) > 1
    assert ended(url)


@pytest.mark.parametrize("words", [[], ["-n", "2"]], ids=["alone", "workers"])
def test_a_crash_leaves_no_server(words, tmp_path):
    os.mkfifo(tmp_path / "url")
    (tmp_path / "test_app.py").write_text("""
import signal
def test_app(sandbox):
    open("url", "w").write(sandbox.server.url)
    signal.pause()
""")
    process = subprocess.Popen(
        command("test_app.py", *words), cwd=tmp_path, env=environment(), stdout=subprocess.DEVNULL,
        start_new_session=True)
    url = (tmp_path / "url").read_text()
    process.send_signal(signal.SIGKILL)
    process.wait()

    assert ended(url)
    if words:
        return
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def test_a_failed_test_shows_what_was_sent_and_why_it_was_refused(run):
    status, said = run("""
def test_app(sandbox):
    send(sandbox, "+12025550130")
    try:
        send(sandbox, "12")
    except Exception:
        pass
    assert False

def test_other(sandbox):
    send(sandbox, "+12025550100")
""")

    assert status == 1 and "1 failed, 1 passed" in said
    section = said.split("- ringfence -")[1]
    assert "not as usual: the text is lost, because its number ends in 0130" in section
    assert 'why: To: expected a phone number such as +12025550100; found "12"' in section
    assert said.count("- ringfence -") == 1


def test_a_fixture_that_fails_shows_it_too(run):
    status, said = run("""
@pytest.fixture
def signed_in(sandbox):
    send(sandbox, "+12025550130")
    sandbox.code("+12025550130", within=0)

def test_app(signed_in):
    pass
""")

    assert status == 1 and "1 error" in said
    assert "there is no code for +12025550130 yet: the text is lost" in said
    assert "201 POST" in said.split("- ringfence -")[1]
    assert said.count("201 POST") == 1


OWN = """
@pytest.fixture
def app(ringfence):
    with ringfence.sandbox("apps-own") as sandbox:
        yield sandbox

def test_a_fixture(app):
    send(app, "+12025550130")
    app.code("+12025550130", within=0)

def test_inside(ringfence, sandbox):
    send(sandbox, "+12025550101")
    with ringfence.sandbox("inside") as inside:
        send(inside, "+12025550102")
        pytest.fail("no")

def test_passes(ringfence):
    with pytest.raises(ZeroDivisionError), ringfence.sandbox("ended") as ended:
        1 / 0
"""


def test_40_3_every_sandbox_that_was_open_is_explained(run, tmp_path):
    status, said = run(OWN, "--ringfence-report", "reports")

    assert status == 1 and "2 failed, 1 passed" in said
    sections = said.split("- ringfence -")[1:]
    assert [section.split("sandbox ")[1].split(":")[0] for section in sections] == ["apps-own", "test_inside", "inside"]
    assert [section.count("201 POST") for section in sections] == [1, 1, 1]
    names = {"test_app.py-test_a_fixture.html", "test_app.py-test_inside.html", "test_app.py-test_inside-inside.html"}
    assert {path.name for path in (tmp_path / "reports").iterdir()} == names
    assert all("failed" in (tmp_path / "reports" / name).read_text() for name in names)
    assert said.count("NotArrived: there is no code for +12025550130 yet: the text is lost") == 1
    assert said.count("201 POST") == 3


@pytest.mark.parametrize("wrong", ['sandbox.fail("text-lots")', 'sandbox.advance("ten")'])
def test_40_17_a_refused_helper_says_nothing_about_the_app(run, wrong):
    status, said = run(f"""
def test_app(sandbox):
    {wrong}
""")

    assert status == 1 and "- ringfence -" in said
    assert "no request reached it" not in said


REPORTED = """
def test_good(sandbox):
    send(sandbox, "+12025550100")

def test_bad(sandbox):
    send(sandbox, "+12025550100")
    assert False

def test_none():
    assert False
"""


def test_reports_of_failed_tests(run, tmp_path):
    _, said = run(REPORTED, "--ringfence-report", "reports")

    assert [path.name for path in (tmp_path / "reports").iterdir()] == ["test_app.py-test_bad.html"]
    page = (tmp_path / "reports/test_app.py-test_bad.html").read_text(encoding="utf-8")
    assert "test_app.py::test_bad" in page and "failed" in page and "365233" in page
    assert f"report: {tmp_path}/reports/test_app.py-test_bad.html" in said


def test_reports_of_all_tests_by_workers(run, tmp_path):
    run(REPORTED, "--ringfence-report", "reports", "--ringfence-report-all", "-n", "2")

    assert {path.name for path in (tmp_path / "reports").iterdir()} == {
        "test_app.py-test_bad.html", "test_app.py-test_good.html"}


@pytest.mark.parametrize("given, found", [('"2026-01-05"', "'2026-01-05'"), ("7, clok=1", "7, clok=")])
@pytest.mark.parametrize("fixture", ["sandbox", ""])
def test_46_g2_a_mark_that_says_nothing_is_refused(run, given, found, fixture):
    status, said = run(f"""
@pytest.mark.ringfence({given})
def test_app({fixture}):
    pass
""")

    assert status == 1 and "1 error" in said
    assert f"@pytest.mark.ringfence: expected clock=, seed=, seeds=; found {found}" in said


def test_all_reports_need_a_folder(run):
    status, said = run(REPORTED, "--ringfence-report-all")

    assert status == 4 and "--ringfence-report-all needs --ringfence-report DIR" in said


def test_a_server_that_ends_during_a_test_is_named(run):
    status, said = run("""
def test_app(sandbox):
    send(sandbox, "+12025550100")
    sandbox.server.stop()
    sandbox.code("+12025550100")
""")

    assert status == 1
    assert re.search(r"RingfenceError: no server answers at http://127.0.0.1:\d+/s/test_app: .*refused", said), said


@pytest.mark.parametrize("words", [[], ["-n", "2"]], ids=["alone", "workers"])
def test_without_a_program_other_tests_run(run, words):
    status, said = run("""
def test_app(sandbox):
    pass

def test_other():
    pass
""", *words, RINGFENCE_BINARY="/nowhere")

    assert status == 1 and "1 passed, 1 error" in said
    assert "RINGFENCE_BINARY: /nowhere is no program" in said


def test_a_run_of_ringfence_is_the_server(tmp_path):
    """`ringfence run -- pytest`: the sandboxes are those of the run, and its summary has their requests."""
    (tmp_path / "test_app.py").write_text(SEND + """
def test_app(sandbox, ringfence):
    import os
    assert ringfence.url == os.environ["RINGFENCE_URL"]
    send(sandbox, "+12025550100")
""")
    done = subprocess.run(
        [str(ringfence.binary()), "run", "--", *command("test_app.py")], cwd=tmp_path, env=environment(),
        capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_a_server_with_a_token(run):
    with ringfence.Server("--admin-token", "t" * 32) as server:
        status, said = run("""
def test_app(sandbox):
    send(sandbox, "+12025550100")
    assert sandbox.code("+12025550100") and sandbox.env
""", RINGFENCE_URL=server.http, RINGFENCE_TOKEN="t" * 32)

    assert status == 0, said


@pytest.mark.slow
def test_the_package_is_typed():
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.10", "--cache-dir", os.devnull,
         PACKAGE / "ringfence"], capture_output=True, text=True, timeout=250, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def pythons():
    """Every Python from 3.9 on that is here. What pyenv puts on the PATH may lead nowhere."""
    for minor in range(9, 15):
        made = sorted(pathlib.Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python3"))
        if found := made[-1] if made else shutil.which(f"python3.{minor}"):
            yield pytest.param(str(found), id=f"3.{minor}")


ALONE = """
import typing, urllib.request
from ringfence import NotArrived, Ringfence, types

with Ringfence() as server, server.sandbox(clock="2026-01-05T10:20:30Z") as sandbox:
    request = urllib.request.Request(
        sandbox.url + "/v2/verification", b'{"target":{"type":"phone_number","value":"+12025550100"}}',
        {"Authorization": "Bearer " + sandbox.credentials["prelude"]["apiToken"]})
    urllib.request.urlopen(request).close()
    sandbox.advance("1m")
    print(sandbox.code("+12025550100"), sandbox.now, len(sandbox.journal), list(types.Message.__annotations__)[:2])
    try:
        sandbox.code("+12025550101", within=0)
    except NotArrived as error:
        print(str(error).splitlines()[0])
"""


@pytest.mark.parametrize("python", list(pythons()))
def test_the_package_needs_only_the_standard_library(python, tmp_path):
    done = subprocess.run(
        [python, "-W", "error", "-c", ALONE], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60,
        check=False)

    assert done.returncode == 0, done.stderr
    assert re.fullmatch(
        r"\d{6} 2026-01-05 10:21:30\+00:00 1 \['id', 'channel'\]\nthere is no code for \+12025550101 yet; the clock stands still, and sandbox.advance moves it\n",
        done.stdout)


def test_everything_public_is_described():
    for path in (PACKAGE / "ringfence").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), path
        for node in tree.body:
            if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
                continue
            functions = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name[0] != "_"]
            assert [each.name for each in [node, *functions] if not ast.get_docstring(each)] == [], path
