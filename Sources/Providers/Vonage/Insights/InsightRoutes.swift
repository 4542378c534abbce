import ProviderKit

extension VonageProvider {
  static var insightRoutes: [Route<Sandbox>] {
    [
      .post(
        "/identity-insights/v1/requests", as: "requestInsights",
        authenticated(by: [.token], requestInsights))
    ]
      + NumberInsight.Level.allCases.flatMap { level in
        [
          .get(level.path, as: level.operation, legacy { try numberInsight($0, level) }),
          .post(level.path, as: "\(level.operation)ByPost", legacy { try numberInsight($0, level) }),
        ]
      }
  }
}
