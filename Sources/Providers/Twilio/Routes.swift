package import Domain
package import HTTP
import ProviderKit

// The table of contents: the operations of Twilio's `twilio_verify_v2.json`, and the sandbox's own URLs for phones.

extension TwilioProvider {
  package static var routes: [Route<Sandbox>] {
    [
      .get("/v2/Services", as: "listServices", authenticated(listServices)),
      .post("/v2/Services", as: "createService", authenticated(createService)),
      .get("/v2/Services/{service}", as: "fetchService", authenticated(fetchService)),
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
    ] + SilentURL.routes + notEmulated
  }

  /// Operations that answer 20404, with a line in the journal.
  private static var notEmulated: [Route<Sandbox>] {
    [
      .absent(.post, "/v2/Services/{service}/AccessTokens", as: "createAccessToken"),
      .absent(.get, "/v2/Services/{service}/AccessTokens/{token}", as: "fetchAccessToken"),
    ]
      + resource("RateLimit", "/v2/Services/{service}/RateLimits", id: "limit")
      + resource("Bucket", "/v2/Services/{service}/RateLimits/{limit}/Buckets", id: "bucket")
      + resource(
        "MessagingConfiguration", "/v2/Services/{service}/MessagingConfigurations", id: "country")
      + resource("Webhook", "/v2/Services/{service}/Webhooks", id: "webhook")
      + [
        .absent(.get, "/v2/Services/{service}/Entities", as: "listEntities"),
        .absent(.post, "/v2/Services/{service}/Entities", as: "createEntity"),
        .absent(.get, "/v2/Services/{service}/Entities/{identity}", as: "fetchEntity"),
        .absent(.delete, "/v2/Services/{service}/Entities/{identity}", as: "deleteEntity"),
      ]
      + resource("Factor", "/v2/Services/{service}/Entities/{identity}/Factors", id: "factor")
      + [
        .absent(.get, "/v2/Services/{service}/Entities/{identity}/Challenges", as: "listChallenges"),
        .absent(.post, "/v2/Services/{service}/Entities/{identity}/Challenges", as: "createChallenge"),
        .absent(.get, challenge, as: "fetchChallenge"),
        .absent(.post, challenge, as: "updateChallenge"),
        .absent(.post, notifications, as: "createNotification"),
        .absent(.post, "/v2/Services/{service}/Passkeys/Factors", as: "createPasskeysFactor"),
        .absent(.post, "/v2/Services/{service}/Passkeys/VerifyFactor", as: "verifyPasskeysFactor"),
        .absent(.post, "/v2/Services/{service}/Passkeys/Challenges", as: "createPasskeysChallenge"),
        .absent(.post, "/v2/Services/{service}/Passkeys/ApproveChallenge", as: "approvePasskeysChallenge"),
        .absent(.post, "/v2/SafeList/Numbers", as: "createSafelist"),
        .absent(.get, "/v2/SafeList/Numbers/{number}", as: "fetchSafelist"),
        .absent(.delete, "/v2/SafeList/Numbers/{number}", as: "deleteSafelist"),
        .absent(.get, "/v2/Attempts", as: "listAttempts"),
        .absent(.get, "/v2/Attempts/Summary", as: "fetchAttemptsSummary"),
        .absent(.get, "/v2/Attempts/{attempt}", as: "fetchAttempt"),
        .absent(.get, "/v2/Templates", as: "listTemplates"),
        .absent(.get, "/v2/Forms/{form}", as: "fetchForm"),
      ]
  }

  private static let challenge: Pattern = "/v2/Services/{service}/Entities/{identity}/Challenges/{challenge}"
  private static let notifications: Pattern =
    "/v2/Services/{service}/Entities/{identity}/Challenges/{challenge}/Notifications"

  /// The five operations that most resources have, none of them emulated; `id` is the capture of one item.
  private static func resource(_ name: String, _ path: String, id: String) -> [Route<Sandbox>] {
    let item = Pattern(stringLiteral: "\(path)/{\(id)}")
    let collection = Pattern(stringLiteral: path)
    return [
      .absent(.get, collection, as: "list\(name)s"),
      .absent(.post, collection, as: "create\(name)"),
      .absent(.get, item, as: "fetch\(name)"),
      .absent(.post, item, as: "update\(name)"),
      .absent(.delete, item, as: "delete\(name)"),
    ]
  }
}
