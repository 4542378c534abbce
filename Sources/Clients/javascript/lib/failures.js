"use strict";

const { RingfenceError, expectKnown, expectOptions } = require("./errors.js");

// The lists of rules, the member that names their entries, and where an entry says what it is about.
const LISTS = {
  "/control/scenarios": { member: "scenarios", about: (rule) => (rule.match ??= {}) },
  "/control/faults": { member: "faults", about: (rule) => rule },
  "/control/webhooks/faults": { member: "webhookFaults", about: (rule) => rule },
};
const RULES = [...Object.keys(LISTS), "/control/latency", "/control/limits", "/control/chaos"];

/** The failures that a test has switched on. */
class Failures {
  #sandbox;
  #repairs = new Map();
  // A list is read and written as a whole: one after the other.
  #last = Promise.resolve();

  constructor(sandbox) {
    this.#sandbox = sandbox;
  }

  begin(id, options) {
    const done = this.#last.then(() => this.#begin(id, options));
    this.#last = done.catch(() => {});
    return done;
  }

  async #begin(id, { ...options }) {
    expectOptions(options, ["to", "provider", "times"], "fail");
    for (const name of Object.keys(options)) if (options[name] === undefined) delete options[name];
    const failure = await this.#find(id);
    if (!failure.request) throw new RingfenceError(`${id} has no request: ${failure.manual}`);
    const { method, path, body } = failure.request;
    if (LISTS[path]) return this.#addRule(path, body, options);
    const needsNumber = path.includes("{number}");
    if (needsNumber && !options.to) {
      throw new RingfenceError(`to: expected a phone number, because ${id} is about one phone`);
    }
    for (const name of Object.keys(options)) {
      if (name === "to" && needsNumber) continue;
      throw new RingfenceError(`${name}: has no effect on ${id}, which is not a rule (${failure.effect})`);
    }
    const fill = (text) => text.replace("{number}", encodeURIComponent(options.to));
    if (failure.repair) this.#repairs.set(fill(failure.repair.path) + id, {
      ...failure.repair, path: fill(failure.repair.path),
    });
    // 409: the provider has refused a faulty answer, as it should.
    const missing = body.fault ? [409] : [];
    await this.#sandbox.control.request(method, fill(path), { body, missing });
  }

  async #find(id) {
    const { groups } = await this.#sandbox.control.get("/control/failures");
    const all = groups.flatMap((group) => group.failures);
    expectKnown(id, all.map((failure) => failure.id), "failure");
    return all.find((failure) => failure.id === id);
  }

  /** The first rule that acts wins, so new ones come before the others. */
  async #addRule(path, body, { to, provider, times }) {
    const { member, about } = LISTS[path];
    const present = (await this.#sandbox.control.get(path))[member];
    const added = structuredClone(body)[member];
    for (const rule of added) {
      if (times !== undefined) rule.times = times;
      if (to !== undefined) about(rule).number = to;
      if (provider !== undefined) about(rule).provider = provider;
    }
    await this.#sandbox.control.put(path, { [member]: [...added, ...present] });
  }

  repair() {
    const done = this.#last.then(async () => {
      for (const path of RULES) await this.#sandbox.control.delete(path);
      for (const { method, path, body } of this.#repairs.values()) {
        await this.#sandbox.control.request(method, path, { body });
      }
      this.#repairs.clear();
    });
    this.#last = done.catch(() => {});
    return done;
  }

  forget() {
    this.#repairs.clear();
  }
}

module.exports = { Failures };
