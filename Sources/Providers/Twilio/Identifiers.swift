import Domain
import JSON
import ProviderKit

/// What a SID names; the raw value is its first two letters. Source: contract 2.1.
enum SidKind: String {
  case account = "AC"
  case apiKey = "SK"
  case oauthClient = "OQ"
  case service = "VA"
  case verification = "VE"
  case attempt = "VL"
  case messagingService = "MG"
  case credential = "CR"
  case template = "HJ"
  case rateLimit = "RK"
  case bucket = "BL"
  case safeNumber = "GN"
  case entity = "YE"
  case factor = "YF"
  case challenge = "YC"
  case notification = "NT"
  case accessToken = "YK"

  /// True for a SID of this kind: the two letters and 32 hex digits.
  func matches(_ text: String) -> Bool {
    text.utf8.count == 34 && text.hasPrefix(rawValue)
      && text.utf8.dropFirst(2).allSatisfy {
        $0.isHexDigit
      }
  }
}

extension FieldType where Value == String {
  static func sid(_ kind: SidKind) -> FieldType {
    .text(
      .string(pattern: "^\(kind.rawValue)[0-9A-Fa-f]{32}$"), expected: "\(kind.rawValue) and 32 hex digits",
      kind.matches)
  }
}

// SIDs of verifications and their attempts follow from ordinals, so that they can be read back without a
// table.

func sid(of verification: Verification, in sandbox: Sandbox) -> String {
  sandbox.entropy.labelledIdentifier("VE", verification.ordinal)
}

/// `attempt` counts the sends of a verification from 1.
func sid(ofAttempt attempt: Int, of verification: Verification, in sandbox: Sandbox) -> String {
  sandbox.entropy.labelledIdentifier("VL", verification.ordinal, attempt)
}

/// The ordinals of the attempt with this SID: of its verification, and of the send from 1.
func ordinals(ofAttempt sid: String, in sandbox: Sandbox) -> (verification: Int, attempt: Int)? {
  guard SidKind.attempt.matches(sid) else { return nil }
  return sandbox.entropy.ordinals(of: sid.dropFirst(2), under: "VL")
}

/// The ordinal of the verification with this SID; nil for any text that is not a SID of this sandbox.
func ordinal(ofVerification sid: String, in sandbox: Sandbox) -> Int? {
  guard SidKind.verification.matches(sid),
    let (ordinal, part) = sandbox.entropy.ordinals(of: sid.dropFirst(2), under: "VE"), part == 0
  else { return nil }
  return ordinal
}
