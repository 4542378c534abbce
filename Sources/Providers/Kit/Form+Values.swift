// Values of form and query fields that providers' APIs have in common.

extension Form {
  /// The value of a field; nil if the field is absent or empty.
  package func text(_ name: String) -> String? {
    guard let value = self[name], !value.isEmpty else { return nil }
    return value
  }

  /// A list in any of the ways that clients write it: `a=1,2`, `a=1&a=2` or `a[]=1&a[]=2`. Empty items are
  /// left out.
  package func list(_ name: String) -> [String] {
    (all(name) + all("\(name)[]"))
      .flatMap { $0.split(separator: ",") }.map { $0.trimmed }.filter { !$0.isEmpty }
  }

  /// A list of an enumeration's words.
  package func words<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String, of type: Word.Type
  ) throws(FormError) -> [Word] {
    var words: [Word] = []
    for text in list(name) { words.append(try word(text, name)) }
    return words
  }

  /// A word of an enumeration; nil if the field is absent or empty.
  package func optionalWord<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String, of type: Word.Type
  ) throws(FormError) -> Word? {
    guard let text = text(name) else { return nil }
    return try word(text, name)
  }

  /// A whole number within bounds; nil if the field is absent or empty.
  package func number(_ name: String, _ range: ClosedRange<Int>) throws(FormError) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw FormError(field: name, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private func word<Word: CaseIterable & RawRepresentable<String>>(
    _ text: String, _ name: String
  ) throws(FormError) -> Word {
    guard let word = Word(rawValue: text) else {
      throw FormError(field: name, expected: Word.allCases.count == 1 ? Word.words : "one of \(Word.words)")
    }
    return word
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    let end = start.lastIndex { $0 != " " }
    return end.map { String(start[...$0]) } ?? ""
  }
}
