"use strict";

const { createRequire } = require("node:module");
const path = require("node:path");
const { RingfenceError } = require("./errors.js");

/** Clients of the providers' SDKs that the tests have installed, for the sandbox that is given. */

exports.twilio = ({ url, credentials: { twilio: own } }) => {
  const client = load("twilio")(own.accountSid, own.authToken);
  for (const product of [client.verify, client.lookups, client.api]) product.baseUrl = url;
  return client;
};

exports.telesign = ({ url, credentials: { telesign: own } }) => {
  const Telesign = load("telesignenterprisesdk");
  return new Telesign(own.customerId, own.apiKey, url);
};

exports.prelude = ({ url, credentials: { prelude: own } }) => {
  const Prelude = load("@prelude.so/sdk");
  return new Prelude({ baseURL: url, apiToken: own.apiToken });
};

exports.prove = ({ url, credentials: { prove: own } }) => {
  const Proveapi = load("@prove-identity/prove-api", "Proveapi");
  const security = { clientID: own.clientId, clientSecret: own.clientSecret };
  return new Proveapi({ serverURL: url, security });
};

exports.vonage = ({ url, credentials: { vonage: own } }) => {
  const Vonage = load("@vonage/server-sdk", "Vonage", "@3");
  const { apiKey, apiSecret, applicationId, privateKey } = own;
  return new Vonage({ apiKey, apiSecret, applicationId, privateKey }, { apiHost: `${url}/vonage` });
};

exports.sinch = ({ url, credentials: { sinch: own } }) => {
  const SinchClient = load("@sinch/sdk-core", "SinchClient", "@1");
  const { applicationKey, applicationSecret } = own;
  return new SinchClient({ applicationKey, applicationSecret, verificationHostname: url });
};

/** A package, or its `member`, which only some versions have. */
function load(name, member, version = "") {
  const install = `npm install --save-dev ${name}${version}`;
  try {
    const loaded = createRequire(path.join(process.cwd(), "package.json"))(name);
    const wanted = member ? loaded[member] : loaded.default ?? loaded;
    if (wanted) return wanted;
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    throw new RingfenceError(`the package ${name} is not installed here: ${install}`);
  }
  throw new RingfenceError(`the installed version of ${name} has no ${member}: ${install}`);
}
