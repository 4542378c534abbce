package import JSON

/// Members that hold a word of a closed list, digits, or a time: what records and rules are made of.
extension Fields {
  /// One of a type's words, `nil` when absent or `null`.
  package func optionalWord<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String, of type: Word.Type
  ) throws(FieldError) -> Word? {
    guard let text = try optionalString(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw mismatch(name, expected: "one of \(Self.list(type))")
    }
    return word
  }

  /// Any number of a type's words, `nil` when absent or `null`.
  func optionalWords<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String, of type: Word.Type
  ) throws(FieldError) -> [Word]? {
    guard let texts = try optionalStrings(name) else { return nil }
    var words: [Word] = []
    for (position, text) in texts.enumerated() {
      guard let word = Word(rawValue: text) else {
        throw FieldError(
          path: "\(path).\(name)[\(position)]", expected: "one of \(Self.list(type))", found: "\"\(text)\"")
      }
      words.append(word)
    }
    return words
  }

  /// A text that passes a test, `nil` when absent or `null`.
  package func optionalText(
    _ name: String, expected: String, where isValid: (String) -> Bool
  ) throws(FieldError) -> String? {
    guard let text = try optionalString(name) else { return nil }
    guard isValid(text) else { throw mismatch(name, expected: expected) }
    return text
  }

  /// A number within bounds, `nil` when absent or `null`.
  func optionalInt(_ name: String, in range: ClosedRange<Int>) throws(FieldError) -> Int? {
    guard let number = try optionalInt(name) else { return nil }
    guard range.contains(number) else {
      throw mismatch(name, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A time, absolute or counted back from `start`: `2026-01-05T10:20:30Z`, `2026-01-05`, `-3d`.
  func optionalTime(_ name: String, since start: Timestamp) throws(FieldError) -> Timestamp? {
    guard let text = try optionalString(name) else { return nil }
    guard let time = Timestamp(text, since: start) else {
      throw mismatch(name, expected: Timestamp.forms)
    }
    return time
  }

  /// Times of the same forms.
  func optionalTimes(_ name: String, since start: Timestamp) throws(FieldError) -> [Timestamp]? {
    guard let texts = try optionalStrings(name) else { return nil }
    var times: [Timestamp] = []
    for (position, text) in texts.enumerated() {
      guard let time = Timestamp(text, since: start) else {
        throw FieldError(
          path: "\(path).\(name)[\(position)]", expected: Timestamp.forms, found: "\"\(text)\"")
      }
      times.append(time)
    }
    return times
  }

  private static func list<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> String {
    type.allCases.map(\.rawValue).joined(separator: ", ")
  }
}

extension Timestamp {
  /// The forms that `init(_:since:)` takes, for whoever wrote another.
  static let forms =
    "a time such as 2026-01-05T10:20:30Z, a day such as 2026-01-05, or a span back such as -3d"

  /// A time, a day, or a span back from `start`. Source: `carrier.md` 4.2, relative dates.
  init?(_ text: String, since start: Timestamp) {
    if text.utf8.first == UInt8(ascii: "-") {
      guard let span = Duration(text: String(text.dropFirst())) else { return nil }
      self = start - span
    } else if text.utf8.count == 10 {
      self.init(iso8601: text + "T00:00:00Z")
    } else {
      self.init(iso8601: text)
    }
  }
}
