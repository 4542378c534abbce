"use strict";

const { RingfenceError, expectOptions } = require("./errors.js");
const { Explanation } = require("./explanation.js");
const { check } = require("./signatures.js");

// Test frameworks replace the global one.
const { setTimeout, clearTimeout } = globalThis;
const WITHIN = 5; // seconds

/** A receiver of webhooks, for apps without one and for tests of what the provider sends. */
class Webhooks {
  #sandbox;
  #receiver;
  #statuses = [200];
  #waiting = new Set();
  #publicKey;
  /** All that came, oldest first. */
  received = [];

  constructor(sandbox, receiver) {
    this.#sandbox = sandbox;
    this.#receiver = receiver;
    receiver.handle(sandbox.name, (request) => this.#receive(request));
  }

  /** Where to send webhooks: the callback URL of requests and settings. */
  get url() {
    return `${this.#receiver.url}/${this.#sandbox.name}/webhooks`;
  }

  /** The statuses of the next answers; the last one repeats. */
  answer(...statuses) {
    this.#statuses = statuses;
  }

  /**
   * The next webhook that was not returned yet, with its provider and the members of its body. A signature
   * other than the expected one is refused: valid, wrong, missing or any.
   */
  async wait(options = {}) {
    expectOptions(options, ["provider", "contains", "signature", "within"], "webhooks.wait");
    const { within = WITHIN, signature = "valid" } = options;
    if (!["valid", "wrong", "missing", "any"].includes(signature)) {
      throw new RingfenceError(`signature: expected valid, wrong, missing or any; found ${signature}`);
    }
    const keys = { credentials: this.#sandbox.credentials, publicKey: await this.#key() };
    const matches = (request) => {
      request.checked ??= check(request, keys);
      return (!options.contains || request.body.includes(options.contains)) &&
        (!options.provider || [options.provider, null].includes(request.checked.provider));
    };
    const found = await this.#next(matches, within);
    if (!found) {
      throw await new Explanation(this.#sandbox).error(`no webhook came to ${this.url} within ${within} s`);
    }
    const { checked, isTaken, ...request } = found;
    if (signature !== "any" && checked.signature !== signature) {
      const from = checked.provider ? ` of ${checked.provider}` : "";
      throw new RingfenceError(
        `the signature${from} is ${checked.signature}, not ${signature}: ${request.body.slice(0, 200)}`);
    }
    return { ...request, ...checked, data: members(request) };
  }

  /** Forgets what came. */
  clear() {
    this.received = [];
    this.#statuses = [200];
  }

  stop() {
    this.#receiver.forget(this.#sandbox.name);
  }

  #receive(request) {
    this.received.push(request);
    for (const look of [...this.#waiting]) look();
    return this.#statuses.length > 1 ? this.#statuses.shift() : this.#statuses[0];
  }

  #next(matches, within) {
    const take = () => {
      const found = this.received.find((request) => !request.isTaken && matches(request));
      if (found) found.isTaken = true;
      return found;
    };
    return new Promise((resolve) => {
      const finish = (found) => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(found);
      };
      const look = () => {
        const found = take();
        if (found) finish(found);
      };
      const timer = setTimeout(finish, within * 1000);
      this.#waiting.add(look);
      look();
    });
  }

  async #key() {
    this.#publicKey ??= await this.#sandbox.control.get("/control/webhooks/keys");
    return this.#publicKey;
  }
}

function members({ headers, body }) {
  const isForm = (headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");
  if (isForm) return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

module.exports = { Webhooks };
