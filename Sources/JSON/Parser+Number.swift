extension Parser {
  /// A number, from its sign or first digit.
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
    // Minus zero has no integer.
    if plain, let integer, !(negative && integer == 0) { return .integer(integer) }
    return .double(try double(start..<offset))
  }

  /// The digits before the point: their value, `nil` when 64 bits do not hold it.
  private mutating func integerPart(negative: Bool) throws(SyntaxError) -> Int64? {
    if next == UInt8(ascii: "0") {
      offset += 1
      return 0
    }
    let start = offset
    try digits()
    // Counted downwards, because the smallest integer has no positive twin.
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

  /// Steps over one digit or more.
  private mutating func digits() throws(SyntaxError) {
    guard next.isDigit else { throw failure("a digit") }
    repeat { offset += 1 } while next.isDigit
  }

  private func double(_ range: Range<Int>) throws(SyntaxError) -> Double {
    guard let value = Double(String(decoding: bytes[range], as: UTF8.self)), value.isFinite else {
      throw SyntaxError(offset: range.lowerBound, expected: "a number of at most 1.8e308")
    }
    return value
  }
}
