"""Acknowledged changes survive kill -9 and restarts."""

import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess

import pytest
import requests

import receiver
import ringfence
import wire
from load import CLIENTS, Load, default_credentials, missing

# `make soak` sets 100.
ROUNDS = int(os.environ.get("KILL_ROUNDS", "3"))


def databases(folder):
    return [path for path in pathlib.Path(folder).rglob("*")
            if path.is_file() and path.read_bytes()[:15] == b"SQLite format 3"]


def check_integrity(folder, scratch):
    """Checks a copy, because the server must recover the original by itself."""
    copy = shutil.copytree(folder, scratch)
    found = databases(copy)
    assert found, f"no database in {folder}"
    for path in found:
        with sqlite3.connect(path) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.close()
    shutil.rmtree(copy)


@pytest.mark.timeout(120 + 30 * ROUNDS)
def test_kill_9_under_load_loses_nothing_acknowledged(tmp_path):
    data = tmp_path / "data"
    expected, acknowledged = 0, 0
    server = ringfence.Server("--data", data)
    for round_number in range(ROUNDS):
        world = default_credentials(server)
        load = Load(server, world, round_number)
        wanted = 40 + 23 * (round_number % 10)
        load.wait_for(wanted)
        server.kill()
        load.join()
        expected += wanted
        acknowledged += len(load.pending) + len(load.approved)
        check_integrity(data, tmp_path / "copy")

        server = ringfence.Server("--data", data)
        assert missing(server, world, load) == [], f"round {round_number}"
    server.stop()
    assert acknowledged >= expected
    print(f"{ROUNDS} times kill -9 under {CLIENTS} clients: {acknowledged} acknowledged writes, 0 lost")


@pytest.mark.quick
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_restart_keeps_everything(tmp_path, ending):
    number = "+15551234567"
    with ringfence.Server("--data", tmp_path) as server:
        sandbox = server.sandbox(name="kept")
        own = sandbox.credentials["twilio"]
        verifications = f"v2/Services/{own['serviceSid']}/Verifications"
        pair = (own["accountSid"], own["authToken"])
        made = requests.post(
            f"{sandbox.base}/{verifications}", data={"To": number, "Channel": "sms"}, auth=pair, timeout=10)
        sandbox.advance("9m")
        before = [sandbox.control("GET", path).json() for path in ("clock", "inbox", "subscribers")]
        code = sandbox.code(number)
        server.process.send_signal(ending)
        assert server.process.wait(15) == 0

    with ringfence.Server("--data", tmp_path) as server:
        kept = ringfence.Sandbox(server.sandbox_described("kept"))
        assert kept.credentials == sandbox.credentials
        assert [kept.control("GET", path).json() for path in ("clock", "inbox", "subscribers")] == before
        assert kept.code(number) == code
        url = f"{kept.base}/v2/Services/{own['serviceSid']}"
        fetched = requests.get(f"{url}/Verifications/{made.json()['sid']}", auth=pair, timeout=10)
        assert fetched.json()["status"] == "pending"
        kept.advance("61s")  # due work is rows: it survived too
        assert requests.post(
            f"{url}/VerificationCheck", data={"To": number, "Code": code}, auth=pair,
            timeout=10).json()["code"] == 20404


def test_without_data_nothing_is_stored():
    with ringfence.Server() as server:
        server.sandbox(name="gone")
    with ringfence.Server() as server:
        assert requests.get(f"{server.http}/control/sandboxes/gone", timeout=10).status_code == 404


def test_a_stop_answers_waiting_clients():
    with ringfence.Server() as server, wire.Wire(server.address, timeout=20) as waiting:
        waiting.send(wire.request("GET", "/control/inbox/+15551234567/latest?wait=30"))
        assert server.is_alive()  # answered after the long poll was read

        assert server.stop(within=15) == 0

        assert waiting.receive().status == 404  # as if the wait had ended


