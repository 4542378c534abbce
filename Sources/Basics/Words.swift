package import JSON

/// Members with the words of an enumeration, and texts of a certain form.
extension Fields {
  /// A word of an enumeration, `nil` when absent or `null`.
  package func optionalWord<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String, of type: Word.Type
  ) throws(FieldError) -> Word? {
    guard let text = try optionalString(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw mismatch(name, expected: "one of \(Word.words)")
    }
    return word
  }

  /// One of an enumeration's words.
  package func word<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String, of type: Word.Type
  ) throws(FieldError) -> Word {
    guard let word = Word(rawValue: try string(name)) else {
      throw mismatch(name, expected: "one of \(Word.words)")
    }
    return word
  }

  /// A text that passes a test, `nil` when absent or `null`.
  package func optionalText(
    _ name: String, expected: String, where isValid: (String) -> Bool
  ) throws(FieldError) -> String? {
    guard let text = try optionalString(name) else { return nil }
    guard isValid(text) else { throw mismatch(name, expected: expected) }
    return text
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// For errors: `sms, call, email`.
  package static var words: String { allCases.map { $0.rawValue }.joined(separator: ", ") }
}

extension String {
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
