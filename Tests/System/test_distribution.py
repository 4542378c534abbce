"""What people install: `make dist`. Here it is made of the debug build, which is compiled already."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import ringfence
from inside import CUT_OFF

sys.path.insert(0, str(ringfence.ROOT / "Distribution"))
import dist  # noqa: E402
import executable  # noqa: E402

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="no Debian here")]
# Linking and compressing take a minute: `make test` looks only at packages of another program.
slow = pytest.mark.slow

# What a machine has for building only. Hidden in the namespace in which the wheel is installed.
TOOLS = ("swift", "swiftc", "clang", "gcc", "g++", "cc", "c++", "ld", "make", "pkg-config")
HIDDEN = """
set -e
mkdir -p empty
touch no-program
for tool in $(type -ap $TOOLS); do mount --bind no-program "$(readlink -f "$tool")"; done
mount --bind empty /usr/include
for library in /usr/lib/*/*.a; do mount --bind no-program "$library"; done
exec "$@"
"""


USE = """
const { Ringfence } = require("ringfence");
Ringfence.shared().then((ringfence) => console.log(ringfence.url.replace(/:[0-9]+$/, "")));
"""


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """A folder with the packages for Python and JavaScript; the program in them is a small one."""
    run(ringfence.ROOT / "Tests/Tools/install-packages", "dist")
    dist.take_time_of_commit()
    folder = tmp_path_factory.mktemp("packages")
    dist.wheel(pathlib.Path(shutil.which("true")), folder, "1.0", os.uname().machine)
    dist.javascript_packages(pathlib.Path(shutil.which("true")), folder, dist.program_version(), os.uname().machine)
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with everything."""
    run(ringfence.ROOT / "Tests/Tools/install-packages", "dist")
    return make_everything(tmp_path_factory.mktemp("made"))


def make_everything(folder):
    dist.package(executable.link(folder / "ringfence", "debug"), folder)
    return folder


@slow
def test_two_builds_are_equal(made, tmp_path):
    again = make_everything(tmp_path)
    assert (made / "SHA256SUMS").read_text() == (again / "SHA256SUMS").read_text()


def only(folder, pattern):
    (file,) = folder.glob(pattern)
    return file


@slow
def test_the_executable_needs_only_libc(made):
    needed = run("ldd", made / "ringfence")
    assert {line.split()[0].split("/")[-1] for line in needed.splitlines()} - executable.ALLOWED == {"linux-vdso.so.1"}
    assert dist.glibc(made / "ringfence") == "2.35", "it runs on Ubuntu 22.04"


@slow
def test_checksums_are_right(made):
    run("sha256sum", "--check", "SHA256SUMS", cwd=made)


@slow
def test_lintian_finds_nothing_in_the_debian_package(made):
    run("lintian", "--fail-on", "error,warning", only(made, "*.deb"))


@slow
def test_the_debian_package_has_a_unit_and_manual_pages(made, tmp_path):
    run("dpkg-deb", "--extract", only(made, "*.deb"), tmp_path)
    pages = {page.name for page in (tmp_path / "usr/share/man/man1").iterdir()}
    assert {"ringfence.1.gz", "ringfence-run.1.gz", "ringfence-clock-set.1.gz"} <= pages
    assert (tmp_path / "usr/share/ringfence/clients/go/ringfencetest.go").exists()
    assert "ExecStart=/usr/bin/ringfence serve" in (tmp_path / "lib/systemd/system/ringfence.service").read_text()
    for completion in dist.SHELLS.values():
        assert (tmp_path / "usr" / completion).stat().st_size > 1000


def test_the_wheel_is_a_manylinux_wheel_for_pypi(packages):
    wheel = only(packages, "*.whl")
    assert wheel.name.split("-")[-1].removesuffix(".whl") in run(sys.executable, "-m", "auditwheel", "show", wheel)
    assert "PASSED" in run(sys.executable, "-m", "twine", "check", wheel)


def test_npm_finds_the_same_files_in_the_package_for_javascript(packages, tmp_path):
    if not shutil.which("npm"):
        pytest.skip("no npm here")
    found = sorted(packages.glob("ringfence-*.tgz"))
    assert len(found) == 2
    for package in found:
        run("tar", "-xzf", package, "-C", tmp_path)
        (packed,) = json.loads(run("npm", "pack", "--dry-run", "--json", cwd=tmp_path / "package"))
        listed = run("tar", "-tzf", package).split()
        assert package.name == packed["filename"]
        assert sorted(listed) == sorted(f"package/{file['path']}" for file in packed["files"])
        assert not any("tests" in name for name in listed)
        shutil.rmtree(tmp_path / "package")


def test_npm_installs_the_program_without_python_and_network(packages, tmp_path):
    if not shutil.which("npm"):
        pytest.skip("no npm here")
    run("npm", "install", "--offline", "--no-audit", "--no-fund", only(packages, "ringfence-[0-9]*.tgz"), cwd=tmp_path)
    # `true` is the program here, and names its path. npx finds it without the PATH.
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "NPM_CONFIG_UPDATE_NOTIFIER": "false"}
    said = run("npx", "ringfence", "--help", cwd=tmp_path, env=environment)
    assert re.match(r"Usage: \S+/node_modules/@ringfence/linux-\w+/bin/ringfence ", said)


@slow
def test_npm_installs_the_package_for_javascript_without_a_network(made, tmp_path):
    if not shutil.which("npm"):
        pytest.skip("no npm here")
    run("npm", "install", "--offline", "--no-audit", "--no-fund", only(made, "ringfence-[0-9]*.tgz"), cwd=tmp_path)
    shown = run("node", "-e", USE, cwd=tmp_path, env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
    assert shown.strip() == "http://127.0.0.1"


@pytest.fixture(scope="module")
def wheels(made, tmp_path_factory):
    """A folder with the wheel, and with what PyPI has for a test."""
    folder = tmp_path_factory.mktemp("wheels")
    pinned = (ringfence.ROOT / "Tests/requirements.txt").read_text().split()
    wanted = [line for line in pinned if line.startswith(("pytest==", "twilio==", "pytest-xdist=="))]
    run(sys.executable, "-m", "pip", "download", "--quiet", "--dest", folder, *wanted)
    shutil.copy(only(made, "*.whl"), folder)
    return folder


@slow
def test_two_commands_lead_to_a_green_test_without_compiler_and_network(wheels, namespaces, tmp_path):
    """In an empty environment: the test on PyPI's page."""
    page = (ringfence.ROOT / "Distribution/PyPI.md").read_text()
    (test,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(test.splitlines()) <= 8
    assert test.partition("\n")[2] in (ringfence.ROOT / "README.md").read_text()
    (tmp_path / "test_sign_in.py").write_text(test)
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    tools = [tool for tool in TOOLS if shutil.which(tool)]
    environment = {
        "PATH": f"{tmp_path}/venv/bin:{os.environ['PATH']}", "HOME": str(tmp_path), "TOOLS": " ".join(tools)}
    hidden = [CUT_OFF[0], "--mount", *CUT_OFF[1:], "bash", "-c", HIDDEN, "bash"]

    script = f"""
        for tool in {" ".join(tools)}; do if $tool --version; then exit 1; fi; done
        test ! -e /usr/include/stdio.h
        pip install --quiet --no-index --find-links {wheels} ringfence pytest twilio
        pytest -p no:cacheprovider
        PATH=/usr/bin:/bin {tmp_path}/venv/bin/python -c 'from ringfence import Ringfence; Ringfence().stop()'
    """
    shown = run(*hidden, "bash", "-euc", script, env=environment, cwd=tmp_path)

    assert "1 passed" in shown


def test_the_wheel_has_the_plugin_and_its_types(packages, tmp_path):
    run(sys.executable, "-m", "zipfile", "--extract", only(packages, "*.whl"), tmp_path)

    assert (tmp_path / "ringfence/py.typed").exists()
    assert {path.name for path in (tmp_path / "ringfence").iterdir()} == {
        path.name for path in (ringfence.ROOT / "Sources/Clients/python/ringfence").glob("*.*")}
