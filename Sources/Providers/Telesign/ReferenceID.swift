import ProviderKit

/// What a reference id belongs to. The raw values are part of the ids: never change them.
enum ReferenceKind: Int {
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

/// The ids of what requests start: 32 upper-case hexadecimal digits, derived from the kind and the ordinal.
/// Source: contract 1.3.
enum ReferenceID {
  static func text(_ kind: ReferenceKind, _ ordinal: Int, in sandbox: Sandbox) -> String {
    sandbox.entropy.identifier("reference", ordinal, kind.rawValue).uppercased()
  }

  /// The kind and ordinal of a reference id; nil if the sandbox never gave it out.
  static func resolve(_ reference: String, in sandbox: Sandbox) -> (kind: ReferenceKind, ordinal: Int)? {
    guard isValid(reference),
      let (ordinal, part) = sandbox.entropy.ordinals(of: reference.lowercased(), under: "reference"),
      let kind = ReferenceKind(rawValue: part), ordinal > 0, ordinal <= sandbox.newestOrdinal
    else { return nil }
    return (kind, ordinal)
  }

  /// True for 32 upper-case hexadecimal digits.
  static func isValid(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { $0.isUppercaseHexDigit }
  }

  /// The reference id of a response that leads to no record.
  static func ofRequest(in sandbox: Sandbox) -> String {
    sandbox.requestIdentifier("reference of a request").uppercased()
  }
}
