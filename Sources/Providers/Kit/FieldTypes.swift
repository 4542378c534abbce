package import Domain
package import JSON

// Types of values that several vendors' settings and seeds have.

private let rfc3339Pattern =
  "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"

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

  /// A phone number in E.164, as a text.
  package static var e164: FieldType {
    .text(
      .string(pattern: "^[+][1-9][0-9]{6,14}$"), expected: "a phone number in E.164, such as +12025550100"
    ) { PhoneNumber($0) != nil }
  }
}

extension FieldType {
  /// An array of words of an enumeration, each at most once. An error names the array.
  package static func distinctWords<Word>(nonEmpty: Bool = false) -> FieldType
  where Value == [Word], Word: RawRepresentable<String> & CaseIterable & Hashable & Sendable {
    let words = Word.allCases.map(\.rawValue)
    let expected = "some of \(words.joined(separator: ", ")), each at most once"
    return FieldType(.array(.words(words)), expected: expected) {
      guard case .array(let items) = $0, !nonEmpty || !items.isEmpty else { return nil }
      let values = items.compactMap { if case .string(let text) = $0 { Word(rawValue: text) } else { nil } }
      return values.count == items.count && Set(values).count == values.count ? values : nil
    } write: { values, json in
      json.value(array: values) { $0.value($1.rawValue) }
    }
  }
}

extension Field {
  /// A time of RFC 3339. Without one the record keeps its own.
  package static func time(
    _ name: String, _ path: any WritableKeyPath<Record, Timestamp> & Sendable, _ summary: String
  ) -> Field {
    Field(ObjectSchema.Member(name, .string(pattern: rfc3339Pattern), summary, .optional)) {
      input, record throws(FieldError) in
      guard let text = try input.optionalString(name) else { return }
      guard let time = Timestamp(rfc3339: text) else {
        throw input.mismatch(name, expected: "a time of RFC 3339, such as 2026-01-05T10:20:30Z")
      }
      record[keyPath: path] = time
    } write: { record, json in
      json.member(named: name, record[keyPath: path].iso8601Exact)
    } differs: {
      $0[keyPath: path] != $1[keyPath: path]
    }
  }

  /// A text that records may lack; exports then leave it out.
  package static func optionalString(
    _ name: String, _ path: any WritableKeyPath<Record, String?> & Sendable, _ summary: String
  ) -> Field {
    Field(ObjectSchema.Member(name, .string(), summary, .optional)) { input, record throws(FieldError) in
      record[keyPath: path] = try input.optionalString(name)
    } write: { record, json in
      if let text = record[keyPath: path] { json.member(named: name, text) }
    } differs: {
      $0[keyPath: path] != $1[keyPath: path]
    }
  }
}
