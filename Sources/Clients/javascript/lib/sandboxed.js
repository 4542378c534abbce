"use strict";

const path = require("node:path");
const { Ringfence } = require("./ringfence.js");

/**
 * Makes a test with its own sandbox of a function. `runner` describes who runs it: `name(args, self)` of the
 * test, and `print(text, args)`.
 */
function sandboxedBy(runner) {
  // Without declared parameters, which runners take for a callback. Mocha's context is `this`.
  return (body, options) =>
    async function (...args) {
      const sandbox = await (await Ringfence.shared()).sandbox(options);
      const name = runner.name(args, this) ?? body.name;
      const trial = new Trial(sandbox, name || "a test", (text) => runner.print(text, args));
      let error;
      try {
        await trial.begin();
        await body.call(this, sandbox, ...args);
      } catch (caught) {
        error = caught ?? new Error(`the test threw ${caught}`);
      }
      await trial.end(error ? "failed" : "passed", { isExplained: error?.isExplained });
      if (error) throw error;
    };
}

/** The name that a runner has in its context: Mocha in `this`, others in the first argument, some nowhere. */
function nameIn([context], self) {
  return self?.test?.fullTitle?.() ?? context?.fullName ?? context?.name ?? context?.title;
}

const sandboxed = sandboxedBy({ name: nameIn, print: (text) => console.error(text) });

/** A test in a sandbox: names it in reports, and says what happened when it fails. */
class Trial {
  #sandbox;
  #name;
  #print;

  constructor(sandbox, name, print) {
    this.#sandbox = sandbox;
    this.#name = name;
    this.#print = print;
  }

  begin() {
    return this.#sandbox.mark(this.#name);
  }

  /** Must not hide the error of the test: a server that is gone can say nothing more. */
  async end(outcome, { isExplained = false, isOwn = true } = {}) {
    const sandbox = this.#sandbox;
    const failed = outcome === "failed";
    try {
      await sandbox.mark(this.#name, outcome);
      if (failed && !isExplained) {
        await this.#print(`What happened in the sandbox of ${this.#name}:\n${await sandbox.summary()}`);
      }
      const folder = process.env.RINGFENCE_REPORT;
      if (folder) await sandbox.report(path.join(folder, this.#fileName));
      if (isOwn) await (failed && !sandbox.isTransient ? sandbox.keep() : sandbox.delete());
    } catch (error) {
      await this.#print(`ringfence: ${error.message}`);
    }
  }

  get #fileName() {
    return `${this.#name.replace(/[^A-Za-z0-9_.-]+/g, "-").slice(0, 100)}-${this.#sandbox.name}.html`;
  }
}

module.exports = { sandboxed, sandboxedBy, nameIn, Trial };
