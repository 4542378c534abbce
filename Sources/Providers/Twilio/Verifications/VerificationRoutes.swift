import ProviderKit

extension TwilioProvider {
  static var verificationRoutes: [Route<Sandbox>] {
    [
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
    ] + SilentURL.routes
  }
}
