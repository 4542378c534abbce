import ProviderKit

extension ProveProvider {
  static var authRoutes: [Route<Sandbox>] {
    [
      .post("/v1/server/auth/start", as: "startAuth", authenticated(startAuth)),
      .post("/v1/server/auth/continue", as: "continueAuth", authenticated(continueAuth)),
      .post("/v1/server/auth/finish", as: "finishAuth", authenticated(finishAuth)),
    ]
  }
}