def test_a_second_server_on_a_data_folder_is_rejected(tmp_path):
    with ringfence.Server("--data", str(tmp_path)):
        second = subprocess.run(
            [ringfence.binary(), "serve", "--http", "127.0.0.1:0", "--data", str(tmp_path)],
            capture_output=True, text=True, timeout=20)

    assert second.returncode != 0
    assert f"{tmp_path}: another ringfence is using this folder" in second.stderr


def test_a_silent_verification_continues_after_a_crash(tmp_path):
    number, dispatch = "+33639980001", "019c0000-0000-7000-8000-000000000001"
    target = {"type": "phone_number", "value": number}
    with ringfence.Server("--data", tmp_path) as server:
        keys = server.sandbox_described("default")["credentials"]["prelude"]
        bearer = {"Authorization": f"Bearer {keys['apiToken']}"}
        requests.options(f"{server.http}/v1/signals", timeout=10, headers={
            "X-SDK-Key": keys["sdkKey"], "X-SDK-DispatchID": dispatch, "X-SDK-Implemented-Features": "1"})
        made = requests.post(
            f"{server.http}/v2/verification", json={"target": target, "dispatch_id": dispatch}, headers=bearer,
            timeout=10).json()
        assert made["method"] == "silent", made
        address = server.http
        server.kill()

    with ringfence.Server("--data", tmp_path) as server:
        first = requests.get(
            made["silent"]["request_url"].replace(address, server.http), allow_redirects=False, timeout=10)
        # The chain returns to the address of its start, but this process has another port.
        gateway = first.headers["Location"].replace(address, server.http)
        last = requests.get(gateway, allow_redirects=False, timeout=10).headers["Location"]
        code = requests.get(last.replace(address, server.http), timeout=10).json()["code"]
        answer = requests.post(
            f"{server.http}/v2/verification/check", json={"target": target, "code": code}, headers=bearer,
            timeout=10).json()

    assert (answer["status"], answer["id"]) == ("success", made["id"])


def test_test_numbers_and_scheduled_messages_survive_a_crash(tmp_path):
    number = "+33639980050"
    with ringfence.Server("--data", tmp_path, "--clock", "2026-01-05T10:20:30Z") as server:
        token = server.sandbox_described("default")["credentials"]["prelude"]["apiToken"]
        session = requests.Session()
        session.headers["Authorization"] = f"Bearer {token}"
        session.put(
            f"{server.http}/v2/verification/management/phone-numbers/sandbox",
            json={"phone_number": "+33639980057", "attempt_code": "424242"}, timeout=10).raise_for_status()
        session.post(f"{server.http}/v2/notify", timeout=10, json={
            "template_id": "template_x", "to": number, "schedule_at": "2026-01-05T11:20:30Z"}).raise_for_status()
        server.kill()

    with ringfence.Server("--data", tmp_path, "--clock", "2026-01-05T10:20:30Z") as server:
        listed = session.get(
            f"{server.http}/v2/verification/management/phone-numbers/sandbox", timeout=10).json()
        assert [entry["attempt_code"] for entry in listed["phone_numbers"]] == ["424242"]
        inbox = f"{server.http}/control/inbox/{number}"
        assert requests.get(inbox, timeout=10).json()["messages"] == []
        requests.post(f"{server.http}/control/clock", json={"advance": "1h1s"}, timeout=10).raise_for_status()
        assert [message["text"] for message in requests.get(inbox, timeout=10).json()["messages"]] == ["[template_x]"]


def test_a_push_is_answered_after_a_crash(tmp_path):
    number = "+12025550101"
    with ringfence.Server("--data", tmp_path) as server:
        own = server.sandbox_described("default")["credentials"]["telesign"]
        account = (own["customerId"], own["apiKey"])
        requests.post(f"{server.http}/control/devices", timeout=10, json={
            "number": number, "provider": "telesign", "pushToken": "fcm-1"}).raise_for_status()
        made = requests.post(f"{server.http}/verification", auth=account, timeout=10, json={
            "recipient": {"phone_number": number[1:], "push_app_token": "fcm-1"},
            "verification_policy": [{"method": "push"}, {"method": "sms"}]}).json()
        devices = requests.get(f"{server.http}/control/devices/{number}", timeout=10).json()
        server.kill()

    with ringfence.Server("--data", tmp_path) as server:
        assert requests.get(f"{server.http}/control/devices/{number}", timeout=10).json() == devices
        requests.post(f"{server.http}/control/devices/{number}/approve", timeout=10).raise_for_status()
        process = requests.get(
            f"{server.http}/verification/{made['reference_id']}", auth=account, timeout=10).json()

    assert (made["state"], process["state"]) == ("CREATED", "VERIFIED")


