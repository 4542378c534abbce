"use strict";

const { Control } = require("./control.js");
const { expectOptions } = require("./errors.js");
const { Program } = require("./program.js");
const { Receiver } = require("./receiver.js");
const { Sandbox } = require("./sandbox.js");

/** A running server. */
class Ringfence {
  /** Starts the program in memory on a free port; uses the server at $RINGFENCE_URL if there is one. */
  static async start(options = {}) {
    expectOptions(options, ["url", "token", "fresh", "options"], "Ringfence.start");
    const { RINGFENCE_URL, RINGFENCE_ADMIN_TOKEN, RINGFENCE_TOKEN } = process.env;
    const url = options.url ?? (options.fresh ? undefined : RINGFENCE_URL);
    const program = url ? null : await Program.start(options.options);
    const token = program ? undefined : options.token ?? RINGFENCE_ADMIN_TOKEN ?? RINGFENCE_TOKEN;
    const receiver = await Receiver.start();
    return new Ringfence(program?.url ?? url, token, program, receiver);
  }

  /** The URL of the server that ends with the runner. The program refuses names that begin with its own. */
  static SETUP_VARIABLE = "_RINGFENCE_SETUP_URL";

  static #shared;

  /** The server of this process, started when it is first needed. */
  static shared() {
    Ringfence.#shared ??= Ringfence.start();
    return Ringfence.#shared;
  }

  #program;
  #receiver;

  constructor(url, token, program, receiver) {
    // The variable may name a sandbox of the server.
    this.url = url.replace(/\/+$/, "").replace(/\/s\/[A-Za-z0-9_.-]+$/, "");
    this.#program = program;
    this.#receiver = receiver;
    this.control = new Control(this.url, token, () => this.#whyNoAnswer());
  }

  /** The process, if this client has started it. */
  get pid() {
    return this.#program?.pid;
  }

  /** True if it ends with the tests, so that nobody can look at it afterwards. */
  get isTransient() {
    return this.#program !== null || process.env[Ringfence.SETUP_VARIABLE] === this.url;
  }

  /** Creates a sandbox. The clock runs, unless a time is given at which it is frozen. */
  async sandbox(options = {}) {
    expectOptions(options, ["name", "clock", "seed"], "sandbox");
    const clock = options.clock instanceof Date ? options.clock.toISOString() : options.clock;
    const made = await this.control.post(
      "/control/sandboxes", { name: options.name, clock, entropySeed: options.seed });
    return new Sandbox(this, made, this.#receiver);
  }

  /** A sandbox that exists, such as `default`. */
  async existing(name) {
    const found = await this.control.get(`/control/sandboxes/${encodeURIComponent(name)}`);
    return new Sandbox(this, found, this.#receiver);
  }

  /** Stops the program, if this client has started it. */
  async stop() {
    this.#receiver.stop();
    await this.#program?.stop();
  }

  async #whyNoAnswer() {
    if (!this.#program) return "is it running? See RINGFENCE_URL";
    const ending = await this.#program.endingSoon();
    return ending ? [`it has ended with ${ending}`, this.#program.errors].join("\n").trim() : "it is running";
  }
}

module.exports = { Ringfence };
