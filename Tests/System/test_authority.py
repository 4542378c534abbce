"""The authority's constraint holds: whoever got hold of its key could pose as a catalogue host, and as nobody else.

Source: issue 5, part 2. Every judge gets what a thief could show: a certificate signed with the key that is kept, the
issuer's own, and the root that the victim trusts.
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

JUDGES = pathlib.Path(__file__).parent / "judges"
OURS = ["verify.twilio.com", "localhost"]
OTHERS = ["example.com", "twilio.com", "verify.twilio.com.example.com"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    ringfence.command("ca", "--data", folder, "--format", "p12", "--output", folder / "trust.p12")
    return folder


def chain(folder, name):
    """A chain for a name, in a file, as a thief would make it."""
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
    said = run("java", JUDGES / "Judge.java", folder / "trust.p12", chain)
    return said == "trusted\n" or said


def go(folder, chain, name):
    said = run("go", "run", JUDGES / "judge.go", folder / "authority.pem", chain, name)
    return said == "trusted\n" or said


def python(folder, chain, name):
    """The verifier of `cryptography`, which is in Rust and nobody else's."""
    leaf, issuer = x509.load_pem_x509_certificates(chain.read_bytes())
    try:
        PolicyBuilder().store(Store([authorities.root(folder)])).build_server_verifier(x509.DNSName(name)).verify(leaf, [issuer])
        return True
    except VerificationError as refusal:
        return str(refusal)


def judge(function, tool=None):
    absent = tool is not None and shutil.which(tool) is None
    return pytest.param(function, id=function.__name__, marks=pytest.mark.skipif(absent, reason=f"no {tool} here"))


judges = pytest.mark.parametrize("trusts", [judge(openssl, "openssl"), judge(java, "java"), judge(go, "go"), judge(python)])


@judges
@pytest.mark.parametrize("name", OURS)
def test_a_catalogue_host_is_vouched_for(folder, trusts, name):
    assert trusts(folder, chain(folder, name), name) is True


@judges
@pytest.mark.parametrize("name", OTHERS)
def test_any_other_name_is_refused_because_of_the_constraint(folder, trusts, name):
    said = trusts(folder, chain(folder, name), name)

    assert said is not True
    assert any(words in said.lower() for words in ("subtree", "name constraint", "not permitted", "permitted by")), said


def test_the_key_that_is_kept_is_not_the_one_that_clients_trust(folder):
    _, key = authorities.issuer(folder)

    assert (folder / "authority-key.pem").read_bytes().count(b"PRIVATE KEY-----") == 2
    assert key.public_key() != authorities.root(folder).public_key()


def test_a_key_of_the_old_kind_is_replaced(tmp_path):
    """Before, the folder held a root and its own key; Java would have obeyed whoever stole that."""
    ringfence.command("ca", "--data", tmp_path)
    secret = tmp_path / "authority-key.pem"
    secret.write_bytes(secret.read_bytes()[secret.read_bytes().index(b"-----BEGIN PRIVATE"):])
    before = (tmp_path / "authority.pem").read_bytes()

    assert ringfence.command("ca", "--data", tmp_path).encode() != before
    assert os.path.getsize(secret) > 1000


def test_an_issuer_that_names_no_key_is_replaced(tmp_path):
    """It would vouch for nothing that strict clients take."""
    ringfence.command("ca", "--data", tmp_path)
    authorities.make_again(tmp_path, days=9, names_keys=False)
    before = (tmp_path / "authority.pem").read_bytes()

    listeners = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")
    with ringfence.Server("--data", tmp_path, listeners=listeners):
        assert (tmp_path / "authority.pem").read_bytes() != before


def test_of_several_programs_that_come_at_once_one_makes_it(tmp_path):
    asked = [subprocess.Popen([ringfence.binary(), "ca", "--data", tmp_path], stdout=subprocess.PIPE) for _ in range(8)]

    assert {one.communicate(timeout=30)[0] for one in asked} == {(tmp_path / "authority.pem").read_bytes()}
    assert [one.returncode for one in asked] == [0] * 8