def vonage_verification(server, own):
    pair = (own["vonage"]["apiKey"], own["vonage"]["apiSecret"])
    made = requests.post(f"{server.http}/v2/verify", auth=pair, timeout=10, json={
        "brand": "Acme", "workflow": [{"channel": "sms", "to": "12025550101"}]}).json()
    return lambda server, code: requests.post(
        f"{server.http}/v2/verify/{made['request_id']}", json={"code": code}, auth=pair, timeout=10).json()["status"] == "completed"


def sinch_verification(server, own):
    pair = (own["sinch"]["applicationKey"], own["sinch"]["applicationSecret"])
    path = "/verification/v1/verifications"
    made = requests.post(f"{server.http}{path}", auth=pair, timeout=10, json={
        "identity": {"type": "number", "endpoint": "+12025550101"}, "method": "sms"}).json()
    return lambda server, code: requests.put(
        f"{server.http}{path}/id/{made['id']}", json={"method": "sms", "sms": {"code": code}}, auth=pair,
        timeout=10).json()["status"] == "SUCCESSFUL"


def camara_code(server, own):
    """The token survives too."""
    token = requests.post(f"{server.http}/oauth2/token", timeout=10, auth=(
        own["camara"]["clientId"], own["camara"]["clientSecret"]), data={
            "grant_type": "client_credentials", "scope": "one-time-password-sms:send-validate"}).json()["access_token"]
    bearer = {"Authorization": f"Bearer {token}"}
    path = "/one-time-password-sms/v1"
    made = requests.post(f"{server.http}{path}/send-code", headers=bearer, timeout=10, json={
        "phoneNumber": "+12025550101", "message": "{{code}}"}).json()
    return lambda server, code: requests.post(
        f"{server.http}{path}/validate-code", headers=bearer, timeout=10,
        json={"authenticationId": made["authenticationId"], "code": code}).status_code == 204


@pytest.mark.parametrize("begin", [vonage_verification, sinch_verification, camara_code])
def test_a_code_is_checked_after_a_crash(tmp_path, begin):
    with ringfence.Server("--data", tmp_path) as server:
        check = begin(server, server.sandbox_described("default")["credentials"])
        server.kill()

    with ringfence.Server("--data", tmp_path) as server:
        code = requests.get(f"{server.http}/control/inbox/+12025550101/latest/code", timeout=10).text.strip()
        assert check(server, code)


def test_a_subscription_survives_a_crash(tmp_path):
    number, swaps = "+12025550101", "sim-swap-subscriptions"
    swapped = f"org.camaraproject.{swaps}.v0.swapped"
    with ringfence.Server("--data", tmp_path) as server, receiver.Receiver() as up:
        own = server.sandbox_described("default")["credentials"]["camara"]
        token = requests.post(f"{server.http}/oauth2/token", auth=(own["clientId"], own["clientSecret"]), timeout=10, data={
            "grant_type": "client_credentials", "scope": f"{swaps}:{swapped}:create"}).json()["access_token"]
        made = requests.post(
            f"{server.http}/{swaps}/v0.3/subscriptions", headers={"Authorization": f"Bearer {token}"}, timeout=10, json={
                "protocol": "HTTP", "sink": up.url, "types": [swapped],
                "config": {"subscriptionDetail": {"phoneNumber": number}}}).json()
        server.kill()

        with ringfence.Server("--data", tmp_path) as again:
            requests.post(
                f"{again.http}/control/subscribers/{number}/events", json={"event": "simSwap"}, timeout=10).raise_for_status()
            _, _, body = up.next()

    assert json.loads(body)["data"]["subscriptionId"] == made["id"]
