"""Where options come from, and which addresses and errors follow from them."""

import contextlib
import json
import os
import re
import socket
import subprocess

import pytest

import ringfence
from ringfence import command


def free_run(length=3):
    """The first of some free ports in a row."""
    for first in range(20_000 + os.getpid() % 5_000, 60_000, 10):
        with contextlib.ExitStack() as held:
            try:
                for port in range(first, first + length):
                    held.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            return first
    raise AssertionError("no free ports in a row")


# C3

@pytest.mark.parametrize("name, meant", [
    ("RINGFENCE_ENTROPY_SED", "did you mean RINGFENCE_ENTROPY_SEED?"), ("RINGFENCE_HTPP", "did you mean RINGFENCE_HTTP?"),
    ("RINGFENCE_ADMIN_TOKN", "did you mean RINGFENCE_ADMIN_TOKEN?"), ("RINGFENCE_URI", "did you mean RINGFENCE_URL?"),
    ("RINGFENCE_WHATEVER_THIS_IS", "see ringfence serve --help; options are RINGFENCE_<NAME>"),
])
@pytest.mark.parametrize("words", [("serve", "--http", "127.0.0.1:0"), ("run", "--", "true"), ("code", "+12025550100")])
def test_c3_an_unknown_variable_is_refused_with_the_nearest_name(words, name, meant):
    said = command(*words, environment={name: "1"}, expect=64)

    assert said.splitlines()[0] == f"Error: {name}: unknown variable; {meant}"


def test_c3_what_run_sets_for_its_command_is_known():
    inner = f"{ringfence.binary()} clock && {ringfence.binary()} run --quiet -- {ringfence.binary()} clock"

    done = subprocess.run(
        [ringfence.binary(), "run", "--quiet", "--", "sh", "-c", inner], capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "RINGFENCE_TEST": "one", "RINGFENCE_TOKEN": "a-token", "RINGFENCE_OPEN_CONTROL": "false"})

    assert done.returncode == 0, done.stderr
    assert done.stdout.count("(real)") == 2


@pytest.mark.parametrize("name, value", [
    ("CLOCK", "noon"), ("ENTROPY_SEED", "x"), ("HTTP", "nonsense"), ("HTTPS", "5551"), ("AUTH", "maybe"), ("SHARD", "zz"),
    ("PUBLIC_URL", "me"), ("SANDBOX_TTL", "soon"), ("PROXY_TUNNEL", "a:b:c"), ("SEEDS", "/no/such/folder"), ("SEED", "mine"),
    ("ADMIN_TOKEN", "two words"), ("CONNECTIONS", "0"),
])
def test_c3_a_bad_variable_is_named_itself(name, value):
    said = command("serve", environment={f"RINGFENCE_{name}": value}, expect=64).splitlines()[0]

    assert said.startswith(f"Error: RINGFENCE_{name}: ") and "--" + name.lower().replace("_", "-") + ":" not in said


def test_c3_a_flag_and_a_file_are_named_themselves(tmp_path):
    file = tmp_path / "options.json"
    file.write_text('{"clock":"noon"}')

    flag = command("serve", "--clock", "midnight", environment={"RINGFENCE_CLOCK": "noon"}, expect=64)
    member = command("serve", "--config", file, expect=64)

    assert flag.startswith("Error: --clock: expected a time") and "found midnight" in flag
    assert member.startswith(f"Error: {file}: clock: expected a time") and "found noon" in member


def test_c3_a_bad_address_of_the_server_is_named_itself():
    assert command("clock", environment={"RINGFENCE_URL": "ftp://x"}, expect=64).startswith(
        "Error: RINGFENCE_URL: expected http://ADDRESS:PORT; found ftp://x")
    assert command("clock", "--url", "ftp://x", expect=64).startswith(
        "Error: --url: expected http://ADDRESS:PORT; found ftp://x")


@pytest.mark.parametrize("flags, complaint", [
    (("--webhook-allow", "http://x"), "--webhook-allow: expected hosts such as example.com, *.example.com or *; found http://x"),
    (("--webhook-allow", "::1,*.a.example,10.0.0.1,nope/"), "--webhook-allow: expected hosts such as example.com, *.example.com or *; found nope/"),
    (("--proxy-tunnel", ""), "--proxy-tunnel: expected hosts such as example.com, *.example.com or all; found none"),
    (("--fsync", "full"), "--fsync: has no effect without --data"),
])
def test_an_option_without_effect_is_refused(flags, complaint):
    assert command("serve", "--http", "127.0.0.1:0", *flags, expect=64).startswith(f"Error: {complaint}")


@pytest.mark.parametrize("text, complaint", [
    ('{"config":"other.json"}', "config: expected in no file, which would name another one"),
    ('{\n  "clock": noon\n}', '$: expected null at line 2, column 12; found "n"'),
])
def test_a_bad_file_of_options_is_named_with_the_place(tmp_path, text, complaint):
    file = tmp_path / "options.json"
    file.write_text(text)

    assert command("serve", "--config", file, expect=64).startswith(f"Error: {file}: {complaint}")


