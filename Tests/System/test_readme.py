"""The commands of README.md work in a fresh clone as they stand. `make test` skips the compiler; `make check`
compiles everything."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import ringfence
from inside import CUT_OFF
from running import with_plugin

README = (ringfence.ROOT / "README.md").read_text(encoding="utf-8")
# Builds nothing: `ringfence` is there already.
COMPILER = """#!/bin/sh
if [ "$1" = --version ]; then echo "Swift version 6.3.1"; else mkdir -p .build/debug; cp "$BUILT" .build/debug/ringfence; fi
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


def test_the_first_test(tmp_path):
    """Without the lines that make and install the packages."""
    (block,) = commands("Use it in your tests")
    *_, typed = block.partition("cat >")
    (tmp_path / ".build/try").mkdir(parents=True)
    environment = with_plugin(PATH=f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}")

    printed = bash("cat >" + typed, tmp_path, environment=environment)

    assert len((tmp_path / ".build/try/test_sign_in.py").read_text().splitlines()) == 6
    assert "1 passed" in printed


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.skipif(not shutil.which("swift") or not shutil.which("dpkg-deb"), reason="no Swift or no Debian here")
def test_all_commands_with_the_compiler(clone, namespaces):
    printed = first_code(clone)
    (block,) = commands("Use it in your tests")
    tested = bash(block, clone, timeout=1000)

    assert re.search(r"\D\d{6}$", printed.strip()), printed
    assert "1 passed" in tested


def test_make_says_what_is_missing_before_it_installs_anything(clone, tmp_path):
    """On a machine without Swift, git and python3."""
    for tool in ("bash", "cut", "dirname", "head", "make", "printf", "sed", "sh", "sort", "uname"):
        (tmp_path / tool).symlink_to(shutil.which(tool))

    done = subprocess.run(
        ["make", "run"], cwd=clone, capture_output=True, text=True, timeout=30, check=False, env={"PATH": str(tmp_path)})

    assert done.returncode != 0
    assert "Swift 6.3 or newer (found none): https://www.swift.org/install" in done.stderr
    assert "git: " in done.stderr and "python3: " in done.stderr and "Windows" in done.stderr
    assert "Installing" not in done.stdout
