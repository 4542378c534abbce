package import Domain
package import HTTP
import ProviderKit

// The table of contents: the operations of Twilio's `twilio_verify_v2.json`, and the sandbox's own URLs for
// phones.

extension TwilioProvider {
  package static var routes: [Route<Sandbox>] {
    [
      .get("/v2/Services", as: "listServices", authenticated(listServices)),
      .post("/v2/Services", as: "createService", authenticated(createService)),
      .get(
        "/v2/Services/{service}", as: "fetchService",
        deviceOrServer { context, _ in try fetchService(context) }),
      .post("/v2/Services/{service}", as: "updateService", authenticated(updateService)),
      .delete("/v2/Services/{service}", as: "deleteService", authenticated(deleteService)),

      .post(
        "/v2/Services/{service}/Verifications", as: "createVerification",
        authenticated(createVerification, adoptsService: true)),
      .get(
        "/v2/Services/{service}/Verifications/{verification}", as: "fetchVerification",
        authenticated(fetchVerification)),
      .post(
        "/v2/Services/{service}/Verifications/{verification}", as: "updateVerification",
        authenticated(updateVerification)),
      .post(
        "/v2/Services/{service}/VerificationCheck", as: "checkVerification", authenticated(checkVerification)),

      .get("/v2/Services/{service}/Webhooks", as: "listWebhooks", authenticated(listWebhooks)),
      .post("/v2/Services/{service}/Webhooks", as: "createWebhook", authenticated(createWebhook)),
      .get("/v2/Services/{service}/Webhooks/{webhook}", as: "fetchWebhook", authenticated(fetchWebhook)),
      .post("/v2/Services/{service}/Webhooks/{webhook}", as: "updateWebhook", authenticated(updateWebhook)),
      .delete("/v2/Services/{service}/Webhooks/{webhook}", as: "deleteWebhook", authenticated(deleteWebhook)),

      .get("/v2/Templates", as: "listTemplates", authenticated(listTemplates)),

      .deferred(.post, SilentURL.pattern, as: "postSilentURL", SilentURL.firstHop),
    ] + factorRoutes + passkeyRoutes + resourceRoutes + SilentURL.routes + neighbourRoutes
  }
}
