import ProviderKit

/// What an identifier names. Source: contract 2.6.
enum IdentifierKind {
  case verification, event, attempt, deliveryStatus, message, inbound, prediction, evaluation

  fileprivate var label: StaticString {
    switch self {
    case .verification: "vrf"
    case .event: "evt"
    case .attempt: "att"
    case .deliveryStatus: "dls"
    case .message: "tx"
    case .inbound: "im"
    case .prediction: "prd"
    case .evaluation: "evl"
    }
  }

  var prefix: String { "\(label)_" }
}

/// Texts such as `vrf_01…`, from which the sandbox reads its ordinals back.
enum Identifier {
  /// `vrf_01…`, derived from an ordinal and a time. Identifiers sort by their times.
  static func text(
    _ kind: IdentifierKind, _ ordinal: Int, at time: Timestamp, in sandbox: Sandbox
  ) -> String {
    kind.prefix + ULIDText.text(sandbox.entropy.timeOrdered(kind.label, ordinal, at: time))
  }

  /// A new identifier for a record that is not stored.
  static func new(_ kind: IdentifierKind, in sandbox: Sandbox) -> String {
    text(kind, sandbox.nextOrdinal(), at: sandbox.clock.now, in: sandbox)
  }

  /// `att_…`, derived from an ordinal and one of its parts. Identifiers of this form have no order.
  static func text(_ kind: IdentifierKind, _ ordinal: Int, part: Int, in sandbox: Sandbox) -> String {
    let digits = sandbox.entropy.identifier(kind.label, ordinal, part)
    guard let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16)
    else { preconditionFailure("an identifier has 32 hex digits: \(digits)") }
    return kind.prefix + ULIDText.text((high, low))
  }

  static func text(of verification: Verification, in sandbox: Sandbox) -> String {
    text(.verification, verification.ordinal, at: verification.createdAt, in: sandbox)
  }

  /// The ordinal and the part of an identifier without an order; nil for text of another form.
  static func ordinalAndPart(
    of text: String, _ kind: IdentifierKind, in sandbox: Sandbox
  ) -> (ordinal: Int, part: Int)? {
    guard let words = words(of: text, kind) else { return nil }
    return sandbox.entropy.ordinals(of: Hex.encode(words.high) + Hex.encode(words.low), under: kind.label)
  }

  /// The ordinal of a time-ordered identifier; nil for text of another form. The time is not verified:
  /// compare the whole identifier with that of the record found.
  static func ordinal(of text: String, _ kind: IdentifierKind, in sandbox: Sandbox) -> Int? {
    words(of: text, kind).flatMap { sandbox.entropy.ordinal(ofTimeOrdered: $0, under: kind.label) }
  }

  private static func words(of text: String, _ kind: IdentifierKind) -> (high: UInt64, low: UInt64)? {
    guard text.hasPrefix(kind.prefix) else { return nil }
    return ULIDText.words(text.dropFirst(kind.prefix.utf8.count))
  }
}
