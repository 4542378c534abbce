"""`ringfence ca --trust`: runs and undoes the printed commands in a temporary mount namespace."""

import os
import re
import shutil
import subprocess
import sys

import pytest

import ringfence

LISTENERS = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")
NAMES = ("debian fedora arch alpine macos windows docker firefox chrome android ios curl python node java jdk ruby go php"
         " dotnet").split()
# What the recipes call that no test here runs.
ELSEWHERE = {"fedora": "update-ca-trust", "macos": "security add-trusted-cert", "windows": "certutil", "java": "keytool"}
# Variables that would change trust by themselves.
FOREIGN = re.compile(r"SSL_CERT|_CA_|_CA$|JAVA_TOOL|PHP_INI|PROXY", re.I)

# A request to $URL by each client; it fails if the client does not trust the sandbox.
JAVA = """
class Probe {
  public static void main(String[] words) throws Exception {
    var request = java.net.http.HttpRequest.newBuilder(java.net.URI.create(System.getenv("URL"))).build();
    var answer = java.net.http.HttpClient.newHttpClient().send(
        request, java.net.http.HttpResponse.BodyHandlers.ofString());
    System.exit(answer.statusCode() == 200 ? 0 : 1);
  }
}
"""
GO = """
package main

import ("net/http"; "os")

func main() {
	if _, err := http.Get(os.Getenv("URL")); err != nil { println(err.Error()); os.Exit(1) }
}
"""
PHP = """
$curl = curl_init(getenv("URL"));
exit(curl_exec($curl) !== false && @file_get_contents(getenv("URL")) !== false ? 0 : 1);
"""
PROBES = {
    "curl": "curl -fsS $URL",
    "python": "$PYTHON -c 'import os, requests, urllib.request as u; requests.get(os.environ[\"URL\"]); u.urlopen(os.environ[\"URL\"])'",
    "node": "node -e 'fetch(process.env.URL).catch(e => { console.error(e.cause); process.exit(1) })'",
    "java": "java Probe.java",
    "ruby": "ruby -ropen-uri -e 'URI.open(ENV[\"URL\"])'",
    "go": "go run probe.go",
    "php": f"php -r '{PHP}'",
    "nss": 'certutil -L -d "sql:$STORE" -n ringfence && certutil -O -d "sql:$STORE" -n ringfence',
}


@pytest.fixture(scope="module")
def secure(tmp_path_factory):
    folder = tmp_path_factory.mktemp("it's data")
    with ringfence.Server("--data", folder, listeners=LISTENERS) as server:
        server.folder = folder
        yield server


@pytest.fixture
def place(tmp_path):
    """A folder with the probe programs and a home folder."""
    (tmp_path / "Probe.java").write_text(JAVA)
    (tmp_path / "probe.go").write_text(GO)
    return tmp_path


def recipe(folder, name):
    """The commands that add the certificate, and those that remove it."""
    said = ringfence.command("ca", "--data", folder, "--trust", name)
    undo = re.findall(r"^# undo: (.*)$", said, re.M)
    assert undo
    return said, "\n".join(undo)


def check(server, place, name, probe, within=(), prepare=""):
    """The server is not trusted before the commands, trusted after them, and not trusted after the undo
    commands."""
    trust, undo = recipe(server.folder, name)
    script = f"""
        set -e
        sudo() {{ "$@"; }}
        {prepare}
        if {probe}; then echo trusted before; exit 1; fi
        {trust}
        {probe}
        {undo}
        if {probe}; then echo trusted after; exit 1; fi
        echo so it is
    """
    kept = {key: value for key, value in os.environ.items() if not FOREIGN.search(key)}
    port = server.https.rsplit(":", 1)[1]
    done = subprocess.run(
        [*within, "bash", "-c", script], capture_output=True, text=True, timeout=120, check=False, cwd=place,
        env={**kept, "URL": f"https://localhost:{port}/livez", "HOME": str(place), "PYTHON": sys.executable})
    assert done.stdout.endswith("so it is\n"), done.stdout + done.stderr


def needs(*tools):
    absent = [tool for tool in tools if shutil.which(tool) is None]
    return pytest.mark.skipif(bool(absent), reason=f"no {' and no '.join(absent)} here")


def test_each_recipe_can_be_undone(secure):
    said = ringfence.command("ca", "--data", secure.folder, "--trust")

    for name in NAMES:
        trust, _ = recipe(secure.folder, name)
        assert trust in said and ELSEWHERE.get(name, "") in trust
    assert len(NAMES) == said.count("\n\n") + 1


def test_an_unknown_name_lists_the_known_ones(secure):
    said = ringfence.command("ca", "--data", secure.folder, "--trust", "nonsense", expect=1)

    assert ", ".join(NAMES) in said


def test_paths_in_recipes_are_absolute(tmp_path):
    done = subprocess.run(
        [ringfence.binary(), "ca", "--data", "here", "--trust", "node"], cwd=tmp_path, capture_output=True, text=True,
        timeout=30, check=True)

    assert f"NODE_EXTRA_CA_CERTS='{tmp_path}/here/trust/authority.pem'" in done.stdout


@pytest.mark.parametrize("name, probe", [
    pytest.param(name, name, marks=[needs(name.replace("python", "python3")), *([pytest.mark.slow] if name == "java" else [])])
    for name in ("curl", "python", "node", "java", "ruby", "go", "php")
])
def test_a_language_trusts_it(secure, place, name, probe):
    check(secure, place, name, PROBES[probe])


# A mount namespace in which copies replace the machine's files.
APART = ("unshare", "--user", "--map-root-user", "--mount")
CANNOT = shutil.which("unshare") is None or subprocess.run([*APART, "true"], capture_output=True, check=False).returncode
apart = pytest.mark.skipif(bool(CANNOT), reason="no namespaces here")


def over(*folders):
    return "\n".join(
        f"cp -dR {folder} copy{number}; mount --bind copy{number} {folder}" for number, folder in enumerate(folders))


@apart
@needs("update-ca-certificates", "curl")
@pytest.mark.parametrize("name", ["debian", pytest.param("alpine", marks=pytest.mark.slow)])
def test_a_system_trusts_it(secure, place, name):
    check(secure, place, name, PROBES["curl"], APART, over("/etc/ssl/certs", "/usr/local/share/ca-certificates"))


@apart
@needs("keytool", "java")
@pytest.mark.slow
def test_a_jdk_trusts_it(secure, place):
    store = "$(readlink -f $(dirname $(readlink -f $(which keytool)))/../lib/security/cacerts)"

    check(secure, place, "jdk", PROBES["java"], APART, over(store))


@needs("certutil")
@pytest.mark.parametrize("name, store", [
    ("chrome", "$HOME/.pki/nssdb"), ("firefox", "$HOME/.mozilla/firefox/abc.default-release")])
def test_a_browser_trusts_it(secure, place, name, store):
    check(secure, place, name, PROBES["nss"], prepare=f"""
        export STORE={store}; mkdir -p "$STORE"; certutil -N -d "sql:$STORE" --empty-password""")
