"""`ringfence ca`: every format, read by the programs that it is for. Source: issue 5, part 2."""

import os
import plistlib
import pty
import re
import shutil
import ssl
import stat
import subprocess
import uuid

import pytest
import requests
from cryptography.hazmat.primitives.serialization import Encoding, pkcs12

import ringfence

MACHINE = "/etc/ssl/certs/ca-certificates.crt"
needs_roots = pytest.mark.skipif(not os.path.exists(MACHINE), reason=f"this machine has no {MACHINE}")
needs_java = pytest.mark.skipif(shutil.which("keytool") is None, reason="no keytool here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def own(folder):
    (der,) = certificates(ringfence.command("ca", "--data", folder))
    return der


def written(folder, form, to, **named):
    ringfence.command("ca", "--data", folder, "--format", form, "--output", to, **named)
    return to.read_bytes()


def certificates(text):
    """The certificates of a PEM text, in DER."""
    found = re.findall(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", text, re.S)
    return [ssl.PEM_cert_to_DER_cert(one) for one in found]


def roots():
    with open(MACHINE, encoding="utf-8") as file:
        return certificates(file.read())


def test_a_link_is_followed_and_a_pipe_stays_one(folder, tmp_path):
    (tmp_path / "real.pem").touch()
    (tmp_path / "link.pem").symlink_to("real.pem")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()

    written(folder, "pem", tmp_path / "link.pem")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE, text=True) as reader:
        ringfence.command("ca", "--data", folder, "--output", tmp_path / "pipe")
        assert "BEGIN CERTIFICATE" in reader.communicate(timeout=30)[0]
    assert "folder" in ringfence.command("ca", "--data", folder, "--output", tmp_path / "folder", expect=1)

    assert "BEGIN CERTIFICATE" in (tmp_path / "real.pem").read_text()
    assert stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)
    assert sorted(os.listdir(tmp_path)) == ["folder", "link.pem", "pipe", "real.pem"]


def test_der_is_the_same_certificate(folder, own, tmp_path):
    assert written(folder, "der", tmp_path / "ca.der") == own


@needs_roots
def test_a_bundle_has_the_machines_authorities_and_the_sandboxs(folder, own, tmp_path):
    bundle = written(folder, "bundle", tmp_path / "bundle.pem")

    assert certificates(bundle.decode()) == [*roots(), own]
    ssl.create_default_context(cafile=tmp_path / "bundle.pem")


def test_a_bundle_starts_with_the_users_authorities(folder, own, tmp_path):
    users = tmp_path / "users.pem"
    users.write_text("a remark\n" + ringfence.command("ca", "--data", tmp_path / "another"))

    bundle = written(folder, "bundle", tmp_path / "bundle.pem", environment={"SSL_CERT_FILE": str(users)})

    assert certificates(bundle.decode()) == [*certificates(users.read_text()), own]


def test_the_sandboxs_authority_is_not_added_twice(folder, own, tmp_path):
    first = tmp_path / "first.pem"
    written(folder, "bundle", first)

    assert written(folder, "bundle", tmp_path / "bundle.pem", environment={"SSL_CERT_FILE": str(first)}) == first.read_bytes()


@pytest.mark.parametrize("text, why", [
    (b"", "no certificate"), (b"nonsense", "no certificate"),
    (b"-----BEGIN CERTIFICATE-----\nMIIB", "reading certificate 1 failed"),
    (b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "reading certificate 1 failed"),
])
@pytest.mark.parametrize("form", ["bundle", "p12"])
def test_an_invalid_user_file_is_named(folder, tmp_path, form, text, why):
    broken = tmp_path / "broken.pem"
    broken.write_bytes(text)

    said = ringfence.command(
        "ca", "--data", folder, "--format", form, "--output", tmp_path / "out", environment={"SSL_CERT_FILE": str(broken)},
        expect=1)

    assert str(broken) in said and "SSL_CERT_FILE" in said and why in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("file", ["/no/such/file.pem", "/dev/zero"])
def test_an_unreadable_user_file_is_named(folder, file):
    said = ringfence.command("ca", "--data", folder, "--format", "bundle", environment={"SSL_CERT_FILE": file}, expect=1)

    assert file in said


