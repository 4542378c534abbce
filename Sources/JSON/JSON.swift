/// A JSON value. Objects keep the order of their members.
package enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A number without fraction or exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number; never infinite when parsed.
  case double(Double)
  case string(String)
  case array([JSON])
  /// Names are unique when parsed.
  case object([Member])

  package struct Member: Equatable, Sendable {
    package let name: String
    package let value: JSON

    package init(name: String, value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// Limits of the parser.
  package struct Limits: Sendable {
    /// The maximum nesting of arrays and objects.
    package let depth: Int

    package static let standard = Limits(depth: 64)

    package init(depth: Int) {
      self.depth = depth
    }
  }

  /// Parses one document (RFC 8259). A repeated member name is an error, unlike in the RFC.
  package init(parsing bytes: [UInt8], limits: Limits = .standard) throws(SyntaxError) {
    var parser = Parser(bytes, limits: limits)
    self = try parser.document()
  }

  /// The value of a member; nil if there is none, or if this is not an object.
  package subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// Without spaces, in UTF-8.
  package func encoded() -> [UInt8] {
    JSONWriter.document { $0.value(self) }
  }
}

package struct SyntaxError: Error, Equatable, CustomStringConvertible {
  /// Of the first wrong byte.
  package let offset: Int
  /// What would have been right, as a noun: "a colon".
  package let expected: String

  package init(offset: Int, expected: String) {
    self.offset = offset
    self.expected = expected
  }

  /// "expected a colon at byte 17".
  package var description: String { "expected \(expected) at byte \(offset)" }
}
