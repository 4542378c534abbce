/// Where a document stopped being JSON, and what could have stood there.
package struct SyntaxError: Error, Equatable, CustomStringConvertible {
  /// How many bytes precede the wrong one.
  package let offset: Int
  /// What would have been right, as a noun: "a colon".
  package let expected: String

  /// Names a place and what it lacks.
  package init(offset: Int, expected: String) {
    self.offset = offset
    self.expected = expected
  }

  /// "expected a colon at byte 17".
  package var description: String { "expected \(expected) at byte \(offset)" }
}
