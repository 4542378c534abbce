"use strict";

const path = require("node:path");
const { Ringfence } = require("./ringfence.js");

/**
 * Makes a test with its own sandbox of a function. `runner` describes who runs it: `name(args)` of the test,
 * and `print(text, args)`.
 */
function sandboxedBy(runner) {
  // Without declared parameters, which runners take for a callback.
  return (body, options) =>
    async (...args) => {
      const sandbox = await (await Ringfence.shared()).sandbox(options);
      const trial = new Trial(sandbox, runner.name(args), (text) => runner.print(text, args));
      let error;
      try {
        await trial.begin();
        await body(sandbox, ...args);
      } catch (caught) {
        error = caught ?? new Error(`the test threw ${caught}`);
      }
      await trial.end(error ? "failed" : "passed", { isExplained: error?.isExplained });
      if (error) throw error;
    };
}

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

module.exports = { sandboxedBy, Trial };
