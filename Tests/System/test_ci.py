"""The jobs in Docs/CI.md are valid YAML, and their ringfence commands work. The project's own CI prints
what each of its stages takes."""

import os
import re
import shutil
import subprocess
import sys

import pytest
import yaml

import ringfence

PAGE = (ringfence.ROOT / "Docs" / "CI.md").read_text()
BLOCKS = [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S)]
WHOLE, SOURCE, _REPORT, STEPS, SERVICE, GITLAB = BLOCKS
JENKINS = re.findall(r"^ *sh '(.*)'$", PAGE, re.M)

APP = """
import os, twilio.rest
def test_a_code_signs_in():
    service = twilio.rest.Client().verify.v2.services(os.environ["TWILIO_VERIFY_SERVICE_SID"])
    service.verifications.create(to="+12025550100", channel="sms")
    assert service.verification_checks.create(to="+12025550100", code="365233").status == "approved"
"""
APART = ("unshare", "--user", "--map-root-user", "--net")
CANNOT = (not (shutil.which("unshare") and shutil.which("ip"))
          or subprocess.run([*APART, "true"], capture_output=True, check=False).returncode)


def ours(lines):
    """The lines of a job that call ringfence."""
    return [line for line in lines if "ringfence " in line and not re.search(r"make -C|pip install|docker ", line)]


@pytest.fixture
def project(tmp_path):
    """A folder like a checkout, with the environment of the page's jobs."""
    (tmp_path / "test_sign_in.py").write_text(APP)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "ringfence").symlink_to(ringfence.binary())
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    script = tmp_path / ".venv" / "bin" / "pytest"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m pytest -q "$@"\n')
    script.chmod(0o755)
    return tmp_path


def run(project, lines):
    """Runs lines as steps of a job, in a network namespace. Variables of one step are passed to the next."""
    steps = "\n".join(f"""
        {line}
        while IFS= read -r line; do export "$line"; done < "$GITHUB_ENV" """ for line in lines)
    script = f'set -e\nip link set lo up\n: > "$GITHUB_ENV"\ntrap \'status=$?; kill $(jobs -p) 2>&- || true; wait; exit $status\' EXIT\n{steps}'
    return subprocess.run(
        [*APART, "bash", "-c", script], capture_output=True, text=True, timeout=120, check=False, cwd=project,
        env={"PATH": f"{project}/bin:{os.environ['PATH']}", "HOME": str(project), "GITHUB_ENV": f"{project}/github-env"})


@pytest.mark.skipif(bool(CANNOT), reason="no namespaces here")
@pytest.mark.parametrize("lines", [
    pytest.param([step.get("run", "") for step in WHOLE["jobs"]["test"]["steps"]], id="whole"),
    pytest.param([step.get("run", "") for step in SOURCE["jobs"]["test"]["steps"]], id="source"),
    pytest.param([step["run"] for step in STEPS["steps"] if "if" not in step], id="steps"),
    pytest.param(GITLAB["test"]["before_script"] + GITLAB["test"]["script"], id="gitlab"),
    pytest.param(JENKINS, id="jenkins"),
])
def test_the_tests_of_a_job_pass(project, lines):
    lines = ours(lines) + [line for line in lines if line == ".venv/bin/pytest"]

    done = run(project, lines)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_the_job_uses_ports_and_folders_of_the_image():
    steps = "\n".join(step.get("run", "") for step in SERVICE["jobs"]["test"]["steps"])
    image = (ringfence.ROOT / "Dockerfile").read_text()
    ports = [port.split(":")[1] for port in SERVICE["jobs"]["test"]["services"]["ringfence"]["ports"]]

    assert ports == re.search(r"^EXPOSE (.*)$", image, re.M)[1].split()
    assert ":/trust" in steps and "--trust=/trust" in image and "trust/bundle.pem" in steps


def test_the_jobs_use_the_image_that_builds_the_project():
    version = (ringfence.ROOT / ".swift-version").read_text().strip()

    assert set(re.findall(r"swift:([\d.]+)", PAGE)) == {version}


@pytest.mark.parametrize("full, broken, expected", [("", "", 0), ("1", "", 0), ("", "unit-tests", 2), ("", "lint", 2)])
def test_ci_runs_all_stages_and_prints_their_times(tmp_path, full, broken, expected):
    def program(path, *lines):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("\n".join(["#!/bin/sh", *lines]))
        (tmp_path / path).chmod(0o755)

    program(".ci/run", (ringfence.ROOT / ".ci/run").read_text())
    program("bin/make", 'echo "make $*"', f'[ "$1" != "{broken}" ] || exit 2')
    program("bin/python3", 'echo "slowest targets"')

    done = subprocess.run(
        ["bash", ".ci/run"], capture_output=True, text=True, timeout=20, check=False, cwd=tmp_path,
        env={"PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "CI_FULL": full})

    stages = ["packages", "lint", "build", "generated", "unit-tests", "python", "system-tests",
              *(["largest-requests", "bench-quick", "fuzz-shortly"] if full else [])]
    if broken:
        stages = stages[:stages.index(broken) + 1]
    ran = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("make ")]
    table = done.stdout.partition("processor s\n")[2].splitlines()
    assert done.returncode == expected, done.stderr
    assert ran == stages
    assert [row[:16].rstrip() for row in table] == [
        {"unit-tests": "Swift tests", "python": "Python", "system-tests": "system tests", "fuzz-shortly": "fuzz",
         "largest-requests": "large requests", "bench-quick": "instructions"}.get(stage, stage)
        for stage in stages]
    assert ("MARKS=" in done.stdout) == bool(full)
