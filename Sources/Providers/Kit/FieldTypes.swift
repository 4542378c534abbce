import Domain
package import JSON

extension FieldType where Value == String {
  /// Scheme and authority of URLs, without a slash at the end: `https://api.example.com`.
  package static var baseURL: FieldType {
    .text(
      .string(pattern: "^https?://.*[^/]$"),
      expected: "a URL such as https://api.example.com, without a slash at the end"
    ) { text in
      let scheme = ["https://", "http://"].first { text.hasPrefix($0) }
      guard let authority = scheme.map({ text.dropFirst($0.count) }) else { return false }
      return !authority.isEmpty && !authority.hasSuffix("/")
    }
  }

  package static var emailAddress: FieldType {
    .text(
      .string(pattern: EmailAddress.pattern, maxLength: EmailAddress.maxLength),
      expected: "an email address", EmailAddress.isValid)
  }
}
