"""The commands of README.md work in a fresh clone as they stand. `make test` skips the compiler; `make check`
compiles everything."""

import os
import re
import shutil
import subprocess
import sysconfig

import pytest

import ringfence
from inside import CUT_OFF

README = (ringfence.ROOT / "README.md").read_text(encoding="utf-8")
# Builds nothing: `ringfence` is there already.
COMPILER = """#!/bin/sh
if [ "$1" = --version ]; then echo "Swift version 6.3.1"; else mkdir -p .build/debug; cp "$BUILT" .build/debug/ringfence; fi
"""
# Makes a small program instead of linking the large one. A build with Swift has the section.
LINKER = """#!/bin/sh
while [ "$1" != -o ]; do shift; done
exec clang -no-pie -o "$2" "$STARTER"
"""
STARTER = """
#include <stdlib.h>
#include <unistd.h>
__attribute__((section(".swift_modhash"))) char hash[16] = {1};
int main(int count, char **words) { return execv(getenv("BUILT"), words); }
"""
# The address of the page is free in a network namespace. The server is ready when it answers.
RUN = """
{start} >server.log 2>&1 &
curl --silent --fail --retry 1400 --retry-delay 1 --retry-connrefused --output /dev/null http://127.0.0.1:5550/livez
{then}
kill $!
"""


def commands(title):
    """The shell blocks of a section."""
    section = re.search(rf"^## {title}\n(.*?)^## ", README, re.MULTILINE | re.DOTALL)[1]
    return re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


@pytest.fixture
def clone(tmp_path):
    subprocess.run(["git", "clone", "--quiet", ringfence.ROOT, tmp_path / "ringfence"], check=True, timeout=60)
    return tmp_path / "ringfence"


def bash(script, folder, within=(), timeout=100, environment=None):
    done = subprocess.run(
        [*within, "bash", "-euc", script], cwd=folder, capture_output=True, text=True, timeout=timeout, check=False,
        env={**os.environ, **(environment or {})})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def first_code(clone, **environment):
    """What the commands under "Run it" print."""
    start, then = commands("Run it")
    return bash(RUN.format(start=start.strip(), then=then), clone, CUT_OFF, timeout=1500, environment=environment)


def test_the_first_code(clone, namespaces, tmp_path):
    (tmp_path / "swift").write_text(COMPILER)
    (tmp_path / "swift").chmod(0o755)

    printed = first_code(clone, PATH=f"{tmp_path}:{os.environ['PATH']}", BUILT=str(ringfence.binary()))

    assert re.search(r'"status":\s*"pending".*\D\d{6}$', printed.strip(), re.DOTALL), printed


@pytest.mark.skipif(not shutil.which("dpkg-deb") or not shutil.which("clang"), reason="no Debian or no Swift here")
def test_the_first_test(clone, tmp_path):
    """`swift` and `swiftc` make a program that starts the one that is there. What PyPI has is in .venv."""
    (block,) = commands("Use it in your tests")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, script in {"swift": COMPILER, "swiftc": LINKER, "pytest": 'exec python -m pytest "$@"\n'}.items():
        (tools / name).write_text(script if script.startswith("#!") else f"#!/bin/sh\n{script}")
        (tools / name).chmod(0o755)
    (tools / "starter.c").write_text(STARTER)
    (clone / ".build/release").mkdir(parents=True)
    shutil.copy(ringfence.ROOT / "Package.resolved", clone)
    packages = sysconfig.get_paths()["purelib"]

    printed = bash(block, clone, environment={
        "PATH": f"{tools}:{os.environ['PATH']}", "BUILT": str(ringfence.binary()), "STARTER": str(tools / "starter.c"),
        "PYTHONPATH": packages, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"})

    assert "1 passed" in printed
    assert {file.suffix for file in (clone / ".build/dist").iterdir()} >= {".deb", ".gz", ".tgz", ".whl"}
    assert len((clone / ".build/try/test_sign_in.py").read_text().splitlines()) == 6


def test_the_page_is_short_and_its_other_commands_exist(clone):
    assert len(README.split()) <= 600
    for target in set(re.findall(r"`?make ([a-z]+)", README)):
        bash(f"make --dry-run {target}", clone)


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.skipif(not shutil.which("swift") or not shutil.which("dpkg-deb"), reason="no Swift or no Debian here")
def test_all_commands_with_the_compiler(clone, namespaces):
    printed = first_code(clone)
    (block,) = commands("Use it in your tests")
    tested = bash(block, clone, timeout=1000)

    assert re.search(r"\D\d{6}$", printed.strip()), printed
    assert "1 passed" in tested


@pytest.mark.parametrize("target, swift", [("run", None), ("test", None), ("dist", None), ("quick", None), ("run", "5.9")])
def test_make_says_what_is_missing_before_it_installs_anything(clone, tmp_path, target, swift):
    """On a machine without git and python3, and without Swift or with an old one."""
    for tool in ("bash", "cut", "dirname", "head", "make", "printf", "sed", "sh", "sort", "uname"):
        (tmp_path / tool).symlink_to(shutil.which(tool))
    if swift:
        (tmp_path / "swift").write_text(COMPILER.replace("6.3.1", swift))
        (tmp_path / "swift").chmod(0o755)

    done = subprocess.run(
        ["make", target], cwd=clone, capture_output=True, text=True, timeout=30, check=False, env={"PATH": str(tmp_path)})

    assert done.returncode != 0
    missing, source, systems, _ = done.stderr.splitlines()
    found = f"Swift 6.3 or newer (found {swift or 'none'}), git, python3"
    assert missing == f"Missing: {found}. Nothing was installed or built."
    assert source.startswith("Swift: https://www.swift.org/install; git, python3: ")
    assert all(system in systems for system in ("Linux", "ARM", "macOS", "Windows: WSL"))
    assert "Installing" not in done.stdout
