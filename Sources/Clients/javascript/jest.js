"use strict";

const { sandboxedBy } = require("./lib/sandboxed.js");

/** `test("…", sandboxed(async (sandbox) => { … }))` */
exports.sandboxed = sandboxedBy({
  name: () => expect.getState().currentTestName,
  print: (text) => console.error(text),
});
