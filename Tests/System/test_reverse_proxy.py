"""The server behind HAProxy, and with a public URL and a certificate of its own. Source: issue 22, A3."""

import contextlib
import ipaddress
import shutil
import signal
import socket
import ssl
import subprocess

import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

import authorities
import ringfence
import wire
from console_forms import Form
from hosting import PATH, block, free_port, needs, wait_for

TOKEN = "admin-token-of-these-tests"
PEM = serialization.Encoding.PEM
HOST = "sandbox.team.example"
PUBLIC = f"https://{HOST}"


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


@contextlib.contextmanager
def haproxy(folder, server):
    """The configuration of Docs/Hosting.md with other addresses, in front of a server. Yields its URL."""
    address = f"127.0.0.1:{free_port()}"
    (folder / "sandbox.pem").write_bytes(authorities.self_signed(HOST))
    configuration = block("option forwardfor", "haproxy").replace(":443", address)
    configuration = configuration.replace("/etc/haproxy/sandbox.pem", str(folder / "sandbox.pem"))
    configuration = configuration.replace("127.0.0.1:5550", server.http.split("//")[1])
    (folder / "haproxy.cfg").write_text(
        f"defaults\n  mode http\n  timeout connect 2s\n  timeout client 1m\n  timeout server 1m\n{configuration}")
    program = shutil.which("haproxy", path=PATH)
    process = subprocess.Popen([program, "-db", "-f", folder / "haproxy.cfg"], stderr=subprocess.DEVNULL)
    try:
        wait_for(f"https://{address}/livez", verify=False)
        yield f"https://{address}"
    finally:
        process.terminate()
        process.wait(20)


def ask(url, path, source="127.0.0.1", method="GET", **named):
    """An answer to a client with this address of the loopback, which names the public host."""
    with requests.Session() as session:
        session.mount("https://", FromAddress(source))
        headers = {"Host": HOST, **named.pop("headers", {})}
        return session.request(method, f"{url}{path}", headers=headers, verify=False, timeout=10, allow_redirects=False,
                               **named)


class FromAddress(requests.adapters.HTTPAdapter):
    def __init__(self, address):
        self.address = address
        super().__init__()

    def init_poolmanager(self, *words, **named):
        super().init_poolmanager(*words, source_address=(self.address, 0), **named)


@needs("haproxy")
@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")
def test_wrong_tokens_of_one_user_behind_a_proxy_lock_out_nobody(tmp_path):
    with (ringfence.Server("--admin-token", TOKEN, "--public-url", PUBLIC, "--trusted-proxy", "127.0.0.1") as server,
          haproxy(tmp_path, server) as url):
        wrong = [ask(url, "/control/clock", "127.0.0.2", headers=bearer(f"sandbox.x{n}.0")).status_code for n in range(12)]
        forged = {**bearer("sandbox.y.0"), "X-Forwarded-For": "127.0.0.9", "Forwarded": "for=127.0.0.9"}
        still = ask(url, "/control/clock", "127.0.0.2", headers=forged)
        other = ask(url, "/control/clock", "127.0.0.3", headers=bearer("sandbox.z.0"))
        right = [ask(url, "/control/clock", source, headers=bearer(TOKEN)).status_code for source in ("127.0.0.2", "127.0.0.3")]

    assert wrong == [401] * 10 + [429] * 2
    assert still.status_code == 429 and "wrong ones from 127.0.0.2 within a minute" in still.json()["error"]
    assert (other.status_code, right) == (401, [200, 200])


@needs("haproxy")
@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")
def test_without_a_trusted_proxy_all_users_have_its_address_and_a_right_token_passes_anyway(tmp_path):
    with (ringfence.Server("--admin-token", TOKEN, "--public-url", PUBLIC) as server, haproxy(tmp_path, server) as url):
        wrong = [ask(url, "/control/clock", "127.0.0.2", headers=bearer(f"sandbox.x{n}.0")).status_code for n in range(11)]
        other = ask(url, "/control/clock", "127.0.0.3", headers=bearer("sandbox.z.0"))
        right = ask(url, "/control/clock", "127.0.0.3", headers=bearer(TOKEN))

    assert (wrong[-1], other.status_code, right.status_code) == (429, 429, 200)
    assert "wrong ones from 127.0.0.1 within" in other.json()["error"]


