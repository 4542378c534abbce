import ProviderKit

/// SIDs of verifications and their attempts. They follow from ordinals, so that they can be read back without
/// a table.
enum VerificationSid {
  static func of(_ verification: Verification, in sandbox: Sandbox) -> String {
    sandbox.entropy.labelledIdentifier("VE", verification.ordinal)
  }

  /// `attempt` counts the sends of a verification from 1.
  static func ofAttempt(_ attempt: Int, of verification: Verification, in sandbox: Sandbox) -> String {
    sandbox.entropy.labelledIdentifier("VL", verification.ordinal, attempt)
  }

  /// The ordinals of the attempt with this SID: of its verification, and of the send from 1.
  static func ordinals(ofAttempt sid: String, in sandbox: Sandbox) -> (verification: Int, attempt: Int)? {
    guard SidKind.attempt.matches(sid) else { return nil }
    return sandbox.entropy.ordinals(of: sid.dropFirst(2), under: "VL")
  }

  /// The ordinal of the verification with this SID; nil for any text that is not a SID of this sandbox.
  static func ordinal(of sid: String, in sandbox: Sandbox) -> Int? {
    guard SidKind.verification.matches(sid),
      let (ordinal, part) = sandbox.entropy.ordinals(of: sid.dropFirst(2), under: "VE"), part == 0
    else { return nil }
    return ordinal
  }
}
