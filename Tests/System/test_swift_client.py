"""The client for Swift: its suite and the page about it, in a package of its own, and what is generated."""

import os
import re
import shutil
import socket
import subprocess
from urllib.parse import urlsplit

import pytest

import ringfence
import snippets
import swift_types

SUITE = ringfence.ROOT / "Tests/Clients/swift"
RECIPES = list(snippets.programs(ringfence.ROOT / "Docs/Recipes/swift.md"))
REMOTE = '.package(url: "https://github.com/ringfence/ringfence", branch: "main")'

FAILING = {
    "Failing.swift": """
import Foundation
import RingfenceTesting
import Testing

@Test(.sandbox) func failingExpectation() async throws {
  try await Sandbox.current.sendCode()
  #expect(Bool(false))
}

@Test func failingCode() async throws {
  try await withSandbox { sandbox in
    try await sandbox.sendText("12", callback: sandbox.webhooks.url)
    _ = try await sandbox.code(number, within: 0)
  }
}

@Test func failingForever() async throws {
  try await withSandbox { sandbox in
    print("\\n\\(try await Ringfence.shared.url)")
    fflush(nil)
    _ = try await sandbox.webhooks.wait(within: 300)
  }
}

@Test(.sandbox) func failingAsKnown() async throws {
  try await Sandbox.current.sendCode()
  withKnownIssue { #expect(Bool(false)) }
}
""",
    "FailingCase.swift": """
import RingfenceTesting
import XCTest

final class FailingCase: SandboxTestCase {
  func testFails() async throws {
    try await sandbox.sendCode()
    XCTFail()
  }
}
""",
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not shutil.which("swift"), reason="no swift here")]


def run(*command, cwd, **environment):
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("RINGFENCE_")}
    return subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=500, check=False,
        env={**inherited, "RINGFENCE_BINARY": str(ringfence.binary()), **environment})


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The package of the page, which depends on this repository, with the programs of the page, the client's
    suite and tests that fail; built."""
    folder = tmp_path_factory.mktemp("package")
    tests = folder / "Tests/AppTests"
    for _, ways, text, _ in RECIPES:
        if "manifest" in ways:
            assert REMOTE in text
            write(folder / "Package.swift", text.replace(REMOTE, f'.package(name: "ringfence", path: "{ringfence.ROOT}")'))
        else:
            name = text.split("\n", 1)[0].removeprefix("// ")
            write(folder / name if "file" in ways else tests / name, text)
    for name, text in FAILING.items():
        write(tests / name, text)
    for file in SUITE.glob("*.swift"):
        shutil.copy(file, tests)
    built = run("swift", "build", "--build-tests", cwd=folder)
    assert built.returncode == 0, built.stdout + built.stderr
    assert "Compiling Domain" not in built.stdout and not (folder / ".build/debug/ringfence").exists()
    return folder


def swift_test(package, framework, *words, expect=0, **environment):
    other = {"testing": "--disable-xctest", "xctest": "--disable-swift-testing"}[framework]
    done = run("swift", "test", "--skip-build", other, *words, cwd=package, **environment)
    assert done.returncode == expect, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_its_suite_and_the_page_with_swift_testing(package):
    said = swift_test(package, "testing", "--skip", "failing")

    assert int(re.search(r"Test run with (\d+) tests? .*passed", said)[1]) >= 45
    assert "What happened" not in said


def test_its_suite_and_the_page_with_xctest(package):
    said = swift_test(package, "xctest", "--skip", "Failing")

    assert "Executed 4 tests, with 0 failures" in said
    assert "What happened" not in said


def test_a_failed_test_shows_what_happened(package, tmp_path):
    said = swift_test(
        package, "testing", "--filter", "failing(Expectation|Code|AsKnown)", "--attachments-path", tmp_path, expect=1,
        RINGFENCE_REPORT=str(tmp_path / "reports"))

    assert re.search(r"What happened in the sandbox of failingExpectation\(\):\n.*sandbox \S+: http\S+\n"
                     r".* 201 POST \S+/Verifications\n.*\n.* sms to \+12025550100: .*\d{6}\n", said)
    assert re.search(r"no code for \+12025550100 came within 0 s:\n.*sandbox \S+: http\S+\n.* 400 POST \S+/Messages.json\n"
                     r"(.*\n)*.*why: ", said)
    assert said.count("What happened") == 1
    assert "What happened" in next(tmp_path.glob("ringfence*.txt")).read_text()
    reports = [path.name for path in (tmp_path / "reports").iterdir()]
    assert len(reports) == 3 and any(name.startswith("failingExpectation-") for name in reports)


def test_a_failed_test_of_xctest_shows_what_happened(package):
    said = swift_test(package, "xctest", "--filter", "FailingCase", expect=1)

    assert re.search(r"What happened in the sandbox of FailingCase.testFails:\n.*sandbox \S+: http\S+\n.* 201 POST ", said)


def test_on_a_running_server_sandboxes_of_failed_tests_stay(package):
    token = "t" * 32
    with ringfence.Server("--admin-token", token) as server:
        said = swift_test(
            package, "testing", "--filter", "failingExpectation|CodeTests/waits", expect=1, RINGFENCE_URL=server.http,
            RINGFENCE_TOKEN=token)
        refused = swift_test(
            package, "testing", "--filter", "CodeTests/waits", expect=1, RINGFENCE_URL=server.http, RINGFENCE_TOKEN="wrong")

    names = set(re.findall(rf"console: {server.http}/s/(\S+)/console", said))
    assert len(names) == 1
    assert "token" in refused and "no answer" not in refused


def test_a_proxy_of_the_environment_is_named(package):
    proxy = {"http_proxy": "http://127.0.0.1:9", "NO_PROXY": ""}
    said = swift_test(package, "testing", "--filter", "CodeTests/waits", expect=1, no_proxy="", **proxy)
    swift_test(package, "testing", "--filter", "CodeTests/waits", no_proxy="127.0.0.1", **proxy)

    assert "it is running; http_proxy is http://127.0.0.1:9: set no_proxy=127.0.0.1" in said


def test_a_killed_test_leaves_no_server(package):
    bundle = next((package / ".build/debug").glob("*.xctest"))
    process = subprocess.Popen(
        [bundle, "--testing-library", "swift-testing", "--filter", "failingForever"], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "RINGFENCE_BINARY": str(ringfence.binary())})
    url = next(line for line in process.stdout if line.startswith("http:")).strip()
    process.kill()
    process.wait()

    there = urlsplit(url)
    try:
        # The server keeps the connection open until its end.
        with socket.create_connection((there.hostname, there.port), timeout=60) as line:
            line.sendall(b"GET /livez HTTP/1.1\r\n")
            assert line.recv(1) == b""
    except ConnectionError:
        pass


def test_generated_files_are_of_this_program():
    made = swift_types.files(str(ringfence.binary()))
    there = {path.name: path.read_text(encoding="utf-8") for path in swift_types.FOLDER.glob("*.swift")}
    assert there == made, "Sources/Clients/swift/Generated is out of date: run make docs"
