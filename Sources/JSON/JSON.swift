/// A JSON value that keeps the order in which the members of its objects were written.
package enum JSON: Equatable, Sendable {
  /// The literal `null`.
  case null
  /// The literal `true` or `false`.
  case bool(Bool)
  /// A number without fraction or exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number; never infinite when parsed.
  case double(Double)
  /// A text, unescaped.
  case string(String)
  /// The values between brackets.
  case array([JSON])
  /// The members between braces, in document order, each name once.
  case object([Member])

  /// One name and its value in an object.
  package struct Member: Equatable, Sendable {
    /// The name, unescaped.
    package let name: String
    /// What stands behind the colon.
    package let value: JSON

    /// Puts a value under a name.
    package init(name: String, value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// What a document may ask of the reader.
  package struct Limits: Sendable {
    /// How many arrays and objects may stand inside each other.
    package let depth: Int

    /// Limits for documents that come from outside: 64 levels.
    package static let standard = Limits(depth: 64)

    /// Sets the number of levels.
    package init(depth: Int) {
      self.depth = depth
    }
  }

  /// Reads one whole document as RFC 8259 has it; unlike it, a member name may stand only once in an object.
  package init(parsing bytes: [UInt8], limits: Limits = .standard) throws(SyntaxError) {
    var parser = Parser(bytes, limits: limits)
    self = try parser.document()
  }

  /// The value of a member, `nil` where this is no object or has no such member.
  package subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The document without spaces, in UTF-8.
  package func encoded() -> [UInt8] {
    JSONWriter.document { $0.value(self) }
  }
}
