"""The authority's name constraints: a stolen key can sign for provider hosts and for no other host.

Each verifier gets a certificate signed with the stored key, the issuer's certificate, and the root that
clients trust. Source: issue 5, part 2.
"""

import os
import pathlib
import shutil
import subprocess

import pytest
from cryptography import x509
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

import authorities
import ringfence

VERIFIERS = pathlib.Path(__file__).parent / "verifiers"
OURS = ["verify.twilio.com", "verify.dublin.ie1.twilio.com", "localhost"]
OTHERS = ["example.com", "prelude.dev", "mytwilio.com", "verify.twilio.com.example.com"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    ringfence.command("ca", "--data", folder, "--format", "p12", "--output", folder / "trust.p12")
    return folder


def chain(folder, name):
    """A file with a certificate chain for a name, signed with the stored key."""
    file = folder / f"{name}.pem"
    file.write_bytes(authorities.sign(folder, name))
    return file


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, check=False)
    return done.stdout + done.stderr


def openssl(folder, chain, name):
    said = run("openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", name, "-CAfile",
               folder / "authority.pem", "-untrusted", chain, chain)
    return said.endswith(": OK\n") or said


def java(folder, chain, _):
    said = run("java", VERIFIERS / "VerifyChain.java", folder / "trust.p12", chain)
    return said == "trusted\n" or said


def go(folder, chain, name):
    said = run("go", "run", VERIFIERS / "verify_chain.go", folder / "authority.pem", chain, name)
    return said == "trusted\n" or said


def python(folder, chain, name):
    """The verifier of `cryptography`, which is implemented in Rust."""
    leaf, issuer = x509.load_pem_x509_certificates(chain.read_bytes())
    try:
        PolicyBuilder().store(Store([authorities.root(folder)])).build_server_verifier(x509.DNSName(name)).verify(leaf, [issuer])
        return True
    except VerificationError as refusal:
        return str(refusal)


def verifier(function, tool=None):
    absent = tool is not None and shutil.which(tool) is None
    marks = [pytest.mark.skipif(absent, reason=f"no {tool} here"), *([pytest.mark.slow] if function is java else [])]
    return pytest.param(function, id=function.__name__, marks=marks)


each_verifier = pytest.mark.parametrize(
    "verify", [verifier(openssl, "openssl"), verifier(java, "java"), verifier(go, "go"), verifier(python)])


@each_verifier
@pytest.mark.parametrize("name", OURS)
def test_a_provider_host_is_trusted(folder, verify, name):
    assert verify(folder, chain(folder, name), name) is True


@each_verifier
@pytest.mark.parametrize("name", OTHERS)
def test_other_hosts_violate_the_name_constraints(folder, verify, name):
    said = verify(folder, chain(folder, name), name)

    assert said is not True
    assert any(words in said.lower() for words in ("subtree", "name constraint", "not permitted", "permitted by")), said


def test_the_roots_own_key_is_not_kept(folder):
    _, key = authorities.issuer(folder)

    assert (folder / "authority-key.pem").read_bytes().count(b"PRIVATE KEY-----") == 2
    assert key.public_key() != authorities.root(folder).public_key()


def test_an_authority_with_its_root_key_is_replaced(tmp_path):
    """Older folders hold the root's own key. Java applies no constraints to what a root signs itself."""
    ringfence.command("ca", "--data", tmp_path)
    secret = tmp_path / "authority-key.pem"
    secret.write_bytes(secret.read_bytes()[secret.read_bytes().index(b"-----BEGIN PRIVATE"):])
    before = (tmp_path / "authority.pem").read_bytes()

    assert ringfence.command("ca", "--data", tmp_path).encode() != before
    assert os.path.getsize(secret) > 1000


def test_an_issuer_without_key_identifiers_is_replaced(tmp_path):
    """Strict clients reject certificates without key identifiers."""
    ringfence.command("ca", "--data", tmp_path)
    authorities.make_again(tmp_path, days=9, names_keys=False)
    before = (tmp_path / "authority.pem").read_bytes()

    listeners = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")
    with ringfence.Server("--data", tmp_path, listeners=listeners):
        assert (tmp_path / "authority.pem").read_bytes() != before


def test_concurrent_starts_create_one_authority(tmp_path):
    asked = [subprocess.Popen([ringfence.binary(), "ca", "--data", tmp_path], stdout=subprocess.PIPE) for _ in range(8)]

    assert {one.communicate(timeout=30)[0] for one in asked} == {(tmp_path / "authority.pem").read_bytes()}
    assert [one.returncode for one in asked] == [0] * 8
