import ProviderKit

// Source: contract 12.

extension TwilioProvider {
  static var passkeyRoutes: [Route<Sandbox>] {
    [
      .post(
        "/v2/Services/{service}/Passkeys/Factors", as: "createPasskeysFactor",
        authenticated(createPasskeysFactor, adoptsService: true)),
      .post(
        "/v2/Services/{service}/Passkeys/VerifyFactor", as: "verifyPasskeysFactor",
        authenticated(verifyPasskeysFactor)),
      .post(
        "/v2/Services/{service}/Passkeys/Challenges", as: "createPasskeysChallenge",
        authenticated(createPasskeysChallenge)),
      .post(
        "/v2/Services/{service}/Passkeys/ApproveChallenge", as: "approvePasskeysChallenge",
        authenticated(approvePasskeysChallenge)),
    ]
  }
}
