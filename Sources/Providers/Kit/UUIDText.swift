/// Texts of UUIDs (RFC 9562): 8-4-4-4-12 hexadecimal digits.
package enum UUIDText {
  /// One of version 4 in lower case, from 32 hex digits, two of which it replaces.
  package static func version4(_ text: String) -> String {
    var digits = Array(text.utf8)
    digits[12] = UInt8(ascii: "4")
    digits[16] = UInt8(ascii: "8")
    return Hex.uuid(digits)
  }

  private static let hyphens = [8, 13, 18, 23]

  /// True for those of any version and letter case.
  @Sendable
  package static func isValid(_ text: String) -> Bool {
    text.utf8.count == 36
      && zip(0..., text.utf8).allSatisfy { place, byte in
        hyphens.contains(place) ? byte == UInt8(ascii: "-") : byte.isHexDigit
      }
  }
}
