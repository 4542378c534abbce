/// A UUID of version 4 (RFC 9562) in lower case, from 32 hex digits, two of which it replaces.
package func uuidOfVersion4(_ text: String) -> String {
  let digits = Array(text)
  let parts = [
    digits[0..<8], digits[8..<12], ["4"] + digits[13..<16], ["8"] + digits[17..<20], digits[20..<32],
  ]
  return parts.map { String($0) }.joined(separator: "-")
}
