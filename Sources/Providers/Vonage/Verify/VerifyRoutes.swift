import ProviderKit

extension VonageProvider {
  static var verifyRoutes: [Route<Sandbox>] {
    [
      .post("/v2/verify", as: "startVerification", authenticated(startVerification)),
      .post("/v2/verify/{request_id}", as: "checkCode", authenticated(checkCode)),
      .post(
        "/v2/verify/{request_id}/next_workflow", as: "nextWorkflow", authenticated(nextWorkflow)),
      .delete("/v2/verify/{request_id}", as: "cancelVerification", authenticated(cancelVerification)),
    ]
  }
}
