// Written by Tests/Tools/swift_types.py: run make docs.

extension Environment {
  /// Where the value of each variable comes from.
  static let sources: [String: Source] = [
    "RINGFENCE_URL": .url,
    "API_TOKEN": .credential("prelude", "apiToken"),
    "PRELUDE_BASE_URL": .url,
    "TELESIGN_CUSTOMER_ID": .credential("telesign", "customerId"),
    "TELESIGN_API_KEY": .credential("telesign", "apiKey"),
    "TWILIO_ACCOUNT_SID": .credential("twilio", "accountSid"),
    "TWILIO_AUTH_TOKEN": .credential("twilio", "authToken"),
    "TWILIO_VERIFY_SERVICE_SID": .credential("twilio", "serviceSid"),
    "PROVE_CLIENT_ID": .credential("prove", "clientId"),
    "PROVE_CLIENT_SECRET": .credential("prove", "clientSecret"),
    "PROVE_BASE_URL": .url,
    "VONAGE_API_KEY": .credential("vonage", "apiKey"),
    "VONAGE_API_SECRET": .credential("vonage", "apiSecret"),
    "VONAGE_APPLICATION_ID": .credential("vonage", "applicationId"),
    "VONAGE_PRIVATE_KEY": .file("vonage", "privateKey"),
    "VONAGE_SIGNATURE_SECRET": .credential("vonage", "signatureSecret"),
    "HYPHEN_APP_ID": .credential("hyphen", "appId"),
    "HYPHEN_APP_SECRET": .credential("hyphen", "appSecret"),
    "HYPHEN_BASE_URL": .url,
    "SINCH_APPLICATION_KEY": .credential("sinch", "applicationKey"),
    "SINCH_APPLICATION_SECRET": .credential("sinch", "applicationSecret"),
    "CAMARA_CLIENT_ID": .credential("camara", "clientId"),
    "CAMARA_CLIENT_SECRET": .credential("camara", "clientSecret"),
    "CAMARA_BASE_URL": .url,
    "GOOGLE_APPLICATION_CREDENTIALS": .file("fcm", "serviceAccount"),
    "APNS_TEAM_ID": .credential("apns", "teamId"),
    "APNS_KEY_ID": .credential("apns", "keyId"),
    "APNS_KEY_FILE": .file("apns", "authKey"),
  ]
}
