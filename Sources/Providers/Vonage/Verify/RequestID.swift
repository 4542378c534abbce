import ProviderKit

/// The id of a request of Verify v2: a UUID. No other sandbox has it, because it is in the URLs of silent
/// authentication. It follows from the ordinal, so that looking one up needs no index.
enum RequestID {
  static func of(_ verification: Verification, in sandbox: Sandbox) -> String {
    sandbox.tokenEntropy.uuid("vonage request", verification.ordinal, at: verification.createdAt)
  }

  /// Nil if there is none.
  static func verification(_ id: String, in sandbox: Sandbox) throws -> Verification? {
    guard let ordinal = sandbox.tokenEntropy.ordinal(ofUUID: id, under: "vonage request"),
      let found = try sandbox.verifications.find(ordinal), found.claim.provider == VonageProvider.name,
      of(found, in: sandbox) == id
    else { return nil }
    return found
  }

  /// That of either API.
  static func ofAnyAPI(_ verification: Verification, in sandbox: Sandbox) throws -> String {
    try StoredRequest(of: verification) == nil
      ? LegacyID.of(verification, in: sandbox) : of(verification, in: sandbox)
  }
}
