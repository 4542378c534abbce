"""The authority's constraint holds: whoever got hold of its key could pose as a catalogue host, and as nobody else.

Source: issue 5, part 2. Every judge gets what a thief could show: a certificate signed with the key that is kept, the
issuer's own, and the root that the victim trusts.
"""

import datetime
import os
import pathlib
import shutil
import subprocess

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

import ringfence

JUDGES = pathlib.Path(__file__).parent / "judges"
OURS = ["verify.twilio.com", "localhost"]
OTHERS = ["example.com", "twilio.com", "verify.twilio.com.example.com"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    ringfence.command("ca", "--data", folder, "--format", "p12", "--output", folder / "trust.p12")
    return folder


def sign(folder, name):
    """A chain for a name, in a file, as a thief would make it."""
    stolen = (folder / "authority-key.pem").read_bytes()
    issuer, key = x509.load_pem_x509_certificate(stolen), serialization.load_pem_private_key(stolen, None)
    own = ec.generate_private_key(ec.SECP256R1())
    now = datetime.datetime.now(datetime.timezone.utc)
    usage = dict.fromkeys((
        "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign", "crl_sign",
        "encipher_only", "decipher_only"), False)
    leaf = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])).issuer_name(issuer.subject)
        .public_key(own.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), False)
        .add_extension(x509.BasicConstraints(False, None), True)
        .add_extension(x509.KeyUsage(digital_signature=True, **usage), True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(own.public_key()), False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.public_key()), False)
        .sign(key, hashes.SHA256()))
    chain = folder / f"{name}.pem"
    chain.write_bytes(b"".join(one.public_bytes(serialization.Encoding.PEM) for one in (leaf, issuer)))
    return chain


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
    root = x509.load_pem_x509_certificate((folder / "authority.pem").read_bytes())
    leaf, issuer = x509.load_pem_x509_certificates(chain.read_bytes())
    try:
        PolicyBuilder().store(Store([root])).build_server_verifier(x509.DNSName(name)).verify(leaf, [issuer])
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
    assert trusts(folder, sign(folder, name), name) is True


@judges
@pytest.mark.parametrize("name", OTHERS)
def test_any_other_name_is_refused_because_of_the_constraint(folder, trusts, name):
    said = trusts(folder, sign(folder, name), name)

    assert said is not True
    assert any(words in said.lower() for words in ("subtree", "name constraint", "not permitted", "permitted by")), said


def test_the_key_that_is_kept_is_not_the_one_that_clients_trust(folder):
    stolen = (folder / "authority-key.pem").read_bytes()
    root = x509.load_pem_x509_certificate((folder / "authority.pem").read_bytes())

    assert stolen.count(b"PRIVATE KEY-----") == 2
    assert serialization.load_pem_private_key(stolen, None).public_key() != root.public_key()


def test_a_key_of_the_old_kind_is_replaced(tmp_path):
    """Before, the folder held a root and its own key; Java would have obeyed whoever stole that."""
    ringfence.command("ca", "--data", tmp_path)
    secret = tmp_path / "authority-key.pem"
    secret.write_bytes(secret.read_bytes()[secret.read_bytes().index(b"-----BEGIN PRIVATE"):])
    before = (tmp_path / "authority.pem").read_bytes()

    assert ringfence.command("ca", "--data", tmp_path).encode() != before
    assert os.path.getsize(secret) > 1000
