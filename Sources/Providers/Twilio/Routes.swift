package import Domain
package import HTTP
import ProviderKit

// The table of contents: the operations of Twilio's `twilio_verify_v2.json`, and the sandbox's own URLs for phones.

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

      .deferred(.post, SilentURL.pattern, as: "postSilentURL", SilentURL.firstHop),
    ] + factorRoutes + passkeyRoutes + SilentURL.routes + notEmulated
  }

  /// Operations that answer 20404, with a line in the journal.
  private static var notEmulated: [Route<Sandbox>] {
    resource("RateLimit", "/v2/Services/{service}/RateLimits", id: "limit")
      + resource("Bucket", "/v2/Services/{service}/RateLimits/{limit}/Buckets", id: "bucket")
      + resource(
        "MessagingConfiguration", "/v2/Services/{service}/MessagingConfigurations", id: "country")
      + resource("Webhook", "/v2/Services/{service}/Webhooks", id: "webhook")
      + [
        .notEmulated(.post, "/v2/SafeList/Numbers", as: "createSafelist"),
        .notEmulated(.get, "/v2/SafeList/Numbers/{number}", as: "fetchSafelist"),
        .notEmulated(.delete, "/v2/SafeList/Numbers/{number}", as: "deleteSafelist"),
        .notEmulated(.get, "/v2/Attempts", as: "listAttempts"),
        .notEmulated(.get, "/v2/Attempts/Summary", as: "fetchAttemptsSummary"),
        .notEmulated(.get, "/v2/Attempts/{attempt}", as: "fetchAttempt"),
        .notEmulated(.get, "/v2/Templates", as: "listTemplates"),
        .notEmulated(.get, "/v2/Forms/{form}", as: "fetchForm"),
      ]
  }

  /// The five operations that most resources have, none of them emulated; `id` is the capture of one item.
  private static func resource(_ name: String, _ path: String, id: String) -> [Route<Sandbox>] {
    let item = Pattern(stringLiteral: "\(path)/{\(id)}")
    let collection = Pattern(stringLiteral: path)
    return [
      .notEmulated(.get, collection, as: "list\(name)s"),
      .notEmulated(.post, collection, as: "create\(name)"),
      .notEmulated(.get, item, as: "fetch\(name)"),
      .notEmulated(.post, item, as: "update\(name)"),
      .notEmulated(.delete, item, as: "delete\(name)"),
    ]
  }
}
