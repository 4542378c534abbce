"""`make install` installs the program. The build is a stub here."""

import os
import shutil
import subprocess

import pytest

import ringfence

# The stub compiler writes a program that prints its arguments. The stub `id` prints a user id other than
# root.
STAND_INS = {"swift": "mkdir -p .build/release && cp /bin/echo .build/release/ringfence", "id": "echo 1000"}


@pytest.fixture
def clone(tmp_path):
    """The files of the repository that the recipe uses, with a stub compiler and a stub package installer."""
    folder = tmp_path / "a clone"
    (folder / "Tests/Tools").mkdir(parents=True)
    for name in ("Makefile", "Tests/Tools/swift-build"):
        shutil.copy(ringfence.ROOT / name, folder / name)
    (tmp_path / "bin").mkdir()
    scripts = {tmp_path / "bin" / name: text for name, text in STAND_INS.items()}
    tools = {folder / "Tests/Tools" / name: "" for name in ("check-tools", "install-packages")}
    for path, text in {**scripts, **tools}.items():
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    return folder


def install(clone, *words, **environment):
    done = subprocess.run(
        ["make", "install", *words], cwd=clone, capture_output=True, text=True, timeout=60, check=False,
        env={"PATH": f"{clone.parent / 'bin'}:{os.environ['PATH']}", "HOME": str(clone.parent / "home"), **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("words, folder", [((), "home/.local/bin"), (("PREFIX=../pre fix",), "pre fix/bin")])
def test_the_program_is_installed_in_the_folder(clone, words, folder):
    said = install(clone, *words)

    done = subprocess.run(
        [clone.parent / folder / "ringfence", "run"], capture_output=True, text=True, timeout=10, check=True)
    assert done.stdout == "run\n"
    assert "export PATH=" in said


def test_no_hint_if_the_folder_is_on_the_path(clone):
    home = clone.parent / "home"

    assert "export PATH=" not in install(clone, PATH=f"{clone.parent / 'bin'}:{home}/.local/bin:{os.environ['PATH']}")


def test_a_build_that_crashes_is_begun_once_more(clone):
    swift = clone.parent / "bin/swift"
    swift.write_text(f"#!/bin/sh\n[ -e crashed ] || {{ touch crashed; kill -SEGV $$; }}\n{STAND_INS['swift']}\n")

    install(clone)

    assert (clone / "crashed").exists()
