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
    /// The maximum number of values in the document, those inside arrays and objects included.
    package let values: Int

    package static let standard = Limits()
    /// How many combining marks may follow each other.
    let marks: Int

    /// For seeds and exports, which hold a whole sandbox.
    package static let seed = Limits(values: 1_000_000)
    /// For what a record of this process is written as: its parts were within limits, not all of it.
    fileprivate static let written = Limits(depth: 200, values: .max, marks: .max)

    package init(depth: Int = 64, values: Int = 100_000, marks: Int = CombiningMarks.limit) {
      self.depth = depth
      self.values = values
      self.marks = marks
    }
  }

  /// What the parser does with a member name that an object has already.
  package enum RepeatedNames: Sendable {
    /// An error: the second one is most likely a mistake.
    case rejected
    /// The last value counts, at the place of the first one, as in most JSON libraries.
    case lastCounts
  }

  /// Parses one document (RFC 8259).
  package init(
    parsing bytes: [UInt8], limits: Limits = .standard, repeatedNames: RepeatedNames = .rejected
  ) throws(SyntaxError) {
    var parser = Parser(bytes, limits: limits, repeatedNames: repeatedNames)
    self = try parser.document()
  }

  /// The names that objects of a document have twice or more; empty for invalid JSON.
  package static func repeatedNames(in bytes: [UInt8]) -> [String] {
    var parser = Parser(bytes, limits: .standard, repeatedNames: .lastCounts)
    guard (try? parser.document()) != nil else { return [] }
    return parser.droppedNames.list
  }

  /// Parses what a `JSONWriter` has written.
  package init(written bytes: [UInt8]) {
    self = (try? JSON(parsing: bytes, limits: .written, repeatedNames: .lastCounts)) ?? .null
  }

  /// The value of a member; nil if there is none, or if this is not an object.
  package subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// An integer; `2.0` is one. Nil for any other value.
  package var wholeNumber: Int? {
    switch self {
    case .integer(let value): Int(value)
    case .double(let value): Int(exactly: value)
    default: nil
    }
  }

  /// A text, a number or a Boolean as forms have it: `2.0` is `2`, `99.90` is `99.9`. Nil for other values.
  package var formText: String? {
    switch self {
    case .string(let text): text
    case .integer, .double: wholeNumber.map(String.init) ?? String(decoding: encoded(), as: UTF8.self)
    case .bool(let flag): String(flag)
    case .null, .array, .object: nil
    }
  }

  /// Without spaces, in UTF-8.
  package func encoded() -> [UInt8] {
    JSONWriter.document { $0.value(self) }
  }
}

package struct SyntaxError: Error, Equatable, CustomStringConvertible {
  package enum Expected: Equatable, Sendable {
    case value, memberName, colon, commaOrBrace, commaOrBracket, closingQuote, escape, hexDigit, digit, end
    /// `true`, `false` or `null`, after its first letter.
    case literal(String)
    /// Any other, as a noun.
    case other(String)

    fileprivate var text: String {
      switch self {
      case .value: "a value"
      case .memberName: "a member name in double quotes"
      case .colon: "a colon"
      case .commaOrBrace: "a comma or a closing brace"
      case .commaOrBracket: "a comma or a closing bracket"
      case .closingQuote: "a closing double quote"
      case .escape: "one of \" \\ / b f n r t u after a backslash"
      case .hexDigit: "a hexadecimal digit"
      case .digit: "a digit"
      case .end: "the end of the document"
      case .literal(let text), .other(let text): text
      }
    }
  }

  /// Of the first wrong byte.
  package let offset: Int
  /// What would have been right.
  package let reason: Expected

  package init(offset: Int, expected: Expected) {
    self.offset = offset
    reason = expected
  }

  package init(offset: Int, expected: String) { self.init(offset: offset, expected: .other(expected)) }

  /// What would have been right, as a noun: "a colon".
  package var expected: String { reason.text }

  /// "expected a colon at byte 17".
  package var description: String { "expected \(expected) at byte \(offset)" }
}

/// Nil is written as `null`.
extension JSON.Member {
  package init(_ name: String, _ text: String?) {
    self.init(name: name, value: text.map(JSON.string) ?? .null)
  }

  package init(_ name: String, _ flag: Bool?) {
    self.init(name: name, value: flag.map(JSON.bool) ?? .null)
  }

  package init(_ name: String, _ number: Int?) {
    self.init(name: name, value: number.map { .integer(Int64($0)) } ?? .null)
  }

  package init(_ name: String, _ members: [JSON.Member]) {
    self.init(name: name, value: .object(members))
  }
}
