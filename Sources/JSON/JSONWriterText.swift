extension JSONWriter {
  /// Appends text without quotes or escapes.
  @usableFromInline
  mutating func append(_ literal: StaticString) {
    append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(atMost: bytes.count) { $0.put(bytes) }
  }

  /// Appends a string in quotes. Only what RFC 8259 requires is escaped.
  package mutating func append(quoted text: String) {
    append(quoted: text, joining: UnsafeBufferPointer(start: nil, count: 0))
  }

  /// Appends a string and bytes that need no escapes, in one pair of quotes.
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

  /// Replaces the last string with its escaped form. Few texts need this.
  @inline(never)
  private mutating func rewrite(
    escaping text: UnsafeBufferPointer<UInt8>, joining rest: UnsafeBufferPointer<UInt8>
  ) {
    removeLast(text.count + rest.count + 2)
    // The longest escape, \u001f, takes six bytes.
    append(atMost: text.count * 6 + rest.count + 2) {
      $0.put(UInt8(ascii: "\""))
      $0.put(escaping: text)
      $0.put(rest)
      $0.put(UInt8(ascii: "\""))
    }
  }

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

  /// Appends the shortest digits that parse as the same number; `null` for infinity and NaN.
  package mutating func append(number: Double) {
    guard number.isFinite else { return append("null") }
    var digits = number.description
    digits.withUTF8 { append($0) }
  }
}

/// Writing text. The caller has reserved enough memory.
extension UnsafeMutablePointer<UInt8> {
  mutating func put(_ byte: UInt8) {
    pointee = byte
    self += 1
  }

  @inline(__always)
  mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    // For few bytes, a call to copy memory would take longer.
    if bytes.count > 64, let start = bytes.baseAddress {
      update(from: start, count: bytes.count)
      self += bytes.count
    } else {
      _ = putPlain(bytes)
    }
  }

  /// Copies bytes word by word. Returns true if none of them needs an escape in JSON.
  @inline(__always)
  mutating func putPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    let (source, target, count) = (UnsafeRawPointer(start), UnsafeMutableRawPointer(self), bytes.count)
    self += count
    var found: UInt64 = 0
    if count >= 8 {
      let last = count &- 8
      var index = 0
      while index < last {
        found |= target.copy(UInt64.self, from: source, at: index).bytesToEscape
        index &+= 8
      }
      // The last word overlaps the one before it.
      found |= target.copy(UInt64.self, from: source, at: last).bytesToEscape
    } else if count >= 4 {
      found = UInt64(target.copy(UInt32.self, from: source, at: 0)).paddedBytesToEscape(4)
      found |= UInt64(target.copy(UInt32.self, from: source, at: count &- 4)).paddedBytesToEscape(4)
    } else {
      for index in 0..<count {
        found |= UInt64(target.copy(UInt8.self, from: source, at: index)).paddedBytesToEscape(1)
      }
    }
    return found == 0
  }

  /// Writes a string with escapes: whole words, of which only the bytes before the first one that needs an
  /// escape are kept.
  fileprivate mutating func put(escaping bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    var index = 0
    while index < bytes.count {
      var plainCount = 0
      if index + 8 <= bytes.count {
        let word = UnsafeRawPointer(start).loadUnaligned(fromByteOffset: index, as: UInt64.self)
        plainCount = UInt64(littleEndian: word).bytesToEscape.trailingZeroBitCount / 8
        UnsafeMutableRawPointer(self).storeBytes(of: word, as: UInt64.self)
        self += plainCount
        index += plainCount
      }
      if plainCount < 8 {
        put(escaping: bytes[index])
        index += 1
      }
    }
  }

  /// Writes one byte of a string, escaped if necessary.
  private mutating func put(escaping byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): put(escape: byte)
    case 0x08: put(escape: UInt8(ascii: "b"))
    case 0x09: put(escape: UInt8(ascii: "t"))
    case 0x0A: put(escape: UInt8(ascii: "n"))
    case 0x0C: put(escape: UInt8(ascii: "f"))
    case 0x0D: put(escape: UInt8(ascii: "r"))
    case 0..<0x20:
      put(escape: UInt8(ascii: "u"))
      for _ in 0..<2 { put(UInt8(ascii: "0")) }
      put(Hex.digit(byte >> 4))
      put(Hex.digit(byte & 0xF))
    default: put(byte)
    }
  }

  private mutating func put(escape byte: UInt8) {
    put(UInt8(ascii: "\\"))
    put(byte)
  }
}

extension UnsafeMutableRawPointer {
  /// Copies one word and returns it.
  @inline(__always)
  fileprivate func copy<Word: FixedWidthInteger>(
    _: Word.Type, from source: UnsafeRawPointer, at index: Int
  ) -> Word {
    let word = source.loadUnaligned(fromByteOffset: index, as: Word.self)
    storeBytes(of: word, toByteOffset: index, as: Word.self)
    return word
  }
}

extension UInt64 {
  /// Not 0 if one of the eight bytes is a control character, a quote or a backslash.
  fileprivate var bytesToEscape: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = self ^ (ones &* 0x22)
    let backslash = self ^ (ones &* 0x5C)
    // Subtracting sets the top bit of a byte that is smaller than the subtrahend.
    let control = (self &- ones &* 0x20) & ~self
    let special = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
    return (control | special) & (ones &* 0x80)
  }

  /// The same, for the lowest `count` bytes.
  fileprivate func paddedBytesToEscape(_ count: UInt64) -> UInt64 {
    (self | 0x2020_2020_2020_2020 << (count &* 8)).bytesToEscape
  }
}
