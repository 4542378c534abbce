/// A recursive descent parser. It reads from an array, so that every index is checked.
struct Parser {
  let bytes: [UInt8]
  /// Of the next byte.
  var offset = 0
  /// The initial capacity of an object or array, so that most need not grow.
  private static let initialCapacity = 6
  /// The maximum size of a member name, in bytes.
  private static let nameLimit = 1_024
  /// The maximum number of members of an object. Their names are hashed, which takes longer than all else.
  private static let memberLimit = 10_000
  let limits: JSON.Limits
  private let repeatedNames: JSON.RepeatedNames
  /// The names of members whose values a later one has replaced.
  private(set) var droppedNames = UnreadNames()
  private var depth = 0
  private var valueCount = 0

  init(_ bytes: [UInt8], limits: JSON.Limits, repeatedNames: JSON.RepeatedNames) {
    self.bytes = bytes
    self.limits = limits
    self.repeatedNames = repeatedNames
  }

  /// Parses the whole document: one value, with white space around it.
  mutating func document() throws(SyntaxError) -> JSON {
    skipSpace()
    let value = try value()
    skipSpace()
    guard offset == bytes.count else { throw failure(.end) }
    return value
  }

  /// The next byte; 0, which is never valid in JSON, at the end.
  var next: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  /// An error at the next byte.
  func failure(_ expected: SyntaxError.Expected) -> SyntaxError {
    SyntaxError(offset: offset, expected: expected)
  }

  /// Counts a value of the document.
  mutating func countValue() throws(SyntaxError) {
    guard valueCount < limits.values else {
      throw failure(.other("at most \(limits.values) values in the document"))
    }
    valueCount += 1
  }

  mutating func value() throws(SyntaxError) -> JSON {
    try countValue()
    switch next {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: throw failure(.value)
    }
  }

  private mutating func literal(_ name: StaticString, _ value: JSON) throws(SyntaxError) -> JSON {
    let end = offset + name.utf8CodeUnitCount
    guard end <= bytes.count else { throw failure(.literal("\(name)")) }
    for index in 0..<name.utf8CodeUnitCount where bytes[offset + index] != name.utf8Start[index] {
      throw failure(.literal("\(name)"))
    }
    offset = end
    return value
  }

  private mutating func object() throws(SyntaxError) -> JSON {
    try enter()
    var members: [JSON.Member] = []
    var index = MemberIndex()
    if close(UInt8(ascii: "}")) { return .object([]) }
    members.reserveCapacity(Self.initialCapacity)
    repeat {
      skipSpace()
      let start = offset
      let name = try memberName(after: members.count)
      let earlier = index.find(name, in: members)
      guard earlier == nil || repeatedNames == .lastCounts else {
        throw SyntaxError(offset: start, expected: "a member name that this object does not have yet")
      }
      let member = JSON.Member(name: name, value: try value())
      if let earlier {
        members[earlier] = member
        droppedNames.add(name)
      } else {
        members.append(member)
      }
    } while comma()
    guard close(UInt8(ascii: "}")) else { throw failure(.commaOrBrace) }
    return .object(members)
  }

  /// Parses the name of a member of an object that has so many already, and skips the colon after it.
  mutating func memberName(after count: Int) throws(SyntaxError) -> String {
    guard count < Self.memberLimit else {
      throw failure(.other("at most \(Self.memberLimit) members in an object"))
    }
    guard next == UInt8(ascii: "\"") else { throw failure(.memberName) }
    let start = offset
    let name = try string()
    guard name.utf8.count <= Self.nameLimit else {
      throw SyntaxError(offset: start, expected: "a member name of at most \(Self.nameLimit) bytes")
    }
    skipSpace()
    guard next == UInt8(ascii: ":") else { throw failure(.colon) }
    offset += 1
    skipSpace()
    return name
  }

  private mutating func array() throws(SyntaxError) -> JSON {
    try enter()
    var items: [JSON] = []
    if close(UInt8(ascii: "]")) { return .array([]) }
    items.reserveCapacity(Self.initialCapacity)
    repeat {
      skipSpace()
      items.append(try value())
    } while comma()
    guard close(UInt8(ascii: "]")) else { throw failure(.commaOrBracket) }
    return .array(items)
  }

  /// Skips an opening brace or bracket.
  mutating func enter() throws(SyntaxError) {
    guard depth < limits.depth else { throw failure(.other("at most \(limits.depth) levels of nesting")) }
    depth += 1
    offset += 1
  }

  mutating func close(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    depth -= 1
    offset += 1
    return true
  }

  mutating func comma() -> Bool {
    skipSpace()
    guard next == UInt8(ascii: ",") else { return false }
    offset += 1
    return true
  }

  mutating func skipSpace() {
    if next > 0x20 { return }
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }
}

extension Parser {
  /// Parses a number, starting at its sign or first digit.
  mutating func number() throws(SyntaxError) -> JSON {
    let start = offset
    let negative = next == UInt8(ascii: "-")
    if negative { offset += 1 }
    let integer = try integerPart(negative: negative)
    var plain = true
    if next == UInt8(ascii: ".") {
      plain = false
      offset += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      plain = false
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
    // Minus zero is not an integer.
    if plain, let integer, !(negative && integer == 0) { return .integer(integer) }
    return .double(try double(start..<offset))
  }

  /// Parses the digits before the point; `nil` when the value does not fit 64 bits.
  private mutating func integerPart(negative: Bool) throws(SyntaxError) -> Int64? {
    if next == UInt8(ascii: "0") {
      offset += 1
      return 0
    }
    let start = offset
    try digits()
    // Uses negative numbers, because the smallest integer has no positive counterpart.
    var value: Int64 = 0
    for index in start..<offset {
      let product = value.multipliedReportingOverflow(by: 10)
      let digit = Int64(bytes[index] - UInt8(ascii: "0"))
      let difference = product.partialValue.subtractingReportingOverflow(digit)
      guard !product.overflow, !difference.overflow else { return nil }
      value = difference.partialValue
    }
    if negative { return value }
    return value == .min ? nil : -value
  }

  /// Skips one digit or more.
  private mutating func digits() throws(SyntaxError) {
    guard isDigit(next) else { throw failure(.digit) }
    repeat { offset += 1 } while isDigit(next)
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
  }

  private func double(_ range: Range<Int>) throws(SyntaxError) -> Double {
    guard let value = Double(String(decoding: bytes[range], as: UTF8.self)), value.isFinite else {
      throw SyntaxError(offset: range.lowerBound, expected: "a number of at most 1.8e308")
    }
    return value
  }
}
