import Domain
import HTTP
import ProviderKit

// The operations of a Service's and an account's small resources.

extension TwilioProvider {
  static var resourceRoutes: [Route<Sandbox>] {
    rateLimits + messagingConfigurations + attempts + safeListAndForms
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
}
