import ProviderKit

extension ProveProvider {
  static var preFillRoutes: [Route<Sandbox>] {
    [
      .post("/v3/start", as: "startFlow", authenticated(startFlow)),
      .post("/v3/validate", as: "validateFlow", authenticated(validateFlow)),
      .post("/v3/challenge", as: "challengeFlow", authenticated(challengeFlow)),
      .post("/v3/complete", as: "completeFlow", authenticated(completeFlow)),
    ]
  }
}
