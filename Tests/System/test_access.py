"""Who may call the control API, with requests that browsers and strangers would send. Source: issue 12,
findings 8 and 9."""

import base64
import hashlib
import os
import re
import stat
import subprocess

import pytest
import requests

import ringfence
import wire
from console_forms import Form

FORM = "application/x-www-form-urlencoded"
EVERYWHERE = ("--http", "0.0.0.0:0", "--https", "off", "--gateway", "off")
TOKEN = "admin-token-of-the-tests"


@pytest.fixture(scope="module")
def open_server():
    with ringfence.Server() as server:
        yield server


@pytest.fixture(scope="module")
def guarded():
    with ringfence.Server(environment={"RINGFENCE_ADMIN_TOKEN": TOKEN}) as server:
        yield server


def say(server, method, target, body=None, host=None, **headers):
    """Status and body of the response to one request, written byte by byte as given."""
    with wire.Wire(server.address) as line:
        line.send(wire.request(method, target, body, host=host or server.http.split("//")[1], **headers))
        reply = line.receive()
        return reply.status, reply.body.decode()


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


# Finding 8: cross-site request forgery; the control API in AccessRulesTests.swift

@pytest.mark.parametrize("target, body", [
    ("/console/sign-in", f"token={TOKEN}"), ("/console/sign-out", ""), ("/join", "phrase=calm-otter")])
@pytest.mark.parametrize("headers", [
    {"origin": "https://evil.example"}, {"origin": "null"}, {"sec_fetch_site": "cross-site"}, {"sec_fetch_site": "same-site"}])
def test_a_page_of_another_origin_signs_nobody_in_or_out(guarded, target, body, headers):
    with wire.Wire(guarded.address) as line:
        line.send(wire.request("POST", target, body, host=guarded.http.split("//")[1], content_type=FORM, **headers))
        reply = line.receive()

    assert reply.status == 403
    assert "set-cookie" not in reply.headers


@pytest.fixture(scope="module")
def links(guarded):
    """What links to the server lead to: a form, what it sends, and the cookie that opens something."""
    admin = {"Authorization": f"Bearer {TOKEN}"}
    workshop = {"name": "tuesday", "story": "first-sign-in", "participants": 1}
    made = requests.post(f"{guarded.http}/control/workshops", json=workshop, headers=admin, timeout=30).json()
    phrase = made["participants"][0]["phrase"]
    return {"sign-in": (f"{guarded.http}/console/sign-in?token={TOKEN}", {"token": TOKEN}),
            "join": (f"{guarded.http}/join?phrase={phrase}", {"phrase": phrase})}


# Issue 45, C2: over plain HTTP on a name, browsers send no Sec-Fetch-Site.

@pytest.mark.parametrize("site", [{}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "none"}])
@pytest.mark.parametrize("link", ["sign-in", "join"])
def test_a_link_opens_a_page_with_one_button_and_replaces_no_cookie(links, link, site):
    url, fields = links[link]
    form = Form(url, headers=site)

    assert form.page.status_code == 200 and "ringfence-token" not in form.session.cookies
    assert form.page.text.count("<button") == form.page.text.count("<form") == 1
    assert form.send(**fields).status_code == (403 if "cross-site" in site.values() else 303)


@pytest.mark.parametrize("link", ["sign-in", "join"])
def test_a_form_is_accepted_once_and_from_the_browser_that_was_shown_it(links, link):
    url, fields = links[link]
    form, other = Form(url), Form(url)

    for stranger in (requests.Session(), other.session):
        refused = stranger.post(url.split("?")[0], data={**form.hidden, **fields}, timeout=10, allow_redirects=False)
        assert refused.status_code == 403 and "ringfence-token" not in refused.headers.get("Set-Cookie", "")
    statuses = [form.send(**fields).status_code for _ in range(2)]

    assert statuses == [303, 403] and form.session.cookies["ringfence-token"]


