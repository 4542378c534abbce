"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { describe, test } = require("node:test");
const { Ringfence, RingfenceError } = require("ringfence");
const { sandboxed } = require("ringfence/node-test");
const { verify, sendCode, checkCode, sendPrelude, sendTelesign, askForApproval } = require("./providers.js");

const NUMBER = "+12025550100";
const OTHER = "+12025550101";
const NOON = { clock: "2026-01-05T12:00:00Z" };

describe("codes", () => {
  test("a code signs in", sandboxed(async (sandbox) => {
    assert.equal((await sendCode(sandbox, NUMBER)).body.status, "pending");
    const code = await sandbox.code(NUMBER);
    assert.match(code, /^\d{6}$/);
    assert.equal(await checkCode(sandbox, NUMBER, code), "approved");
  }));

  test("code waits for a code that is sent later", sandboxed(async (sandbox) => {
    const waiting = sandbox.code(NUMBER);
    await sendCode(sandbox, NUMBER);
    assert.match(await waiting, /^\d{6}$/);
  }));

  test("code asks for one provider", sandboxed(async (sandbox) => {
    await sendCode(sandbox, NUMBER);
    await sendPrelude(sandbox, NUMBER);
    const [twilio, prelude] = await Promise.all(
      ["twilio", "prelude"].map((provider) => sandbox.code(NUMBER, { provider })));
    assert.notEqual(twilio, prelude);
    assert.equal(await sandbox.code(NUMBER, { channel: "sms" }), prelude);
  }));

  test("no code: the error says what was sent, refused and why", sandboxed(async (sandbox) => {
    await sendCode(sandbox, OTHER);
    await verify(sandbox, "Verifications", { To: NUMBER, Channel: "sms" }, "wrong");
    await assert.rejects(sandbox.code(NUMBER, { within: 0 }), (error) => {
      assert.ok(error instanceof RingfenceError);
      assert.match(error.message, /^no code for \+12025550100 came within 0 s:\nsandbox \S+: http\S+\/\n/);
      assert.match(error.message, /201 POST .*\n.*sent: .*\n.* sms to \+12025550101: .*\d{6}/);
      assert.match(error.message, /401 POST \/v2\/Services\/\w+\/Verifications\n.*\n.*\n.*why: wrong secret/);
      return true;
    });
  }));

  test("no code: the error names the nearest route of a wrong path", sandboxed(async (sandbox) => {
    await verify(sandbox, "Verification", { To: NUMBER, Channel: "sms" });
    await assert.rejects(
      sandbox.code(NUMBER, { within: 0 }), /404 POST \S+Verification\n(.*\n)*.*nearest: .*Verifications/);
  }));

  test("no code: the error has no control characters", sandboxed(async (sandbox) => {
    await verify(sandbox, "Verifications", { To: "12\u001b[2J\u009b", Channel: "sms" });
    await assert.rejects(sandbox.code(NUMBER, { within: 0 }), /12<U\+001B>\[2J<U\+009B>/);
  }));

  test("no code: a text that has not arrived is named", sandboxed(async (sandbox) => {
    await sandbox.fail("text-lost");
    await sendCode(sandbox, NUMBER);
    await assert.rejects(
      sandbox.code(NUMBER, { within: 0 }),
      /sms to \+12025550100: .*\n.*the text is lost, because of the failure text-lost \(scenario 1\)/);
  }));

  test("a misspelt option is refused with the nearest", sandboxed(async (sandbox) => {
    await assert.rejects(sandbox.code(NUMBER, { provder: "twilio" }), /"provder"; did you mean provider\?/);
    await assert.rejects(sandbox.code(NUMBER, { within: "soon" }), /within: expected seconds/);
  }));

  test("messages and message show texts", sandboxed(async (sandbox) => {
    await sendCode(sandbox, NUMBER);
    await sendTelesign(sandbox, OTHER);
    const message = await sandbox.message(NUMBER);
    assert.ok(message.text.includes(message.code));
    assert.deepEqual((await sandbox.messages(NUMBER)).map((each) => each.id), [message.id]);
    assert.deepEqual((await sandbox.messages()).map((each) => each.to), [NUMBER, OTHER]);
    await assert.rejects(sandbox.message("+12025550102", { within: 0 }), /no message for \+12025550102/);
  }));
});

describe("time", () => {
  test("advance expires a code", sandboxed(async (sandbox) => {
    await sendCode(sandbox, NUMBER);
    const code = await sandbox.code(NUMBER);
    assert.deepEqual(await sandbox.advance("11m"), new Date("2026-01-05T12:11:00Z"));
    assert.notEqual(await checkCode(sandbox, NUMBER, code), "approved");
  }, NOON));

  test("freeze stops the clock, and release lets it run", sandboxed(async (sandbox) => {
    const frozen = await sandbox.freeze();
    assert.deepEqual(await sandbox.now(), frozen);
    const at = new Date("2030-01-01T00:00:00Z");
    await sandbox.freeze(at);
    assert.deepEqual(await sandbox.now(), at);
    await sandbox.release();
    assert.equal((await sandbox.control.get("/control/clock")).mode, "real");
  }));

  test("a duration that is none is refused", sandboxed(async (sandbox) => {
    await assert.rejects(sandbox.advance("soon"), { status: 400, field: "$.advance" });
  }));
});

describe("environment", () => {
  test("env has base URLs, credentials and files", sandboxed(async (sandbox) => {
    const { env, credentials } = sandbox;
    assert.equal(env.PRELUDE_BASE_URL, sandbox.url);
    assert.equal(env.TWILIO_ACCOUNT_SID, credentials.twilio.accountSid);
    const account = JSON.parse(fs.readFileSync(env.GOOGLE_APPLICATION_CREDENTIALS, "utf8"));
    assert.equal(account.type, "service_account");
  }));

  test("useEnv sets variables and restores them", sandboxed(async (sandbox) => {
    process.env.API_TOKEN = "mine";
    delete process.env.TWILIO_AUTH_TOKEN;
    const restore = sandbox.useEnv();
    assert.equal(process.env.API_TOKEN, sandbox.credentials.prelude.apiToken);
    assert.equal(process.env.TWILIO_AUTH_TOKEN, sandbox.credentials.twilio.authToken);
    restore();
    assert.equal(process.env.API_TOKEN, "mine");
    assert.equal(process.env.TWILIO_AUTH_TOKEN, undefined);
    delete process.env.API_TOKEN;
  }));

  test("a deleted sandbox leaves no variables and files", async () => {
    const sandbox = await (await Ringfence.shared()).sandbox();
    delete process.env.APNS_KEY_FILE;
    sandbox.useEnv();
    const { APNS_KEY_FILE } = process.env;
    assert.ok(fs.existsSync(APNS_KEY_FILE));
    await sandbox.delete();
    assert.equal(process.env.APNS_KEY_FILE, undefined);
    assert.ok(!fs.existsSync(APNS_KEY_FILE));
    await assert.rejects(sandbox.now(), RingfenceError);
  });
});

describe("phones", () => {
  test("a person approves and denies", sandboxed(async (sandbox) => {
    const phone = sandbox.phone(NUMBER);
    await phone.register("twilio", { identity: "user-ana-0001" });
    await askForApproval(sandbox, "user-ana-0001");
    assert.equal((await phone.approve()).state, "approved");
    await askForApproval(sandbox, "user-ana-0001");
    assert.equal((await phone.deny()).state, "denied");
  }));

  test("nothing to approve is an error", sandboxed(async (sandbox) => {
    await assert.rejects(sandbox.phone(NUMBER).approve(), RingfenceError);
  }));

  test("a silent URL is opened over mobile data", sandboxed(async (sandbox) => {
    const { sna } = (await sendCode(sandbox, NUMBER, "sna")).body;
    const opened = await sandbox.phone(NUMBER).open(sna.url);
    assert.match(opened.text, /^ErrorCode=0&/);
  }));

  test("a SIM swap moves the messages to the previous holder", sandboxed(async (sandbox) => {
    const phone = sandbox.phone(NUMBER);
    await sendCode(sandbox, NUMBER);
    assert.match(await phone.code(), /^\d{6}$/);
    await phone.event("simSwap");
    assert.deepEqual(await phone.messages(), []);
    await assert.rejects(phone.event("simSwop"), /simSwap/);
  }));

  test("a reply arrives, and a landline gets no texts", sandboxed(async (sandbox) => {
    const phone = sandbox.phone(NUMBER);
    await sendCode(sandbox, NUMBER);
    assert.equal((await phone.reply("STOP")).text, "STOP");
    await phone.set({ lineType: "landline" });
    await sendCode(sandbox, NUMBER);
    assert.equal((await phone.messages()).length, 1);
  }));
});

describe("records", () => {
  test("the journal has requests with reasons", sandboxed(async (sandbox) => {
    await sendCode(sandbox, NUMBER);
    await verify(sandbox, "Verifications", { Channel: "sms" });
    const latest = await sandbox.journal.latest();
    assert.equal(latest.response.status, 400);
    assert.match(latest.why, /To/);
    const all = [];
    for await (const { response } of sandbox.journal) all.push(response.status);
    assert.deepEqual(all, [201, 400]);
    assert.equal((await sandbox.journal.requests({ status: 201 })).length, 1);
    assert.equal(await sandbox.journal.latest({ provider: "prelude" }), null);
    await sandbox.journal.clear();
    assert.deepEqual(await sandbox.journal.requests(), []);
  }));

  test("the journal waits for a request", sandboxed(async (sandbox) => {
    const waiting = sandbox.journal.wait({ provider: "twilio", route: "createVerification" });
    await sendCode(sandbox, NUMBER);
    assert.equal((await waiting).response.status, 201);
    const never = sandbox.journal.wait({ contains: "+4912" }, { within: 0 });
    await assert.rejects(never, /no request with contains \+4912 came within 0 s/);
  }));

  test("verifications are found by number and provider", sandboxed(async (sandbox) => {
    await sendCode(sandbox, NUMBER);
    await sendPrelude(sandbox, OTHER);
    assert.deepEqual((await sandbox.verifications({ to: NUMBER })).map((each) => each.state), ["pending"]);
    assert.deepEqual((await sandbox.verifications({ provider: "prelude" })).map((each) => each.to), [OTHER]);
  }));

  test("a report has the test and its requests", sandboxed(async (sandbox, t) => {
    const file = path.join(os.tmpdir(), `${sandbox.name}-${process.pid}`, "report.html");
    await sendCode(sandbox, NUMBER);
    await sandbox.report(file);
    const page = fs.readFileSync(file, "utf8");
    assert.ok(page.includes(NUMBER) && page.includes(t.name));
    fs.rmSync(path.dirname(file), { recursive: true });
  }));

  test("a reset forgets everything", sandboxed(async (sandbox) => {
    await sandbox.fail("api-500");
    await sandbox.reset();
    assert.equal((await sendCode(sandbox, NUMBER)).status, 201);
    assert.equal((await sandbox.messages()).length, 1);
  }));
});
