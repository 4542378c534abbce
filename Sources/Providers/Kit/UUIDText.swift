import JSON

/// A UUID of version 4 (RFC 9562) in lower case, from 32 hex digits, two of which it replaces.
package func uuidOfVersion4(_ text: String) -> String {
  var digits = Array(text.utf8)
  digits[12] = UInt8(ascii: "4")
  digits[16] = UInt8(ascii: "8")
  return Hex.uuid(digits)
}
