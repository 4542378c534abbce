"use strict";

/** The phone of a number, and the person who has it. */
class Phone {
  #sandbox;

  constructor(sandbox, number) {
    this.#sandbox = sandbox;
    this.number = number;
  }

  get #control() {
    return this.#sandbox.control;
  }

  get #path() {
    return encodeURIComponent(this.number);
  }

  /** What it shows, oldest first. */
  messages(options) {
    return this.#sandbox.messages(this.number, options);
  }

  message(options) {
    return this.#sandbox.message(this.number, options);
  }

  code(options) {
    return this.#sandbox.code(this.number, options);
  }

  /** Answers the newest message, or another sender: `{ to }`. */
  reply(text, options = {}) {
    return this.#control.post(`/control/inbox/${this.#path}/reply`, { text, ...options });
  }

  /** Registers the app of a provider, which then gets its pushes. */
  register(provider, options = {}) {
    return this.#control.post("/control/devices", { number: this.number, provider, ...options });
  }

  /** Approves the newest challenge. A `fault` is refused by the provider: wrongKey, late. */
  approve(options = {}) {
    return this.#control.post(`/control/devices/${this.#path}/approve`, options);
  }

  deny(options = {}) {
    return this.#control.post(`/control/devices/${this.#path}/deny`, options);
  }

  /** Opens a silent URL over mobile data, and follows its redirects. */
  open(url, options = {}) {
    return this.#control.post(`/control/devices/${this.#path}/open`, { url, ...options });
  }

  /** What happens to the line, such as `simSwap`, `port` or `detach`. */
  event(event, options = {}) {
    return this.#control.post(`/control/subscribers/${this.#path}/events`, { event, ...options });
  }

  /** Changes the record of the line, such as `{ lineType: "landline" }`. */
  set(change) {
    return this.#control.put(`/control/subscribers/${this.#path}`, change);
  }
}

module.exports = { Phone };
