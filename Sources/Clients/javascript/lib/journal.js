"use strict";

const { Control } = require("./control.js");
const { Explanation } = require("./explanation.js");

const WITHIN = 5; // seconds

/** The requests to the sandbox, with answers and the reasons of refusals. */
class Journal {
  #sandbox;

  constructor(sandbox) {
    this.#sandbox = sandbox;
  }

  get #control() {
    return this.#sandbox.control;
  }

  /** The requests that match, oldest first. Filters: provider, route, method, status, contains … */
  requests(filters = {}) {
    return this.#control.entries("/control/journal", "requests", filters);
  }

  /** The newest request that matches; null if there is none. */
  async latest(filters = {}) {
    const query = { ...filters, order: "newest", limit: 1 };
    return (await this.#control.get("/control/journal", query)).requests[0] ?? null;
  }

  /** The first request that matches, waiting for it. */
  async wait(filters = {}, { within = WITHIN } = {}) {
    const found = await Control.within(within, (wait) =>
      this.#control.request(
        "GET", "/control/journal/wait", { query: { ...filters, wait, limit: 1 }, missing: [404] }));
    if (found) return found.requests[0];
    const wanted = Object.entries(filters).map(([name, value]) => `${name} ${value}`).join(", ");
    const why = `no request${wanted && ` with ${wanted}`} came within ${within} s`;
    throw await new Explanation(this.#sandbox).error(why);
  }

  async clear() {
    await this.#control.delete("/control/journal");
  }

  async *[Symbol.asyncIterator]() {
    yield* await this.requests();
  }
}

module.exports = { Journal };
