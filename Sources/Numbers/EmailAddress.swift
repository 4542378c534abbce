/// What counts as an email address: text on both sides of one `@`, without spaces, at most 254 bytes.
package enum EmailAddress {
  package static let maxLength = 254
  /// The rule as a JSON Schema has it, without the length.
  package static let pattern = #"^[^@\x00-\x20\x7F]+@[^@\x00-\x20\x7F]+$"#

  package static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= maxLength
      && !text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
  }
}
