import ProviderKit

extension PreludeProvider {
  static var verifyRoutes: [Route<Sandbox>] {
    [
      withBody(.post, "/v2/verification", as: "createVerification", createVerification),
      withBody(.post, "/v2/verification/check", as: "checkVerification", checkVerification),
    ]
  }
}
