"use strict";

/** Everything that goes wrong between a test and its sandbox. */
class RingfenceError extends Error {
  /** @param {{ status?: number, field?: string }} [details] of an answer of the control API */
  constructor(message, details = {}) {
    super(message);
    this.name = "RingfenceError";
    Object.assign(this, details);
  }
}

/** Refuses names that can have no effect, with the nearest that can. */
function expectKnown(name, known, kind) {
  if (known.includes(name)) return;
  const near = nearest(String(name), known);
  const hint = near ? `did you mean ${near}?` : `expected one of ${known.join(", ")}`;
  throw new RingfenceError(`unknown ${kind} ${JSON.stringify(name)}; ${hint}`);
}

function expectOptions(options, known, of) {
  for (const name of Object.keys(options)) expectKnown(name, known, `option of ${of}`);
}

/** The name with the fewest changed letters, if they are few. */
function nearest(name, known) {
  const ranked = known.map((other) => [distance(name.toLowerCase(), other.toLowerCase()), other]);
  ranked.sort((one, other) => one[0] - other[0]);
  return ranked.length > 0 && ranked[0][0] <= Math.max(2, name.length / 3) ? ranked[0][1] : null;
}

function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const changed = row[column - 1] + (one[line - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(changed, row[column] + 1, next[column - 1] + 1));
    }
    row = next;
  }
  return row[other.length];
}

module.exports = { RingfenceError, expectKnown, expectOptions };
