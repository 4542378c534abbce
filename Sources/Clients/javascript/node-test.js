"use strict";

const { sandboxedBy } = require("./lib/sandboxed.js");

/** `test("…", sandboxed(async (sandbox, t) => { … }))` */
exports.sandboxed = sandboxedBy({
  name: ([t]) => t.fullName ?? t.name,
  print: (text, [t]) => text.split("\n").forEach((line) => t.diagnostic(line)),
});
