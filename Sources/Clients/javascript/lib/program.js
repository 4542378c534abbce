"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { RingfenceError } = require("./errors.js");

const NAME = "ringfence";
const START_WITHIN = 30_000; // milliseconds
// Test frameworks replace the global one.
const { setTimeout, clearTimeout } = globalThis;
// The program refuses variables that it does not know, and must not think that it runs within another.
const OWN_VARIABLES = ["RINGFENCE_REPORT", "RINGFENCE_TEST", "RINGFENCE_URL", "RINGFENCE_TOKEN"];

// Puts the program on the PATH of npm's scripts.
const SHIM = path.join(__dirname, "../bin/ringfence.js");

/**
 * The program of $RINGFENCE_BINARY, of the package for this platform, of the Python wheel in a virtual
 * environment, or of the PATH.
 */
function findProgram(environment = process.env, folder = process.cwd()) {
  const named = environment.RINGFENCE_BINARY;
  if (named) {
    if (isProgram(named)) return path.resolve(named);
    throw new RingfenceError(`RINGFENCE_BINARY: there is no program ${named}`);
  }
  const own = ownProgram();
  if (own) return own;
  const environments = [environment.VIRTUAL_ENV, path.join(folder, ".venv")].filter(Boolean);
  const folders = [
    ...environments.map((each) => path.join(each, "bin")),
    ...(environment.PATH ?? "").split(path.delimiter).filter(Boolean),
  ];
  const found = folders.map((each) => path.join(each, NAME)).find(isProgram);
  if (found) return found;
  throw new RingfenceError(
    `there is no program ringfence for ${process.platform}-${process.arch}: install the package of ` +
      "`make dist`, put the program on the PATH, or set RINGFENCE_BINARY");
}

/** The program in the package for this platform; undefined without one. */
function ownProgram() {
  try {
    return require.resolve(`@ringfence/${process.platform}-${process.arch}/bin/ringfence`);
  } catch {
    return undefined;
  }
}

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile() && fs.realpathSync(file) !== SHIM;
  } catch {
    return false;
  }
}

/**
 * A running `ringfence run`. Its command reads the pipe that this process holds, so that it ends with this
 * process, however that ends. It does not keep this process running.
 */
class Program {
  static async start(options = []) {
    const file = findProgram();
    const environment = { ...process.env };
    for (const name of OWN_VARIABLES) delete environment[name];
    const command = ["/bin/sh", "-c", 'echo "$RINGFENCE_URL"; exec cat >/dev/null'];
    // In its own group, so that Ctrl-C does not end it before the tests have ended.
    const child = spawn(file, ["run", "--quiet", "--overwrite", ...options, "--", ...command], {
      env: environment, detached: true, stdio: ["pipe", "pipe", "pipe"],
    });
    const program = new Program(file, child);
    program.url = await program.#firstLine();
    for (const handle of [child, child.stdin, child.stdout, child.stderr]) handle.unref();
    return program;
  }

  #child;
  #errors = "";
  #ended;

  constructor(file, child) {
    this.file = file;
    this.#child = child;
    // Undefined while it runs.
    this.ending = undefined;
    this.#ended = new Promise((resolve) => {
      const end = (ending) => {
        this.ending ??= ending;
        resolve();
      };
      child.once("error", (error) => end(error.message));
      child.once("exit", (status, signal) => end(signal ? `signal ${signal}` : `status ${status}`));
    });
    child.stdin.on("error", () => {});
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text) => (this.#errors = (this.#errors + text).slice(-4000)));
  }

  get pid() {
    return this.#child.pid;
  }

  /** What it has said at last. */
  get errors() {
    return this.#errors.trim();
  }

  /** How it ended. A connection is refused shortly before the end is known. */
  async endingSoon() {
    let timer;
    const second = new Promise((resolve) => (timer = setTimeout(resolve, 1000)));
    await Promise.race([this.#ended, second]);
    clearTimeout(timer);
    return this.ending;
  }

  async stop() {
    this.#child.ref();
    this.#child.stdin.end();
    await this.#ended;
  }

  #firstLine() {
    return new Promise((resolve, reject) => {
      let text = "";
      const fail = (why) => {
        clearTimeout(timer);
        this.#child.kill();
        reject(new RingfenceError([`${this.file} did not start: ${why}`, this.errors].join("\n").trim()));
      };
      const timer = setTimeout(() => fail(`no answer within ${START_WITHIN / 1000} s`), START_WITHIN);
      this.#child.once("error", (error) => fail(error.message));
      this.#child.once("close", () => fail(this.ending));
      this.#child.stdout.setEncoding("utf8");
      this.#child.stdout.on("data", (more) => {
        text += more;
        if (!text.includes("\n")) return;
        clearTimeout(timer);
        resolve(text.split("\n")[0]);
      });
    });
  }
}

module.exports = { Program, findProgram };
