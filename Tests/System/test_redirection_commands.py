"""`ringfence ca` and `doctor`, used as their readers would. Source: issue 5, parts 2 and 5."""

import plistlib
import re
import ssl
import subprocess

import pytest

import ringfence


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


def ca(folder, *words):
    done = subprocess.run(
        [str(ringfence.binary()), "ca", "--data", str(folder), *words], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_ca_is_the_same_in_each_form(folder, tmp_path):
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


def test_ca_writes_a_file_instead(folder, tmp_path):
    ca(folder, "--format", "der", "--output", str(tmp_path / "ours.der"))

    assert (tmp_path / "ours.der").read_bytes() == ca(folder, "--format", "der")


@pytest.mark.parametrize("place, word", [
    ("debian", "update-ca-certificates"), ("fedora", "update-ca-trust"), ("macos", "security add-trusted-cert"),
    ("windows", "certutil"), ("java", "keytool"), ("python", "REQUESTS_CA_BUNDLE"), ("node", "NODE_EXTRA_CA_CERTS"),
])
def test_ca_says_how_it_is_trusted(place, word, folder):
    assert word in ca(folder, "--trust", place).decode()


def test_doctor_has_a_fix_for_each_finding():
    said = ringfence.command("doctor", "--url", "http://127.0.0.1:9", expect=1)

    assert said == "" or "→" in said


def doctor(*words, environment=None):
    done = subprocess.run(
        [str(ringfence.binary()), "doctor", *words], capture_output=True, text=True, timeout=60, check=False,
        env={"PATH": "/bin:/usr/bin", "HOME": "/nonexistent", **(environment or {})})
    return done.returncode, done.stdout


def test_doctor_names_what_is_wrong_and_how_it_is_mended():
    status, said = doctor("--url", "http://127.0.0.1:9")

    assert status != 0
    for finding, fix in zip(said.splitlines(), said.splitlines()[1:] + [""]):
        if finding.startswith(("✗", "!")):
            assert fix.lstrip().startswith("→"), f"no fix for: {finding}"
