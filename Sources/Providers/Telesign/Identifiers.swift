import Domain
import JSON
import ProviderKit

/// What a reference id is of. The number of a kind is part of the ids, so it never changes.
enum Kind: Int {
  case request = 1
  case verification
  case smsVerification
  case callVerification
  case appVerification
  case message
  case omnichannelMessage
  case call
  case lookup
  case score
  case fraudEvent
  case push
}

/// 32 upper-case hexadecimal digits for what has this ordinal. Source: contract 1.3.
func referenceID(_ kind: Kind, _ ordinal: Int, in sandbox: Sandbox) -> String {
  sandbox.entropy.identifier("reference", ordinal, kind.rawValue).uppercased()
}

/// What a reference id stands for; nil for digits that were never given out.
func resolve(_ reference: String, in sandbox: Sandbox) -> (kind: Kind, ordinal: Int)? {
  guard isReference(reference),
    let (ordinal, part) = sandbox.entropy.ordinals(of: reference.lowercased(), under: "reference"),
    let kind = Kind(rawValue: part), ordinal > 0, ordinal <= sandbox.newestOrdinal
  else { return nil }
  return (kind, ordinal)
}

/// Whether a text has the form of a reference id.
func isReference(_ text: String) -> Bool {
  text.utf8.count == 32 && text.utf8.allSatisfy { $0.isUppercaseHexDigit }
}

/// The id of an answer that stands for no more than itself.
func requestReference(in sandbox: Sandbox) -> String {
  sandbox.requestIdentifier("reference of a request").uppercased()
}

extension Timestamp {
  /// `2026-01-05T10:20:30.412000Z`: RFC 3339 in UTC with six digits; the clock has three. Source: contract 1.3.
  var microseconds: String { iso8601Milliseconds.dropLast() + "000Z" }
}