@needs("haproxy")
@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")
@pytest.mark.parametrize("flags", [("--public-url", PUBLIC), ("--trusted-proxy", "127.0.0.0/8")])
def test_every_url_behind_tls_is_https_and_cookies_are_secure(tmp_path, flags):
    with (ringfence.Server("--admin-token", TOKEN, *flags) as server, haproxy(tmp_path, server) as url):
        made = ask(url, "/control/sandboxes", method="POST", json={"name": "team"}, headers=bearer(TOKEN))
        account = made.json()["credentials"]["twilio"]
        verification = ask(url, f"/s/team/v2/Services/{account['serviceSid']}/Verifications", method="POST",
                           data={"To": "+12025550100", "Channel": "sms"}, auth=(account["accountSid"], account["authToken"]))
        signed_in = Form(f"{url}/console/sign-in", headers={"Host": HOST}, verify=False).send(token=TOKEN)

    urls = made.json()["urls"]
    assert (urls["base"], urls["prefixed"]) == (PUBLIC, f"{PUBLIC}/s/team")
    assert verification.status_code == 201 and verification.json()["url"].startswith(f"{PUBLIC}/s/team/v2/Services/")
    assert signed_in.status_code == 303 and "; Secure" in signed_in.headers["Set-Cookie"]


@pytest.mark.parametrize("host", [HOST, None])
def test_a_public_url_decides_the_scheme_of_every_url(host):
    headers = {"Host": host} if host else {}
    with ringfence.Server("--public-url", PUBLIC) as server:
        described = requests.get(f"{server.http}/control/sandboxes/default", headers=headers, timeout=10)
        account = described.json()["credentials"]["twilio"]
        service = requests.get(f"{server.http}/v2/Services/{account['serviceSid']}", headers=headers, timeout=10,
                               auth=(account["accountSid"], account["authToken"]))
        services = requests.get(f"{server.http}/v2/Services", headers=headers, timeout=10,
                                auth=(account["accountSid"], account["authToken"]))

    for answer in (described, service, services):
        assert answer.ok and "http://" not in answer.text and f"{PUBLIC}/" in answer.text, answer.text


def test_without_a_trusted_proxy_its_fields_are_ignored():
    with ringfence.Server("--admin-token", TOKEN) as server:
        told = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": HOST, "Forwarded": f"proto=https;host={HOST}"}
        described = requests.get(f"{server.http}/control/sandboxes/default", headers={**told, **bearer(TOKEN)}, timeout=10)
        signed_in = Form(f"{server.http}/console/sign-in", headers=told).send(token=TOKEN)

    assert described.json()["urls"]["base"] == server.http
    assert "Secure" not in signed_in.headers["Set-Cookie"]


def test_a_forwarded_host_finds_its_provider_and_is_checked_as_host():
    with ringfence.Server("--trusted-proxy", "127.0.0.1") as server:
        def status(path, host):
            return requests.get(f"{server.http}{path}", headers={"X-Forwarded-Host": host}, timeout=10).status_code

        with wire.Wire(server.address) as line:
            line.send(wire.request("POST", "/v1/projects/x/messages:send", "{}", content_type="application/json",
                                   x_forwarded_host="fcm.googleapis.com"))
            assert line.receive().status == 401
        assert (status("/control/clock", "localhost"), status("/control/clock", "evil.example")) == (200, 403)


@pytest.mark.parametrize("flag, value", [
    ("--trusted-proxy", "haproxy.local"), ("--trusted-proxy", "10.0.0.0/33"), ("--public-url", "sandbox.team.example")])
def test_a_bad_option_names_itself_and_what_was_expected(flag, value):
    said = ringfence.command("serve", "--http", "127.0.0.1:0", flag, value, expect=64)

    assert f"{flag}: expected" in said and f"found {value}" in said


def test_trusted_proxies_are_also_an_environment_variable_and_repeatable():
    several = ("--trusted-proxy", "192.0.2.1", "--trusted-proxy", "127.0.0.1")
    for flags, variables in ((several, {}), ((), {"RINGFENCE_TRUSTED_PROXY": "192.0.2.1, 127.0.0.1"})):
        with ringfence.Server(*flags, environment=variables) as server:
            base = requests.get(f"{server.http}/control/sandboxes/default", headers={"Forwarded": "proto=https"},
                                timeout=10).json()["urls"]["base"]
            assert base == server.http.replace("http://", "https://")


