extension Parser {
  /// Parses a string, starting at its first double quote.
  mutating func string() throws(SyntaxError) -> String {
    offset += 1
    let start = offset
    try skipPlain()
    let first = try text(start..<offset)
    return next == UInt8(ascii: "\"") ? closing(first) : try unescaped(after: first, from: start)
  }

  /// Parses the rest of a string, starting at its first backslash.
  private mutating func unescaped(after first: String, from start: Int) throws(SyntaxError) -> String {
    var result = Array(first.utf8)
    while next == UInt8(ascii: "\\") {
      offset += 1
      let scalar = try escape()
      if scalar.isASCII {
        result.append(UInt8(scalar.value))
      } else {
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
      let plain = offset
      try skipPlain()
      if plain < offset { result.append(contentsOf: bytes[plain..<offset]) }
    }
    // Escapes are ASCII, so they can be validated with the rest.
    try validate(start..<offset)
    let text = String(decoding: result, as: UTF8.self)
    try checkMarks(text, at: start)
    return closing(text)
  }

  private mutating func closing(_ text: String) -> String {
    offset += 1
    return text
  }

  /// Skips to the next quote or backslash.
  private mutating func skipPlain() throws(SyntaxError) {
    // A local index stays in a register.
    var index = offset
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      index += 1
    }
    offset = index
    guard index < bytes.count else { throw failure(.closingQuote) }
    guard bytes[index] >= 0x20 else { throw failure(.other("an escape instead of a control character")) }
  }

  /// Decodes bytes without escapes; they must be UTF-8.
  private func text(_ range: Range<Int>) throws(SyntaxError) -> String {
    let text: String
    do throws(UTF8.ValidationError) {
      let utf8 = try UTF8Span(validating: bytes.span.extracting(range))
      text = String(copying: utf8)
      if utf8.isKnownASCII { return text }
    } catch {
      throw SyntaxError(offset: range.lowerBound + error.byteOffsets.lowerBound, expected: "UTF-8")
    }
    try checkMarks(text, at: range.lowerBound)
    return text
  }

  /// Bytes without escapes must be UTF-8.
  private func validate(_ range: Range<Int>) throws(SyntaxError) {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span.extracting(range))
    } catch {
      throw SyntaxError(offset: range.lowerBound + error.byteOffsets.lowerBound, expected: "UTF-8")
    }
  }

  private func checkMarks(_ text: String, at start: Int) throws(SyntaxError) {
    guard !CombiningMarks.areTooMany(in: text, limit: limits.marks) else {
      throw SyntaxError(offset: start, expected: CombiningMarks.expected)
    }
  }

  private mutating func escape() throws(SyntaxError) -> Unicode.Scalar {
    let byte = next
    let plain: Unicode.Scalar
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = Unicode.Scalar(byte)
    case UInt8(ascii: "b"): plain = "\u{8}"
    case UInt8(ascii: "f"): plain = "\u{C}"
    case UInt8(ascii: "n"): plain = "\n"
    case UInt8(ascii: "r"): plain = "\r"
    case UInt8(ascii: "t"): plain = "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw failure(.escape)
    }
    offset += 1
    return plain
  }

  /// Parses `uXXXX` or a surrogate pair `uXXXX\uXXXX`, starting at the first `u`.
  private mutating func unicodeEscape() throws(SyntaxError) -> Unicode.Scalar {
    let start = offset
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00 else {
      throw SyntaxError(offset: start, expected: "a high surrogate before a low one")
    }
    guard next == UInt8(ascii: "\\") else { throw failure(.other("the escape of a low surrogate")) }
    offset += 1
    guard next == UInt8(ascii: "u") else { throw failure(.other("the escape of a low surrogate")) }
    let second = try hexadecimal()
    guard 0xDC00...0xDFFF ~= second else {
      throw SyntaxError(offset: offset - 5, expected: "the escape of a low surrogate")
    }
    let code = 0x10000 + UInt32(first - 0xD800) << 10 + UInt32(second - 0xDC00)
    guard let scalar = Unicode.Scalar(code) else { preconditionFailure("a pair is always a scalar") }
    return scalar
  }

  /// Parses the four digits after a `u`.
  private mutating func hexadecimal() throws(SyntaxError) -> UInt16 {
    var code: UInt16 = 0
    for _ in 0..<4 {
      offset += 1
      guard let digit = next.hexValue else { throw failure(.hexDigit) }
      code = code << 4 | UInt16(digit)
    }
    offset += 1
    return code
  }
}
