"""`make install` puts the program where a shell finds it; the build itself is a stand-in here."""

import os
import shutil
import subprocess

import pytest

import ringfence

BUILD = """#!/bin/sh
mkdir -p .build/release
printf '#!/bin/sh\\necho installed "$*"\\n' > .build/release/ringfence
"""


@pytest.fixture
def clone(tmp_path):
    """What of the repository the recipe uses, with a compiler and a package installer that do next to nothing."""
    folder = tmp_path / "a clone"
    (folder / "Tests/Tools").mkdir(parents=True)
    shutil.copy(ringfence.ROOT / "Makefile", folder)
    for path, text in ((folder / "Tests/Tools/install-packages", "#!/bin/sh\n"), (tmp_path / "bin/swift", BUILD)):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    return folder


def install(clone, *words, **environment):
    done = subprocess.run(
        ["make", "install", *words], cwd=clone, capture_output=True, text=True, timeout=60, check=False,
        env={"PATH": f"{clone.parent / 'bin'}:{os.environ['PATH']}", "HOME": str(clone.parent / "home"), **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("words, folder", [((), "home/.local/bin"), (("PREFIX=../pre fix",), "pre fix/bin")])
def test_the_program_is_where_it_was_asked_for(clone, words, folder):
    said = install(clone, *words)

    done = subprocess.run(
        [clone.parent / folder / "ringfence", "run"], capture_output=True, text=True, timeout=10, check=True)
    assert done.stdout == "installed run\n"
    assert "export PATH=" in said


def test_who_has_it_on_the_path_is_told_nothing(clone):
    home = clone.parent / "home"

    assert "export PATH=" not in install(clone, PATH=f"{clone.parent / 'bin'}:{home}/.local/bin:{os.environ['PATH']}")
