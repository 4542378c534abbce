"use strict";

const { RingfenceError } = require("./errors.js");

const SHOWN = 10;
/** A terminal would obey these characters of outside texts. */
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

/** What happened in a sandbox, in the words of the control API. */
class Explanation {
  #sandbox;

  constructor(sandbox) {
    this.#sandbox = sandbox;
  }

  /** An error that says what happened instead. */
  async error(heading, to) {
    return new RingfenceError(await this.text(heading, to), { isExplained: true });
  }

  /** What was sent and refused, after a heading; what concerns a number comes first. */
  async text(heading, to) {
    const [messages, requests, webhooks] = await Promise.all([
      this.#newest("/control/messages", "messages"), this.#newest("/control/journal", "requests"),
      this.#sandbox.control.entries("/control/webhooks", "webhooks", {}),
    ]);
    const refused = requests.filter((each) => each.why);
    const undelivered = webhooks.filter((each) => each.state !== "delivered");
    const own = messages.filter((each) => each.to === to);
    const others = messages.filter((each) => each.to !== to);
    const { isTransient, console } = this.#sandbox;
    const lines = [
      ...(heading ? [`${heading}:`] : []),
      ...section("sent", [...own, ...others].map(message)),
      ...section("refused", refused.map(refusal)),
      ...(undelivered.length > 0 ? section("not delivered", undelivered.reverse().map(webhook)) : []),
      isTransient ? "  for a page with all of it, set RINGFENCE_REPORT=DIR" : `  console: ${console}`,
    ];
    return lines.join("\n").replace(CONTROL, visible);
  }

  async #newest(path, member) {
    return (await this.#sandbox.control.get(path, { order: "newest", limit: 100 }))[member];
  }
}

function visible(character) {
  return `\\x${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

function section(title, lines) {
  if (lines.length === 0) return [`  ${title}: nothing`];
  const more = lines.length > SHOWN ? [`    … and ${lines.length - SHOWN} more`] : [];
  return [`  ${title}:`, ...lines.slice(0, SHOWN).map((line) => `    ${line}`), ...more];
}

function message({ provider, channel, to, code, text, state, arrivedAt }) {
  const content = code ? `code ${code}` : JSON.stringify(text.slice(0, 60));
  const end = arrivedAt ? "arrived" : `not arrived (${state})`;
  return `${provider || "phone"} ${channel} to ${to}: ${content}, ${end}`;
}

function refusal({ request, response, why, nearest = [] }) {
  const hint = nearest.length > 0 ? ` (nearest: ${nearest.join(", ")})` : "";
  return `${request.method} ${request.target} ${response.status}: ${why}${hint}`;
}

function webhook({ provider, kind, url, state, why, attempts, nextAttemptAt }) {
  const last = attempts.at(-1);
  const reason = why ?? last?.error ?? (last && `answered ${last.status}`);
  const next = nextAttemptAt ? `, due at ${nextAttemptAt} on the sandbox's clock` : "";
  return `${provider} ${kind} to ${url}: ${state}${reason ? ` (${reason})` : ""}${next}`;
}

module.exports = { Explanation };