def test_the_page_of_handsets_has_the_policy_of_the_other_pages(open_server):
    page = requests.get(f"{open_server.http}/handset/attach", timeout=10)
    other = requests.get(f"{open_server.http}/console/connect", timeout=10)

    style = base64.b64encode(hashlib.sha256(page.text.split("<style>")[1].split("</style>")[0].encode()).digest()).decode()
    assert page.headers["Content-Security-Policy"] == (
        f"default-src 'none'; style-src 'sha256-{style}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
    for name in ("X-Content-Type-Options", "Referrer-Policy", "Cache-Control"):
        assert page.headers[name] == other.headers[name]


def test_a_preflight_grants_nothing(open_server):
    with wire.Wire(open_server.address) as line:
        line.send(wire.request(
            "OPTIONS", "/control/reset", host="127.0.0.1", origin="https://evil.example",
            access_control_request_method="POST", access_control_request_headers="content-type"))
        reply = line.receive()

    assert reply.status in (403, 405)
    assert not any(name.startswith("access-control") for name in reply.headers)


# Finding 9: DNS rebinding; other names in AccessRulesTests.swift

def test_names_of_the_server_are_accepted():
    flags = ("--public-url", "https://phones.example", "--allow-host", "ringfence,*.team.test")
    with ringfence.Server(*flags) as server:
        for host in ("phones.example", "ringfence:5550", "a.team.test"):
            assert say(server, "GET", "/control/clock", host=host)[0] == 200
        assert say(server, "GET", "/control/clock", host="team.test.evil.example")[0] == 403
        assert say(server, "POST", "/control/reset", origin="https://phones.example")[0] == 200


def test_the_https_port_has_the_same_rules(tmp_path):
    listeners = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")
    with ringfence.Server("--data", tmp_path, listeners=listeners) as server:
        url = f"{server.https}/control/clock"
        for headers, status in (({}, 200), ({"Host": "evil.example"}, 403), ({"Origin": "https://evil.example"}, 403),
                                ({"Origin": server.https}, 200)):
            told = requests.get(url, headers=headers, verify=tmp_path / "authority.pem", timeout=10)
            assert told.status_code == status, told.text


# Beyond loopback

def test_a_server_beyond_loopback_makes_a_token_and_keeps_it(tmp_path):
    with ringfence.Server("--data", tmp_path, listeners=EVERYWHERE) as server:
        server.http = f"http://127.0.0.1:{server.address[1]}"
        token = server.ready["adminToken"]
        assert requests.get(f"{server.http}/control/clock", timeout=10).status_code == 401
        assert requests.get(f"{server.http}/livez", timeout=10).status_code == 200
        made = requests.post(f"{server.http}/control/sandboxes", json={"name": "ci"}, headers=bearer(token), timeout=10).json()
        assert made["token"].startswith("sandbox.ci.")
    assert len(token) == 64 and (tmp_path / "admin-token").read_text().strip() == token
    for name in ("admin-token", "sandbox-token-key"):
        assert stat.S_IMODE(os.stat(tmp_path / name).st_mode) == 0o600

    with ringfence.Server("--data", tmp_path, listeners=EVERYWHERE) as server:
        url = f"http://127.0.0.1:{server.address[1]}/control/clock"
        assert "adminToken" not in server.ready or server.ready["adminToken"] is None
        assert requests.get(url, headers=bearer(token), timeout=10).status_code == 200
        assert requests.get(url, headers=bearer(made["token"]), timeout=10).status_code == 200


def greeting(*flags, listeners=EVERYWHERE):
    """The lines that `serve` prints for people."""
    command = [ringfence.binary(), "serve", *listeners, *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        lines = []
        for line in iter(process.stdout.readline, ""):
            lines.append(line.rstrip("\n"))
            if line.startswith("Ringfence listens on "):
                break
        process.terminate()
    return lines


def shown_token(*flags):
    """What the greeting says about the token."""
    lines = greeting(*flags)
    first = next(index for index, line in enumerate(lines) if line.startswith("  admin token "))
    more = [line.strip() for line in lines[first + 1:first + 2] if line.strip()]
    return [lines[first].removeprefix("  admin token ").strip(), *more]


def test_the_greeting_shows_a_token_once(tmp_path):
    first, second = shown_token("--data", tmp_path), shown_token("--data", tmp_path)

    token = (tmp_path / "admin-token").read_text().strip()
    assert first == [token, f"stored in {tmp_path}/admin-token"]
    assert second == [f"stored in {tmp_path}/admin-token"]
    assert shown_token("--admin-token", TOKEN) == ["as given"]
    assert [len(line) for line in shown_token()] == [64]


@pytest.mark.parametrize("listeners, flags, workshops", [
    (EVERYWHERE, ("--public-url", "http://192.168.1.20:5550"), r"http://192\.168\.1\.20:5550/console/workshops"),
    (EVERYWHERE, ("--open-control",), r"http://0\.0\.0\.0:\d+/console/workshops"),
    (("--http", "127.0.0.1:0", "--https", "off", "--gateway", "off"), (),
     r"http://127\.0\.0\.1:\d+/console/workshops"),
    (("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "127.0.0.1:0"), ("--admin-token", TOKEN),
     r"http://127\.0\.0\.1:\d+/console/workshops"),
    (EVERYWHERE, (), r"http://0\.0\.0\.0:\d+/console/workshops"),
])
def test_the_greeting_fits_a_terminal_and_ends_with_the_url(listeners, flags, workshops):
    lines = greeting(*flags, listeners=listeners)

    rows = sum(max(1, -(-len(line) // 80)) for line in lines)
    assert rows <= 23, lines
    assert all(len(line) <= 80 for line in lines if "token=" not in line), lines
    assert re.fullmatch(r"Ringfence listens on http://[\d.]+:\d+", lines[-1])
    assert "--public-url" not in flags or lines[-1].endswith(flags[1])
    assert any(re.fullmatch(f"  workshops     {workshops}", line) for line in lines), lines


def test_tokens_differ_from_server_to_server():
    tokens = set()
    for _ in range(2):
        with ringfence.Server(listeners=EVERYWHERE) as server:
            tokens.add(server.ready["adminToken"])
    assert len(tokens) == 2


def test_open_control_needs_no_token_and_still_refuses_pages():
    with ringfence.Server("--open-control", listeners=EVERYWHERE) as server:
        assert say(server, "GET", "/control/clock", host="10.1.2.3:80")[0] == 200
        assert say(server, "GET", "/control/clock", host="evil.example")[0] == 403
        assert say(server, "POST", "/control/reset", host="10.1.2.3", origin="https://evil.example")[0] == 403


@pytest.mark.parametrize("flags, complaint", [
    (("--open-control", "--admin-token", TOKEN), "--open-control: cannot be combined with --admin-token"),
    (("--admin-token", "two words"), "--admin-token: expected visible ASCII characters without spaces"),
    (("--admin-token", ""), "--admin-token: expected a value; found none"),
    (("--admin-token", "x" * 15), "--admin-token: expected at least 16 characters, so that nobody guesses it; found 15"),
    (("--admin-token-file", "/nonexistent"), "/nonexistent: No such file"),
    (("--allow-host", "http://a"), "--allow-host: expected hosts"),
])
def test_settings_that_contradict_each_other_are_refused(flags, complaint):
    said = ringfence.command("serve", "--http", "127.0.0.1:0", "--https", "off", "--gateway", "off", *flags, expect=1)
    assert complaint in said


def test_a_token_may_be_in_a_file(tmp_path):
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    with ringfence.Server("--admin-token-file", tmp_path / "token") as server:
        assert requests.get(f"{server.http}/control/clock", headers=bearer(TOKEN), timeout=10).status_code == 200
        assert requests.get(f"{server.http}/control/clock", timeout=10).status_code == 401


# With a token

def test_the_error_says_how_to_send_a_token(guarded):
    answer = requests.get(f"{guarded.http}/control/clock", timeout=10)

    assert answer.status_code == 401 and answer.headers["WWW-Authenticate"] == 'Bearer realm="ringfence"'
    assert answer.json()["field"] == "Authorization"
    assert "-H 'Authorization: Bearer TOKEN'" in answer.json()["error"] and "--admin-token" in answer.json()["error"]


def test_the_commands_send_the_token(guarded, tmp_path):
    by_environment = {"RINGFENCE_ADMIN_TOKEN": TOKEN}
    for words in (["inbox"], ["clock"], ["clock", "advance", "1s"], ["env", "--sandbox", "default", "--data", tmp_path]):
        words = [*words, "--url", guarded.http]
        assert "requires a token" in ringfence.command(*words, expect=1)
        ringfence.command(*words, "--admin-token", TOKEN)
        ringfence.command(*words, environment=by_environment)


def test_doctor_names_a_missing_token(guarded):
    url = ("--url", guarded.http, "--https", "127.0.0.1:1")
    said = ringfence.command("doctor", "--quick", *url[:2])
    assert said == "ready\n"
    done = subprocess.run(
        [ringfence.binary(), "doctor", *url], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 1
    assert "does not accept this command: Authorization: this server requires a token" in done.stdout
    assert "ringfence doctor --admin-token TOKEN" in done.stdout
