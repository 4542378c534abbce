extension JSONWriter {
  /// Appends text that needs no quotes and no escapes.
  @usableFromInline
  mutating func append(_ literal: StaticString) {
    append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Appends bytes as they are.
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(atMost: bytes.count) { $0.put(bytes) }
  }

  /// Appends a string in quotes, escaping only what RFC 8259 demands.
  package mutating func append(quoted text: String) {
    append(quoted: text, joining: UnsafeBufferPointer(start: nil, count: 0))
  }

  /// Appends a string, and behind it bytes that need no escapes, in one pair of quotes.
  @inline(__always)
  mutating func append(quoted text: String, joining rest: UnsafeBufferPointer<UInt8>) {
    var text = text
    text.withUTF8 { utf8 in
      var isPlain = true
      append(atMost: utf8.count + rest.count + 2) {
        $0.put(UInt8(ascii: "\""))
        isPlain = $0.putPlain(utf8)
        $0.put(rest)
        $0.put(UInt8(ascii: "\""))
      }
      if !isPlain { rewrite(escaping: utf8, joining: rest) }
    }
  }

  /// Writes the last string once more, with escapes; few texts need any.
  @inline(never)
  private mutating func rewrite(
    escaping text: UnsafeBufferPointer<UInt8>, joining rest: UnsafeBufferPointer<UInt8>
  ) {
    back(text.count + rest.count + 2)
    // The longest escape, \u001f, takes six bytes.
    append(atMost: text.count * 6 + rest.count + 2) {
      $0.put(UInt8(ascii: "\""))
      for byte in text { $0.put(escaping: byte) }
      $0.put(rest)
      $0.put(UInt8(ascii: "\""))
    }
  }

  /// Appends a decimal integer.
  package mutating func append(number: Int64) {
    var rest = number.magnitude
    var digitCount = 1
    while rest >= 10 {
      rest /= 10
      digitCount += 1
    }
    append(atMost: 20) {
      if number < 0 { $0.put(UInt8(ascii: "-")) }
      var rest = number.magnitude
      for index in stride(from: digitCount - 1, through: 0, by: -1) {
        $0[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      $0 += digitCount
    }
  }

  /// Appends the shortest digits that read back as the same number; `null` where JSON has none.
  package mutating func append(number: Double) {
    guard number.isFinite else { return append("null") }
    var digits = number.description
    digits.withUTF8 { append($0) }
  }
}
