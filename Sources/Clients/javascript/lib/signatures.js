"use strict";

const crypto = require("node:crypto");

/**
 * How each provider signs webhooks: the header of the signature, and its check over the exact bytes. `isOf`
 * tells apart those that share a header.
 */
const SIGNERS = [
  { provider: "twilio", header: "x-twilio-signature", isValid: isTwilios },
  { provider: "telesign", header: "x-ts-authorization", isValid: isTelesigns },
  { provider: "prelude", header: "x-webhook-signature", isValid: isPreludes },
  {
    provider: "sinch", header: "authorization", isValid: isSinchs,
    isOf: (text) => text.startsWith("Application "),
  },
  { provider: "vonage", header: "authorization", isValid: isVonages, isOf: payloadHash },
];

/** The provider by the header of its signature, and if that is valid. */
function check(webhook, keys) {
  const signer = SIGNERS.find(({ header, isOf = () => true }) => {
    const text = webhook.headers[header];
    return text !== undefined && isOf(text);
  });
  if (!signer) return { provider: null, signature: "missing" };
  const isValid = signer.isValid(webhook, webhook.headers[signer.header], keys);
  return { provider: signer.provider, signature: isValid ? "valid" : "wrong" };
}

/** HMAC-SHA1 of the URL and the form's sorted members; another body is covered by its hash in the URL. */
function isTwilios({ url, headers, body }, signature, { credentials }) {
  let message = url;
  if ((headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded")) {
    const members = [...new URLSearchParams(body)].sort(([one], [other]) => (one < other ? -1 : 1));
    message += members.map(([name, value]) => name + value).join("");
  } else if (new URL(url).searchParams.get("bodySHA256") !== hex(body)) {
    return false;
  }
  return equal(signature, hmac("sha1", credentials.twilio.authToken, message));
}

/** HMAC-SHA256 of the body, in two headers. */
function isTelesigns({ headers, body }, signature, { credentials }) {
  const { customerId, apiKey } = credentials.telesign;
  return headers.authorization === `TSA ${customerId}:${signature}` &&
    equal(signature, hmac("sha256", Buffer.from(apiKey, "base64"), body));
}

/** RSASSA-PSS with SHA-256 of the body, by the published key. */
function isPreludes({ body }, header, { publicKey }) {
  const [scheme, ...rest] = header.split("=");
  const key = { key: publicKey, padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  return scheme === "rsassa-pss-sha256" &&
    crypto.verify("sha256", Buffer.from(body), key, Buffer.from(rest.join("="), "base64url"));
}

/** HMAC-SHA256 of five lines: method, hash of the body, type, time and path. */
function isSinchs({ url, headers, body }, signature, { credentials }) {
  const { applicationKey, applicationSecret } = credentials.sinch;
  const { pathname, search } = new URL(url);
  const digest = crypto.createHash("md5").update(body).digest("base64");
  const { "content-type": type = "", "x-timestamp": time = "" } = headers;
  const text = ["POST", digest, type, `x-timestamp:${time}`, pathname + search].join("\n");
  const made = hmac("sha256", Buffer.from(applicationSecret, "base64"), text);
  return equal(signature, `Application ${applicationKey}:${made}`);
}

/** HS256 of a token, with the hash of the body in its claims. */
function isVonages({ body }, header, { credentials }) {
  const [head, content, signature] = header.slice("Bearer ".length).split(".");
  const made = crypto.createHmac("sha256", credentials.vonage.signatureSecret).update(`${head}.${content}`);
  return equal(signature, made.digest("base64url")) && payloadHash(header) === hex(body);
}

/** The hash of the body in the claims of a bearer token, not verified; undefined of other texts. */
function payloadHash(header) {
  const parts = header.split(".");
  if (!header.startsWith("Bearer ") || parts.length !== 3) return undefined;
  try {
    return JSON.parse(Buffer.from(parts[1], "base64url").toString())?.payload_hash;
  } catch {
    return undefined;
  }
}

function hmac(hash, key, text) {
  return crypto.createHmac(hash, key).update(text).digest("base64");
}

function hex(text) {
  return crypto.createHash("sha256").update(text).digest("hex");
}

function equal(one, other) {
  return one.length === other.length && crypto.timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

module.exports = { check };
