/// Steps of a writer that has made sure of the room.
extension UnsafeMutablePointer<UInt8> {
  /// Writes a byte and steps behind it.
  mutating func put(_ byte: UInt8) {
    pointee = byte
    self += 1
  }

  /// Copies bytes and steps behind them; short ones in words, since a call costs more than the copy.
  @inline(__always)
  mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    let (source, target, count) = (UnsafeRawPointer(start), UnsafeMutableRawPointer(self), bytes.count)
    self += count
    if count >= 8 {
      if count > 64 { return target.copyMemory(from: source, byteCount: count) }
      // The last word overlaps the one before it.
      let last = count &- 8
      var index = 0
      while index < last {
        target.copyWord(UInt64.self, from: source, at: index)
        index &+= 8
      }
      target.copyWord(UInt64.self, from: source, at: last)
    } else if count >= 4 {
      target.copyWord(UInt32.self, from: source, at: 0)
      target.copyWord(UInt32.self, from: source, at: count &- 4)
    } else if count >= 2 {
      target.copyWord(UInt16.self, from: source, at: 0)
      target.copyWord(UInt16.self, from: source, at: count &- 2)
    } else if count == 1 {
      target.copyWord(UInt8.self, from: source, at: 0)
    }
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
      put(UInt8(ascii: "0") + byte >> 4)
      put(byte & 0xF < 10 ? UInt8(ascii: "0") + byte & 0xF : UInt8(ascii: "a") + byte & 0xF - 10)
    default: put(byte)
    }
  }

  private mutating func put(escape byte: UInt8) {
    put(UInt8(ascii: "\\"))
    put(byte)
  }
}

extension UnsafeMutableRawPointer {
  /// Copies as many bytes as a word has.
  @inline(__always)
  fileprivate func copyWord<Word: FixedWidthInteger>(
    _: Word.Type, from source: UnsafeRawPointer, at index: Int
  ) {
    let word = source.loadUnaligned(fromByteOffset: index, as: Word.self)
    storeBytes(of: word, toByteOffset: index, as: Word.self)
  }
}
