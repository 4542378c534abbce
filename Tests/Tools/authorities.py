"""Changes the files of a certificate authority: signs certificates with its key, and replaces it with an
older one."""

import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

PEM = serialization.Encoding.PEM
KEY_NAMES = (x509.AuthorityKeyIdentifier, x509.SubjectKeyIdentifier)


def root(folder):
    return x509.load_pem_x509_certificate((folder / "authority.pem").read_bytes())


def issuer(folder):
    """The issuing certificate and its key."""
    secret = (folder / "authority-key.pem").read_bytes()
    return x509.load_pem_x509_certificate(secret), serialization.load_pem_private_key(secret, None)


def hosts(folder):
    """The provider hosts that the authority may sign for."""
    constraints = root(folder).extensions.get_extension_for_class(x509.NameConstraints).value
    names = [name.value for name in constraints.permitted_subtrees if isinstance(name, x509.DNSName)]
    # The hosts in order, then domains that have further names, then localhost.
    count = next(place for place, name in enumerate(names) if names[place + 1] < name) + 1
    return names[:count]


def builder_for(subject, by, key, days):
    now = datetime.datetime.now(datetime.timezone.utc)
    return (
        x509.CertificateBuilder().subject_name(subject).issuer_name(by).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=days)))


def sign(folder, name):
    """A PEM chain for a server of this name, with every extension that strict clients require."""
    signer, signing_key = issuer(folder)
    key = ec.generate_private_key(ec.SECP256R1())
    usage = dict.fromkeys((
        "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign", "crl_sign",
        "encipher_only", "decipher_only"), False)
    leaf = (
        builder_for(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), signer.subject, key, 30)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), False)
        .add_extension(x509.BasicConstraints(False, None), True)
        .add_extension(x509.KeyUsage(digital_signature=True, **usage), True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), False)
        .sign(signing_key, hashes.SHA256()))
    return leaf.public_bytes(PEM) + signer.public_bytes(PEM)


def make_again(folder, days, names_keys=True):
    """Replaces the authority with a new root that is valid for `days`, with or without key identifiers."""
    signer, signing_key = issuer(folder)
    root_key = ec.generate_private_key(ec.SECP256R1())

    def again(old, key):
        builder = builder_for(old.subject, old.issuer, key, days)
        for extension in old.extensions:
            if not isinstance(extension.value, KEY_NAMES):
                builder = builder.add_extension(extension.value, extension.critical)
        if names_keys:
            builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        return builder.sign(root_key, hashes.SHA256()).public_bytes(PEM)

    plain = (PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "authority-key.pem").write_bytes(again(signer, signing_key) + signing_key.private_bytes(*plain))
    (folder / "authority.pem").write_bytes(again(root(folder), root_key))


def self_signed(*names, key=None):
    """A certificate for these names that nobody else signed, followed by its key, in PEM."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    made = (builder_for(subject, subject, key, 30)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), False)
            .sign(key, hashes.SHA256()))
    return made.public_bytes(PEM) + key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
