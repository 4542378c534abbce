"""The output of `ringfence env`, `ca` and `doctor` in the programs that read it. Source: issue 5, parts 2 and
5."""

import json
import plistlib
import re
import shlex
import ssl
import subprocess

import pytest
import yaml

import ringfence

URL = "http://127.0.0.1:5550"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def variables():
    return json.loads(ringfence.command("env", "--format", "json"))


def written(form):
    return ringfence.command("env", "--format", form)


def test_env_json_is_one_object(variables):
    assert variables["RINGFENCE_URL"] == URL
    assert all(isinstance(value, str) for value in variables.values())


def test_env_sh_works_in_a_shell(variables):
    names = " ".join(variables)
    program = f'eval "$1"; for name in {names}; do eval "printf \'%s\\\\0\' \\"\\${{$name}}\\""; done'
    read = subprocess.run(
        ["sh", "-c", program, "sh", written("sh")], capture_output=True, text=True, check=True, env={"PATH": "/bin:/usr/bin"})

    assert dict(zip(variables, read.stdout.split("\0"))) == variables


def test_env_sh_exports(variables):
    program = 'eval "$1"; printenv RINGFENCE_URL TWILIO_AUTH_TOKEN'
    read = subprocess.run(
        ["sh", "-c", program, "sh", written("sh")], capture_output=True, text=True, check=True, env={"PATH": "/bin:/usr/bin"})

    assert read.stdout.split() == [URL, variables["TWILIO_AUTH_TOKEN"]]


def test_env_for_fish_sets_and_exports(variables):
    lines = [re.fullmatch(r"set -gx ([A-Za-z_]+) (.*?);?", line) for line in written("fish").splitlines()]

    assert {line[1]: shlex.split(line[2])[0] for line in lines} == variables


def test_env_dotenv_is_read_alike_by_docker_and_shells(variables):
    lines = [line.split("=", 1) for line in written("dotenv").splitlines() if line and not line.startswith("#")]

    assert {name: "".join(shlex.split(value)) for name, value in lines} == variables


def test_env_for_compose_is_yaml(variables):
    document = yaml.safe_load(written("compose"))

    assert document["environment"] == variables


def test_env_github_fits_its_environment_file(variables):
    assert dict(line.split("=", 1) for line in written("github").splitlines()) == variables


def test_env_names_the_known_formats():
    said = ringfence.command("env", "--format", "toml", expect=1)

    assert "toml" in said and "dotenv" in said


def ca(folder, *words):
    done = subprocess.run(
        [str(ringfence.binary()), "ca", "--data", str(folder), *words], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_ca_has_the_same_certificate_in_each_format(folder, tmp_path):
    der = ssl.PEM_cert_to_DER_cert(ca(folder).decode())
    profile = plistlib.loads(ca(folder, "--format", "mobileconfig"))
    (tmp_path / "trust.p12").write_bytes(ca(folder, "--format", "p12"))
    store = subprocess.run(
        ["openssl", "pkcs12", "-in", str(tmp_path / "trust.p12"), "-nokeys", "-passin", "pass:changeit"],
        capture_output=True, text=True, check=True)

    assert ca(folder, "--format", "der") == der
    assert [bytes(part["PayloadContent"]) for part in profile["PayloadContent"]] == [der]
    assert der in [ssl.PEM_cert_to_DER_cert(pem) for pem in re.findall(
        "-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", store.stdout, re.DOTALL)]


def test_ca_writes_a_file(folder, tmp_path):
    ca(folder, "--format", "der", "--output", str(tmp_path / "ours.der"))

    assert (tmp_path / "ours.der").read_bytes() == ca(folder, "--format", "der")


@pytest.mark.parametrize("place, word", [
    ("debian", "update-ca-certificates"), ("fedora", "update-ca-trust"), ("macos", "security add-trusted-cert"),
    ("windows", "certutil"), ("java", "keytool"), ("python", "REQUESTS_CA_BUNDLE"), ("node", "NODE_EXTRA_CA_CERTS"),
])
def test_ca_prints_trust_commands(place, word, folder):
    assert word in ca(folder, "--trust", place).decode()


def doctor(*words, environment=None):
    done = subprocess.run(
        [str(ringfence.binary()), "doctor", *words], capture_output=True, text=True, timeout=60, check=False,
        env={"PATH": "/bin:/usr/bin", "HOME": "/nonexistent", **(environment or {})})
    return done.returncode, done.stdout


def test_doctor_names_the_problem_and_the_fix():
    status, said = doctor("--url", "http://127.0.0.1:9")
    lines = said.splitlines()
    fixes = {finding: fix for finding, fix in zip(lines, [*lines[1:], ""]) if finding.startswith(("✗", "!"))}

    assert status != 0
    assert fixes
    assert {finding: fix for finding, fix in fixes.items() if not fix.lstrip().startswith("→")} == {}
