package import JSON

/// Which of the occasions that match a rule it acts on.
package struct Turn: Equatable, Sendable {
  /// The first one it acts on, counted from 1; nil: the first there is.
  package var nth: Int?
  /// On how many it acts from there; nil: on one when `nth` is given, else on all.
  package var times: Int?

  /// On every occasion.
  package init() {}

  /// Whether there are occasions that it leaves out.
  var isLimited: Bool { nth != nil || times != nil }

  /// Whether a rule acts on the occasion that follows this many earlier ones.
  package func acts(after earlier: Int) -> Bool {
    let first = (nth ?? 1) - 1
    guard let count = times ?? (nth == nil ? nil : 1) else { return earlier >= first }
    return earlier >= first && earlier < first + count
  }
}

extension Fields {
  /// A place counted from 1, to a billion, where there is one.
  func optionalPlace(_ name: String) throws(FieldError) -> Int? {
    guard let number = try optionalInt(name) else { return nil }
    guard (1...1_000_000_000).contains(number) else {
      throw mismatch(name, expected: "a whole number from 1 to 1000000000")
    }
    return number
  }

  /// A whole number from 0 to a billion, where there is one.
  package func optionalCount(_ name: String) throws(FieldError) -> Int? {
    guard let number = try optionalInt(name) else { return nil }
    guard (0...1_000_000_000).contains(number) else {
      throw mismatch(name, expected: "a whole number from 0 to 1000000000")
    }
    return number
  }
}