# C4

def test_c4_the_version_is_printed():
    assert re.fullmatch(r"ringfence \d+\.\d+\.\d+\S* \(snapshots of version \d+\)\n", command("--version"))


@pytest.mark.parametrize("supervise", [(), ("--supervise",)])
def test_c4_https_and_gateway_follow_the_http_port(supervise):
    port = free_run()

    with ringfence.Server(*supervise, listeners=("--http", f"127.0.0.1:{port}")) as server:
        assert (server.http, server.https, server.gateway) == (
            f"http://127.0.0.1:{port}", f"https://127.0.0.1:{port + 1}", f"http://127.0.0.1:{port + 2}")


def test_c4_free_ports_stay_free_ports():
    with ringfence.Server(listeners=("--http", "127.0.0.1:0")) as one, \
            ringfence.Server(listeners=("--http", "127.0.0.1:0")) as other:
        addresses = [one.http, one.https, one.gateway, other.http, other.https, other.gateway]
        assert len({address.rsplit(":", 1)[1] for address in addresses}) == 6


def test_c4_an_explicit_address_wins():
    port = free_run()

    with ringfence.Server(listeners=("--http", f"127.0.0.1:{port}", "--gateway", "off", "--https", "127.0.0.1:0")) as server:
        assert server.gateway is None and not server.https.endswith(f":{port + 1}")


def test_c4_the_server_ends_with_its_standard_input():
    flags = ("--http", "127.0.0.1:0", "--https", "off", "--gateway", "off", "--ready", "json", "--until-stdin-ends")
    with subprocess.Popen(
            [ringfence.binary(), "serve", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        address = json.loads(server.stdout.readline())["http"].removeprefix("http://").split(":")
        with socket.create_connection(address, 5) as waiting:
            waiting.sendall(b"GET /control/inbox?wait=30 HTTP/1.1\r\nHost: a\r\n\r\n")
            server.stdin.write(b"anything\n")
            server.stdin.flush()
            with pytest.raises(subprocess.TimeoutExpired):
                server.wait(0.2)

            server.stdin.close()

            assert server.wait(5) == 0


@pytest.mark.parametrize("option, flags", [
    ("http", ("--http", "127.0.0.1:{port}")), ("https", ("--http", "127.0.0.1:0", "--https", "127.0.0.1:{port}")),
    ("gateway", ("--http", "127.0.0.1:0", "--gateway", "127.0.0.1:{port}")),
    ("http", ("--supervise", "--http", "127.0.0.1:{port}")),
])
def test_c4_a_port_in_use_names_its_holder_and_the_flag(option, flags):
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        said = command("serve", *(flag.format(port=port) for flag in flags), expect=1)

    assert f"--{option}: listening on 127.0.0.1:{port} failed: address already in use: " in said
    assert f"(process {os.getpid()}) has it. Use another address: --{option} 127.0.0.1:0" in said
    assert ("or off" in said) == (option != "http")


# C5, the part of the options

@pytest.mark.parametrize("address", [
    "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:http", ":", "banana:5550", "::1:5550",
    "[127.0.0.1]:5550", "[::1]", "http://127.0.0.1:5550", "5550",
])
def test_c5_an_address_without_a_port_that_fits_is_refused(address):
    said = command("serve", "--http", address, expect=64)

    assert said.startswith(
        "Error: --http: expected ADDRESS:PORT such as 127.0.0.1:5550, [::1]:5550 or :5550, with a port from 0 to 65535; "
        f"found {address}\n")


@pytest.mark.parametrize("flags", [("--port", "0"), ("--http", ":0")])
def test_51_a_port_alone_is_of_this_machine(flags):
    with ringfence.Server(listeners=(*flags, "--https", "off", "--gateway", "off")) as server:
        assert server.http.startswith("http://127.0.0.1:")


@pytest.mark.parametrize("flags", [("--port", "65536"), ("--port", "x"), ("--port", "1", "--http", "127.0.0.1:2")])
def test_51_a_port_excludes_an_address(flags):
    assert "--port: expected a port from 0 to 65535, and no --http" in command("serve", *flags, expect=64)


def test_c5_the_last_ports_leave_no_room_for_https_and_the_gateway(monkeypatch):
    monkeypatch.delenv("RINGFENCE_HTTPS")
    assert command("serve", "--http", "127.0.0.1:65535", expect=64).startswith(
        "Error: --http: no port is left for --https after 65535; set --https to an address, or to off")
    assert command("serve", "--http", "127.0.0.1:65534", expect=64).startswith(
        "Error: --http: no port is left for --gateway after 65534; set --gateway to an address, or to off")
