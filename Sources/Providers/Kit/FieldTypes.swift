// Types of values that several providers' settings and seeds have.

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

  /// Where something is sent: an http or https URL, or an empty text.
  package static var webURL: FieldType {
    .text(
      .string(pattern: "^$|^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]"),
      expected: "an http or https URL, or an empty text"
    ) { $0.isEmpty || AbsoluteURL($0) != nil }
  }

  /// A UUID of any version and letter case.
  package static var uuid: FieldType {
    .text(
      .string(pattern: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"), expected: "a UUID",
      UUIDText.isValid)
  }

  /// A phone number in E.164, as a text.
  package static var e164: FieldType {
    .text(
      .string(pattern: PhoneNumber.pattern), expected: PhoneNumber.expected
    ) { PhoneNumber($0) != nil }
  }
}
