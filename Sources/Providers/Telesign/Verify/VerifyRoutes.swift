import ProviderKit

extension TelesignProvider {
  /// One of the provider's clients leaves out `/state`. Source: contract 3.3, quirk 6.
  static var verifyRoutes: [Route<Sandbox>] {
    [
      .post("/verification", as: "createVerification", authenticated(.verify, createVerification)),
      .get(
        "/verification/{reference_id}", as: "fetchVerification", authenticated(.verify, fetchVerification)),
      .on(
        .patch, "/verification/{reference_id}/state", as: "finalizeVerification",
        authenticated(.verify, finalizeVerification)),
      .on(
        .patch, "/verification/{reference_id}", as: "finalizeVerificationShortly",
        authenticated(.verify, finalizeVerification)),
    ]
  }
}
