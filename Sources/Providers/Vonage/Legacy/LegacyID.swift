import ProviderKit

/// The ids of Verify legacy: 32 hex digits that follow from the ordinal. Source: contract 9.
enum LegacyID {
  static func of(_ verification: Verification, in sandbox: Sandbox) -> String {
    sandbox.entropy.identifier("vonage legacy", verification.ordinal)
  }

  /// The id of an event, counted from 1.
  static func event(_ position: Int, of verification: Verification, in sandbox: Sandbox) -> String {
    sandbox.entropy.identifier("vonage event", verification.ordinal, position)
  }

  /// Nil if there is none.
  static func verification(_ id: String, in sandbox: Sandbox) throws -> Verification? {
    guard let (ordinal, part) = sandbox.entropy.ordinals(of: id, under: "vonage legacy"), part == 0,
      let found = try sandbox.verifications.find(ordinal), found.claim.provider == VonageProvider.name,
      try StoredRequest(of: found) == nil
    else { return nil }
    return found
  }
}
