package import JSON

extension FieldType {
  /// An array of words of an enumeration, each at most once.
  package static func distinctWords<Word>() -> FieldType
  where Value == [Word], Word: RawRepresentable<String> & CaseIterable & Hashable & Sendable {
    let words = Word.allCases.map(\.rawValue)
    return FieldType(
      .array(.words(words)), expected: "some of \(words.joined(separator: ", ")), each at most once"
    ) {
      guard case .array(let items) = $0 else { return nil }
      let values = items.compactMap { if case .string(let text) = $0 { Word(rawValue: text) } else { nil } }
      return values.count == items.count && Set(values).count == values.count ? values : nil
    } write: { values, json in
      json.value(array: values) { $0.value($1.rawValue) }
    }
  }
}
