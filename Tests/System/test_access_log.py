"""`--access-log`, `--log-format` and `--log-level`. Source: issue 27, deliverable 6."""

import json
import os
import re
import signal
import subprocess
import time

import httpx
import pytest
import requests

import ringfence
import wire
from processes import wait_for_child

COMBINED = re.compile(
    r'(?P<client>\S+) - - \[(?P<time>\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000)\] "(?P<line>[^"]*)" (?P<status>\d{3}) '
    r'(?P<bytes>\d+|-) "(?P<referrer>[^"]*)" "(?P<agent>[^"]*)"')
WITH_TLS = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")


def logged(path, count, server=None):
    """The lines, when there are that many."""
    deadline = time.monotonic() + 20
    while len(lines := path.read_text().splitlines() if path.exists() else []) < count:
        assert time.monotonic() < deadline, lines
    return lines


def with_log(path, *flags, form="json", **named):
    return ringfence.Server("--access-log", path, "--access-log-format", form, *flags, **named)


def test_combined_lines_are_those_of_other_servers(tmp_path):
    log = tmp_path / "access.log"
    with with_log(log, form="combined") as server:
        answer = requests.get(f"{server.http}/control/clock?verbose=1", timeout=10,
                              headers={"User-Agent": 'test "1"\\', "Referer": "http://a.example/page?key=secret"})
        requests.head(f"{server.http}/nowhere", timeout=10)
        lines = logged(log, 2)

    first, second = (COMBINED.fullmatch(line) for line in lines)
    assert first["client"] == "127.0.0.1" and first["line"] == "GET /control/clock?verbose=1 HTTP/1.1"
    assert (first["status"], int(first["bytes"])) == (str(answer.status_code), len(answer.content))
    assert (first["referrer"], first["agent"]) == ("http://a.example/page", "test \\x221\\x22\\x5C")
    assert second["line"] == "HEAD /nowhere HTTP/1.1" and second["status"] == "404"
    assert abs(time.time() - time.mktime(time.strptime(first["time"], "%d/%b/%Y:%H:%M:%S +0000")) + time.timezone) < 60


def test_json_lines_say_who_has_handled_a_request(tmp_path):
    log = tmp_path / "access.log"
    trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    with with_log(log) as server:
        sandbox = server.sandbox(name="ci")
        sandbox.twilio(headers={"traceparent": trace}, To="+12025550100", Channel="sms")
        entry = json.loads(logged(log, 2)[1])

    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry.pop("time"))
    assert entry.pop("bytes") > 100 and 0 <= entry.pop("milliseconds") < 5000
    assert entry.pop("userAgent").startswith("python-requests/")
    assert entry == {
        "client": "127.0.0.1", "method": "POST", "host": server.http.split("//")[1], "protocol": "HTTP/1.1", "status": 201,
        "target": f"/s/ci/v2/Services/{sandbox.credentials['twilio']['serviceSid']}/Verifications", "traceparent": trace, "referrer": None,
        "sandbox": "ci", "provider": "twilio", "route": "createVerification"}


def test_no_line_has_a_secret(tmp_path):
    log = tmp_path / "access.log"
    token = "admin-token-of-these-tests"
    listeners = ("--http", "127.0.0.1:0", "--https", "off", "--gateway", "127.0.0.1:0")
    with with_log(log, "--admin-token", token, listeners=listeners) as server:
        requests.get(f"{server.http}/console/sign-in?token={token}", timeout=10, headers={"Referer": f"http://x/?q={token}"})
        admin = {"Authorization": f"Bearer {token}"}
        own = requests.get(f"{server.http}/control/sandboxes/default", headers=admin, timeout=10).json()["credentials"]
        made = requests.post(
            f"{server.http}/v2/verification", timeout=10, headers={
                "Authorization": f"Bearer {own['prelude']['apiToken']}", "X-SDK-Implemented-Features": "1"},
            json={"target": {"type": "phone_number", "value": "+33639980001"}, "metadata": {}})
        assert made.status_code == 200
        twilio = own["twilio"]
        sna = requests.post(
            f"{server.http}/v2/Services/{twilio['serviceSid']}/Verifications", timeout=10,
            data={"To": "+12025550100", "Channel": "sna"}, auth=(twilio["accountSid"], twilio["authToken"]))
        url = sna.json()["sna"]["url"]
        session = requests.Session()
        answer = session.get(url, allow_redirects=False, timeout=10)
        secrets = [token, own["prelude"]["apiToken"], twilio["authToken"], url.rsplit("/", 1)[1].split("?")[0]]
        lines = logged(log, 5)
    assert answer.status_code == 302
    text = "\n".join(lines)
    assert [secret for secret in secrets if secret in text] == []
    assert "/console/sign-in?token=***" in text or "token=" in text
    assert json.loads(lines[-1])["provider"] == "twilio"


