internal import COpenSSL

/// Base64 with the alphabet `+/` and padding, as RFC 4648 section 4 has it.
package enum Base64 {
  /// Bytes as text, in one line, padded to a multiple of four characters.
  package static func encode(_ bytes: [UInt8]) -> String {
    let count = (bytes.count + 2) / 3 * 4
    // OpenSSL ends the text with a zero byte.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 1) { text in
      _ = EVP_EncodeBlock(text.baseAddress, bytes, Int32(bytes.count))
      return String(decoding: text.prefix(count), as: UTF8.self)
    }
  }

  /// The bytes a text stands for, `nil` when it is not exactly what `encode` would give for them.
  package static func decode(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8(decode)
  }

  private static func decode(_ characters: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard characters.count.isMultiple(of: 4) else { return nil }
    var padding = 0
    while padding < min(2, characters.count), characters[characters.count - 1 - padding] == UInt8(ascii: "=") {
      padding += 1
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    // OpenSSL's decoder forgives spaces and stray bits, a credential must not.
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    for index in 0..<characters.count - padding {
      guard let value = value(of: characters[index]) else { return nil }
      bits = bits << 6 | value
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
      bits &= 1 << bitCount - 1
    }
    return bits == 0 && (padding > 0) == (bitCount > 0) && bitCount < 6 ? bytes : nil
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
