/// 128 bits as 26 characters of Crockford's base 32, in lower case, as ULIDs have them.
package enum ULIDText {
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// The first character is `0` to `7`.
  package static func text(_ words: (high: UInt64, low: UInt64)) -> String {
    var (high, low) = words
    return String(unsafeUninitializedCapacity: 26) { characters in
      for index in (0..<26).reversed() {
        characters[index] = alphabet[Int(low & 31)]
        low = low >> 5 | high << 59
        high >>= 5
      }
      return 26
    }
  }

  /// Nil for text that is not 26 characters of the alphabet.
  package static func words(_ text: some StringProtocol) -> (high: UInt64, low: UInt64)? {
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
