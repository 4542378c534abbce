"use strict";

// Written by Tests/Tools/javascript_types.py: run make docs.
/** Where the value of each variable comes from: the URL of the sandbox, or a credential. */
exports.VARIABLES = {
  RINGFENCE_URL: {},
  API_TOKEN: { provider: "prelude", member: "apiToken" },
  PRELUDE_BASE_URL: {},
  TELESIGN_CUSTOMER_ID: { provider: "telesign", member: "customerId" },
  TELESIGN_API_KEY: { provider: "telesign", member: "apiKey" },
  TWILIO_ACCOUNT_SID: { provider: "twilio", member: "accountSid" },
  TWILIO_AUTH_TOKEN: { provider: "twilio", member: "authToken" },
  TWILIO_VERIFY_SERVICE_SID: { provider: "twilio", member: "serviceSid" },
  PROVE_CLIENT_ID: { provider: "prove", member: "clientId" },
  PROVE_CLIENT_SECRET: { provider: "prove", member: "clientSecret" },
  PROVE_BASE_URL: {},
  VONAGE_API_KEY: { provider: "vonage", member: "apiKey" },
  VONAGE_API_SECRET: { provider: "vonage", member: "apiSecret" },
  VONAGE_APPLICATION_ID: { provider: "vonage", member: "applicationId" },
  VONAGE_PRIVATE_KEY: { provider: "vonage", member: "privateKey", isFile: true },
  VONAGE_SIGNATURE_SECRET: { provider: "vonage", member: "signatureSecret" },
  HYPHEN_APP_ID: { provider: "hyphen", member: "appId" },
  HYPHEN_APP_SECRET: { provider: "hyphen", member: "appSecret" },
  HYPHEN_BASE_URL: {},
  SINCH_APPLICATION_KEY: { provider: "sinch", member: "applicationKey" },
  SINCH_APPLICATION_SECRET: { provider: "sinch", member: "applicationSecret" },
  CAMARA_CLIENT_ID: { provider: "camara", member: "clientId" },
  CAMARA_CLIENT_SECRET: { provider: "camara", member: "clientSecret" },
  CAMARA_BASE_URL: {},
  GOOGLE_APPLICATION_CREDENTIALS: { provider: "fcm", member: "serviceAccount", isFile: true },
  APNS_TEAM_ID: { provider: "apns", member: "teamId" },
  APNS_KEY_ID: { provider: "apns", member: "keyId" },
  APNS_KEY_FILE: { provider: "apns", member: "authKey", isFile: true },
};
