"use strict";

const { spawn } = require("node:child_process");
const { once } = require("node:events");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const { findProgram } = require("../lib/program.js");

const PACKAGE = path.dirname(__dirname);

function folder(t) {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), "ringfence-test-"));
  t.after(() => fs.rmSync(made, { recursive: true }));
  return made;
}

/** A project with this package installed, and with these files. */
function project(t, files) {
  const made = folder(t);
  const isOwn = (file) => path.relative(PACKAGE, file).split(path.sep)[0] !== "tests";
  fs.cpSync(PACKAGE, path.join(made, "node_modules/ringfence"), { recursive: true, filter: isOwn });
  fs.copyFileSync(path.join(__dirname, "providers.js"), path.join(made, "providers.js"));
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(made, name)), { recursive: true });
    fs.writeFileSync(path.join(made, name), text);
  }
  return made;
}

/** The status and the output of Node, without the variables of this process's runner and server. */
async function node(cwd, words, environment = {}) {
  const { RINGFENCE_URL, NODE_TEST_CONTEXT, ...inherited } = process.env;
  const env = { ...inherited, RINGFENCE_BINARY: findProgram(), ...environment };
  const child = spawn(process.execPath, words, { cwd, env });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (text += piece));
  const [status, signal] = await once(child, "close");
  return { status, signal, text };
}

function isUp(url) {
  return new Promise((resolve) => {
    http.get(`${url}/livez`, { agent: false }, (answer) => resolve(Boolean(answer.resume())))
      .once("error", () => resolve(false));
  });
}

/** Waits until it refuses connections: nothing else shows from outside that it has ended. */
async function ended(url) {
  while (await isUp(url));
}

module.exports = { PACKAGE, folder, project, node, isUp, ended };