def test_every_kind_of_answer_has_a_line(tmp_path):
    log = tmp_path / "access.log"
    with with_log(log, "--trusted-proxy", "127.0.0.1", listeners=WITH_TLS) as server:
        with wire.Wire(server.address) as client:
            client.send(b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n")
            assert client.receive().status == 400
        with httpx.Client(http2=True, verify=False) as client:
            assert client.get(f"{server.https}/livez").http_version == "HTTP/2"
        requests.get(f"{server.http}/livez", headers={"X-Forwarded-For": "198.51.100.7"}, timeout=10)
        late = requests.get(f"{server.http}/control/inbox/+12025550100/latest?wait=1", timeout=10)
        requests.post(f"{server.http}/control/sandboxes", data="{", headers={"Content-Type": "application/json"}, timeout=10)
        entries = [json.loads(line) for line in logged(log, 5)]

    shown = [(each["protocol"], each["status"], each["client"]) for each in entries]
    assert shown == [("HTTP/1.1", 400, "127.0.0.1"), ("HTTP/2.0", 200, "127.0.0.1"), ("HTTP/1.1", 200, "198.51.100.7"),
                     ("HTTP/1.1", late.status_code, "127.0.0.1"), ("HTTP/1.1", 400, "127.0.0.1")]
    assert 900 < entries[3]["milliseconds"] < 9000


@pytest.mark.parametrize("flags", [(), ("--supervise",)])
def test_a_rotated_file_is_opened_again_on_sighup(tmp_path, flags):
    log, old = tmp_path / "access.log", tmp_path / "access.log.1"
    with with_log(log, *flags) as server:
        requests.get(f"{server.http}/livez", timeout=10)
        logged(log, 1)
        log.rename(old)
        requests.get(f"{server.http}/readyz", timeout=10)
        logged(old, 2)
        server.process.send_signal(signal.SIGHUP)
        while not log.exists():
            assert server.process.poll() is None
        requests.get(f"{server.http}/control/clock", timeout=10)
        assert json.loads(logged(log, 1)[0])["target"] == "/control/clock"
        assert len(old.read_text().splitlines()) == 2
        assert server.stop() == 0


def test_lines_that_nobody_reads_are_dropped_and_counted_and_delay_nobody(tmp_path):
    pipe, log = tmp_path / "pipe", tmp_path / "log"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    count = 900
    with with_log(pipe, log=log) as server, requests.Session() as session:
        session.headers["User-Agent"] = "x" * 8000
        for _ in range(count):
            assert session.get(f"{server.http}/livez", timeout=10).elapsed.total_seconds() < 2
        received, dropped, last = b"", 0, 0
        deadline = time.monotonic() + 30
        while received.count(b"\n") + dropped < count + last:
            assert time.monotonic() < deadline
            try:
                received += os.read(reader, 1 << 20)
            except BlockingIOError:
                last += 1  # this request has a line, too
                text = session.get(f"{server.http}/metrics", timeout=10).text
                dropped = int(re.search(r"^ringfence_access_log_dropped_lines_total (\d+)", text, re.M)[1])
        assert 0 < dropped < count
    os.close(reader)
    assert all(line.startswith(b"{") and line.endswith(b"}") for line in received.splitlines())
    assert f"the access log has lost {dropped} lines" in log.read_text()


def test_the_last_lines_are_written_before_the_end(tmp_path):
    log = tmp_path / "access.log"
    with with_log(log) as server:
        for _ in range(50):
            requests.get(f"{server.http}/livez", timeout=10)
        server.stop()
    assert len(log.read_text().splitlines()) == 50


def test_standard_output_can_be_the_access_log():
    with ringfence.Server("--access-log", "-") as server:
        requests.get(f"{server.http}/livez", timeout=10)
        line = server.process.stdout.readline().decode()
    assert COMBINED.fullmatch(line.rstrip("\n"))["line"] == "GET /livez HTTP/1.1"


@pytest.mark.parametrize("flags, words", [
    (("--access-log-format", "json"), "--access-log-format: has no effect without --access-log"),
    (("--access-log", "-", "--access-log-format", "xml"), "--access-log-format: expected one of combined, json; found xml"),
    (("--log-level", "loud"), "--log-level: expected one of info, debug, warning, error; found loud"),
    (("--log-format", "xml"), "--log-format: expected one of text, json; found xml")])
def test_wrong_options_are_refused(flags, words):
    assert words in ringfence.command("serve", *flags, expect=64)


def test_a_file_that_cannot_be_opened_is_refused_at_the_start(tmp_path):
    path = tmp_path / "none" / "access.log"
    said = ringfence.command("serve", "--http", "127.0.0.1:0", "--https", "off", "--gateway", "off", "--access-log", path,
                             expect=1)
    assert f"--access-log: {path}: No such file or directory" in said


def messages(tmp_path, *flags):
    """What a server writes to standard error when its child crashes."""
    log = tmp_path / "log"
    with ringfence.Server("--supervise", *flags, log=log) as server:
        os.kill(wait_for_child(server.process.pid), signal.SIGKILL)
        assert requests.get(f"{server.http}/livez", timeout=30).ok
    return log.read_text().splitlines()


def test_messages_of_the_server_as_json(tmp_path):
    found = [json.loads(line) for line in messages(tmp_path, "--log-format", "json")]
    assert [each["level"] for each in found] == ["critical", "notice"]
    assert "the server crashed (signal 9, Killed)" in found[0]["message"]
    assert set(found[0]) == {"time", "level", "message"}


def test_less_important_messages_are_left_out(tmp_path):
    assert len(messages(tmp_path, "--log-level", "error")) == 1


def test_sighup_ends_a_server_that_has_nothing_to_read_again():
    # A parent such as nohup may have set the signal to be ignored.
    with ringfence.Server(prefix=("env", "--default-signal=HUP")) as server:
        server.process.send_signal(signal.SIGHUP)
        assert server.process.wait(15) == -signal.SIGHUP
    assert subprocess.run(["true"], check=True).returncode == 0
