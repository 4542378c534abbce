import Domain
import JSON
import ProviderKit

/// The two letters that begin a SID, and what it names. Source: contract 2.1.
enum SidKind: String {
  case account = "AC"
  case apiKey = "SK"
  case service = "VA"
  case verification = "VE"
  case attempt = "VL"
  case messagingService = "MG"
  case credential = "CR"
  case template = "HJ"

  /// Whether a text has the form of such a SID: the two letters and 32 hex digits.
  func matches(_ text: String) -> Bool {
    text.utf8.count == 34 && text.hasPrefix(rawValue)
      && text.utf8.dropFirst(2).allSatisfy {
        $0.isHexDigit
      }
  }
}

/// The SID of a verification.
func sid(of verification: Verification, in sandbox: Sandbox) -> String {
  sandbox.entropy.labelledIdentifier("VE", verification.ordinal)
}

/// The SID of one sending.
func sid(of attempt: Attempt, of verification: Verification, in sandbox: Sandbox) -> String {
  sid(ofAttempt: attempt.number, of: verification, in: sandbox)
}

/// The SID of the n-th sending.
func sid(ofAttempt number: Int, of verification: Verification, in sandbox: Sandbox) -> String {
  sandbox.entropy.labelledIdentifier("VL", verification.ordinal, number)
}

/// The ordinal behind a verification's SID; nil for text of another form and for SIDs nobody gave out.
func ordinal(ofVerification sid: String, in sandbox: Sandbox) -> Int? {
  guard SidKind.verification.matches(sid),
    let (ordinal, part) = sandbox.entropy.ordinals(of: sid.dropFirst(2), under: "VE"), part == 0
  else { return nil }
  return ordinal
}
