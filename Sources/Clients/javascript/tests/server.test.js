"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { describe, test } = require("node:test");
const { Ringfence, RingfenceError } = require("ringfence");
const { findProgram } = require("../lib/program.js");
const { PACKAGE, folder, node, isUp, ended } = require("./processes.js");

const NUMBER = "+12025550100";

describe("the program", () => {
  test("starts on a free port and stops", async () => {
    const ringfence = await Ringfence.start({ fresh: true });
    assert.ok(ringfence.pid && (await isUp(ringfence.url)));
    await ringfence.stop();
    assert.ok(!(await isUp(ringfence.url)));
  });

  test("takes options of run, and reports those that are none", async () => {
    const ringfence = await Ringfence.start({ fresh: true, options: ["--entropy-seed", "7"] });
    const { control } = await ringfence.existing("default");
    assert.equal((await control.get("/control/entropy")).entropySeed, 7);
    await ringfence.stop();
    const misspelt = Ringfence.start({ fresh: true, options: ["--nmbers", "any"] });
    await assert.rejects(misspelt, /did not start: status \d+\n[^]*--nmbers/);
    await assert.rejects(Ringfence.start({ frsh: true }), /did you mean fresh\?/);
  });

  test("is that of RINGFENCE_BINARY, of the wheel, or of the PATH", (t) => {
    const [wheel, bin, empty] = [folder(t), folder(t), folder(t)];
    fs.mkdirSync(path.join(wheel, "bin"));
    fs.copyFileSync("/bin/true", path.join(wheel, "bin/ringfence"));
    fs.copyFileSync("/bin/true", path.join(bin, "ringfence"));
    const find = (environment) => findProgram(environment, empty);
    assert.equal(find({ RINGFENCE_BINARY: "/bin/true", PATH: bin }), "/bin/true");
    assert.equal(find({ VIRTUAL_ENV: wheel, PATH: bin }), path.join(wheel, "bin/ringfence"));
    assert.equal(find({ PATH: `${empty}:${bin}` }), path.join(bin, "ringfence"));
    assert.throws(() => find({ PATH: empty }), /there is no program ringfence for \S+: install/);
    // What npm puts on the PATH is a script of this package, and would call itself.
    fs.symlinkSync(path.join(PACKAGE, "bin/ringfence.js"), path.join(empty, "ringfence"));
    assert.throws(() => find({ PATH: empty }), /there is no program ringfence for/);
    const missing = { RINGFENCE_BINARY: "/no", PATH: bin };
    assert.throws(() => find(missing), /RINGFENCE_BINARY: there is no program/);
  });

  test("is not started by an old Node, which is said", async () => {
    const versions = 'Object.defineProperty(process, "versions", { value: { node: "12.22.9" } })';
    const { status, text } = await node(PACKAGE, ["-e", `${versions}; require("./bin/ringfence.js")`]);
    assert.equal(text, "ringfence: expected Node 18 or newer, found 12.22.9\n");
    assert.equal(status, 1);
  });

  test("is not started if there is a server", async () => {
    const own = await Ringfence.start({ fresh: true });
    const other = await Ringfence.start({ url: `${own.url}/s/default/` });
    assert.equal(other.url, own.url);
    assert.equal(other.pid, undefined);
    const { credentials } = await other.sandbox({ name: "shared" });
    assert.deepEqual((await own.existing("shared")).credentials, credentials);
    await other.stop();
    await own.stop();
  });

  for (const [how, script] of [
    ["exits without stopping it", ""],
    ["is killed", "process.kill(process.pid, 'SIGKILL')"],
    ["throws", "throw new Error('unexpected')"],
  ]) {
    test(`ends when the process ${how}`, async () => {
      const { text } = await node(PACKAGE, ["-e", `require("ringfence").Ringfence.start().then((it) => {
        require("node:fs").writeSync(1, it.url + " "); ${script} })`]);
      assert.match(text, /^http:/);
      await ended(text.split(" ")[0]);
    });
  }
});

describe("a dead server", () => {
  test("is an error that says so", async () => {
    const ringfence = await Ringfence.start({ fresh: true });
    const sandbox = await ringfence.sandbox();
    process.kill(ringfence.pid, "SIGKILL");
    await ended(ringfence.url);
    await assert.rejects(sandbox.code(NUMBER), (error) => {
      assert.ok(error instanceof RingfenceError);
      assert.match(error.message, /^no answer from the server at http\S+ \(.+\): it has ended with signal/);
      return true;
    });
    await ringfence.stop();
  });

  test("that somebody else has started is named", async () => {
    const ringfence = await Ringfence.start({ url: "http://127.0.0.1:1" });
    const refusal = /no answer from the server at http:\/\/127.0.0.1:1 .*RINGFENCE_URL/;
    await assert.rejects(ringfence.sandbox(), refusal);
    await ringfence.stop();
  });
});
