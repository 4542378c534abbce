/// Reads a large document part by part: it is never in memory as a tree, and several turns of the event loop
/// can share the work.
///
/// ```
/// try reader.enterObject()
/// while let name = try reader.nextMember() { … try reader.value(), or enterArray(), or skipValue() … }
/// try reader.finish()
/// ```
/// A copy stays at its place in the document, so that it can be read again from there.
package struct JSONReader {
  private struct Container {
    let close: UInt8
    var isEmpty = true
    /// Of the members so far.
    var names: Set<String> = []
  }

  private var parser: Parser
  private var open: [Container] = []

  package init(_ bytes: [UInt8], limits: JSON.Limits = .standard) {
    parser = Parser(bytes, limits: limits, repeatedNames: .rejected)
  }

  /// True before the first part was read.
  package var isAtStart: Bool { parser.offset == 0 }

  /// `path` is that of the value, for errors.
  package mutating func enterObject(_ path: String = "$") throws(FieldError) {
    try enter("{", closedBy: "}", path, expected: "an object")
  }

  package mutating func enterArray(_ path: String = "$") throws(FieldError) {
    try enter("[", closedBy: "]", path, expected: "an array")
  }

  /// The name of the next member, whose value follows; nil after the last one.
  package mutating func nextMember() throws(FieldError) -> String? {
    guard try nextItem() else { return nil }
    let start = parser.offset
    let count = open[open.count - 1].names.count
    let name = try read { parser throws(SyntaxError) in try parser.memberName(after: count) }
    guard open[open.count - 1].names.insert(name).inserted else {
      let error = SyntaxError(offset: start, expected: "a member name that this object does not have yet")
      throw FieldError(error, in: parser.bytes)
    }
    return name
  }

  /// True if a value follows; false after the last one.
  package mutating func nextItem() throws(FieldError) -> Bool {
    let last = open.count - 1
    if parser.close(open[last].close) {
      open.removeLast()
      return false
    }
    guard open[last].isEmpty || parser.comma() else {
      throw failure(open[last].close == UInt8(ascii: "}") ? .commaOrBrace : .commaOrBracket)
    }
    open[last].isEmpty = false
    parser.skipSpace()
    return true
  }

  /// The whole value that follows.
  package mutating func value() throws(FieldError) -> JSON {
    try read { parser throws(SyntaxError) in try parser.value() }
  }

  /// The same; throws if its text is longer.
  package mutating func value(atMost bytes: Int) throws(FieldError) -> JSON {
    var end = self
    try end.skipValue(atMost: bytes)
    return try value()
  }

  /// Goes to the end of the value that follows, without checking its syntax. Throws if its text is longer.
  package mutating func skipValue(atMost bytes: Int) throws(FieldError) {
    let start = parser.offset
    try read { parser throws(SyntaxError) in try parser.skipValue() }
    guard parser.offset - start <= bytes else {
      let error = SyntaxError(offset: start, expected: "a value of at most \(bytes) bytes")
      throw FieldError(error, in: parser.bytes)
    }
  }

  /// Throws if something follows.
  package mutating func finish() throws(FieldError) {
    parser.skipSpace()
    guard parser.offset == parser.bytes.count else { throw failure(.end) }
  }

  private mutating func enter(
    _ first: Unicode.Scalar, closedBy last: Unicode.Scalar, _ path: String, expected: String
  ) throws(FieldError) {
    parser.skipSpace()
    guard parser.next == UInt8(ascii: first) else {
      throw FieldError(path: path, expected: expected, found: try other())
    }
    try read { parser throws(SyntaxError) in try parser.enter() }
    open.append(Container(close: UInt8(ascii: last)))
  }

  /// What follows instead of a container, for an error. The content of another container does not matter.
  private mutating func other() throws(FieldError) -> JSON {
    switch parser.next {
    case UInt8(ascii: "["): .array([])
    case UInt8(ascii: "{"): .object([])
    default: try value(atMost: Self.longestScalar)
    }
  }

  private static let longestScalar = 1_000

  private mutating func read<T>(_ body: (inout Parser) throws(SyntaxError) -> T) throws(FieldError) -> T {
    do throws(SyntaxError) {
      return try body(&parser)
    } catch {
      throw FieldError(error, in: parser.bytes)
    }
  }

  private func failure(_ expected: SyntaxError.Expected) -> FieldError {
    FieldError(parser.failure(expected), in: parser.bytes)
  }
}

extension Parser {
  /// Counts brackets and skips strings; anything else is skipped as it is.
  fileprivate mutating func skipValue() throws(SyntaxError) {
    var depth = 0
    repeat {
      switch next {
      case UInt8(ascii: "\""): try skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        offset += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        offset += 1
      default: try skipScalar()
      }
    } while depth > 0
  }

  private mutating func skipString() throws(SyntaxError) {
    repeat {
      offset += next == UInt8(ascii: "\\") ? 2 : 1
      guard offset < bytes.count else { throw failure(.closingQuote) }
    } while next != UInt8(ascii: "\"")
    offset += 1
  }

  /// Skips to the next bracket, brace, comma or string, and over a comma or colon.
  private mutating func skipScalar() throws(SyntaxError) {
    let start = offset
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\""):
        return try requireProgress(since: start)
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        if offset == start { offset += 1 }
        return
      default: offset += 1
      }
    }
    throw failure(.value)
  }

  private func requireProgress(since start: Int) throws(SyntaxError) {
    guard offset > start else { throw failure(.value) }
  }
}
