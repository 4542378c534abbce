"use strict";

/** The runners that can be missing are stood for by modules with what their documentation promises. */

const assert = require("node:assert/strict");
const fs = require("node:fs");
const { describe, test } = require("node:test");
const { Ringfence } = require("ringfence");
const { PACKAGE, folder, node, project, ended } = require("./processes.js");

describe("node:test", () => {
  const FAILING = `
    import { test } from "node:test";
    import { sandboxed } from "ringfence/node-test";
    import { sendCode } from "./providers.js";
    test("signs in", sandboxed(async (sandbox) => {
      await sendCode(sandbox, "+1202");
      throw new Error("the app has failed");
    }));`;

  test("a failing test prints what was sent, refused and why, and writes a report", async (t) => {
    const reports = folder(t);
    const app = project(t, { "failing.mjs": FAILING });
    const { status, text } = await node(app, ["failing.mjs"], { RINGFENCE_REPORT: reports });
    assert.equal(status, 1);
    assert.match(text, /the app has failed/);
    assert.match(text, /What happened in the sandbox of signs in:\n.*sandbox \S+: http/);
    assert.match(text, / 400 POST .*\n.*\n.*\n.*why: To: expected a phone number/);
    assert.match(fs.readdirSync(reports).join(), /^signs-in-sandbox-\w+\.html$/);
  });

  test("a failing test on a server of others keeps its sandbox for an hour, with a link", async (t) => {
    const ringfence = await Ringfence.start({ fresh: true });
    const app = project(t, { "failing.mjs": FAILING });
    const { text } = await node(app, ["failing.mjs"], { RINGFENCE_URL: ringfence.url });
    const [, name] = text.match(/console: http\S+\/s\/([^/]+)\/console/);
    assert.equal((await ringfence.control.get(`/control/sandboxes/${name}`)).ttl, "1h");
    await ringfence.stop();
  });

  test("a server that dies does not hide the error of the test", async (t) => {
    const app = project(t, { "failing.mjs": FAILING.replace(
      "throw", "process.kill((await Ringfence.shared()).pid, 'SIGKILL'); throw",
    ).replace("import", 'import { Ringfence } from "ringfence"; import') });
    const { text } = await node(app, ["failing.mjs"]);
    assert.match(text, /the app has failed/);
    assert.match(text, /ringfence: no answer from the server/);
  });
});

describe("46 G1: every runner that takes a function", () => {
  const { sandboxed } = require("ringfence");
  const { sandboxed: inNode } = require("ringfence/node-test");

  test("gives its context and its arguments to the test", async () => {
    const seen = [];
    const body = function (sandbox, ...given) { seen.push(sandbox.name.slice(0, 7), this, given); };
    await sandboxed(body).call("context", 1, 2);
    assert.deepEqual(seen, ["sandbox", "context", [1, 2]]);
    assert.equal(sandboxed(body).length, 0);
  });

  for (const [runner, context, given, name] of [
    ["Mocha", { test: { fullTitle: () => "suite signs in" } }, [], "suite signs in"],
    ["AVA", undefined, [{ title: "signs in" }], "signs in"],
    ["tape", undefined, [{ name: "signs in" }], "signs in"],
    ["Jasmine", {}, [], "signsIn"],
  ]) {
    test(`a test of ${runner} is named in what is printed`, async (t) => {
      const printed = [];
      const print = console.error;
      t.after(() => (console.error = print));
      console.error = (text) => printed.push(text.split("\n")[0]);
      const failing = sandboxed(async function signsIn() { throw new Error("the app has failed"); });
      await assert.rejects(failing.apply(context, given), /the app has failed/);
      assert.deepEqual(printed, [`What happened in the sandbox of ${name}:`]);
    });
  }

  test("Node 18.0 gives no name", async () => {
    const lines = [];
    const context = { diagnostic: (line) => lines.push(line) };
    const failing = inNode(() => { throw new Error("the app has failed"); });
    await assert.rejects(failing(context), /the app has failed/);
    assert.equal(lines[0], "What happened in the sandbox of a test:");
  });
});

