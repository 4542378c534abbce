/// Texts of UUIDs (RFC 9562): 8-4-4-4-12 hexadecimal digits.
package enum UUIDText {
  /// One of version 4 in lower case, from 32 hex digits, two of which it replaces.
  package static func version4(_ text: String) -> String {
    var digits = Array(text.utf8)
    digits[12] = UInt8(ascii: "4")
    digits[16] = UInt8(ascii: "8")
    return Hex.uuid(digits)
  }

  /// True for those of any version and letter case.
  @Sendable
  package static func isValid(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.joined().utf8.allSatisfy(\.isHexDigit)
  }
}
