"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { sandboxed } = require("ringfence/node-test");
const { sendPrelude, sendSinch, sendTelesign, sendText, sendVonage } = require("./providers.js");

const NUMBER = "+12025550100";
const NOON = { clock: "2026-01-05T12:00:00Z" };

const seed = (sandbox, parts) => sandbox.control.post("/control/seed", parts);

// How each provider is brought to send one, and what one of them must have.
const SENDERS = {
  twilio: [(sandbox) => sendText(sandbox, NUMBER, sandbox.webhooks.url), "delivered",
    ({ MessageStatus }) => MessageStatus === "delivered"],
  telesign: [async (sandbox) => {
    await seed(sandbox, { telesign: { settings: { "account.callback_url": sandbox.webhooks.url } } });
    await sendTelesign(sandbox, NUMBER);
  }, "", ({ status }) => typeof status.code === "number"],
  prelude: [(sandbox) => sendPrelude(sandbox, NUMBER, sandbox.webhooks.url), "",
    ({ type }) => /^verify\./.test(type)],
  sinch: [async (sandbox) => {
    await seed(sandbox, { sinch: { settings: { callbackUrl: `${sandbox.webhooks.url}?tenant=7` } } });
    await sendSinch(sandbox, NUMBER);
  }, "", ({ event }) => event === "VerificationRequestEvent"],
  vonage: [async (sandbox) => {
    const applications = [{ id: sandbox.credentials.vonage.applicationId, statusUrl: sandbox.webhooks.url }];
    await seed(sandbox, { vonage: { applications } });
    await sendVonage(sandbox, NUMBER);
  }, "", ({ channel }) => channel === "sms"],
};

for (const [provider, [send, contains, isRight]] of Object.entries(SENDERS)) {
  test(`${provider}'s webhooks have a valid signature, changed ones do not`, sandboxed(async (sandbox) => {
    await send(sandbox);
    await sandbox.advance("10m");
    const webhook = await sandbox.webhooks.wait({ provider, contains });
    assert.deepEqual([webhook.provider, webhook.signature], [provider, "valid"]);
    assert.ok(isRight(webhook.data), JSON.stringify(webhook.data));
    for (const received of sandbox.webhooks.received) {
      Object.assign(received, { isTaken: false, checked: undefined, body: `${received.body} ` });
    }
    await assert.rejects(sandbox.webhooks.wait(), new RegExp(`the signature of ${provider} is wrong`));
  }, NOON));
}

for (const token of ["secret", "a.b.c", "e30.e30.e30", "e30.bnVsbA.e30"]) {
  test(`the bearer token ${token} is no signature`, sandboxed(async (sandbox) => {
    const headers = { Authorization: `Bearer ${token}` };
    await fetch(sandbox.webhooks.url, { method: "POST", headers, body: "{}" });
    const { provider, signature } = await sandbox.webhooks.wait({ signature: "missing" });
    assert.deepEqual([provider, signature], [null, "missing"]);
  }, NOON));
}

for (const [provider, send] of [["twilio", sendText], ["prelude", sendPrelude]]) {
  test(`a wrong signature of ${provider} is refused, unless it is expected`, sandboxed(async (sandbox) => {
    await sandbox.fail("webhook-wrong-signature");
    await send(sandbox, NUMBER, sandbox.webhooks.url);
    await sandbox.advance("1m");
    const refusal = new RegExp(`the signature of ${provider} is wrong, not valid`);
    await assert.rejects(sandbox.webhooks.wait(), refusal);
    assert.equal((await sandbox.webhooks.wait({ signature: "wrong" })).signature, "wrong");
  }, NOON));
}

test("a missing signature is refused", sandboxed(async (sandbox) => {
  await sandbox.fail("webhook-no-signature");
  await sendText(sandbox, NUMBER, sandbox.webhooks.url);
  await sandbox.advance("1m");
  await assert.rejects(sandbox.webhooks.wait(), /the signature is missing, not valid/);
}, NOON));

test("webhooks that do not come: the error says that they are due later", sandboxed(async (sandbox) => {
  sandbox.webhooks.answer(500, 200);
  await sendPrelude(sandbox, NUMBER, sandbox.webhooks.url);
  await sandbox.advance("1s");
  await sandbox.webhooks.wait();
  await assert.rejects(sandbox.webhooks.wait({ contains: "no such text", within: 0 }), (error) => {
    assert.match(error.message, /no webhook came to http\S+ within 0 s:\n/);
    assert.match(
      error.message, /prelude verify\S+ to \S+: pending\n.*answered 500\n.* next attempt is at 2026-/);
    return true;
  });
}, NOON));

test("a receiver that fails gets the webhook again", sandboxed(async (sandbox) => {
  sandbox.webhooks.answer(500, 200);
  await sendPrelude(sandbox, NUMBER, sandbox.webhooks.url);
  await sandbox.advance("1h");
  const { data } = await sandbox.webhooks.wait();
  assert.deepEqual((await sandbox.webhooks.wait({ contains: data.id })).data, data);
}, NOON));

test("each sandbox gets its own webhooks", sandboxed(async (sandbox) => {
  await sendText(sandbox, NUMBER, sandbox.webhooks.url.replace(sandbox.name, "another"));
  await sandbox.advance("1m");
  await assert.rejects(sandbox.webhooks.wait({ within: 0 }), /failed|answered 404/);
}, NOON));

test("wait knows its options", sandboxed(async (sandbox) => {
  await assert.rejects(sandbox.webhooks.wait({ signature: "ok" }), /expected valid, wrong, missing or any/);
  await assert.rejects(sandbox.webhooks.wait({ providr: "twilio" }), /did you mean provider\?/);
}));
