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

test("clients have the URL and the credentials of the sandbox", async (t) => {
  const files = Object.entries(SDKS).map(([name, text]) => [`node_modules/${name}/index.js`, text]);
  const app = project(t, { ...Object.fromEntries(files), "app.cjs": `
    require("ringfence").Ringfence.shared().then(async (ringfence) => {
      const sandbox = await ringfence.sandbox();
      const names = ["twilio", "telesign", "prelude", "prove", "vonage", "sinch"];
      const clients = names.map((name) => sandbox[name]());
      const { url, credentials } = sandbox;
      console.log(JSON.stringify({ url, credentials, clients }));
    });` });

  const { text } = await node(app, ["app.cjs"]);
  const { url, credentials, clients: [twilio, telesign, prelude, prove, vonage, sinch] } = JSON.parse(text);

  assert.deepEqual(twilio.given, [credentials.twilio.accountSid, credentials.twilio.authToken]);
  assert.deepEqual([twilio.verify.baseUrl, twilio.lookups.baseUrl, twilio.api.baseUrl], [url, url, url]);
  assert.deepEqual(telesign.given, [credentials.telesign.customerId, credentials.telesign.apiKey, url]);
  assert.deepEqual(prelude.given, { baseURL: url, apiToken: credentials.prelude.apiToken });
  const { clientId: clientID, clientSecret } = credentials.prove;
  assert.deepEqual(prove.given, { serverURL: url, security: { clientID, clientSecret } });
  const { signatureSecret, ...signIn } = credentials.vonage;
  assert.deepEqual(vonage.given, [signIn, { apiHost: `${url}/vonage` }]);
  assert.deepEqual(sinch.given, { ...credentials.sinch, verificationHostname: url });
});

test("an SDK that is missing is named", sandboxed(async (sandbox) => {
  assert.throws(() => sandbox.twilio(), /twilio is not installed here: npm install --save-dev twilio/);
}));
