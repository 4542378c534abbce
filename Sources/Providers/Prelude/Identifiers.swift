import Domain
import JSON
import ProviderKit

/// The word that begins an identifier. Source: contract 2.6.
enum Kind: String {
  case verification = "vrf"
  case event = "evt"
  case attempt = "att"
  case deliveryStatus = "dls"
  case message = "tx"
  case template = "template"
  case inbound = "im"
  case prediction = "prd"
  case evaluation = "evl"
  case subscription = "sub"
  case request = "req"

  fileprivate var label: StaticString {
    switch self {
    case .verification: "vrf"
    case .event: "evt"
    case .attempt: "att"
    case .deliveryStatus: "dls"
    case .message: "tx"
    case .template: "template"
    case .inbound: "im"
    case .prediction: "prd"
    case .evaluation: "evl"
    case .subscription: "sub"
    case .request: "req"
    }
  }
}

/// The identifier of what has this ordinal and began at this time: `vrf_01…`, in order of time.
func identifier(
  _ kind: Kind, _ ordinal: Int, at time: Timestamp, in sandbox: Sandbox
) -> String {
  kind.rawValue + "_" + Base32.text(sandbox.entropy.timeOrdered(kind.label, ordinal, at: time))
}

/// An identifier without an order: `att_…`; one thing may have many parts.
func identifier(_ kind: Kind, _ ordinal: Int, part: Int, in sandbox: Sandbox) -> String {
  let digits = sandbox.entropy.identifier(kind.label, ordinal, part)
  guard let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16)
  else { preconditionFailure("an identifier has 32 hex digits: \(digits)") }
  return kind.rawValue + "_" + Base32.text((high, low))
}

/// The ordinal and the part behind an identifier without an order; nil for text of another form.
func parts(of text: String, _ kind: Kind, in sandbox: Sandbox) -> (ordinal: Int, part: Int)? {
  guard text.hasPrefix(kind.rawValue + "_"),
    let words = Base32.words(text.dropFirst(kind.rawValue.utf8.count + 1))
  else { return nil }
  let digits = Hex.encode(words.high) + Hex.encode(words.low)
  return sandbox.entropy.ordinals(of: digits, under: kind.label)
}

/// The ordinal behind an identifier that leads with its time; nil for text of another form. What is found
/// by it has this identifier only if it began at the time that the identifier says.
func ordinal(of text: String, _ kind: Kind, in sandbox: Sandbox) -> Int? {
  guard text.hasPrefix(kind.rawValue + "_"),
    let words = Base32.words(text.dropFirst(kind.rawValue.utf8.count + 1))
  else { return nil }
  return sandbox.entropy.ordinal(ofTimeOrdered: words, under: kind.label)
}

/// A verification's identifier.
func identifier(of verification: Verification, in sandbox: Sandbox) -> String {
  identifier(.verification, verification.ordinal, at: verification.createdAt, in: sandbox)
}

/// The identifier of one request: no two of a sandbox have the same.
func requestIdentifier(in sandbox: Sandbox) -> String {
  let digits = sandbox.requestIdentifier("req")
  guard let drawn = UInt64(digits.prefix(15), radix: 16) else {
    preconditionFailure("an identifier has 32 hex digits: \(digits)")
  }
  return identifier(.request, Int(drawn), at: sandbox.clock.now, in: sandbox)
}

/// 128 bits as 26 characters of Crockford's base 32, in lower case. Source: contract 18.
enum Base32 {
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// The characters of two words, the first one `0` to `7`.
  static func text(_ words: (high: UInt64, low: UInt64)) -> String {
    var (high, low) = words
    var characters: [UInt8] = []
    for _ in 0..<26 {
      characters.append(alphabet[Int(low & 31)])
      low = low >> 5 | high << 59
      high >>= 5
    }
    return String(decoding: characters.reversed(), as: UTF8.self)
  }

  /// The words behind 26 characters; nil for any other text.
  static func words(_ text: some StringProtocol) -> (high: UInt64, low: UInt64)? {
    guard text.utf8.count == 26, let first = text.utf8.first, (0x30...0x37).contains(first) else {
      return nil
    }
    var (high, low) = (UInt64(0), UInt64(0))
    for character in text.utf8 {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      high = high << 5 | low >> 59
      low = low << 5 | UInt64(value)
    }
    return (high, low)
  }
}
