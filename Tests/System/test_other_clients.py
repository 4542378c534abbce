"""The clients for Go, Java, PHP and Ruby: the commands and programs of their pages, their suites, and what a
failed test prints. Each runs in a project of its own with a link to this repository, as the page says."""

import contextlib
import os
import re
import select
import shutil
import subprocess
import typing

import pytest
import requests

import ringfence
import snippets

SUITES = ringfence.ROOT / "Tests/Clients"


class Language(typing.NamedTuple):
    needs: list  # Programs, and files with a path.
    files: dict  # What a project has besides the files of the page.
    folder: str  # Where its suite belongs.
    suite: str  # The command that runs it.
    failing: list  # For each test library, the command that runs its tests in SUITES/LANGUAGE/failing.
    says: tuple = ()  # What these print besides.
    app: str = ""  # The page's app.
    redirected: str = ""  # The command that runs its tests if it always calls the provider's host.


# As the page says, but for one class.
JUNIT = """
export CLASSPATH=$(ls /usr/share/java/{junit-jupiter,junit-platform,opentest4j,apiguardian,picocli}*.jar | tr '\\n' :)
javac -d build $(find src -name '*.java')
java org.junit.platform.console.ConsoleLauncher --class-path build --details summary """
LANGUAGES = {
    "go": Language(
        ["go"], {"go.mod": "module app\n\ngo 1.18\n"}, "ringfencetest", "go test -count=1 ./ringfencetest",
        ["go test -count=1 -run 'Fails|Misspelt' ."],
        app="app.go",
        redirected='go test -count=1 -exec "ringfence run --quiet --" -run "SignsIn|SameNumber" .'),
    "java": Language(
        ["javac", "/usr/share/java/junit-platform-console.jar"], {}, "src/test/java", JUNIT + "-c ClientTest",
        [JUNIT + "-c FailingTest"],
        ("What happened in the sandbox of FailingTest:\n",
         "ParameterResolutionException: all tests of the class would share the Sandbox of a constructor: "),
        "src/main/java/SignIn.java", JUNIT.replace("java org", "ringfence run --quiet -- java org") + "-c SignInTest"),
    "php": Language(
        ["php", "phpunit"], {}, "tests", "phpunit tests/ClientTest.php", ["phpunit tests/FailingTest.php"]),
    "ruby": Language(
        ["ruby", "rspec"], {}, "test", "ruby -I vendor/ringfence test/client_test.rb",
        ["rspec -I lib -I vendor/ringfence spec/failing_spec.rb",
         "ruby -I lib -I vendor/ringfence test/failing_test.rb"],
        ("`sandbox` belongs to one example: use it in `before`, not in `before(:all)`",),
        app="lib/sign_in.rb",
        redirected="ringfence run --quiet -- rspec -I lib -I vendor/ringfence spec/sign_in_spec.rb"),
}

pytestmark = pytest.mark.timeout(300)


def parts(language, *ways):
    page = ringfence.ROOT / f"Docs/Recipes/{language}.md"
    return [text for _, marks, text, _ in snippets.programs(page) if set(marks) & set(ways)]


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture(params=LANGUAGES)
def language(request):
    for program in LANGUAGES[request.param].needs:
        if not (os.path.exists(program) if "/" in program else shutil.which(program)):
            pytest.skip(f"no {program} here: `make languages` installs it")
    return request.param


@pytest.fixture
def project(language, tmp_path):
    """The files of the page."""
    (tmp_path / "ringfence").symlink_to(ringfence.ROOT)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/ringfence").symlink_to(ringfence.binary())
    for name, text in LANGUAGES[language].files.items():
        write(tmp_path, name, text)
    for text in parts(language, "file", "gotest", "junit", "phpunit", "rspec", "minitest"):
        write(tmp_path, re.search(r"^(?://|#) (\S+)$", text, re.M)[1], text)
    return tmp_path


