/// Classes of ASCII bytes, as wire formats define them.
extension UInt8 {
  /// True for `0` to `9`.
  package var isDigit: Bool { self &- 0x30 < 10 }

  /// True for `A` to `Z` and `a` to `z`.
  package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// True for letters and digits.
  package var isAlphanumeric: Bool { isDigit || isLetter }

  /// True for hexadecimal digits of either case.
  package var isHexDigit: Bool { hexValue != nil }

  /// True for digits and `A` to `F`.
  package var isUppercaseHexDigit: Bool { isDigit || self &- 0x41 < 6 }

  /// The value of a hexadecimal digit of either case, 0 to 15; nil for any other byte.
  package var hexValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x37
    case 0x61...0x66: self - 0x57
    default: nil
    }
  }
}

extension Collection<UInt8> {
  /// Calls `body` with the bytes in memory: loops over other collections are not specialised, and ten times
  /// slower. Inlined for the same reason.
  @inlinable
  package func inMemory<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
  }
}

/// Bytes as hexadecimal text.
package enum Hex {
  /// The digit of a value from 0 to 15.
  package static func digit(_ value: UInt8, uppercase: Bool = false) -> UInt8 {
    value < 10 ? 0x30 + value : (uppercase ? 0x37 : 0x57) + value
  }

  /// Two digits for each byte.
  package static func encode(_ bytes: some Collection<UInt8>, uppercase: Bool = false) -> String {
    bytes.inMemory { encode($0, uppercase) }
  }

  private static func encode(_ bytes: UnsafeBufferPointer<UInt8>, _ uppercase: Bool) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      var index = 0
      for byte in bytes {
        text[index] = digit(byte >> 4, uppercase: uppercase)
        text[index + 1] = digit(byte & 0xF, uppercase: uppercase)
        index += 2
      }
      return index
    }
  }

  /// A number in lower-case digits, with leading zeros.
  package static func encode<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> String {
    withUnsafeBytes(of: number.bigEndian) { bytes in
      bytes.withMemoryRebound(to: UInt8.self) { encode($0, false) }
    }
  }

  /// The eight lower-case digits of a number, as a word that has them in this order in memory.
  ///
  /// Works on all digits at once: identifiers are made several times for each request.
  package static func digits(of number: UInt32) -> UInt64 {
    var values = UInt64(number)
    values = (values << 16 | values) & 0x0000_FFFF_0000_FFFF
    values = (values << 8 | values) & 0x00FF_00FF_00FF_00FF
    values = (values << 4 | values) & 0x0F0F_0F0F_0F0F_0F0F
    // 1 in the bytes of the values 10 to 15, which are letters.
    let letters = ((values &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
    return (values &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).bigEndian
  }

  /// 32 digits in the groups of a UUID.
  package static func uuid(_ digits: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: digits.count + 4) { text in
      var end = 0
      for (place, digit) in digits.enumerated() {
        if place == 8 || place == 12 || place == 16 || place == 20 {
          text[end] = UInt8(ascii: "-")
          end += 1
        }
        text[end] = digit
        end += 1
      }
      return end
    }
  }

  /// The bytes of pairs of digits of either case; nil for any other text.
  package static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
    digits.inMemory(decode)
  }

  /// The halves of a number in 32 lower-case digits; nil for any other text.
  package static func halves(_ digits: some Collection<UInt8>) -> (high: UInt64, low: UInt64)? {
    digits.inMemory(halves)
  }

  private static func halves(_ digits: UnsafeBufferPointer<UInt8>) -> (high: UInt64, low: UInt64)? {
    guard digits.count == 32 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for digit in digits {
      guard let value = digit.hexValue, digit.isDigit || !digit.isUppercaseHexDigit else { return nil }
      (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(value))
    }
    return (high, low)
  }

  private static func decode(_ digits: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var iterator = digits.makeIterator()
    while let high = iterator.next(), let low = iterator.next() {
      guard let high = high.hexValue, let low = low.hexValue else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

extension Int64 {
  /// Parses decimal digits, with a minus before them if negative; nil for anything else.
  package init?(decimal text: Slice<UnsafeBufferPointer<UInt8>>) {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirst() : text
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in digits {
      guard byte.isDigit else { return nil }
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = product.subtractingReportingOverflow(Int64(byte &- UInt8(ascii: "0")))
      guard !isTooLarge, !overflows else { return nil }
      value = sum
    }
    // Summed as a negative number, because the smallest one has no positive counterpart.
    guard isNegative || value != .min else { return nil }
    self = isNegative ? value : -value
  }
}

extension String {
  /// The first bytes of a text, at most, without half a character at the end.
  package func prefix(bytes limit: Int) -> String {
    guard var end = utf8.index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else {
      return self
    }
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}