# A certificate of one's own

def chain(folder, *names, key=None):
    """Writes root.pem, certificate.pem with leaf and intermediate, and key.pem. The root trusts the chain."""
    root_key, middle_key, leaf_key = (ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1()),
                                      key or ec.generate_private_key(ec.SECP256R1()))
    names = names or (HOST,)
    subjects = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]) for name in ("Team root", "Team issuer", names[0])]
    root, middle = [
        authorities.builder_for(subject, by, own, 30).add_extension(x509.BasicConstraints(True, None), True)
        .sign(signer, hashes.SHA256())
        for subject, by, own, signer in ((subjects[0], subjects[0], root_key, root_key),
                                         (subjects[1], subjects[0], middle_key, root_key))]
    alternatives = [x509.DNSName(name) for name in names] + [x509.IPAddress(ipaddress.ip_address("192.0.2.7"))]
    leaf = (authorities.builder_for(subjects[2], subjects[1], leaf_key, 30)
            .add_extension(x509.SubjectAlternativeName(alternatives), False).sign(middle_key, hashes.SHA256()))
    (folder / "root.pem").write_bytes(root.public_bytes(PEM))
    (folder / "certificate.pem").write_bytes(leaf.public_bytes(PEM) + middle.public_bytes(PEM))
    (folder / "key.pem").write_bytes(
        leaf_key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return "--tls-certificate", folder / "certificate.pem", "--tls-key", folder / "key.pem"


def subject(server, name, trusting, protocols=()):
    """The common name of the certificate for a name, checked against these authorities, and the chosen
    protocol."""
    context = ssl.create_default_context(cafile=trusting)
    if protocols:
        context.set_alpn_protocols(protocols)
    address = server.https.split("//")[1].split(":")
    with socket.create_connection((address[0], int(address[1])), timeout=10) as line:
        with context.wrap_socket(line, server_hostname=name) as session:
            return dict(pair for (pair,) in session.getpeercert()["subject"])["commonName"], session.selected_alpn_protocol()


WITH_TLS = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")


@pytest.mark.parametrize("key", ["ec", "rsa"])
def test_a_certificate_of_ones_own_is_served_with_its_chain(tmp_path, key):
    key = rsa.generate_private_key(65537, 2048) if key == "rsa" else None
    with ringfence.Server(*chain(tmp_path, key=key), "--data", tmp_path / "state", listeners=WITH_TLS) as server:
        own, local = tmp_path / "root.pem", tmp_path / "state/authority.pem"
        assert subject(server, HOST, own, ["h2"]) == (HOST, "h2")
        assert subject(server, "verify.twilio.com", local)[0] == "verify.twilio.com"
        assert subject(server, "localhost", local)[0] == subject(server, "127.0.0.1", local)[0] == "localhost"
        with pytest.raises(ssl.SSLError):
            subject(server, "other.team.example", own)


def test_a_certificate_of_ones_own_may_cover_a_providers_host(tmp_path):
    flags = chain(tmp_path, "verify.twilio.com", "*.team.example")
    with ringfence.Server(*flags, "--data", tmp_path / "state", listeners=WITH_TLS) as server:
        assert subject(server, "verify.twilio.com", tmp_path / "root.pem")[0] == "verify.twilio.com"
        assert subject(server, HOST, tmp_path / "root.pem")[0] == "verify.twilio.com"
        assert subject(server, "lookups.twilio.com", tmp_path / "state/authority.pem")[0] == "lookups.twilio.com"


def test_clients_that_ask_for_no_name_get_it_beyond_loopback_addresses(tmp_path):
    listeners = ("--http", "127.0.0.1:0", "--https", "0.0.0.0:0", "--gateway", "off")
    with ringfence.Server(*chain(tmp_path), "--admin-token", TOKEN, listeners=listeners) as server:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # Sends nothing; chooses an address of this machine.
            own_address = probe.getsockname()[0]
        if own_address.startswith("127."):
            pytest.skip("this machine has loopback addresses only")
        context = ssl.create_default_context(cafile=tmp_path / "root.pem")
        context.check_hostname = False
        with (socket.create_connection((own_address, int(server.https.rsplit(":", 1)[1])), timeout=10) as line,
              context.wrap_socket(line) as session):
            assert ("DNS", HOST) in session.getpeercert()["subjectAltName"]


def test_certificate_and_key_that_do_not_fit_are_refused_at_the_start(tmp_path):
    _, certificate, _, key = chain(tmp_path)
    other = tmp_path / "other.pem"
    other.write_bytes(authorities.self_signed(HOST))
    locked = tmp_path / "locked.pem"
    locked.write_bytes(serialization.load_pem_private_key(key.read_bytes(), None).private_bytes(
        PEM, serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"secret")))
    reversed_chain = tmp_path / "reversed.pem"
    leaf, middle = certificate.read_text().split("-----END CERTIFICATE-----\n")[:2]
    reversed_chain.write_text("-----END CERTIFICATE-----\n".join((middle, leaf, "")))
    for flags, words in (
            (("--tls-certificate", certificate, "--tls-key", other), "not the key of the first certificate"),
            (("--tls-certificate", reversed_chain, "--tls-key", key), "not the key of the first certificate"),
            (("--tls-certificate", certificate, "--tls-key", locked), "expected an unencrypted private key in PEM"),
            (("--tls-certificate", certificate, "--tls-key", certificate), "expected an unencrypted private key in PEM"),
            (("--tls-certificate", key, "--tls-key", key), "there is no certificate in it"),
            (("--tls-certificate", certificate), "--tls-key: missing"), (("--tls-key", key), "--tls-certificate: missing"),
            (("--tls-certificate", tmp_path / "none.pem", "--tls-key", key), "none.pem: ")):
        said = ringfence.command("serve", "--http", "127.0.0.1:0", "--https", "127.0.0.1:0", *flags, expect=64)
        assert words in said and "Error: --tls-" in said, said


