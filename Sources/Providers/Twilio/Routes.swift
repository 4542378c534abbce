import Domain
import HTTP
import ProviderKit

/// Operations of the vendor's that are not emulated yet: they answer in its words and the journal says so.
var absentRoutes: [Route<Sandbox>] {
  [
    .absent(.post, "/v2/Services/{service}/AccessTokens", as: "createAccessToken"),
    .absent(.get, "/v2/Services/{service}/AccessTokens/{token}", as: "fetchAccessToken"),
  ]
    + resource("RateLimit", "/v2/Services/{service}/RateLimits", item: "limit")
    + resource("Bucket", "/v2/Services/{service}/RateLimits/{limit}/Buckets", item: "bucket")
    + resource(
      "MessagingConfiguration", "/v2/Services/{service}/MessagingConfigurations", item: "country")
    + resource("Webhook", "/v2/Services/{service}/Webhooks", item: "webhook")
    + [
      .absent(.get, "/v2/Services/{service}/Entities", as: "listEntities"),
      .absent(.post, "/v2/Services/{service}/Entities", as: "createEntity"),
      .absent(.get, "/v2/Services/{service}/Entities/{identity}", as: "fetchEntity"),
      .absent(.delete, "/v2/Services/{service}/Entities/{identity}", as: "deleteEntity"),
    ]
    + resource("Factor", "/v2/Services/{service}/Entities/{identity}/Factors", item: "factor")
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

private let challenge: Pattern = "/v2/Services/{service}/Entities/{identity}/Challenges/{challenge}"
private let notifications: Pattern =
  "/v2/Services/{service}/Entities/{identity}/Challenges/{challenge}/Notifications"

/// List, create, fetch, update and delete, which most of the vendor's resources have.
private func resource(_ name: String, _ path: String, item: String) -> [Route<Sandbox>] {
  let one = Pattern(stringLiteral: "\(path)/{\(item)}")
  let all = Pattern(stringLiteral: path)
  return [
    .absent(.get, all, as: "list\(name)s"),
    .absent(.post, all, as: "create\(name)"),
    .absent(.get, one, as: "fetch\(name)"),
    .absent(.post, one, as: "update\(name)"),
    .absent(.delete, one, as: "delete\(name)"),
  ]
}
