"use strict";

const { RingfenceError } = require("./errors.js");

/** What happened in a sandbox, in the words of the control API. */
class Explanation {
  #sandbox;

  constructor(sandbox) {
    this.#sandbox = sandbox;
  }

  /** An error that says what happened instead. */
  async error(heading) {
    return new RingfenceError(`${heading}:\n${await this.text()}`, { isExplained: true });
  }

  /** What was sent, what was refused and why. */
  async text() {
    const { control, isTransient, console } = this.#sandbox;
    const happened = await control.get("/control/explanation");
    const end = isTransient ? "for a page with all of it, set RINGFENCE_REPORT=DIR" : `console: ${console}`;
    return happened + end;
  }
}

module.exports = { Explanation };
