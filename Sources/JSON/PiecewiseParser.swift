/// Parses a large document in several calls, so that several turns of the event loop can share the work.
package struct PiecewiseParser {
  /// An array or object whose end was not reached yet.
  private struct Container {
    let isObject: Bool
    var items: [JSON] = []
    var members: [JSON.Member] = []
    var names: Set<String> = []
    /// Of the member whose value follows.
    var name = ""

    var json: JSON { isObject ? .object(members) : .array(items) }
  }

  private var parser: Parser
  private var open: [Container] = []
  private var document: JSON?

  package init(_ bytes: [UInt8], limits: JSON.Limits) {
    parser = Parser(bytes, limits: limits, repeatedNames: .rejected)
  }

  /// Parses about so many more bytes. Returns the document at its end; nil before.
  package mutating func parse(bytes: Int) throws(FieldError) -> JSON? {
    let end = parser.offset + min(bytes, parser.bytes.count)
    do throws(SyntaxError) {
      while document == nil, parser.offset <= end { try parseValue() }
      guard let document else { return nil }
      parser.skipSpace()
      guard parser.offset == parser.bytes.count else { throw parser.failure(.end) }
      return document
    } catch {
      throw FieldError(error, in: parser.bytes)
    }
  }

  /// Parses a scalar with all ends of containers that follow it, or the start of a container.
  private mutating func parseValue() throws(SyntaxError) {
    parser.skipSpace()
    switch parser.next {
    case UInt8(ascii: "{"): try enter(isObject: true)
    case UInt8(ascii: "["): try enter(isObject: false)
    default: try add(parser.value())
    }
  }

  private mutating func enter(isObject: Bool) throws(SyntaxError) {
    try parser.countValue()
    try parser.enter()
    if parser.close(UInt8(ascii: isObject ? "}" : "]")) {
      return try add(isObject ? .object([]) : .array([]))
    }
    open.append(Container(isObject: isObject))
    try readName()
  }

  /// Reads the name of the next member; nothing in an array.
  private mutating func readName() throws(SyntaxError) {
    let last = open.count - 1
    guard open[last].isObject else { return }
    parser.skipSpace()
    let start = parser.offset
    let name = try parser.memberName(after: open[last].members.count)
    guard open[last].names.insert(name).inserted else {
      throw SyntaxError(offset: start, expected: "a member name that this object does not have yet")
    }
    open[last].name = name
  }

  private mutating func add(_ value: JSON) throws(SyntaxError) {
    var value = value
    while !open.isEmpty {
      let last = open.count - 1
      let isObject = open[last].isObject
      if isObject {
        open[last].members.append(JSON.Member(name: open[last].name, value: value))
      } else {
        open[last].items.append(value)
      }
      if parser.comma() { return try readName() }
      guard parser.close(UInt8(ascii: isObject ? "}" : "]")) else {
        throw parser.failure(isObject ? .commaOrBrace : .commaOrBracket)
      }
      value = open.removeLast().json
    }
    document = value
  }
}
