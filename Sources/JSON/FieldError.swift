/// A member of a document that is not what its reader needs.
package struct FieldError: Error, Equatable, CustomStringConvertible {
  /// Where: "$.clock.mode", "$.subscribers[0].number".
  package let path: String
  /// What would have been right: "a string".
  package let expected: String
  /// What stood there instead: "12", "an object", "nothing".
  package let found: String

  /// Names a place, what it should hold and what it holds.
  package init(path: String, expected: String, found: String) {
    self.path = path
    self.expected = expected
    self.found = found
  }

  /// The same, with the wrong value put into words.
  package init(path: String, expected: String, found: JSON?) {
    self.init(path: path, expected: expected, found: Self.words(for: found))
  }

  /// `$.clock.mode: expected one of real, frozen, offset; found "frzen"`.
  package var description: String { "\(path): expected \(expected); found \(found)" }

  /// Scalars as they were written, long texts cut; the rest by kind.
  private static func words(for value: JSON?) -> String {
    switch value {
    case nil: "nothing"
    case .array: "an array"
    case .object: "an object"
    case .string(let text) where text.unicodeScalars.count > 60:
      String(decoding: JSON.string(String(text.prefix(60)) + "…").encoded(), as: UTF8.self)
    case .some(let scalar): String(decoding: scalar.encoded(), as: UTF8.self)
    }
  }
}
