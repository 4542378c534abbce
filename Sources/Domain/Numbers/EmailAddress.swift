/// What is taken for an email address: something on both sides of one `@`, without spaces, at most 254 bytes.
package enum EmailAddress {
  /// Whether a text is one.
  package static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
      && !text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
  }
}
