/// Reads one document by recursive descent, over an array so that no index escapes its bounds.
struct Parser {
  /// The whole document.
  let bytes: [UInt8]
  /// Where the next byte is read.
  var offset = 0
  /// Room made at once for what an object or array holds, instead of growing from one.
  private static let usualCount = 6
  private let depthLimit: Int
  private var depth = 0

  /// Stands before the first byte of a document.
  init(_ bytes: [UInt8], limits: JSON.Limits) {
    self.bytes = bytes
    self.depthLimit = limits.depth
  }

  /// The one value of the document, with nothing but space around it.
  mutating func document() throws(SyntaxError) -> JSON {
    skipSpace()
    let value = try value()
    skipSpace()
    guard offset == bytes.count else { throw failure("the end of the document") }
    return value
  }

  /// The byte at the offset; 0, which stands nowhere in JSON, after the last one.
  var next: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  /// An error at the offset.
  func failure(_ expected: String) -> SyntaxError {
    SyntaxError(offset: offset, expected: expected)
  }

  private mutating func value() throws(SyntaxError) -> JSON {
    switch next {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: throw failure("a value")
    }
  }

  private mutating func literal(_ name: StaticString, _ value: JSON) throws(SyntaxError) -> JSON {
    let end = offset + name.utf8CodeUnitCount
    guard end <= bytes.count else { throw failure("\(name)") }
    for index in 0..<name.utf8CodeUnitCount where bytes[offset + index] != name.utf8Start[index] {
      throw failure("\(name)")
    }
    offset = end
    return value
  }

  private mutating func object() throws(SyntaxError) -> JSON {
    try enter()
    var members: [JSON.Member] = []
    var names = NameSet()
    if close(UInt8(ascii: "}")) { return .object([]) }
    members.reserveCapacity(Self.usualCount)
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("a member name in double quotes") }
      let start = offset
      let name = try string()
      guard names.insert(name, among: members) else {
        throw SyntaxError(offset: start, expected: "a member name that this object does not have yet")
      }
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw failure("a colon") }
      offset += 1
      skipSpace()
      members.append(JSON.Member(name: name, value: try value()))
    } while comma()
    guard close(UInt8(ascii: "}")) else { throw failure("a comma or a closing brace") }
    return .object(members)
  }

  private mutating func array() throws(SyntaxError) -> JSON {
    try enter()
    var items: [JSON] = []
    if close(UInt8(ascii: "]")) { return .array([]) }
    items.reserveCapacity(Self.usualCount)
    repeat {
      skipSpace()
      items.append(try value())
    } while comma()
    guard close(UInt8(ascii: "]")) else { throw failure("a comma or a closing bracket") }
    return .array(items)
  }

  /// Steps over an opening brace or bracket.
  private mutating func enter() throws(SyntaxError) {
    guard depth < depthLimit else { throw failure("at most \(depthLimit) levels of nesting") }
    depth += 1
    offset += 1
  }

  private mutating func close(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    depth -= 1
    offset += 1
    return true
  }

  private mutating func comma() -> Bool {
    skipSpace()
    guard next == UInt8(ascii: ",") else { return false }
    offset += 1
    return true
  }

  private mutating func skipSpace() {
    if next > 0x20 { return }
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }
}

/// The member names of an object so far: compared one by one while few, hashed once many.
private struct NameSet {
  private static let few = 16
  private var hashed: Set<String> = []

  /// Whether the name is new beside the members read before it.
  mutating func insert(_ name: String, among members: [JSON.Member]) -> Bool {
    if members.count < Self.few {
      for member in members where member.name == name { return false }
      return true
    }
    if hashed.isEmpty { hashed = Set(members.map(\.name)) }
    return hashed.insert(name).inserted
  }
}
