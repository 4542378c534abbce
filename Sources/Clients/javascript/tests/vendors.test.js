"use strict";

/** The official SDKs cannot be installed everywhere: classes that keep their arguments stand for them. */

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { sandboxed } = require("ringfence/node-test");
const { node, project } = require("./processes.js");

const SDKS = {
  twilio: "module.exports = (...given) => ({ given, verify: {}, lookups: {}, api: {} });",
  telesignenterprisesdk: "module.exports = class { constructor(...given) { this.given = given; } };",
  "@prelude.so/sdk": "exports.default = class { constructor(given) { this.given = given; } };",
  "@prove-identity/prove-api": "exports.Proveapi = class { constructor(given) { this.given = given; } };",
  "@vonage/server-sdk": "exports.Vonage = class { constructor(...given) { this.given = given; } };",
  "@sinch/sdk-core": "exports.SinchClient = class { constructor(given) { this.given = given; } };",
};

test("46 B9: each client reaches its own sandbox, with requests as its SDK makes them", async (t) => {
  const files = Object.entries(SDKS).map(([name, text]) => [`node_modules/${name}/index.js`, text]);
  const app = project(t, { ...Object.fromEntries(files), "app.cjs": `
    const { Ringfence } = require("ringfence");
    const providers = require("./providers.js");
    const to = "+12025550100";
    (async () => {
      const sandbox = await (await Ringfence.shared()).sandbox();
      const { serviceSid } = sandbox.credentials.twilio;
      const [accountSid, authToken] = sandbox.twilio().given;
      for (const product of ["verify", "lookups", "api"]) {
        const url = sandbox.twilio()[product].baseUrl;
        await providers.sendCode({ url, credentials: { twilio: { accountSid, authToken, serviceSid } } }, to);
      }
      const [customerId, apiKey, endpoint] = sandbox.telesign().given;
      await providers.sendTelesign({ url: endpoint, credentials: { telesign: { customerId, apiKey } } }, to);
      const { baseURL, apiToken } = sandbox.prelude().given;
      await providers.sendPrelude({ url: baseURL, credentials: { prelude: { apiToken } } }, to);
      const { serverURL, security } = sandbox.prove().given;
      await providers.signInToProve(serverURL, security);
      const [vonage, { apiHost }] = sandbox.vonage().given;
      await providers.sendVonage({ url: apiHost, credentials: { vonage } }, to);
      const { verificationHostname, ...sinch } = sandbox.sinch().given;
      await providers.sendSignedSinch({ url: verificationHostname, credentials: { sinch } }, to);
      const requests = await sandbox.journal.requests();
      console.log(requests.map(({ provider, response }) => provider + " " + response.status).join());
    })();` });

  const { text } = await node(app, ["app.cjs"]);

  const statuses = ["twilio 201", "twilio 201", "twilio 201", "telesign 200", "prelude 200", "prove 200"];
  assert.equal(text, `${[...statuses, "vonage 202", "sinch 200"].join()}\n`);
});

test("46 G2: a version of an SDK that does not work is named", async (t) => {
  const app = project(t, {
    "node_modules/@sinch/sdk-core/index.js": "exports.Client = class {};", "app.cjs": `
      require("ringfence").Ringfence.shared().then((ringfence) => ringfence.sandbox())
        .then((sandbox) => sandbox.sinch()).catch((error) => console.log(error.message));` });

  const { text } = await node(app, ["app.cjs"]);
  assert.match(text, /sdk-core has no SinchClient: npm install --save-dev @sinch\/sdk-core@1\n/);
});

test("an SDK that is missing is named", sandboxed(async (sandbox) => {
  assert.throws(() => sandbox.twilio(), /twilio is not installed here: npm install --save-dev twilio/);
}));
