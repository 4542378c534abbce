"""The container files, without a container engine: their content, and whether the app reaches the sandbox
with their settings in a network namespace. Source: issue 5, part 6."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig

import pytest
import yaml

import authorities
import ringfence

COMPOSE = yaml.safe_load((ringfence.ROOT / "docker-compose.yml").read_text())
SANDBOX, APP = COMPOSE["services"]["ringfence"], COMPOSE["services"]["app"]
DOCKERFILES = [ringfence.ROOT / "Dockerfile", ringfence.ROOT / APP["build"] / "Dockerfile"]


def aliases():
    return SANDBOX["networks"]["phones"]["aliases"]


def test_the_aliases_are_the_providers_hosts(tmp_path):
    ringfence.command("ca", "--data", tmp_path)

    assert sorted(aliases()) == sorted(authorities.hosts(tmp_path))
    assert len(set(aliases())) == len(aliases())


def test_ports_are_published_on_the_loopback_only():
    assert [port.split(":")[0] for port in SANDBOX["ports"]] == ["127.0.0.1"] * 3
    listened = {flag.rsplit(":", 1)[1] for flag in SANDBOX["command"] if ":" in flag}
    assert {port.split(":")[2] for port in SANDBOX["ports"]} == listened


def test_the_published_address_is_in_links_and_in_the_log():
    assert SANDBOX["environment"]["RINGFENCE_PUBLIC_URL"] == "http://" + SANDBOX["ports"][0].rsplit(":", 1)[0]


def test_the_app_sees_the_certificates_and_not_the_key():
    assert "state:/data" in SANDBOX["volumes"] and "--data=/data" in SANDBOX["command"]
    assert "trust:/trust" in SANDBOX["volumes"] and "--trust=/trust" in SANDBOX["command"]
    assert APP["volumes"] == ["trust:/trust:ro"]


def test_the_page_shows_the_same_settings_as_the_app():
    page = (ringfence.ROOT / "Docs" / "Redirection.md").read_text()
    (block,) = re.findall(r"^```yaml\n(services:.*?)^```", page, re.M | re.S)
    service = yaml.safe_load(block)["services"]["app"]

    assert service["volumes"] == APP["volumes"] and service["networks"] == APP["networks"]
    assert APP["environment"].items() >= {
        (name, value) for name, value in service["environment"].items() if name in APP["environment"]}
    assert set(re.findall(r"/trust/([\w.]+)", str(service["environment"]))) >= {"bundle.pem", "authority.pem", "trust.p12"}


def test_the_sandbox_has_minimal_privileges():
    assert SANDBOX["read_only"] is True and SANDBOX["cap_drop"] == ["ALL"]
    assert SANDBOX["security_opt"] == ["no-new-privileges:true"] and "privileged" not in SANDBOX
    assert SANDBOX["sysctls"] == {"net.ipv4.ip_unprivileged_port_start": 0}


def test_the_app_waits_until_the_sandbox_is_healthy():
    assert APP["depends_on"] == {"ringfence": {"condition": "service_healthy"}}
    assert SANDBOX["healthcheck"]["test"][:4] == ["CMD", "ringfence", "doctor", "--quick"]


def instructions(dockerfile):
    text = re.sub(r"\\\n", " ", re.sub(r"^\s*#.*\n", "", dockerfile.read_text(), flags=re.M))
    return [line.split(None, 1) for line in text.splitlines() if line.strip()]


def test_the_image_runs_unprivileged():
    for dockerfile in DOCKERFILES:
        users = [value for name, value in instructions(dockerfile) if name == "USER"]
        assert users and int(users[-1]) > 0


def test_the_image_exposes_its_ports():
    words = dict(instructions(DOCKERFILES[0]))

    flags = yaml.safe_load(words["CMD"])
    assert words["EXPOSE"].split() == re.findall(r":(\d+)", words["CMD"])
    assert "ca-certificates" in DOCKERFILES[0].read_text(), "without it the bundle holds our authority alone"
    for folder in ("/data", "/trust"):
        assert folder in yaml.safe_load(words["VOLUME"]) and any(flag.endswith(f"={folder}") for flag in flags)


def test_the_build_context_is_complete():
    let_in = [line[1:] for line in (ringfence.ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    copied = [words for name, value in instructions(DOCKERFILES[0]) if name == "COPY" for words in value.split()[:-1]
              if not value.startswith("--from")]

    assert set(copied) <= set(let_in)
    assert all((ringfence.ROOT / name).exists() for name in copied)


@pytest.mark.parametrize("dockerfile", DOCKERFILES, ids=lambda file: file.parent.name)
def test_hadolint_passes(dockerfile):
    """Debian's packages are not pinned, since Debian keeps only the newest version."""
    hadolint = f"{sysconfig.get_path('scripts')}/hadolint"
    done = subprocess.run(
        [hadolint, "--ignore", "DL3008", dockerfile], capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stdout


def has_compose():
    return shutil.which("docker") and subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_compose(), reason="no docker compose here")
def test_compose_accepts_the_file():
    subprocess.run(["docker", "compose", "--profile", "example", "config", "--quiet"], cwd=ringfence.ROOT, timeout=60, check=True)


def test_the_apps_sdk_version_is_the_tested_one():
    wanted = (ringfence.ROOT / APP["build"] / "requirements.txt").read_text().split()

    assert set(wanted) <= set((ringfence.ROOT / "Tests" / "requirements.txt").read_text().split())


APART = ("unshare", "--user", "--map-root-user", "--mount", "--net")
CANNOT = (not (shutil.which("unshare") and shutil.which("ip"))
          or subprocess.run([*APART, "true"], capture_output=True, check=False).returncode)


@pytest.mark.skipif(bool(CANNOT), reason="no namespaces here")
def test_the_unmodified_app_reaches_the_sandbox(tmp_path):
    """App and sandbox use the settings of the files, with other folders for the volumes."""
    (tmp_path / "hosts").write_text(f"127.0.0.1 localhost ringfence {' '.join(aliases())}\n")

    def placed(text):
        return re.sub(r"(?<![\w/])/(data|trust)\b", rf"{tmp_path}/\1", text)

    serve = shlex.join([str(ringfence.binary()), *map(placed, SANDBOX["command"])])
    health = shlex.join([str(ringfence.binary()), *SANDBOX["healthcheck"]["test"][2:]])
    settings = " ".join(f"{name}={placed(str(value))}" for name, value in APP["environment"].items())
    script = f"""
        set -e
        mount --bind {tmp_path}/hosts /etc/hosts
        ip link set lo up
        coproc {serve} --ready json
        read -r -u ${{COPROC[0]}} ready
        trap 'kill $COPROC_PID; wait $COPROC_PID' EXIT
        {health}
        env {settings} {sys.executable} {ringfence.ROOT}/{APP["build"]}/app.py
    """
    done = subprocess.run(
        [*APART, "bash", "-c", script], capture_output=True, text=True, timeout=60, check=False,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)})

    assert done.stdout == "ready\napproved\n", done.stderr
    assert sorted(path.name for path in (tmp_path / "trust").iterdir()) == ["authority.pem", "bundle.pem", "trust.p12"]
