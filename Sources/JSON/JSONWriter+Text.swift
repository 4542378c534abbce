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
    var text = text
    text.withUTF8 { utf8 in
      append(atMost: utf8.count + 2) {
        $0.put(UInt8(ascii: "\""))
        $0.put(utf8)
        $0.put(UInt8(ascii: "\""))
      }
      // Few texts need escapes: those are written again, with room for the longest, \u001f.
      guard let plainCount = utf8.firstEscaped else { return }
      back(utf8.count + 2)
      append(atMost: utf8.count * 6 + 2) {
        $0.put(UInt8(ascii: "\""))
        $0.put(UnsafeBufferPointer(rebasing: utf8[..<plainCount]))
        for byte in utf8[plainCount...] { $0.put(escaping: byte) }
        $0.put(UInt8(ascii: "\""))
      }
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

extension UnsafeBufferPointer<UInt8> {
  /// Where the first byte stands that a JSON string must escape.
  fileprivate var firstEscaped: Int? {
    guard let baseAddress else { return nil }
    let start = UnsafeRawPointer(baseAddress)
    var index = 0
    while index + 8 <= count, !mayNeedEscape(start.loadUnaligned(fromByteOffset: index, as: UInt64.self)) {
      index += 8
    }
    while index < count {
      let byte = self[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return index }
      index += 1
    }
    return nil
  }

  /// Whether one of eight bytes is a control character, a quote or a backslash; never wrong when it says no.
  private func mayNeedEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    // Subtracting borrows into the top bit of a byte smaller than the subtrahend.
    let control = (word &- ones &* 0x20) & ~word
    let special = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
    return (control | special) & (ones &* 0x80) != 0
  }
}