def sh(project, command, expect=0):
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("RINGFENCE_")}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command], cwd=project, capture_output=True, text=True, timeout=200, check=False,
        env={**inherited, "PATH": f"{project}/bin:{os.environ['PATH']}", "RINGFENCE_BINARY": f"{project}/bin/ringfence"})
    assert (done.returncode != 0) == (expect != 0), done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_commands_of_the_page(language, project):
    for command in parts(language, "recipe"):
        said = sh(project, command)
        assert "What happened" not in said


def test_its_suite(language, project):
    sh(project, parts(language, "recipe")[0])
    shutil.copytree(
        SUITES / language, project / LANGUAGES[language].folder, ignore=shutil.ignore_patterns("failing"), dirs_exist_ok=True)

    sh(project, LANGUAGES[language].suite)


def test_a_failed_test_says_what_happened(language, project):
    sh(project, parts(language, "recipe")[0])
    shutil.copytree(SUITES / language / "failing", project, dirs_exist_ok=True)
    all_said = ""
    for command in LANGUAGES[language].failing:
        said = sh(project, command, expect=1)
        all_said += said

        assert re.search(r"there is no code for \+12025550100 yet: the text is lost, because of the failure text-lost", said)
        assert re.search(r"What happened in the sandbox of .*[Ff]ails(\(Sandbox\))?:\n\s*sandbox \S+: http://127.0.0.1:\d+/s/\S+/\n", said)
        assert re.search(r"\d\d:\d\d:\d\d 201 POST /v2/Services/VA\w+/Verifications\n", said)
        assert "not as usual: the text is lost" in said
        assert "there is no failure text-lots; did you mean text-lost?" in said
    assert [each for each in LANGUAGES[language].says if each not in all_said] == []

    assert all_end(servers(project))


@pytest.mark.parametrize("language", [name for name, each in LANGUAGES.items() if each.redirected], indirect=True)
def test_run_leads_the_providers_host_to_each_tests_sandbox(language, project):
    app, command = LANGUAGES[language].app, LANGUAGES[language].redirected
    sh(project, parts(language, "recipe")[0])
    text = (project / app).read_text(encoding="utf-8")
    write(project, app, text.replace('"RINGFENCE_URL"', '"NO_URL"'))

    sh(project, command)


def test_the_keys_of_credentials(server):
    text = (ringfence.ROOT / "Docs/Recipes/parallel-tests.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (`.*`) \|$", text.partition("## Credentials")[2].partition("## ")[0], re.M)
    made = requests.post(f"{server.http}/control/sandboxes", json={}, timeout=10).json()["credentials"]

    assert {name: sorted(re.findall(r"\w+", keys)) for name, keys in rows} == {name: sorted(made[name]) for name in made}


def all_end(processes):
    """True if they end within ten seconds."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            descriptor = os.pidfd_open(process)
            ended = select.select([descriptor], [], [], 10)[0]
            os.close(descriptor)
            if not ended:
                return False
    return True


def servers(project):
    """The process ids of the program of this project."""
    found = subprocess.run(["pgrep", "-f", f"^{project}/bin/ringfence serve"], capture_output=True, text=True, check=False)
    return [int(process) for process in found.stdout.split()]


@pytest.mark.skipif(not shutil.which("ruby"), reason="no ruby here: `make languages` installs it")
def test_the_server_ends_with_killed_tests(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/ringfence").symlink_to(ringfence.binary())
    program = ["ruby", "-I", ringfence.ROOT / "Sources/Clients/ruby", "-r", "ringfence", "-e",
               "puts Ringfence::Sandbox.new.url; $stdout.flush; sleep"]
    with subprocess.Popen(
            program, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "RINGFENCE_BINARY": f"{tmp_path}/bin/ringfence"}) as tests:
        assert "/s/sandbox-" in tests.stdout.readline()
        running = servers(tmp_path)

        tests.kill()

    assert len(running) == 1 and all_end(running)