def test_certificate_and_key_may_be_in_one_file_named_by_the_environment(tmp_path):
    both = tmp_path / "both.pem"
    both.write_bytes(authorities.self_signed(HOST))
    variables = {"RINGFENCE_TLS_CERTIFICATE": str(both), "RINGFENCE_TLS_KEY": str(both)}
    with ringfence.Server("--data", tmp_path / "state", environment=variables, listeners=WITH_TLS) as server:
        assert subject(server, HOST, both)[0] == HOST


class Session:
    """A TLS connection to a server that goes on, and the certificate that it got."""

    def __init__(self, server):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        host, port = server.https.split("//")[1].split(":")
        self.line = context.wrap_socket(socket.create_connection((host, int(port)), timeout=10), server_hostname=HOST)
        self.serial = x509.load_der_x509_certificate(self.line.getpeercert(True)).serial_number

    def is_answered(self):
        self.line.sendall(f"GET /livez HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        return self.line.recv(65536).startswith(b"HTTP/1.1 200 ")


def serial(path):
    return x509.load_pem_x509_certificate(path.read_bytes()).serial_number


@pytest.mark.parametrize("flags", [(), ("--supervise",)])
def test_a_renewed_certificate_is_read_on_sighup_and_a_broken_one_is_not_used(tmp_path, flags):
    both, log = tmp_path / "both.pem", tmp_path / "log"
    both.write_bytes(authorities.self_signed(HOST))
    with ringfence.Server("--tls-certificate", both, "--tls-key", both, "--public-url", PUBLIC, *flags, log=log,
                          listeners=WITH_TLS) as server:

        def read_again(words):
            """Sends SIGHUP and waits for the line in the log."""
            count = log.read_text().count(words)
            server.process.send_signal(signal.SIGHUP)
            while log.read_text().count(words) == count:
                assert server.process.poll() is None

        first, old = serial(both), Session(server)
        both.write_bytes(authorities.self_signed(HOST))
        assert Session(server).serial == old.serial == first
        read_again("new connections get the certificate that --tls-certificate has now")
        second, new = serial(both), Session(server)
        assert new.serial == second != first
        assert old.is_answered() and new.is_answered()

        both.write_text("nonsense")
        read_again("the old certificate stays in use: --tls-certificate: ")
        assert Session(server).serial == second and old.is_answered()
