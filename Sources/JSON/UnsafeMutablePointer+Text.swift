/// Steps of a writer that has made sure of the room.
extension UnsafeMutablePointer<UInt8> {
  /// Writes a byte and steps behind it.
  mutating func put(_ byte: UInt8) {
    pointee = byte
    self += 1
  }

  /// Copies bytes and steps behind them.
  @inline(__always)
  mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    // A call to copy memory would cost more than these few words.
    if bytes.count > 64, let start = bytes.baseAddress {
      update(from: start, count: bytes.count)
      self += bytes.count
    } else {
      _ = putPlain(bytes)
    }
  }

  /// Copies bytes word by word and steps behind them; whether a JSON string may hold all of them unescaped.
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

  /// Writes one byte of a string, as an escape if it needs one.
  mutating func put(escaping byte: UInt8) {
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
  /// Copies as many bytes as a word has, and returns them.
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
  /// Not 0 exactly when one of the eight bytes is a control character, a quote or a backslash.
  fileprivate var bytesToEscape: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = self ^ (ones &* 0x22)
    let backslash = self ^ (ones &* 0x5C)
    // Subtracting borrows into the top bit of a byte that is smaller than the subtrahend.
    let control = (self &- ones &* 0x20) & ~self
    let special = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
    return (control | special) & (ones &* 0x80)
  }

  /// The same for the lower bytes alone.
  fileprivate func paddedBytesToEscape(_ count: UInt64) -> UInt64 {
    (self | 0x2020_2020_2020_2020 << (count &* 8)).bytesToEscape
  }
}
