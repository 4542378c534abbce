"use strict";

const fs = require("node:fs/promises");
const path = require("node:path");
const { Control } = require("./control.js");
const { Environment } = require("./environment.js");
const { expectOptions } = require("./errors.js");
const { Explanation } = require("./explanation.js");
const { Journal } = require("./journal.js");
const { Phone } = require("./phone.js");
const vendors = require("./vendors.js");
const { Webhooks } = require("./webhooks.js");

const WITHIN = 5; // seconds
// What makes something fail on purpose.
const RULES = ["scenarios", "faults", "webhooks/faults", "latency", "limits", "chaos"];

/** Numbers, time, failures and providers that belong to one test. */
class Sandbox {
  #ringfence;
  #environment;
  #repairs = new Set();

  constructor(ringfence, described, receiver) {
    this.#ringfence = ringfence;
    this.name = described.name;
    this.url = described.urls.prefixed;
    this.credentials = described.credentials;
    this.token = described.token ?? ringfence.control.token;
    this.control = new Control(this.url, this.token, ringfence.control.describe);
    this.journal = new Journal(this);
    this.webhooks = new Webhooks(this, receiver);
    this.#environment = new Environment(this);
  }

  /** Its page in the console. */
  get console() {
    return `${this.url}/console`;
  }

  /** True if it ends with the tests. */
  get isTransient() {
    return this.#ringfence.isTransient;
  }

  /** Keeps it for an hour after the last request, instead of deleting it. */
  async keep() {
    this.#release();
    await this.#ringfence.control.request("PATCH", this.#path, { body: { ttl: "1h" } });
  }

  /** The variables with the base URLs and credentials that the providers' SDKs read. */
  get env() {
    return this.#environment.variables;
  }

  /** Sets these variables until the returned function is called, or the sandbox is deleted. */
  useEnv() {
    return this.#environment.use();
  }

  /** A client of Twilio's SDK, if that is installed, and so on. */
  twilio() {
    return vendors.twilio(this);
  }

  telesign() {
    return vendors.telesign(this);
  }

  prelude() {
    return vendors.prelude(this);
  }

  prove() {
    return vendors.prove(this);
  }

  vonage() {
    return vendors.vonage(this);
  }

  sinch() {
    return vendors.sinch(this);
  }

  /**
   * The newest code on the phone of this number. Waits for it, and explains why there is none. `pattern`
   * finds it in a text: a regular expression whose first group, or match, is the code.
   */
  async code(to, options = {}) {
    expectOptions(options, ["provider", "channel", "after", "pattern", "within"], "code");
    const { within = WITHIN, ...query } = options;
    const inbox = `/control/inbox/${encodeURIComponent(to)}/latest/code`;
    const code = await Control.within(within, (wait) =>
      this.control.request("GET", inbox, { query: { ...query, wait }, missing: [404] }));
    if (code !== null) return code.trim();
    throw await new Explanation(this).error(`no code for ${to} came within ${within} s`);
  }

  /** The newest message on the phone of this number or email address. Waits for it, as `code` does. */
  async message(to, options = {}) {
    expectOptions(options, ["provider", "channel", "after", "within"], "message");
    const { within = WITHIN, ...query } = options;
    const inbox = `/control/inbox/${encodeURIComponent(to)}/latest`;
    const message = await Control.within(within, (wait) =>
      this.control.request("GET", inbox, { query: { ...query, wait }, missing: [404] }));
    if (message !== null) return message;
    throw await new Explanation(this).error(`no message for ${to} came within ${within} s`);
  }

  /** The messages on the phone of this number, or on all phones, oldest first. */
  messages(to, options = {}) {
    const inbox = to === undefined ? "/control/inbox" : `/control/inbox/${encodeURIComponent(to)}`;
    return this.control.entries(inbox, "messages", options);
  }

  /** Moves the clock, and waits until all that was due by then is done. Returns the time. */
  advance(duration) {
    return this.#changeClock({ advance: duration });
  }

  /** Stops the clock, at a given time or now. */
  freeze(at) {
    const set = at instanceof Date ? at.toISOString() : at;
    return this.#changeClock({ mode: "frozen", ...(set === undefined ? {} : { set }) });
  }

  /** Lets the clock run. */
  release() {
    return this.#changeClock({ mode: "real" });
  }

  async now() {
    return new Date((await this.control.get("/control/clock")).now);
  }

  async #changeClock(change) {
    let clock = await this.control.post("/control/clock", change, { wait: 60 });
    while (clock.towards) clock = await this.control.get("/control/clock", { wait: 60 });
    return new Date(clock.now);
  }

  /** Switches a failure of `GET /control/failures` on, such as `text-lost`; some need a number. */
  async fail(id, options = {}) {
    expectOptions(options, ["to", "provider", "times", "every", "rate"], "fail");
    const { to, provider, times, ...turn } = options;
    const path = `/control/failures/${encodeURIComponent(id)}`;
    const rule = Object.keys(turn).length ? turn : undefined;
    const { repair } = await this.control.post(path, { number: to, provider, times, rule });
    if (to && repair) this.#repairs.add(`${path}?number=${encodeURIComponent(to)}`);
  }

  /** Removes all rules, and undoes what `fail` has changed of phones. */
  async repair() {
    const paths = [...RULES.map((name) => `/control/${name}`), ...this.#repairs];
    this.#repairs.clear();
    for (const path of paths) await this.control.delete(path);
  }

  /** All verifications, or those of a number or provider, oldest first. */
  verifications({ to, ...query } = {}) {
    return this.control.entries("/control/verifications", "verifications", { number: to, ...query });
  }

  phone(number) {
    return new Phone(this, number);
  }

  /** What was sent and refused, and why: for people who read a failed test. */
  summary() {
    return new Explanation(this).text();
  }

  /** Says which test the next requests belong to, or how it has ended; reports show both. */
  mark(test, outcome) {
    return this.control.post("/control/tests", { name: test.slice(0, 300), outcome });
  }

  /** Writes a page that opens from disk: requests, phones and verifications. */
  async report(file) {
    const page = await this.#ringfence.control.get(`${this.#path}/report`);
    await fs.mkdir(path.dirname(path.resolve(file)), { recursive: true });
    await fs.writeFile(file, page);
  }

  /** Back to how it was created. */
  async reset() {
    await this.#ringfence.control.post(`${this.#path}/reset`);
    this.#repairs.clear();
    this.webhooks.clear();
  }

  async delete() {
    this.#release();
    await this.#ringfence.control.delete(this.#path);
  }

  #release() {
    this.#environment.remove();
    this.webhooks.stop();
  }

  get #path() {
    return `/control/sandboxes/${encodeURIComponent(this.name)}`;
  }
}

module.exports = { Sandbox };
