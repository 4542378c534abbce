/// Base32 (RFC 4648, section 6).
package enum Base32 {
  /// Accepts small letters, and any padding at the end. Returns nil for other characters and for an
  /// incomplete last byte.
  package static func decode(_ text: String) -> [UInt8]? {
    var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    let characters = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
    for character in characters {
      guard let value = value(of: character) else { return nil }
      bits = (bits << 5 | value) & 0xFFF
      count += 5
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return count < 5 ? bytes : nil
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 0x41
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 0x61
    case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(character) - 0x32 + 26
    default: nil
    }
  }
}
