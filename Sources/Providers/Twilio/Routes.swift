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
    ] + SilentURL.routes + rateLimits + messagingConfigurations + attempts + safeListAndForms + notEmulated
  }

  private static var rateLimits: [Route<Sandbox>] {
    let limits: Pattern = "/v2/Services/{service}/RateLimits"
    let limit: Pattern = "/v2/Services/{service}/RateLimits/{limit}"
    let buckets: Pattern = "/v2/Services/{service}/RateLimits/{limit}/Buckets"
    let bucket: Pattern = "/v2/Services/{service}/RateLimits/{limit}/Buckets/{bucket}"
    return [
      .get(limits, as: "listRateLimits", authenticated(listRateLimits)),
      .post(limits, as: "createRateLimit", authenticated(createRateLimit)),
      .get(limit, as: "fetchRateLimit", authenticated(fetchRateLimit)),
      .post(limit, as: "updateRateLimit", authenticated(updateRateLimit)),
      .delete(limit, as: "deleteRateLimit", authenticated(deleteRateLimit)),
      .get(buckets, as: "listBuckets", authenticated(listBuckets)),
      .post(buckets, as: "createBucket", authenticated(createBucket)),
      .get(bucket, as: "fetchBucket", authenticated(fetchBucket)),
      .post(bucket, as: "updateBucket", authenticated(updateBucket)),
      .delete(bucket, as: "deleteBucket", authenticated(deleteBucket)),
    ]
  }

  private static var messagingConfigurations: [Route<Sandbox>] {
    let all: Pattern = "/v2/Services/{service}/MessagingConfigurations"
    let one: Pattern = "/v2/Services/{service}/MessagingConfigurations/{country}"
    return [
      .get(all, as: "listMessagingConfigurations", authenticated(listMessagingConfigurations)),
      .post(all, as: "createMessagingConfiguration", authenticated(createMessagingConfiguration)),
      .get(one, as: "fetchMessagingConfiguration", authenticated(fetchMessagingConfiguration)),
      .post(one, as: "updateMessagingConfiguration", authenticated(updateMessagingConfiguration)),
      .delete(one, as: "deleteMessagingConfiguration", authenticated(deleteMessagingConfiguration)),
    ]
  }

  private static var attempts: [Route<Sandbox>] {
    [
      .get("/v2/Attempts", as: "listAttempts", authenticated(listAttempts)),
      .get("/v2/Attempts/Summary", as: "fetchAttemptsSummary", authenticated(fetchAttemptsSummary)),
      .get("/v2/Attempts/{attempt}", as: "fetchAttempt", authenticated(fetchAttempt)),
    ]
  }

  private static var safeListAndForms: [Route<Sandbox>] {
    [
      .post("/v2/SafeList/Numbers", as: "createSafelist", authenticated(createSafelist)),
      .get("/v2/SafeList/Numbers/{number}", as: "fetchSafelist", authenticated(fetchSafelist)),
      .delete("/v2/SafeList/Numbers/{number}", as: "deleteSafelist", authenticated(deleteSafelist)),
      .get("/v2/Forms/{form}", as: "fetchForm", authenticated(fetchForm)),
    ]
  }

  /// Operations that answer 20404, with a line in the journal.
  private static var notEmulated: [Route<Sandbox>] {
    [
      .notEmulated(.post, "/v2/Services/{service}/AccessTokens", as: "createAccessToken"),
      .notEmulated(.get, "/v2/Services/{service}/AccessTokens/{token}", as: "fetchAccessToken"),
    ]
      + resource("Webhook", "/v2/Services/{service}/Webhooks", id: "webhook")
      + [
        .notEmulated(.get, "/v2/Services/{service}/Entities", as: "listEntities"),
        .notEmulated(.post, "/v2/Services/{service}/Entities", as: "createEntity"),
        .notEmulated(.get, "/v2/Services/{service}/Entities/{identity}", as: "fetchEntity"),
        .notEmulated(.delete, "/v2/Services/{service}/Entities/{identity}", as: "deleteEntity"),
      ]
      + resource("Factor", "/v2/Services/{service}/Entities/{identity}/Factors", id: "factor")
      + [
        .notEmulated(.get, "/v2/Services/{service}/Entities/{identity}/Challenges", as: "listChallenges"),
        .notEmulated(.post, "/v2/Services/{service}/Entities/{identity}/Challenges", as: "createChallenge"),
        .notEmulated(.get, challenge, as: "fetchChallenge"),
        .notEmulated(.post, challenge, as: "updateChallenge"),
        .notEmulated(.post, notifications, as: "createNotification"),
        .notEmulated(.post, "/v2/Services/{service}/Passkeys/Factors", as: "createPasskeysFactor"),
        .notEmulated(.post, "/v2/Services/{service}/Passkeys/VerifyFactor", as: "verifyPasskeysFactor"),
        .notEmulated(.post, "/v2/Services/{service}/Passkeys/Challenges", as: "createPasskeysChallenge"),
        .notEmulated(
          .post, "/v2/Services/{service}/Passkeys/ApproveChallenge", as: "approvePasskeysChallenge"),
        .notEmulated(.get, "/v2/Templates", as: "listTemplates"),
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
      .notEmulated(.get, collection, as: "list\(name)s"),
      .notEmulated(.post, collection, as: "create\(name)"),
      .notEmulated(.get, item, as: "fetch\(name)"),
      .notEmulated(.post, item, as: "update\(name)"),
      .notEmulated(.delete, item, as: "delete\(name)"),
    ]
  }
}
