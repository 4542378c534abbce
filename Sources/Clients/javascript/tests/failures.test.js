"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { sandboxed } = require("ringfence/node-test");
const { sendCode, sendPrelude, askForApproval } = require("./providers.js");

const NUMBER = "+12025550100";
const OTHER = "+12025550101";

test("a failure of the API, until it is repaired", sandboxed(async (sandbox) => {
  await sandbox.fail("api-503");
  assert.equal((await sendCode(sandbox, NUMBER)).status, 503);
  await sandbox.repair();
  assert.equal((await sendCode(sandbox, NUMBER)).status, 201);
}));

test("a failure of one number, provider and time", sandboxed(async (sandbox) => {
  await sandbox.fail("api-500", { to: NUMBER, provider: "twilio", times: 1 });
  assert.equal((await sendPrelude(sandbox, NUMBER)).status, 200);
  assert.equal((await sendCode(sandbox, OTHER)).status, 201);
  assert.equal((await sendCode(sandbox, NUMBER)).status, 500);
  assert.equal((await sendCode(sandbox, NUMBER)).status, 201);
  await sandbox.fail("api-503", { every: 2 });
  assert.equal((await sendCode(sandbox, OTHER)).status, 201);
  assert.equal((await sendCode(sandbox, OTHER)).status, 503);
}));

test("failures add up, and one that is over does not come back", sandboxed(async (sandbox) => {
  await sandbox.fail("api-once");
  assert.equal((await sendCode(sandbox, NUMBER)).status, 503);
  await sandbox.fail("api-500", { provider: "prelude" });
  await sandbox.fail("text-lost", { to: NUMBER });
  assert.equal((await sendCode(sandbox, NUMBER)).status, 201);
  assert.equal((await sendPrelude(sandbox, OTHER)).status, 500);
  assert.deepEqual(await sandbox.messages(NUMBER), []);
}));

test("failures that begin at once do not lose each other", sandboxed(async (sandbox) => {
  await Promise.all([NUMBER, OTHER].map((to) => sandbox.fail("text-lost", { to })));
  assert.equal((await sandbox.control.get("/control/scenarios")).scenarios.length, 2);
}));

test("a failure of a phone needs its number, and is undone", sandboxed(async (sandbox) => {
  await assert.rejects(
    sandbox.fail("text-landline"), /number: missing; expected the phone number of the line/);
  await sandbox.fail("text-landline", { to: NUMBER });
  await sendCode(sandbox, NUMBER);
  await assert.rejects(
    sandbox.code(NUMBER, { within: 0 }), /the text is refused, because its line takes no texts/);
  await sandbox.repair();
  await sendCode(sandbox, NUMBER);
  assert.match(await sandbox.code(NUMBER), /^\d{6}$/);
}));

test("a stolen key is refused by the provider, which is no error of the test", sandboxed(async (sandbox) => {
  await sandbox.phone(NUMBER).register("twilio", { identity: "user-ana-0001" });
  await askForApproval(sandbox, "user-ana-0001");
  await sandbox.fail("push-wrong-key", { to: NUMBER });
  const refused = await sandbox.journal.latest({ provider: "twilio" });
  assert.equal(refused.response.status, 401);
}));

test("a misspelt failure is refused with the nearest", sandboxed(async (sandbox) => {
  await assert.rejects(sandbox.fail("text-lots"), /there is no failure text-lots; did you mean text-lost\?/);
  await assert.rejects(sandbox.fail("nothing-like-it"), /GET \/control\/failures lists all/);
}));

test("options without effect are refused", sandboxed(async (sandbox) => {
  await assert.rejects(
    sandbox.fail("code-expired", { times: 2 }), /times: expected none, because code-expired is no rule/);
  await assert.rejects(sandbox.fail("text-lost", { number: NUMBER }), /unknown option of fail "number"/);
  await assert.rejects(sandbox.fail("text-lost", { provider: "twillio" }), /did you mean "?twilio/);
}));

test("a failure without a request says what to do", sandboxed(async (sandbox) => {
  await assert.rejects(
    sandbox.fail("code-wrong"), /code-wrong is a step of a person or an app: Enter another code\./);
}));
