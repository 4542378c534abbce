import ProviderKit

extension ProveProvider {
  static var verifyRoutes: [Route<Sandbox>] {
    [
      .post("/v3/verify", as: "verifyIdentity", authenticated(verifyIdentity)),
      .post(
        "/v3/verify/batch", as: "verifyIdentities",
        authenticated(maxBytes: maxBatchBytes, verifyIdentities)),
    ]
  }
}
