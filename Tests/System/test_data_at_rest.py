"""The data folder is private, its damage is found, and nothing in it is replaced silently."""

import contextlib
import os
import pathlib
import sqlite3
import stat
import subprocess

import pytest
import requests

import ringfence

NUMBER = "+12025550199"
LISTENERS = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "127.0.0.1:0")


def refused(*flags, words=("serve", "--http", "127.0.0.1:0", "--gateway", "off"), environment=None):
    """Standard error of a command that must not start."""
    done = subprocess.run(
        [ringfence.binary(), *words, *flags], capture_output=True, text=True, timeout=30, check=False,
        env={**os.environ, **(environment or {})})
    assert done.returncode not in (0, None) and done.returncode > 0, done.returncode
    return done.stderr


def start_verification(server):
    own = server.sandbox_described("default")["credentials"]["twilio"]
    pair = (own["accountSid"], own["authToken"])
    url = f"{server.http}/v2/Services/{own['serviceSid']}/Verifications"
    answer = requests.post(url, data={"To": NUMBER, "Channel": "sms"}, auth=pair, timeout=10)
    return answer, (f"{url}/{answer.json().get('sid')}", pair)


@pytest.fixture
def data(tmp_path):
    """A data folder that was used and stopped."""
    folder = tmp_path / "data"
    with ringfence.Server("--data", folder, listeners=LISTENERS) as server:
        assert start_verification(server)[0].status_code == 201
    return folder


@contextlib.contextmanager
def database(folder):
    with contextlib.closing(sqlite3.connect(folder / "ringfence.sqlite")) as connection:
        yield connection
        connection.commit()


def test_only_the_owner_can_read_the_data(tmp_path):
    folder = tmp_path / "data"
    umask = os.umask(0)  # the most open one: permissions must not depend on it
    try:
        with ringfence.Server("--data", folder, listeners=LISTENERS):
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    finally:
        os.umask(umask)

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {"ringfence.sqlite", "ringfence.sqlite-wal", "ringfence.sqlite-shm", "authority-key.pem"} <= set(modes)
    assert {name: oct(mode) for name, mode in modes.items() if mode != 0o600} == {}


def test_an_empty_folder_becomes_private(tmp_path):
    tmp_path.chmod(0o755)

    with ringfence.Server("--data", tmp_path):
        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


@pytest.mark.parametrize("name, mode, expected", [
    ("", 0o755, "0700"), ("", 0o770, "0700"), ("ringfence.sqlite", 0o644, "0600"), ("ringfence.sqlite", 0o620, "0600"),
    ("authority-key.pem", 0o604, "0600")])
def test_data_that_others_can_read_is_refused(data, name, mode, expected):
    path = data / name if name else data
    path.chmod(mode)

    said = refused("--data", data, "--https", "off")

    assert f"{path}: other users can read or change it (mode 0{mode:o}, expected {expected})." in said
    assert f"Run: chmod -R go-rwx '{data}'" in said
    subprocess.run(["chmod", "-R", "go-rwx", data], check=True)
    with ringfence.Server("--data", data):
        pass


@pytest.mark.parametrize("https", ["off", "127.0.0.1:0"])
@pytest.mark.parametrize("name, content, reason", [
    ("authority-key.pem", "nonsense", "not a certificate with its private key in PEM"),
    ("authority.pem", "nonsense", "not a certificate in PEM"),
    ("authority-key.pem", None, "missing, but")])
def test_a_damaged_authority_is_not_replaced(data, https, name, content, reason):
    with ringfence.Server("--data", data):
        assert (data / "authority.checked").exists()  # it is read once a day, and after a change
    path = data / name
    if content is None:
        path.unlink()
    else:
        path.write_text(content)
    before = {file.name: file.read_bytes() for file in data.glob("*.pem")}

    said = refused("--data", data, "--https", https)

    assert f"{path}: {reason}" in said
    assert "Restore both files from a backup." in said
    assert {file.name: file.read_bytes() for file in data.glob("*.pem")} == before


def test_a_key_of_another_authority_is_not_used(data, tmp_path):
    ringfence.command("ca", "--data", tmp_path / "other", "--output", tmp_path / "unused.pem")
    (data / "authority-key.pem").write_bytes((tmp_path / "other" / "authority-key.pem").read_bytes())

    assert "the key does not belong to the certificate" in refused("--data", data)


def test_run_does_not_replace_a_damaged_authority(tmp_path):
    folder = tmp_path / "ringfence"
    ringfence.command("ca", "--output", tmp_path / "unused.pem", environment={"XDG_DATA_HOME": str(tmp_path)})
    (folder / "authority-key.pem").write_text("nonsense")

    said = refused(words=("run", "--", "true"), environment={"XDG_DATA_HOME": str(tmp_path)})

    assert f"{folder}/authority-key.pem: not a certificate with its private key in PEM" in said


