"use strict";

const { sandboxedBy, nameIn } = require("./lib/sandboxed.js");

/** `test("…", sandboxed(async (sandbox, t) => { … }))` */
exports.sandboxed = sandboxedBy({
  name: nameIn,
  print: (text, [t]) => text.split("\n").forEach((line) => t.diagnostic(line)),
});