describe("setup", () => {
  test("starts one server for all workers, and returns what stops it", async () => {
    const { text, status } = await node(PACKAGE, ["-e", `(async () => {
      const setup = require("ringfence/setup");
      const stop = await setup();
      const url = process.env.RINGFENCE_URL;
      await setup();
      if (process.env.RINGFENCE_URL !== url) throw new Error("two servers");
      const { Ringfence } = require("ringfence");
      const shared = await Ringfence.shared();
      if (shared.url !== url || shared.pid || !shared.isTransient) throw new Error("its own server");
      await shared.sandbox();
      await stop();
      console.log(url);
    })()`]);
    assert.equal(status, 0, text);
    await ended(text.trim());
  });

  test("has the names of Node's global setup", () => {
    const setup = require("ringfence/setup");
    assert.deepEqual(Object.keys(setup), ["globalSetup", "globalTeardown"]);
  });
});

/** Calls the fixture of a runner as the runner does, and prints what the test saw. */
const CALL = `
  let name;
  await test.fixtures.sandbox(given, async (sandbox) => {
    name = sandbox.name;
    const { clock } = await sandbox.control.get("/control/sandboxes/" + name);
    console.log("clock", clock.mode);
  }, info);
  const { Ringfence } = await import("ringfence");
  const all = (await (await Ringfence.shared()).control.get("/control/sandboxes")).sandboxes;
  console.log("left", all.map((each) => each.name).filter((each) => each === name).length);`;

describe("Vitest", () => {
  const MODULES = {
    "node_modules/vitest/package.json": '{ "name": "vitest", "type": "module", "exports": "./index.js" }',
    "node_modules/vitest/index.js": "export const test = { extend: (fixtures) => ({ fixtures }) };",
  };

  for (const [outcome, result] of [["passes", "{}"], ["fails", "{ errors: [new Error()] }"]]) {
    test(`the fixture of a test that ${outcome}`, async (t) => {
      const app = project(t, { ...MODULES, "app.mjs": `import { test } from "ringfence/vitest";
        const sandboxOptions = { ...test.fixtures.sandboxOptions, clock: "2026-01-05T12:00:00Z" };
        const given = { sandboxOptions, task: { name: "signs in", result: ${result} } }, info = undefined;
        ${CALL}` });
      const { status, text } = await node(app, ["app.mjs"]);
      assert.equal(status, 0, text);
      assert.match(text, /clock frozen\n[^]*left 0\n/);
      assert.equal(text.includes("What happened in the sandbox of signs in"), outcome === "fails");
    });
  }

  test("a test without fixtures", async (t) => {
    const app = project(t, { ...MODULES, "app.mjs": `import { sandboxed } from "ringfence/vitest";
      const body = async (sandbox, { task }) => console.log(sandbox.name, task.name);
      await sandboxed(body)({ task: { name: "one" } });
    ` });
    assert.match((await node(app, ["app.mjs"])).text, /^sandbox-\w+ one\n$/);
  });
});

describe("Playwright", () => {
  const MODULES = {
    "node_modules/@playwright/test/package.json": '{ "name": "@playwright/test", "main": "./index.js" }',
    "node_modules/@playwright/test/index.js": `
      exports.test = { extend: (fixtures) => ({ fixtures }) };
      exports.expect = "expect";`,
  };
  const info = (status) => `{
    titlePath: ["a.spec.js", "signs in"], status: "${status}", expectedStatus: "passed",
    attach: async (name, { body }) => console.log("attached", name, body.split("\\n")[0]) }`;

  for (const [status, options, mode, left] of [
    ["passed", '{ clock: "2026-01-05T12:00:00Z" }', "frozen", 0],
    ["failed", "{}", "real", 0],
    ["passed", '{ existing: "default" }', "real", 1],
  ]) {
    test(`the fixture of a test that ${status}, with ${options}`, async (t) => {
      const app = project(t, { ...MODULES, "app.mjs": `import { test, expect } from "ringfence/playwright";
        if (expect !== "expect") throw new Error("no expect");
        const given = { sandboxOptions: ${options} }, info = ${info(status)};
        ${CALL}` });
      const { status: exit, text } = await node(app, ["app.mjs"]);
      assert.equal(exit, 0, text);
      assert.match(text, new RegExp(`clock ${mode}\\n[^]*left ${left}\\n`));
      const attached = "attached ringfence What happened in the sandbox of a.spec.js › signs in:";
      assert.equal(text.includes(attached), status === "failed");
    });
  }
});
