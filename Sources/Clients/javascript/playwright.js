"use strict";

const { test: base, expect } = require("@playwright/test");
const { Ringfence } = require("./lib/ringfence.js");
const { Trial } = require("./lib/sandboxed.js");

/** `test("…", async ({ page, sandbox }) => { … })`: each test has its own sandbox. */
const test = base.extend({
  /** What it is created with. `{ existing: "default" }` is the sandbox of the app, reset for each test. */
  sandboxOptions: [{}, { option: true }],
  sandbox: async ({ sandboxOptions }, use, testInfo) => {
    const { existing, ...options } = sandboxOptions;
    const ringfence = await Ringfence.shared();
    const sandbox = await (existing ? ringfence.existing(existing) : ringfence.sandbox(options));
    if (existing) await sandbox.reset();
    const trial = new Trial(sandbox, testInfo.titlePath.join(" › "), async (text) => {
      console.error(text);
      await testInfo.attach("ringfence", { body: text, contentType: "text/plain" });
    });
    await trial.begin();
    await use(sandbox);
    await trial.end(testInfo.status === testInfo.expectedStatus ? "passed" : "failed", { isOwn: !existing });
  },
});

module.exports = { test, expect };
