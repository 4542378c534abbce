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

/** The name with the fewest changed, missing or exchanged letters; at most a third, as in the program. */
function nearest(name, known) {
  const ranked = known
    .map((other) => ({ other, letters: distance(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ other, letters }) => letters <= Math.max(1, name.length / 3, other.length / 3))
    .sort((one, other) => one.letters - other.letters);
  return ranked[0]?.other;
}

function distance(one, other) {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let line = 1; line <= one.length; line++) {
    const [row, before] = [[line], rows[line - 1]];
    for (let column = 1; column <= other.length; column++) {
      const [letter, last] = [one[line - 1], other[column - 1]];
      const changed = before[column - 1] + (letter === last ? 0 : 1);
      row.push(Math.min(changed, before[column] + 1, row[column - 1] + 1));
      const isExchanged = letter === other[column - 2] && one[line - 2] === last;
      if (isExchanged) row[column] = Math.min(row[column], rows[line - 2][column - 2] + 1);
    }
    rows.push(row);
  }
  return rows[one.length][other.length];
}

module.exports = { RingfenceError, expectKnown, expectOptions };
