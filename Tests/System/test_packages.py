"""Packages of PyPI that use the providers run unchanged: a program each in `apps/packages` (issue 46)."""

import os
import pathlib
import subprocess
import sys

import pytest

import ringfence
import running
import snippets

PROGRAMS = ringfence.ROOT / "Tests/System/apps/packages"
CLIENT = ringfence.ROOT / "Sources/Clients/python"


def path(packages, *more):
    return os.pathsep.join(map(str, [pathlib.Path(sys.prefix) / "packages" / packages, CLIENT, *more]))


def run(program, packages, *flags):
    """Standard output of a program under `ringfence run`, with a list of `Tests/Packages`."""
    done = running.run(
        sys.executable, PROGRAMS / f"{program}_app.py", flags=("--quiet", *flags),
        environment=running.bare(PYTHONPATH=path(packages), RINGFENCE_BINARY=str(ringfence.binary())))
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    return done.stdout.decode().strip()


@pytest.mark.parametrize("program", [
    "apprise", "django_phone_verify", "django_twilio", "django_two_factor_auth", "drfpasswordless", "fcm_django",
    "kalyke", "nexmo", "notifiers", "pyfcm"])
def test_46_apps_that_send_their_own_texts_and_pushes(program):
    run(program, "apps")


@pytest.mark.parametrize("packages, version", [("twilio-6", 6), ("twilio-7", 7), ("twilio-8", 8), ("apps", 9)])
def test_46_twilio_from_6_on(packages, version):
    assert run("twilio", packages).startswith(f"{version}.")


@pytest.mark.parametrize("program, packages", [("vonage_3", "vonage-3"), ("vonage_4", "apps")])
def test_46_vonage_from_3_on(program, packages):
    run(program, packages)


def test_46_apns2(namespaces):
    """It takes no proxy from the environment."""
    run("apns2", "apns2", "--isolated")


@pytest.mark.parametrize("program", [
    text for _, ways, text, _ in snippets.programs(ringfence.ROOT / "Docs/Frameworks.md") if ways == ["django"]])
def test_48_django_with_pytest(program, tmp_path):
    (tmp_path / "test_snippet.py").write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "two_factor_project"], cwd=tmp_path,
        env=running.with_plugin(PYTHONPATH=path("apps", PROGRAMS)), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
