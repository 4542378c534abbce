"""Docs/Adding-a-provider.md works: a provider is one folder, its name in the manifest, two lines in the
catalogue.

Adds the example of the page, under the name Sample, to a copy of the package and builds the copy. A mount
namespace places the copy at the path of the original, so that the build is incremental.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest
import requests

import ringfence

EXAMPLE = ringfence.ROOT / "Tests/Example/Demo"
PACKAGE = ("Package.swift", "Package.resolved", ".swift-version", "Sources", "Seeds", "Tests", "Docs", "docker-compose.yml")
NUMBER = "+12025550100"
KEY = "sample_sandbox0000000000000000"

pytestmark = [
    pytest.mark.slow, pytest.mark.timeout(900),
    pytest.mark.skipif(not shutil.which("swift"), reason="no Swift toolchain"),
]


def edit(file, pattern, replacement):
    text, count = re.subn(pattern, replacement, file.read_text(), count=1, flags=re.M)
    assert count == 1, f"{file.name} has no {pattern}"
    file.write_text(text)


def renamed(text):
    for name, new in (("Demo", "Sample"), ("demo", "sample"), ("DEMO", "SAMPLE")):
        text = text.replace(name, new)
    return text


def add(source, target):
    """Copies a folder; the provider gets its new name in paths and texts."""
    for file in filter(pathlib.Path.is_file, source.rglob("*")):
        copy = target / renamed(str(file.relative_to(source)))
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(renamed(file.read_bytes().decode()).encode())


class Copy:
    """A copy of the package with one more provider."""

    def __init__(self, folder):
        self.folder = folder
        # The build is copied too; without it, everything is compiled.
        for name in (*PACKAGE, ".build"):
            with contextlib.suppress(FileNotFoundError):
                (ringfence.ROOT / name).lstat()
                subprocess.run(["cp", "-a", "--reflink=auto", ringfence.ROOT / name, folder], check=True)
        add(EXAMPLE, folder / "Sources/Providers/Sample")
        add(ringfence.ROOT / "Tests/Providers/Demo", folder / "Tests/Providers/Sample")
        add(ringfence.ROOT / "Tests/Providers/Golden/Demo", folder / "Tests/Providers/Golden/Sample")
        edit(folder / "Package.swift", r"^let providers = \[", 'let providers = ["Sample", ')
        catalog = folder / "Sources/Providers/Catalog/Catalog.swift"
        edit(catalog, r"^import ", "import Sample\nimport ")
        edit(catalog, r"^\]", "  SampleProvider.self,\n]")

    def run(self, *command, **environment):
        """Runs a command in the copy, at the path of the original if mount namespaces are allowed."""
        words = list(command)
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0:
            mount = f'mount --bind "{self.folder}" "{ringfence.ROOT}" && cd "{ringfence.ROOT}" && exec "$@"'
            words = ["unshare", "--mount", "sh", "-c", mount, "sh", *command]
        # SwiftPM locks the build folder by its path, in TMPDIR: no conflict with a build of the original.
        done = subprocess.run(
            words, cwd=self.folder, capture_output=True, text=True, timeout=800, check=False,
            env={**os.environ, "TMPDIR": str(self.folder), **environment})
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("example")
    copy = Copy(folder)
    copy.run("swift", "build", "--build-tests")
    yield copy
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def binary(copy):
    previous = os.environ.get("RINGFENCE_BINARY")
    os.environ["RINGFENCE_BINARY"] = str(copy.folder / ".build/debug/ringfence")
    yield
    os.environ.pop("RINGFENCE_BINARY")
    if previous:
        os.environ["RINGFENCE_BINARY"] = previous


@pytest.fixture(scope="module")
def example_server(binary):
    with ringfence.Server() as server:
        yield server


def send_code(base, key):
    return requests.post(f"{base}/codes", json={"number": NUMBER}, headers={"Authorization": f"Bearer {key}"}, timeout=10)


def test_serve_answers_its_routes(example_server):
    sent = send_code(example_server.http, KEY)
    code = requests.get(f"{example_server.http}/control/inbox/{NUMBER}/latest/code", timeout=10).text
    checked = requests.post(
        f"{example_server.http}/sample/codes/{NUMBER}/check", json={"code": code.strip()},
        headers={"Authorization": f"Bearer {KEY}"}, timeout=10)

    assert (sent.status_code, sent.json(), sent.headers["X-Sandbox-Provider"]) == (202, {"status": "sent"}, "sample")
    assert (checked.status_code, checked.json()) == (200, {"status": "approved"})
    assert code.strip() == ringfence.command("code", NUMBER, "--provider", "sample").strip()


def test_its_host_is_the_sandbox(example_server):
    answer = requests.get(
        "http://api.sample-verify.example/nothing", proxies={"http": example_server.http}, timeout=10)

    assert (answer.status_code, answer.json()) == (404, {"error": "not_found"})


def test_each_sandbox_has_its_own_credentials(example_server):
    own = example_server.sandbox(name="samples").credentials["sample"]["apiKey"]

    assert example_server.sandbox_described("default")["credentials"]["sample"] == {"apiKey": KEY}
    assert own.startswith("sample_") and own != KEY
    assert send_code(f"{example_server.http}/s/samples", own).status_code == 202


def test_seeds_are_loaded_and_exported(example_server, tmp_path):
    sandbox = example_server.sandbox(name="seeded")
    sandbox.control("POST", "seed", json={"sample": {"settings": {"brand": "Acme"}}})
    wrong = sandbox.control("POST", "seed", json={"sample": {"settings": {"brand": 1}}}, expect=(400,)).json()
    exported = sandbox.control("GET", f"sandboxes/{sandbox.name}/export").json()
    seed = tmp_path / "seed.json"
    seed.write_text('{"sample": {"apiKey": "sample_2"}}')

    assert exported["sample"] == {"apiKey": "********", "settings": {"brand": "Acme", "maxChecks": 5}}
    assert "sample.settings.brand" in wrong["field"]
    assert "ok" in ringfence.command("seed", "check", seed)
    assert "SampleSettings" in json.loads(ringfence.command("seed", "schema"))["$defs"]
    assert "SampleSettings" in requests.get(f"{example_server.http}/control/openapi.json", timeout=10).json()["components"]["schemas"]


def test_env_and_run_set_its_variables(binary):
    variables = ringfence.command("env", "--url", "http://127.0.0.1:9").splitlines()
    inside = ringfence.command("run", "--quiet", "--", "sh", "-c", "echo $SAMPLE_API_KEY $SAMPLE_BASE_URL $RINGFENCE_URL")

    assert f"SAMPLE_API_KEY={KEY}" in variables and "SAMPLE_BASE_URL=http://127.0.0.1:9" in variables
    key, base, url = inside.split()
    assert key == KEY and base == url


def test_doctor_knows_its_sdk(binary):
    assert "SAMPLE_BASE_URL=http://127.0.0.1:9" in subprocess.run(
        [ringfence.binary(), "doctor", "--sdk", "sample-python", "--url", "http://127.0.0.1:9"],
        capture_output=True, text=True, timeout=30, check=False).stdout


def test_the_certificate_authority_covers_its_host(binary, tmp_path):
    import authorities

    ringfence.command("ca", "--data", tmp_path)

    assert "api.sample-verify.example" in authorities.hosts(tmp_path)


def test_its_goldens_pass_and_make_docs_writes_its_coverage(copy):
    tests = ("swift", "test", "--skip-build", "--disable-xctest", "--filter")
    # Codes depend on the provider's name, so the goldens of the example are recorded as the page says.
    copy.run(*tests, "SampleTests", RECORD="1")
    copy.run(*tests, "SampleTests")
    copy.run(*tests, "CoverageTests", RECORD="1")

    assert "| checkCode | `POST /codes/{number}/check` | `checkCode` | no | yes |" in (copy.folder / "Docs/Coverage.md").read_text()
    assert "          - api.sample-verify.example\n" in (copy.folder / "docker-compose.yml").read_text()


def test_the_page_names_the_files_of_the_example():
    page = (ringfence.ROOT / "Docs/Adding-a-provider.md").read_text()
    sources = {file.name for file in EXAMPLE.iterdir()}

    assert sources == set(re.findall(r"^\| `(\w+\.\w+)` \|", page, re.M))