def test_the_trust_store_is_pkcs12(folder, own, tmp_path):
    users = tmp_path / "users.pem"
    users.write_text(ringfence.command("ca", "--data", tmp_path / "another"))
    trusting = {"environment": {"SSL_CERT_FILE": str(users)}}
    store = written(folder, "p12", tmp_path / "trust.p12", **trusting)

    found = pkcs12.load_pkcs12(store, b"changeit")

    names = [entry.friendly_name for entry in found.additional_certs]
    assert found.key is None and names == [b"trusted-1", b"trusted-2"]
    assert found.additional_certs[1].certificate.public_bytes(Encoding.DER) == own
    assert written(folder, "p12", tmp_path / "again.p12", **trusting) == store


@needs_java
@needs_roots
def test_java_trusts_every_entry_of_the_store(folder, own, tmp_path):
    written(folder, "p12", tmp_path / "trust.p12")

    done = subprocess.run(
        ["keytool", "-list", "-v", "-keystore", tmp_path / "trust.p12", "-storepass", "changeit"],
        capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout.count("Entry type: trustedCertEntry") == len(roots()) + 1
    assert len(re.findall(r"^Owner: CN=Ringfence sandbox authority$", done.stdout, re.M)) == 1


def profile(folder):
    return plistlib.loads(ringfence.command("ca", "--data", folder, "--format", "mobileconfig").encode())


def test_a_profile_for_apples_devices(folder, own):
    document = profile(folder)
    (payload,) = document["PayloadContent"]

    assert (document["PayloadType"], payload["PayloadType"]) == ("Configuration", "com.apple.security.root")
    assert payload["PayloadContent"] == own
    for part in (document, payload):
        assert str(uuid.UUID(part["PayloadUUID"])).upper() == part["PayloadUUID"]
        assert part["PayloadVersion"] == 1 and part["PayloadDisplayName"]
    assert document["PayloadUUID"] != payload["PayloadUUID"]


def test_a_profile_replaces_an_earlier_one(folder, tmp_path):
    first, other = profile(folder), profile(tmp_path)

    assert profile(folder) == first
    assert other["PayloadIdentifier"] == first["PayloadIdentifier"]
    assert other["PayloadUUID"] != first["PayloadUUID"]


def print_to_terminal(folder, form):
    terminal, end = pty.openpty()
    done = subprocess.run(
        [ringfence.binary(), "ca", "--data", folder, "--format", form], stdout=end, stderr=subprocess.PIPE, text=True,
        timeout=30, check=False)
    os.close(end)
    os.close(terminal)

    return done


@pytest.mark.parametrize("form", ["pem", "mobileconfig"])
def test_text_formats_are_printed_to_a_terminal(folder, form):
    assert print_to_terminal(folder, form).returncode == 0


@pytest.mark.parametrize("form", ["der", "p12"])
def test_binary_formats_are_not_printed_to_a_terminal(folder, form):
    done = print_to_terminal(folder, form)

    assert done.returncode != 0
    assert "--output" in done.stderr


LISTENERS = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")


def test_serve_writes_the_trust_files(tmp_path):
    with ringfence.Server("--data", tmp_path / "data", "--trust", tmp_path / "trust", listeners=LISTENERS) as server:
        answer = requests.get(
            f"{server.https.replace('127.0.0.1', 'localhost')}/livez", verify=tmp_path / "trust" / "bundle.pem", timeout=10)

    assert answer.text == "ok\n"
    assert sorted(path.name for path in (tmp_path / "trust").iterdir()) == ["authority.pem", "bundle.pem", "trust.p12"]
    assert b"PRIVATE" not in b"".join(path.read_bytes() for path in (tmp_path / "trust").iterdir())
    assert (tmp_path / "trust" / "authority.pem").read_bytes() == (tmp_path / "data" / "authority.pem").read_bytes()


def test_without_an_https_port_the_trust_files_fit_the_proxy(tmp_path):
    with ringfence.Server("--data", tmp_path / "data", "--trust", tmp_path / "trust") as server:
        answer = requests.get(
            "https://verify.twilio.com/livez", proxies={"https": server.http}, verify=tmp_path / "trust" / "bundle.pem",
            timeout=10)

    assert answer.text == "ok\n"


def test_serve_names_an_unwritable_folder(tmp_path):
    (tmp_path / "file").write_text("no folder")

    said = ringfence.command(
        "serve", "--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off", "--data", tmp_path / "data",
        "--trust", tmp_path / "file" / "trust", expect=1)

    assert str(tmp_path / "file") in said
