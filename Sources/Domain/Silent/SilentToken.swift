import JSON

/// The token of a session: the ordinal, permuted by the entropy, so that no index is needed to find it again.
enum SilentToken {
  /// `s_` and 26 digits of base32 (RFC 4648, lower case), which hold 128 bits.
  static func text(of ordinal: Int, in sandbox: Sandbox) -> String {
    guard var bits = UInt128(sandbox.entropy.identifier(label, ordinal), radix: 16) else {
      preconditionFailure("an identifier is 32 hex digits")
    }
    let digits = (0..<length).map { _ in
      defer { bits >>= 5 }
      return alphabet[Int(bits & 31)]
    }
    return prefix + String(decoding: digits, as: UTF8.self)
  }

  /// The ordinal behind a token; nil for any text that is none.
  static func ordinal(of token: String, in sandbox: Sandbox) -> Int? {
    guard token.hasPrefix(prefix), token.utf8.count == prefix.utf8.count + length else { return nil }
    var bits: UInt128 = 0
    for (place, digit) in token.utf8.dropFirst(prefix.utf8.count).enumerated() {
      guard let value = alphabet.firstIndex(of: digit), place < length - 1 || value < 8 else { return nil }
      bits |= UInt128(value) << UInt128(5 * place)
    }
    guard let (ordinal, part) = sandbox.entropy.ordinals(of: Hex.encode(bits), under: label), part == 0 else {
      return nil
    }
    return ordinal
  }

  private static let label: StaticString = "silent"
  private static let prefix = "s_"
  private static let length = 26
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
}
