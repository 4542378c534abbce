package import ProviderKit

// The table of contents: the operations of Twilio's `twilio_verify_v2.json` by folder, those of other APIs
// that apps use beside it (`twilio_oauth_v2.json`, `twilio_lookups_v2.json`, `twilio_lookups_v1.json`,
// `twilio_api_v2010_messages.json`), and the sandbox's own URLs for phones. Source: contract 16 and 20;
// `senders.md` 3 and 4.

extension TwilioProvider {
  package static var routes: [Route<Sandbox>] {
    serviceRoutes + verificationRoutes + webhookRoutes + factorRoutes + passkeyRoutes + rateLimitRoutes
      + attemptRoutes + accountRoutes + numberRoutes + lookupRoutes + messageRoutes + callRoutes + [
        .get("/v2/Templates", as: "listTemplates", authenticated(listTemplates)),
        .post("/v2/token", as: "createToken", createToken),
        .notEmulated(.get, "/v2/authorize", as: "authorize"),
      ]
  }
}
