"use strict";

const crypto = require("node:crypto");

/** Requests as the providers' SDKs send them; the SDKs themselves may be missing. */

async function post(url, headers, body) {
  const isForm = body instanceof URLSearchParams;
  const type = isForm ? {} : { "Content-Type": "application/json" };
  const answer = await fetch(url, {
    method: "POST", headers: { ...headers, ...type }, body: isForm ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: text && JSON.parse(text) };
}

function basic(user, password) {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}

/** Twilio Verify: a request below the service of the sandbox, or with a wrong token. */
function verify(sandbox, path, form, token = sandbox.credentials.twilio.authToken) {
  const { accountSid, serviceSid } = sandbox.credentials.twilio;
  return post(
    `${sandbox.url}/v2/Services/${serviceSid}/${path}`, basic(accountSid, token), new URLSearchParams(form));
}

function sendCode(sandbox, to, channel = "sms") {
  return verify(sandbox, "Verifications", { To: to, Channel: channel });
}

async function checkCode(sandbox, to, code) {
  return (await verify(sandbox, "VerificationCheck", { To: to, Code: code })).body.status;
}

function sendText(sandbox, to, callback) {
  const { accountSid, authToken } = sandbox.credentials.twilio;
  const form = { To: to, From: "+12025550199", Body: "Hello", ...(callback && { StatusCallback: callback }) };
  return post(
    `${sandbox.url}/2010-04-01/Accounts/${accountSid}/Messages.json`, basic(accountSid, authToken),
    new URLSearchParams(form));
}

function sendPrelude(sandbox, to, callback) {
  const headers = { Authorization: `Bearer ${sandbox.credentials.prelude.apiToken}` };
  const target = { type: "phone_number", value: to };
  return post(
    `${sandbox.url}/v2/verification`, headers, { target, options: callback && { callback_url: callback } });
}

function sendTelesign(sandbox, to) {
  const { customerId, apiKey } = sandbox.credentials.telesign;
  const form = new URLSearchParams({ phone_number: to.slice(1) });
  return post(`${sandbox.url}/v1/verify/sms`, basic(customerId, apiKey), form);
}

function sendSinch(sandbox, to) {
  const { applicationKey, applicationSecret } = sandbox.credentials.sinch;
  const body = { identity: { type: "number", endpoint: to }, method: "sms" };
  return post(`${sandbox.url}/verification/v1/verifications`, basic(applicationKey, applicationSecret), body);
}

/** Signs the path of the API, whatever the base URL is, as the SDK does. Source: sinch-verification.md 1. */
function sendSignedSinch({ url, credentials: { sinch: own } }, to) {
  const path = "/verification/v1/verifications";
  const body = { identity: { type: "number", endpoint: to }, method: "sms" };
  const digest = crypto.createHash("md5").update(JSON.stringify(body)).digest("base64");
  const timestamp = { "x-timestamp": new Date().toISOString() };
  const stamp = `x-timestamp:${timestamp["x-timestamp"]}`;
  const text = ["POST", digest, "application/json", stamp, path].join("\n");
  const key = Buffer.from(own.applicationSecret, "base64");
  const signature = crypto.createHmac("sha256", key).update(text).digest("base64");
  return post(
    `${url}${path}`, { Authorization: `Application ${own.applicationKey}:${signature}`, ...timestamp }, body);
}

function signInToProve(url, { clientID, clientSecret }) {
  const form = { grant_type: "client_credentials", client_id: clientID, client_secret: clientSecret };
  return post(`${url}/token`, {}, new URLSearchParams(form));
}

/** Signs as the application, which has webhooks; key and secret have none. */
function sendVonage(sandbox, to) {
  const { applicationId, privateKey } = sandbox.credentials.vonage;
  const time = Math.floor(Date.now() / 1000);
  const claims = { application_id: applicationId, iat: time, exp: time + 900, jti: "1" };
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  const token = `${signed}.${crypto.sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
  const body = { brand: "Acme", workflow: [{ channel: "sms", to: to.slice(1) }] };
  return post(`${sandbox.url}/v2/verify`, { Authorization: `Bearer ${token}` }, body);
}

/** Asks the phone of a person who has registered for Twilio's pushes. */
async function askForApproval(sandbox, identity) {
  const { accountSid, authToken, serviceSid } = sandbox.credentials.twilio;
  const entity = `Entities/${identity}`;
  const answer = await fetch(`${sandbox.url}/v2/Services/${serviceSid}/${entity}/Factors`, {
    headers: basic(accountSid, authToken),
  });
  const [factor] = (await answer.json()).factors;
  const form = { FactorSid: factor.sid, "Details.Message": "Sign in?" };
  return verify(sandbox, `${entity}/Challenges`, form);
}

module.exports = {
  verify, sendCode, checkCode, sendText, sendPrelude, sendTelesign, sendSinch, sendSignedSinch,
  sendVonage, signInToProve, askForApproval,
};
