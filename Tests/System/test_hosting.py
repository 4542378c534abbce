"""The commands of Docs/Hosting.md, run as they are written; only addresses are others. Source: issue 16,
deliverable 6."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
import requests

import ringfence
from hosting import PAGE, PATH, block, free_port, needs, wait_for

NUMBER = "+12025550100"
UNIT = ringfence.ROOT / "Distribution/ringfence.service"


class Shell:
    """Runs commands of the page in a folder, with our binary on the PATH."""

    def __init__(self, folder, **variables):
        programs = folder / "bin"
        programs.mkdir()
        (programs / "ringfence").symlink_to(ringfence.binary())
        self.folder = folder
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("RINGFENCE_")}
        self.environment = {**inherited, **variables, "PATH": f"{programs}:{PATH}"}

    def run(self, commands, **variables):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=self.folder, text=True, timeout=60,
                              env={**self.environment, **variables}, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextlib.contextmanager
    def running(self, commands, url):
        """Runs commands that go on, until the end of the block. `url` answers when they are ready."""
        process = subprocess.Popen(["bash", "-euo", "pipefail", "-c", commands], cwd=self.folder, env=self.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            wait_for(url)
            yield process
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(20)


@pytest.fixture
def shell(tmp_path):
    return Shell(tmp_path, RINGFENCE_ADMIN_TOKEN="admin-token-of-these-tests")


def on_free_ports(commands, *ports):
    """The commands with other ports, and those."""
    others = {port: free_port() for port in ports}
    for port, other in others.items():
        commands = commands.replace(f"0.0.0.0:{port}", f"127.0.0.1:{other}").replace(f":{port}", f":{other}")
    return commands, others


def local(serve, port=5550):
    """A command that starts one server, with free ports for all listeners."""
    serve, ports = on_free_ports(serve.rstrip(), port)
    return f"{serve} --https 127.0.0.1:0 --gateway off", f"http://127.0.0.1:{ports[port]}"


def test_a_team_gets_a_sandbox_and_more_of_it_and_a_backup_has_everything(shell):
    serve, url = local(block("--sandbox-ttl 30d").replace("/var/lib/ringfence", "state"))
    ask = {"URL": url, "ADMIN_TOKEN": "admin-token-of-these-tests"}
    with shell.running(serve, f"{url}/livez"):
        made = shell.run(block("curl -X POST"), **ask)
        changed = shell.run(block("curl -X PATCH"), **ask)
    token = re.search(r'"token":"([^"]+)"', made)[1]
    with_backup, url = local(block("--backup-interval").rstrip() + " --http 127.0.0.1:5550")
    with shell.running(with_backup, f"{url}/livez"):
        while not (copies := [path for path in (shell.folder / "backups").iterdir() if path.name.endswith("Z")]):
            assert requests.get(f"{url}/livez", timeout=10).ok
    authority = (shell.folder / "state/authority.pem").read_text()

    shell.run(block("ringfence restore"))

    restored, url = local("ringfence serve --data state --http 127.0.0.1:5550")
    with shell.running(restored, f"{url}/livez"):
        kept = requests.get(f"{url}/control/sandboxes/checkout-team", timeout=10,
                            headers={"Authorization": f"Bearer {token}"}).json()

    assert '"messages":{"used":0,"limit":20000}' in made and '"messages":{"used":0,"limit":50000}' in changed
    assert kept["use"]["messages"] == {"used": 0, "limit": 50000} and kept["ttl"] == "7d"
    assert {path.name for path in copies[0].iterdir()} == {
        "ringfence.sqlite", "sandbox-token-key", "signing-keys.json", "authority.pem", "authority-key.pem"}
    assert (shell.folder / "state/authority.pem").read_text() == authority


@needs("systemd-analyze")
def test_systemd_accepts_the_unit_and_what_the_page_adds(tmp_path):
    (tmp_path / "ringfence.service.d").mkdir()
    for name, text in (("ringfence.service", UNIT.read_text()),
                       ("ringfence.service.d/override.conf", block("[Service]", "ini"))):
        (tmp_path / name).write_text(text.replace("/usr/bin/ringfence", str(ringfence.binary())))

    done = subprocess.run(["systemd-analyze", "verify", tmp_path / "ringfence.service"], capture_output=True, text=True,
                          timeout=60, check=False)

    assert (done.returncode, [line for line in done.stderr.splitlines() if "ringfence" in line]) == (0, [])


@needs("systemd-analyze")
def test_the_unit_shuts_the_server_in():
    """Issue 45, C10. The threshold is in tenths."""
    done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=25", UNIT], capture_output=True,
                          text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stdout


def test_the_server_starts_with_the_options_of_the_unit(shell):
    serve = re.search(r"^ExecStart=/usr/bin/(.+)$", block("[Service]", "ini"), re.M)[1]
    serve, url = local(serve.replace("${STATE_DIRECTORY}", "state"))
    with shell.running(f"exec {serve}", f"{url}/livez"):
        assert requests.get(f"{url}/control/clock", timeout=10).status_code == 401


@needs("haproxy")
def test_a_sandbox_moves_between_the_servers_of_the_page(tmp_path):
    shell = Shell(tmp_path)
    shutil.copytree(ringfence.ROOT / "Docs/Examples/shards", tmp_path / "Docs/Examples/shards")
    commands = "".join(re.findall(r"^```sh\n(.*?)^```", PAGE[PAGE.index("## Several servers"):], re.M | re.S)[0])
    commands, ports = on_free_ports(commands, 5561, 5562, 5563)
    balancer = f"127.0.0.1:{free_port()}"
    shell.environment |= {"RINGFENCE_ADDRESS": balancer}
    shell.environment |= {f"SHARD_{name}": f"127.0.0.1:{port}" for name, port in zip(("AB", "CD", "EF"), ports.values())}

    with shell.running(f"{commands}\necho $PROXY > proxy\nwait", f"http://{balancer}/livez"):
        for port in ports.values():
            wait_for(f"http://127.0.0.1:{port}/livez")
        admin = {"Authorization": f"Bearer {(tmp_path / 'state-ab/admin-token').read_text().strip()}"}
        made = requests.post(f"http://127.0.0.1:{ports[5561]}/control/sandboxes", json={"name": "checkout-team"},
                             headers=admin, timeout=10).json()
        move = block("sandbox move").replace("systemctl reload haproxy", "reload")
        for port, other in ports.items():
            move = move.replace(f":{port}", f":{other}")
        shell.run(f"PROXY=$(cat proxy)\n{move}")

        own = {"Authorization": f"Bearer {made['token']}"}
        began = reloaded = time.monotonic()
        while (answer := requests.get(f"http://{balancer}/control/clock", headers=own, timeout=10)).status_code != 200:
            now = time.monotonic()
            assert now - began < 20, answer.text
            if now - reloaded > 2:  # A signal that comes while HAProxy is still starting may be lost.
                shell.run("kill -USR2 $(cat proxy)")
                reloaded = now
        at_first, at_second = (requests.get(f"http://127.0.0.1:{ports[port]}/control/clock", headers=own, timeout=10).status_code
                               for port in (5561, 5562))

    assert made["name"] == "ab.checkout-team" and (at_first, at_second) == (404, 200)
