import ProviderKit

extension TwilioProvider {
  static var attemptRoutes: [Route<Sandbox>] {
    [
      .get("/v2/Attempts", as: "listAttempts", authenticated(listAttempts)),
      .get("/v2/Attempts/Summary", as: "fetchAttemptsSummary", authenticated(fetchAttemptsSummary)),
      .get("/v2/Attempts/{attempt}", as: "fetchAttempt", authenticated(fetchAttempt)),
    ]
  }
}