def damage(folder, name):
    """Overwrites the root page of a table or an index that nothing reads at the start."""
    with database(folder) as connection:
        page, = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).fetchone()
        size, = connection.execute("PRAGMA page_size").fetchone()
    with open(folder / "ringfence.sqlite", "r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)


def test_a_damaged_page_is_reported_while_the_server_works(data, tmp_path):
    damage(data, "push_attempts_by_target")
    log = tmp_path / "log"
    with ringfence.Server("--data", data, log=log) as server:
        assert start_verification(server)[0].status_code == 201
        while "the database is damaged" not in log.read_text():
            assert server.is_alive()
    assert f"{data}/ringfence.sqlite: the database is damaged: " in log.read_text()

    done = subprocess.run(
        [ringfence.binary(), "doctor", "--data", data, "--url", "http://127.0.0.1:9"], capture_output=True, text=True,
        timeout=60, check=False)
    assert done.returncode == 1
    assert f"✗ the database {data}/ringfence.sqlite is damaged: " in done.stdout


def test_doctor_checks_a_healthy_folder(data):
    with ringfence.Server("--data", data) as server:
        done = subprocess.run(
            [ringfence.binary(), "doctor", "--data", data, "--url", server.http], capture_output=True, text=True,
            timeout=60, check=False)
        assert start_verification(server)[0].status_code in (201, 200)
    assert f"✓ the database {data}/ringfence.sqlite is not damaged" in done.stdout
    assert f"✓ only its owner can read {data}" in done.stdout
    data.chmod(0o755)
    done = subprocess.run(
        [ringfence.binary(), "doctor", "--data", data, "--url", "http://127.0.0.1:9"], capture_output=True, text=True,
        timeout=60, check=False)
    assert f"→ Run: chmod -R go-rwx '{data}'" in done.stdout


def test_a_file_that_is_no_database_is_refused(data):
    (data / "ringfence.sqlite").write_bytes(b"nonsense " * 1000)
    for companion in ("-wal", "-shm"):
        pathlib.Path(f"{data}/ringfence.sqlite{companion}").unlink(missing_ok=True)

    said = refused("--data", data, "--https", "off")

    assert f"{data}/ringfence.sqlite: the database is damaged: file is not a database." in said
    assert "Restore the folder from a backup" in said


@pytest.fixture
def killed(tmp_path):
    """A data folder whose server was killed. All that was acknowledged is in its log."""
    folder = tmp_path / "data"
    server = ringfence.Server("--data", folder, listeners=LISTENERS)
    for number in range(20):
        answer = requests.put(f"{server.http}/control/subscribers/+120255501{number:02}", json={"code": "4711"}, timeout=10)
        assert answer.status_code == 200
    server.kill()
    return folder


def subscribers(server):
    found = requests.get(f"{server.http}/control/subscribers?limit=1000", timeout=10).json()["subscribers"]
    return sum(each.get("code") == "4711" for each in found)


def overwrite(path, offset, content):
    with path.open("r+b") as file:
        file.seek(offset, os.SEEK_SET if offset >= 0 else os.SEEK_END)
        file.write(content)


def log_of(folder):
    return folder / "ringfence.sqlite-wal"


def delete_log_and_index(folder):
    log_of(folder).unlink()
    (folder / "ringfence.sqlite-shm").unlink()


def replace_by_old_log(folder):
    """That of another run: its pages are right, but for another database."""
    with ringfence.Server("--data", folder.parent / "other", listeners=LISTENERS):
        log_of(folder).write_bytes(log_of(folder.parent / "other").read_bytes())


LOST_LOGS = {
    "missing": (lambda folder: log_of(folder).unlink(), "missing."),
    "missing with its index": (delete_log_and_index, "missing."),
    "empty": (lambda folder: log_of(folder).write_bytes(b""), "damaged: its header is wrong."),
    "no log": (lambda folder: log_of(folder).write_bytes(b"nonsense " * 9000), "damaged: its header is wrong."),
    "header": (lambda folder: overwrite(log_of(folder), 9, b"x"), "damaged: its header is wrong."),
    "other": (replace_by_old_log, "damaged: it is older or newer than its index."),
    "half": (lambda folder: os.truncate(log_of(folder), log_of(folder).stat().st_size // 2), "damaged: only "),
    "one bit": (lambda folder: overwrite(log_of(folder), log_of(folder).stat().st_size // 2, b"\x5a"), "damaged: only "),
    "last byte": (lambda folder: overwrite(log_of(folder), -1, b"\x5a"), "damaged: only "),
}


@pytest.mark.parametrize("damage, problem", LOST_LOGS.values(), ids=LOST_LOGS)
def test_c5_a_log_that_is_lost_is_not_ignored(killed, damage, problem):
    damage(killed)
    before = {path.name: path.read_bytes() for path in killed.iterdir()}

    said = [refused("--data", killed, "--https", "off") for _ in range(2)]
    checked = subprocess.run(
        [ringfence.binary(), "doctor", "--data", killed, "--url", "http://127.0.0.1:9"], capture_output=True, text=True,
        timeout=60, check=False)

    place, other = f"'{killed}'", f"'{killed}.damaged'"
    for text in (*said, checked.stdout):
        assert f"{killed}/ringfence.sqlite-wal: {problem}" in text
        assert f"mv {place} {other} && ringfence restore --backup DIR --data {place}" in text
    assert {path.name: path.read_bytes() for path in killed.iterdir()} == before
    advice = f"rm -f '{killed}/ringfence.sqlite-wal' '{killed}/state'"
    assert advice in said[0]
    subprocess.run(["bash", "-c", advice], check=True)
    with ringfence.Server("--data", killed) as server:
        assert subscribers(server) < 20


@pytest.mark.parametrize("end", ["killed", "data"])
@pytest.mark.parametrize("damage, problem", [
    (lambda path: path.unlink(), "missing"), (lambda path: path.write_bytes(b""), "empty")], ids=["missing", "empty"])
def test_c5_a_database_that_is_lost_is_not_replaced(request, end, damage, problem):
    folder = request.getfixturevalue(end)
    damage(folder / "ringfence.sqlite")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    said = refused("--data", folder, "--https", "off")

    assert f"{folder}/ringfence.sqlite: {problem}, but a server has used this folder: {folder}/state exists." in said
    assert f"mv '{folder}' '{folder}.damaged' && ringfence restore --backup DIR --data '{folder}'" in said
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    said = ringfence.command("restore", "--backup", folder.parent / "backups", "--data", folder, expect=1)
    assert f"{folder.parent}/backups" in said


def test_c5_kill_9_and_a_proper_end_start_again(killed):
    """Also if somebody has looked at the folder, and after an upgrade from a version without the file
    state."""
    ringfence.command("doctor", "--data", killed, "--url", "http://127.0.0.1:9", expect=1)
    with ringfence.Server("--data", killed) as server:
        assert subscribers(server) == 20
        server.kill()
    (killed / "state").unlink()
    with ringfence.Server("--data", killed) as server:
        assert subscribers(server) == 20
    assert not log_of(killed).exists()
    (killed / "state").unlink()
    with ringfence.Server("--data", killed) as server:
        assert subscribers(server) == 20


def test_c5_after_another_start_of_the_machine_a_log_may_end_early(killed):
    """Without --fsync full, a power failure may lose the last commits; the index is then no evidence."""
    (killed / "state").write_text(f"{'another-boot':36}\n")
    os.truncate(log_of(killed), log_of(killed).stat().st_size - 3000)

    with ringfence.Server("--data", killed) as server:
        assert 0 < subscribers(server) <= 20


@pytest.mark.parametrize("name", ["lost+found/", "notes.txt", "authority.lock", "lock"])
def test_c5_other_files_do_not_prevent_a_first_start(tmp_path, name):
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    if name.endswith("/"):
        (folder / name).mkdir()
    else:
        (folder / name).touch(0o600)

    with ringfence.Server("--data", folder) as server:
        assert server.is_alive()


def test_a_damaged_row_is_an_error_of_its_requests_only(tmp_path):
    folder = tmp_path / "data"
    with ringfence.Server("--data", folder) as server:
        _, (url, pair) = start_verification(server)
    with database(folder) as connection:
        connection.execute("UPDATE verifications SET channel = 'pigeon', attempts = 'pigeon@1'")
        connection.execute("UPDATE messages SET receipts = 'nonsense'")
    log = tmp_path / "log"
    with ringfence.Server("--data", folder, log=log) as server:
        fetched = requests.get(f"{server.http}{url[url.index('/v2'):]}", auth=pair, timeout=10)
        assert fetched.status_code == 500
        assert requests.get(f"{server.http}/control/inbox/{NUMBER}", timeout=10).ok
        assert server.is_alive()
    assert 'damaged row: expected a channel, found "pigeon"' in log.read_text()


def test_damaged_due_work_is_refused_at_the_start(data):
    with database(data) as connection:
        connection.execute("UPDATE agenda SET kind = 'pigeon'")

    said = refused("--data", data, "--https", "off")

    assert 'the database is damaged: damaged row: expected a kind of due work, found "pigeon"' in said
